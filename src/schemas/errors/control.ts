/**
 * The call is not allowed now, or names something that is not there.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode, list } from "./code.ts"

/** The arguments do not fit the tool's schema; nothing was done. */
export class InvalidArguments extends Schema.TaggedError<InvalidArguments>()("InvalidArguments", {
  code: errorCode("BROWSER_INVALID_ARGUMENTS"),
  tool: Schema.String,
  issues: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The arguments of ${this.tool} are not valid: ${ended(this.issues.join("; "))}`
  }
  get next() {
    return `Correct them and call again; nothing was done.`
  }
}

/** No tool has that name. */
export class ToolUnknown extends Schema.TaggedError<ToolUnknown>()("ToolUnknown", {
  code: errorCode("BROWSER_TOOL_UNKNOWN"),
  tool: Schema.String,
  near: Schema.Array(Schema.String)
}) {
  override get message() {
    return `There is no tool "${this.tool}"${this.near.length === 0 ? "" : ` (near: ${list(this.near)})`}.`
  }
  get next() {
    return `Use a name of the tool list ("effect-browser tools" prints it).`
  }
}

/** There is such a tool, but it is not among those that this server offers; `remedy`: how to get it, or do without. */
export class ToolNotOffered extends Schema.TaggedError<ToolNotOffered>()("ToolNotOffered", {
  code: errorCode("BROWSER_TOOL_NOT_OFFERED"),
  tool: Schema.String,
  remedy: Schema.NonEmptyString
}) {
  override get message() {
    return `The tool ${this.tool} exists, but is not offered here.`
  }
  get next() {
    return this.remedy
  }
}

/** The configuration does not fit its schema. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  code: errorCode("BROWSER_CONFIG_INVALID"),
  issues: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The configuration is not valid: ${ended(this.issues.join("; "))}`
  }
  get next() {
    return `Correct the named settings and start again; nothing was done.`
  }
}

/** Too many calls already wait for this task. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", {
  code: errorCode("BROWSER_QUEUE_FULL"),
  limit: Schema.Int
}) {
  override get message() {
    return `${this.limit} calls already wait for this task; this one was not taken.`
  }
  get next() {
    return `Wait for earlier calls, or cancel some.`
  }
}

/** A person drives the page; the call waited in vain (ms). */
export class HumanInControl extends Schema.TaggedError<HumanInControl>()("HumanInControl", {
  code: errorCode("BROWSER_HUMAN_IN_CONTROL"),
  waited: Schema.Finite
}) {
  override get message() {
    return `A person is in control of the browser; waited ${this.waited} ms.`
  }
  get next() {
    return `Wait until control is handed back; reading is possible meanwhile.`
  }
}

/** Control cannot be taken back from a person. */
export class HandoffRefused extends Schema.TaggedError<HandoffRefused>()("HandoffRefused", {
  code: errorCode("BROWSER_HANDOFF_REFUSED"),
  reason: Schema.String
}) {
  override get message() {
    return `Control was not handed over: ${ended(this.reason)}`
  }
  get next() {
    return `Ask the person to hand control back.`
  }
}

/** The task may not use this tool. */
export class ToolRestricted extends Schema.TaggedError<ToolRestricted>()("ToolRestricted", {
  code: errorCode("BROWSER_TOOL_RESTRICTED"),
  tool: Schema.String,
  allowed: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The tool ${this.tool} is not allowed for this task (allowed: ${list(this.allowed)}).`
  }
  get next() {
    return `Use an allowed tool, or ask the operator.`
  }
}

/** The restriction names tools that do not exist or that the operator does not allow. */
export class RestrictUnknown extends Schema.TaggedError<RestrictUnknown>()("RestrictUnknown", {
  code: errorCode("BROWSER_RESTRICT_UNKNOWN"),
  names: Schema.Array(Schema.String)
}) {
  override get message() {
    return `These tools cannot be allowed: ${list(this.names)}.`
  }
  get next() {
    return `Use names of the tool list.`
  }
}

/** The provider cannot label spaces. */
export class SpaceUnsupported extends Schema.TaggedError<SpaceUnsupported>()("SpaceUnsupported", {
  code: errorCode("BROWSER_SPACE_UNSUPPORTED"),
  provider: Schema.String
}) {
  override get message() {
    return `The provider "${this.provider}" has no named spaces.`
  }
  get next() {
    return `Go on without a label.`
  }
}

/** The history entry cannot be replayed. */
export class HistoryUnknown extends Schema.TaggedError<HistoryUnknown>()("HistoryUnknown", {
  code: errorCode("BROWSER_HISTORY_UNKNOWN"),
  seq: Schema.Int
}) {
  override get message() {
    return `There is no history entry ${this.seq}.`
  }
  get next() {
    return `Call browser_history, or do the step again by its own tool.`
  }
}

/** The history entry cannot be replayed. */
export class HistoryInvalid extends Schema.TaggedError<HistoryInvalid>()("HistoryInvalid", {
  code: errorCode("BROWSER_HISTORY_INVALID"),
  seq: Schema.Int
}) {
  override get message() {
    return `The recorded arguments of entry ${this.seq} cannot be used.`
  }
  get next() {
    return `Call browser_history, or do the step again by its own tool.`
  }
}

/** The history entry cannot be replayed. */
export class HistoryTruncated extends Schema.TaggedError<HistoryTruncated>()("HistoryTruncated", {
  code: errorCode("BROWSER_HISTORY_TRUNCATED"),
  seq: Schema.Int
}) {
  override get message() {
    return `Entry ${this.seq} was recorded in part only.`
  }
  get next() {
    return `Call browser_history, or do the step again by its own tool.`
  }
}

/** The history entry cannot be replayed. */
export class HistoryNotReplayable extends Schema.TaggedError<HistoryNotReplayable>()("HistoryNotReplayable", {
  code: errorCode("BROWSER_HISTORY_NOT_REPLAYABLE"),
  seq: Schema.Int
}) {
  override get message() {
    return `Entry ${this.seq} cannot be replayed.`
  }
  get next() {
    return `Call browser_history, or do the step again by its own tool.`
  }
}

/** A batch needs URLs and a script. */
export class ScrapeEmpty extends Schema.TaggedError<ScrapeEmpty>()("ScrapeEmpty", {
  code: errorCode("BROWSER_SCRAPE_EMPTY")
}) {
  override get message() {
    return `A scrape needs at least one URL and a script.`
  }
  get next() {
    return `Give both.`
  }
}

/** No batch has that id. */
export class ScrapeUnknown extends Schema.TaggedError<ScrapeUnknown>()("ScrapeUnknown", {
  code: errorCode("BROWSER_SCRAPE_UNKNOWN"),
  id: Schema.String
}) {
  override get message() {
    return `There is no scrape "${this.id}".`
  }
  get next() {
    return `Call browser_scrape with action list.`
  }
}

/** A fault of this library; the cause is in the log, not here. */
export class Internal extends Schema.TaggedError<Internal>()("Internal", {
  code: errorCode("BROWSER_INTERNAL"),
  operation: Schema.String
}) {
  override get message() {
    return `${this.operation} failed because of a fault in effect-browser; the cause is in its log.`
  }
  get next() {
    return `Try again; if it persists, report it with the log.`
  }
}
