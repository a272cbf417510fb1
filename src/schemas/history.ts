/** What a task did, as data. */
import { Schema } from "effect"

/** Bounds of what is kept and shown of a task's history. */
export const historyLimits = {
  entries: 500,
  /** characters of one argument that are kept */
  text: 32_768,
  /** characters of an entry's arguments together that are kept */
  params: 131_072,
  /** characters of a result, an error or an argument that are shown */
  shown: 500
} as const

/** Stands for what is secret, and so is not recorded. */
export const secretMark = "(secret)"

/** Stands for what is not recorded because it may be secret: nobody knows where it was to go. */
export const withheldMark = "(withheld)"

/** An entry as it is kept. */
export const HistoryEntry = Schema.Struct({
  seq: Schema.Int,
  /** ms since 1970 */
  at: Schema.Finite,
  tool: Schema.String,
  action: Schema.String,
  ok: Schema.Boolean,
  /** arguments as the tool takes them, without what is secret */
  params: Schema.Record(Schema.String, Schema.Json),
  result: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  /** whether the step can be done again; `truncated`, `secret`: it could, but its arguments are not whole */
  replay: Schema.Literals(["yes", "no", "truncated", "secret"])
})
export type HistoryEntry = typeof HistoryEntry.Type
