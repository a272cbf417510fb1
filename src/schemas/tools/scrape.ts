/** Parameters and results of the tool that reads many pages in the background. */
import { Schema } from "effect"
import { ScrapeInfo, scrapeLimits } from "../scrapes.ts"
import { optionalText, optionalWith } from "./common.ts"

export const ScrapeParams = Schema.Struct({
  action: Schema.Literals(["start", "status", "stop", "list"]),
  urls: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString)
      .check(Schema.isMaxLength(scrapeLimits.urls))
      .annotate({ description: "for start: pages to read" })
  ),
  script: optionalText("for start: run in each page; its value is the page's data"),
  outPath: optionalText("for start: file of JSON lines to write"),
  waitFor: optionalText("for start: selector to wait for before the script runs"),
  timeoutMs: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 600_000 })).annotate({
      description: "start: ms for each page (30000); status: ms to wait for the end (0)"
    })
  ),
  concurrency: optionalWith(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: scrapeLimits.concurrency })).annotate({
      description: "pages at once"
    }),
    4
  ),
  id: optionalText("for status and stop")
})
export const ScrapeResult = Schema.Struct({
  id: Schema.optionalKey(ScrapeInfo.fields.id),
  state: Schema.optionalKey(ScrapeInfo.fields.state),
  total: Schema.optionalKey(ScrapeInfo.fields.total),
  done: Schema.optionalKey(ScrapeInfo.fields.done),
  failed: Schema.optionalKey(ScrapeInfo.fields.failed),
  path: Schema.optionalKey(ScrapeInfo.fields.path),
  error: ScrapeInfo.fields.error,
  jobs: Schema.optionalKey(Schema.Array(ScrapeInfo))
})
export type ScrapeResult = typeof ScrapeResult.Type
