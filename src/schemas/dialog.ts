/** JavaScript dialogs as data. Keys are the published ones of the snapshot's `pending_dialogs` and `recent_dialogs`. */
import { Schema } from "effect"
import { DialogId, FrameId, TabId } from "./ids.ts"

/** Kinds of dialog, as in `Page.DialogType`. */
export const DialogType = Schema.Literals(["alert", "confirm", "prompt", "beforeunload"])
export type DialogType = typeof DialogType.Type

/** Who closed a dialog; `lost` is a dialog whose connection or page went away. */
export const ClosedBy = Schema.Literals(["agent", "auto_policy", "watchdog", "remote", "lost"])
export type ClosedBy = typeof ClosedBy.Type

/** What is done with a dialog when it opens. */
export const DialogPolicy = Schema.Literals(["must_respond", "auto_dismiss", "auto_accept"])
export type DialogPolicy = typeof DialogPolicy.Type

const fields = {
  id: DialogId,
  type: DialogType,
  message: Schema.String.annotate({ description: "what the dialog says" }),
  opened_at: Schema.Finite.annotate({ description: "seconds since 1970" }),
  tab_id: TabId
} as const

/** A dialog that is open and blocks its page. */
export const Dialog = Schema.Struct({
  ...fields,
  default_prompt: Schema.optionalKey(Schema.String),
  frame_id: Schema.optionalKey(FrameId),
  remedy: Schema.optionalKey(
    Schema.String.annotate({ description: "present if nobody can answer it any more: the way out" })
  )
})
export type Dialog = typeof Dialog.Type

/** A dialog that has been closed. */
export const DialogRecord = Schema.Struct({
  ...fields,
  frame_id: Schema.optionalKey(FrameId),
  closed_at: Schema.Finite.annotate({ description: "seconds since 1970" }),
  closed_by: ClosedBy,
  leaving: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "the agent left the page, and that dismissed it" })
  ),
  seen: Schema.optionalKey(Schema.Boolean.annotate({ description: "true if an earlier snapshot held it, too" }))
})
export type DialogRecord = typeof DialogRecord.Type
