/**
 * Time ran out, or the caller gave up.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode } from "./code.ts"

/** An operation used up its limit: `budget` (ms) is what was asked for, or the default. `remedy`: what helps here. */
export class OperationTimeout extends Schema.TaggedError<OperationTimeout>()("OperationTimeout", {
  code: errorCode("BROWSER_OPERATION_TIMEOUT"),
  operation: Schema.String,
  budget: Schema.Finite,
  detail: Schema.optionalKey(Schema.String),
  remedy: Schema.optionalKey(Schema.NonEmptyString)
}) {
  override get message() {
    return `${this.operation} did not finish within ${this.budget} ms${this.detail === undefined ? "." : `: ${ended(this.detail)}`}`
  }
  get next() {
    if (this.remedy === undefined && /^browser_(snapshot|find)$/.test(this.operation)) {
      return `Try again, or call browser_stop if the page is still loading; browser_snapshot with a selector looks at a part of it, and browser_reset_session frees a page that stays busy.`
    }
    return (
      this.remedy ??
      `Take a snapshot to see the state of the page; try again (with a longer timeoutMs, if one was given), or call browser_stop; browser_reset_session frees a page that stays busy.`
    )
  }
}

/** A script ran longer than its budget (ms); `terminated` says whether it was stopped in the page. */
export class ExecuteTimeout extends Schema.TaggedError<ExecuteTimeout>()("ExecuteTimeout", {
  code: errorCode("BROWSER_EXECUTE_TIMEOUT"),
  budget: Schema.Finite,
  terminated: Schema.Boolean
}) {
  override get message() {
    return `The script did not finish within ${this.budget} ms and was ${this.terminated ? "stopped" : "not stopped"} in the page.`
  }
  get next() {
    return `Split the script, or give a longer timeoutMs if one was given; browser_reset_session frees a page that stays busy.`
  }
}

/** The awaited condition did not come about (budget in ms). */
export class WaitTimeout extends Schema.TaggedError<WaitTimeout>()("WaitTimeout", {
  code: errorCode("BROWSER_WAIT_TIMEOUT"),
  condition: Schema.String,
  budget: Schema.Finite,
  seen: Schema.String
}) {
  override get message() {
    return `Waited ${this.budget} ms in vain for ${this.condition}${this.seen === "" ? "." : `: ${ended(this.seen)}`}`
  }
  get next() {
    return `Take a snapshot to see what is there instead.`
  }
}

/** The caller cancelled the call. */
export class Cancelled extends Schema.TaggedError<Cancelled>()("Cancelled", {
  code: errorCode("BROWSER_CANCELLED"),
  operation: Schema.String
}) {
  override get message() {
    return `${this.operation} was cancelled.`
  }
  get next() {
    return `Look at the page before repeating an action: it may have begun.`
  }
}
