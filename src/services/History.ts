/** What each task did: the latest 500 steps, numbered for ever. Nothing secret is in it. */
import type { Effect } from "effect"
import { Context } from "effect"
import type { HistoryEntry } from "../schemas/history.ts"
import type { TaskKey } from "../schemas/ids.ts"

export class History extends Context.Service<
  History,
  {
    /** Adds a step; its number is one more than that of the task's step before. */
    readonly record: (task: TaskKey, step: Omit<HistoryEntry, "seq" | "at">) => Effect.Effect<HistoryEntry>
    /** The steps of a task, oldest first. */
    readonly entries: (task: TaskKey) => ReadonlyArray<HistoryEntry>
    /** The step of that number, if it is still kept. */
    readonly find: (task: TaskKey, seq: number) => HistoryEntry | undefined
  }
>()("effect-browser/History") {}
