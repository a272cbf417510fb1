/** One task: its session and its lane. */
import { Context, Effect, Exit } from "effect"
import type { Scope } from "effect"
import { SessionLost } from "../../schemas/errors.ts"
import type { TaskKey } from "../../schemas/ids.ts"
import type { BrowserSession } from "../../services/BrowserSession.ts"
import type { TaskCall } from "../../services/Tasks.ts"
import { CurrentDeadline } from "../../services/Timeouts.ts"
import type { Background } from "./Background.ts"
import type { Job, Restore } from "./LaneRunner.ts"
import * as LaneRunner from "./LaneRunner.ts"
import type { OpenError, User } from "./SessionSlot.ts"
import * as SessionSlot from "./SessionSlot.ts"

interface TaskJob extends Job, User {}

export interface Task {
  /**
   * Takes a call at once; see `LaneRunner.submit` for how it is to be called. `onLeave` is told what a call that gives
   * up was still waiting for, in words; undefined: it was working.
   */
  readonly submit: (
    call: TaskCall,
    use: (session: BrowserSession) => Effect.Effect<unknown, unknown>,
    caller: {
      readonly context: Context.Context<never>
      readonly restore: Restore
      readonly onLeave: (waitingFor: string | undefined) => void
    }
  ) => Effect.Effect<unknown, unknown>
  /** Forgets the session, ends all calls with `SessionLost`, closes the session within its budget. */
  readonly reset: (reason: string) => Effect.Effect<boolean>
  readonly session: () => BrowserSession | undefined
}

export interface Options {
  readonly key: TaskKey
  readonly open: Effect.Effect<BrowserSession, OpenError, Scope.Scope>
  readonly closeBudget: number
  readonly maxQueuedCalls: number
  readonly background: Background
  /** told when there is nothing left to remember */
  readonly onIdle: () => void
}

const inWords = (behind: ReadonlyArray<string>): string | undefined => {
  const [first, ...more] = behind
  if (first === undefined) return undefined
  const others = more.length === 0 ? "" : ` and ${more.length} other call${more.length === 1 ? "" : "s"}`
  return `it was waiting behind ${first}${others}`
}

export const make = (options: Options): Task => {
  const { background, onIdle } = options

  const tidy = () => {
    if (lane.isEmpty() && !slot.occupied()) onIdle()
  }

  const lane = LaneRunner.make<TaskJob>({ limit: options.maxQueuedCalls, background, onEmpty: () => tidy() })

  const slot = SessionSlot.make({
    task: options.key,
    open: options.open,
    closeBudget: options.closeBudget,
    background,
    onLost: (generation, lost) => lane.drop((job) => job.uses === generation, Exit.fail(lost))
  })

  return {
    submit: (call, use, { context, restore, onLeave }) => {
      const shared = call.lane === "read" && call.coalesce !== undefined
      const job: TaskJob = {
        call: shared ? { ...call, coalesce: JSON.stringify([call.operation, call.session, call.coalesce]) } : call,
        // the work of several callers ends with the last of them, not at the deadline of the first
        context: shared ? Context.add(context, CurrentDeadline, undefined) : context,
        lossesBefore: slot.losses(),
        uses: undefined,
        effect: Effect.suspend(() => Effect.flatMap(slot.acquire(call.session, job), use))
      }
      return lane.submit(job, restore, (behind) =>
        onLeave(inWords(behind) ?? (slot.isOpening() ? "the browser session was still being opened" : undefined))
      )
    },
    reset: (reason) =>
      Effect.suspend(() => {
        const { existed, close } = slot.forget()
        const ended = lane.drop(() => true, Exit.fail(new SessionLost({ reason })))
        tidy()
        return Effect.andThen(ended, Effect.as(close, existed))
      }),
    session: slot.current
  }
}
