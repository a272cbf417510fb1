/**
 * Tasks: one session, one lane and one state for each task key.
 *
 * A call names how it uses the task; the service opens the session (once, however many callers race), orders the
 * calls, bounds them and lets an interrupted one leave the queue at once.
 */
import type { Effect, Scope } from "effect"
import { Context } from "effect"
import type * as E from "../schemas/errors.ts"
import type { TaskKey } from "../schemas/ids.ts"
import type { OpenSessionError, SelectionError } from "./Browser.ts"
import type { BrowserSession, PersonAct } from "./BrowserSession.ts"

/** How a call takes its place among the calls of its task. */
export type LaneMode =
  /** alone, in the order of arrival */
  | "write"
  /** after earlier writes; together with other reads */
  | "read"
  /** at once, beside the lane */
  | "free"

/** What a call wants of the session. */
export type SessionNeed =
  /** opened if there is none, and anew if it was lost */
  | "open"
  /** must be there: `SessionUnknown` before the first open, `SessionLost` (once, then `SessionUnknown`) after a loss */
  | "required"

export interface TaskCall {
  /** Name of the tool, for errors and state. */
  readonly operation: string
  readonly lane: LaneMode
  readonly session: SessionNeed
  /**
   * Reads with the same key that find no write between them share one execution; it is interrupted when its last
   * caller leaves. Absent: never shared.
   */
  readonly coalesce?: string | undefined
  /** ms from the call to its end, waiting in the queue included */
  readonly budget: number
  /** the limit in ms that the caller knows, for its errors, where some of it was spent before; absent: `budget` */
  readonly limit?: number | undefined
}

/** What happens to a task beside its calls. */
export type TaskEvent =
  /** it has a session, which nobody has used yet */
  | { readonly _tag: "SessionOpened"; readonly task: TaskKey; readonly session: BrowserSession }
  /** a person at the window of its browser did something */
  | { readonly _tag: "PersonActed"; readonly task: TaskKey; readonly act: PersonAct }

/** What `Tasks.run` adds to the errors of the work itself. */
export type TaskError =
  | SelectionError
  | OpenSessionError
  | E.SessionUnknown
  | E.SessionLost
  | E.OperationTimeout
  | E.QueueFull

export class Tasks extends Context.Service<
  Tasks,
  {
    /** Runs `use` on the session of `task`, in its place in the lane. */
    readonly run: <A, Err>(
      task: TaskKey,
      call: TaskCall,
      use: (session: BrowserSession) => Effect.Effect<A, Err>
    ) => Effect.Effect<A, Err | TaskError>
    /** Closes the task's session and forgets it, also if closing fails; false if there was none. Beside the lane. */
    readonly resetSession: (task: TaskKey) => Effect.Effect<boolean>
    /** The session of a task that has one; opens nothing. */
    readonly peek: (task: TaskKey) => BrowserSession | undefined
    /** Calls the listener, synchronously, for what happens to any task, until the scope closes. It must not wait. */
    readonly listen: (listener: (event: TaskEvent) => void) => Effect.Effect<void, never, Scope.Scope>
    /** Keys of the tasks that are known. */
    readonly keys: () => ReadonlyArray<TaskKey>
  }
>()("effect-browser/Tasks") {}
