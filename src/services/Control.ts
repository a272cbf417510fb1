/**
 * Who is in control of each task's browser, and what the task may use. The human side of a program (a window, a
 * command, a chat) takes over and hands back here; the tools ask here before they act.
 */
import type { Effect, Stream } from "effect"
import { Context } from "effect"
import type * as E from "../schemas/errors.ts"
import type { TaskKey } from "../schemas/ids.ts"
import type { TaskInfo } from "../schemas/tasks.ts"

/** Brackets the work of an act; fails with `HumanInControl`, and does nothing, if a person took over meanwhile. */
export type Begin = <A, Err, R>(work: Effect.Effect<A, Err, R>) => Effect.Effect<A, Err | E.HumanInControl, R>

export class Control extends Context.Service<
  Control,
  {
    /** A person takes control: acts of the agent that have not begun wait. */
    readonly takeOver: (task: TaskKey) => Effect.Effect<void>
    /** The person hands control back. Without effect if the agent has it. */
    readonly handBack: (task: TaskKey) => Effect.Effect<void>
    /** The person in control is still there: the time after which control goes back begins anew. */
    readonly personSeen: (task: TaskKey) => Effect.Effect<void>
    /** The state of a task; one that nobody has heard of is idle. Reads what is known, asks no page. */
    readonly state: (task: TaskKey) => Effect.Effect<TaskInfo>
    /** All tasks that are known, in the order in which they were first heard of. */
    readonly states: Effect.Effect<ReadonlyArray<TaskInfo>>
    /** The state of a task after each change of any. Slow readers miss some, never the latest. */
    readonly changes: Stream.Stream<TaskInfo>
    /** Names a task for people; at most 120 characters are kept. */
    readonly setLabel: (task: TaskKey, label: string) => Effect.Effect<void>

    /**
     * For the tools: runs an act of the agent. While a person is in control it waits, `budget` ms in all; a person who
     * takes over while the act waits for its turn sends it back to waiting. `perform` runs its work inside `begin`, at
     * the moment at which the act really begins, within the `left` ms; what the work fails with is the task's error.
     *
     * Fails with `HumanInControl` when the time is over.
     */
    readonly act: <A, Err, R>(
      task: TaskKey,
      action: string,
      budget: number,
      perform: (begin: Begin, left: number) => Effect.Effect<A, Err, R>
    ) => Effect.Effect<A, Err | E.HumanInControl, R>
    /** Names of the tools that a task may use; undefined: all. */
    readonly allowed: (task: TaskKey) => ReadonlyArray<string> | undefined
    /**
     * Narrows what a task may use, for that task only; an empty list lifts what was narrowed. Yields what is allowed
     * now; empty: everything. The operator's list bounds it. Fails with `RestrictUnknown` for names beyond it.
     */
    readonly restrict: (
      task: TaskKey,
      names: ReadonlyArray<string>,
      known: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, E.RestrictUnknown>
  }
>()("effect-browser/Control") {}
