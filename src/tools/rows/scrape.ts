/** The tool that reads many pages in the background. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import type { ScrapeInfo } from "../../schemas/scrapes.ts"
import { ScrapeParams, ScrapeResult } from "../../schemas/tools/scrape.ts"
import type { ToolRow } from "../ToolRow.ts"
import { taskTool } from "../ToolRow.ts"
import { longestLimit } from "../budgets.ts"
import { taskErrors } from "../errors.ts"
import { counted, oneLine } from "../render/text.ts"
import { act } from "./facts.ts"

/** ms for each page unless the call says otherwise */
const pageMs = 30_000

const batchLine = (batch: Partial<ScrapeInfo>): string =>
  `${batch.id}: ${batch.state}, ${batch.done} of ${counted(batch.total ?? 0, "page")} read, ${batch.failed} failed, ${oneLine(batch.path ?? "", 1_000)}${batch.error === undefined ? "" : `: ${oneLine(batch.error, 300)}`}`

export const scrapeRow: ToolRow = taskTool({
  ...act,
  name: "browser_scrape",
  title: "Read many pages",
  description: "Run a script in many pages in the background and write the results as JSON lines.",
  core: false,
  // only the start is an act, and asks for control by itself
  guarded: false,
  lane: "free",
  session: "none",
  history: "scrape",
  budget: 58_000,
  timeoutIsWork: true,
  whileDialog: "answers",
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  parameters: ScrapeParams,
  success: ScrapeResult,
  errors: [...taskErrors, E.ScrapeEmpty, E.ScrapeUnknown, E.WritePathDenied, E.InvalidArguments],
  run: (environment, params) => {
    const { config, control, files, scrapes, task, tasks } = environment
    const { action, concurrency, id, outPath, script, timeoutMs, urls, waitFor } = params
    const missing = (what: string) =>
      new E.InvalidArguments({ tool: "browser_scrape", issues: [`${what} is missing; action ${action} needs it`] })
    switch (action) {
      case "start":
        return Effect.gen(function* () {
          if (urls === undefined || urls.length === 0 || script === undefined) return yield* new E.ScrapeEmpty()
          if (outPath === undefined) return yield* missing("outPath")
          const path = yield* files.admitWrite(outPath)
          const order = { urls, script, waitFor, timeoutMs: timeoutMs ?? pageMs, concurrency, path }
          return yield* control.act(task, "browser_scrape", longestLimit(config.toolTimeoutMs), (begin, budget) =>
            tasks.run(task, { operation: "browser_scrape", lane: "free", session: "required", budget }, (session) =>
              begin(scrapes.start(task, session, order))
            )
          )
        })
      case "status":
        return id === undefined
          ? Effect.fail(missing("id"))
          : timeoutMs === undefined
            ? scrapes.status(task, id)
            : scrapes.await(task, id, Math.min(timeoutMs, longestLimit(config.toolTimeoutMs)))
      case "stop":
        return id === undefined ? Effect.fail(missing("id")) : scrapes.stop(task, id)
      case "list":
        return Effect.sync(() => ({ jobs: scrapes.list(task) }))
    }
  },
  render: (result) => ({
    lines:
      result.jobs === undefined
        ? [batchLine(result)]
        : result.jobs.length === 0
          ? ["no batches"]
          : result.jobs.map(batchLine)
  })
})
