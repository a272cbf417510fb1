/** Batches of pages that are read in the background, as data. */
import { Schema } from "effect"

/** `done`, `stopped` and `failed` are final. */
export const ScrapeState = Schema.Literals(["running", "done", "stopped", "failed"])
export type ScrapeState = typeof ScrapeState.Type

export const scrapeLimits = {
  urls: 10_000,
  /** tabs at once of one batch, and of all batches of a task together */
  concurrency: 8,
  /** batches of a task that are remembered; the oldest that has ended is forgotten */
  remembered: 50
} as const

export const ScrapeInfo = Schema.Struct({
  id: Schema.String,
  state: ScrapeState,
  total: Schema.Int.annotate({ description: "pages of the batch" }),
  done: Schema.Int.annotate({ description: "pages that were read" }),
  failed: Schema.Int.annotate({ description: "pages that could not be read" }),
  path: Schema.String.annotate({ description: "file of JSON lines; there once the batch has ended" }),
  error: Schema.optionalKey(Schema.String.annotate({ description: "why the batch as a whole failed" }))
})
export type ScrapeInfo = typeof ScrapeInfo.Type

/** A line of the file. `seq` counts the addresses from 1, in the order in which they were given. */
export const ScrapeLine = Schema.Struct({
  seq: Schema.Int,
  url: Schema.String,
  ok: Schema.Boolean,
  /** HTTP status, of a page whose server says that it is not what was asked for */
  status: Schema.optionalKey(Schema.Int),
  data: Schema.optionalKey(Schema.Json),
  truncated: Schema.optionalKey(Schema.Boolean),
  error: Schema.optionalKey(Schema.String)
})
export type ScrapeLine = typeof ScrapeLine.Type
