/** Batches of pages that are read in the background, in tabs of their own. */
import type { Effect } from "effect"
import { Context } from "effect"
import type { ScrapeUnknown, WritePathDenied } from "../schemas/errors.ts"
import type { TaskKey } from "../schemas/ids.ts"
import type { ScrapeInfo } from "../schemas/scrapes.ts"
import type { BrowserSession } from "./BrowserSession.ts"
import type { WritablePath } from "./FileAccess.ts"

export interface ScrapeOrder {
  readonly urls: ReadonlyArray<string>
  /** run in each page; its value is the page's data */
  readonly script: string
  /** selector to wait for before */
  readonly waitFor: string | undefined
  /** ms for each page */
  readonly timeoutMs: number
  /** pages at once */
  readonly concurrency: number
  readonly path: WritablePath
}

export class Scrapes extends Context.Service<
  Scrapes,
  {
    /** Starts a batch, which ends with the session at the latest. Fails if the file cannot be made. */
    readonly start: (
      task: TaskKey,
      session: BrowserSession,
      order: ScrapeOrder
    ) => Effect.Effect<ScrapeInfo, WritePathDenied>
    readonly status: (task: TaskKey, id: string) => Effect.Effect<ScrapeInfo, ScrapeUnknown>
    /** Waits until a batch has ended, `ms` at the most; progress is reported. */
    readonly await: (task: TaskKey, id: string, ms: number) => Effect.Effect<ScrapeInfo, ScrapeUnknown>
    /** Ends a batch for good; what it has read is in its file. */
    readonly stop: (task: TaskKey, id: string) => Effect.Effect<ScrapeInfo, ScrapeUnknown>
    /** The batches of a task, in the order in which they were started. */
    readonly list: (task: TaskKey) => ReadonlyArray<ScrapeInfo>
  }
>()("effect-browser/Scrapes") {}
