/** Parameters and results of the tools that look behind a page: raw protocol commands, console, network. */
import { Schema } from "effect"
import { ConsoleEntry, ConsoleLevel, NetworkEntry } from "../diagnostics.ts"
import { Dialog } from "../dialog.ts"
import { TabId } from "../ids.ts"
import { optionalText, optionalWith, timeoutMs } from "./common.ts"

export const CdpParams = Schema.Struct({
  method: Schema.String.check(Schema.isPattern(/^[A-Z][A-Za-z]{1,40}\.[a-z][A-Za-z0-9]{1,60}$/)).annotate({
    description: "command of the Chrome DevTools Protocol, as DOM.getDocument"
  }),
  params: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({ description: "parameters of the command" })
  ),
  target_id: optionalText(
    "a tab id or the id of a target, workers too; absent: the active tab (Browser, Target and SystemInfo commands: the browser)"
  ),
  frame_id: optionalText("a frame of frame_tree, at any depth; wins over target_id"),
  timeout: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 300 })).annotate({
      description: "seconds to wait for the answer, 30 unless given; the call as a whole has its own limit"
    })
  ),
  timeoutMs
})
export type CdpParams = typeof CdpParams.Type
export const CdpResult = Schema.Struct({
  success: Schema.Boolean.annotate({ description: "true: the browser took the command" }),
  method: Schema.String,
  result: Schema.optionalKey(
    Schema.Json.annotate({ description: "absent if a dialog opened before the browser answered" })
  ),
  truncated: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "true if parts of the result were cut; each cut is marked in it" })
  ),
  frame_id: Schema.optionalKey(Schema.String),
  session_id: Schema.optionalKey(Schema.String),
  target_id: Schema.optionalKey(Schema.String),
  reached_by: Schema.optionalKey(
    Schema.Literals(["session", "execution_context"]).annotate({
      description:
        "session: the frame has a process of its own; execution_context: its parent's, and it ran in its main world"
    })
  ),
  dialog: Schema.optionalKey(Dialog.annotate({ description: "dialog that opened; answer it with browser_dialog" }))
})
export type CdpResult = typeof CdpResult.Type

const ring = {
  limit: optionalWith(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })).annotate({ description: "the latest so many" }),
    50
  ),
  since: Schema.optionalKey(
    Schema.Finite.annotate({ description: "only what came after this time (at of the last one seen)" })
  ),
  tabId: Schema.optionalKey(TabId.annotate({ description: "absent: the active tab" }))
} as const

const counted = {
  tabId: TabId,
  total: Schema.Int.annotate({ description: "how many matched; the latest 200 of a tab are kept" }),
  truncated: Schema.Boolean
} as const

export const ConsoleParams = Schema.Struct({
  level: Schema.optionalKey(
    ConsoleLevel.annotate({ description: "this level and worse; debug < log, info < warning < error < exception" })
  ),
  ...ring
})
export type ConsoleParams = typeof ConsoleParams.Type
export const ConsoleResult = Schema.Struct({
  ...counted,
  messages: Schema.Array(ConsoleEntry).annotate({ description: "oldest first" })
})
export type ConsoleResult = typeof ConsoleResult.Type

export const NetworkParams = Schema.Struct({
  urlContains: optionalText("only requests whose URL contains this, in any case"),
  failedOnly: optionalWith(
    Schema.Boolean.annotate({ description: "only what failed or was answered with status 400 or above" }),
    false
  ),
  ...ring
})
export type NetworkParams = typeof NetworkParams.Type
export const NetworkResult = Schema.Struct({
  ...counted,
  requests: Schema.Array(NetworkEntry).annotate({ description: "oldest first; secrets in URLs are masked" })
})
export type NetworkResult = typeof NetworkResult.Type
