/** Executes the commands of one lane with fibers, and answers the callers. */
import type { Context } from "effect"
import { Deferred, Effect, Exit, type Fiber } from "effect"
import { QueueFull } from "../../schemas/errors.ts"
import type { TaskCall } from "../../services/Tasks.ts"
import type { Background } from "./Background.ts"
import { ended } from "./Background.ts"
import * as Lane from "./Lane.ts"

/** ms that an interrupted work may keep its place in the lane; then it is given up and logged. */
export const stopGrace = 2_000

/** What a call wants done. */
export interface Job {
  readonly call: TaskCall
  readonly effect: Effect.Effect<unknown, unknown>
  /** services and references of the caller */
  readonly context: Context.Context<never>
}

interface Work<J> {
  readonly job: J
  fiber: Fiber.Fiber<void> | undefined
  /** interrupted, perhaps before its fiber was there */
  unwanted: boolean
}

type Answer = Exit.Exit<unknown, unknown>

export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export interface LaneRunner<J extends Job> {
  /**
   * Takes a job into the lane at once, without yielding, and yields what waits for its outcome. To be called and run
   * in an uninterruptible region; `restore` is that region's.
   *
   * Interrupting the wait answers the caller at once. A queued job is gone then; a working one is interrupted when
   * its last caller left, and keeps its place until it has ended (`stopGrace` at the most). `onLeave` is told first,
   * with the operations that the call was still waiting for. Fails with `QueueFull` beyond the lane's limit.
   */
  readonly submit: (
    job: J,
    restore: Restore,
    onLeave: (behind: ReadonlyArray<string>) => void
  ) => Effect.Effect<unknown, unknown>
  /** Answers the callers of all jobs that fit, and interrupts these without waiting for them to end. */
  readonly drop: (which: (job: J) => boolean, answer: Answer) => Effect.Effect<void>
  readonly isEmpty: () => boolean
}

export interface Options {
  readonly limit: number
  readonly background: Background
  /** told each time when the last work has left the lane */
  readonly onEmpty: () => void
}

/** Nearly always one effect, or none. */
const inTurn = ([first, ...rest]: ReadonlyArray<Effect.Effect<void>>): Effect.Effect<void> =>
  first === undefined ? Effect.void : rest.length === 0 ? first : Effect.andThen(first, inTurn(rest))

export const make = <J extends Job>({ limit, background, onEmpty }: Options): LaneRunner<J> => {
  let state = Lane.empty(limit)
  let calls = 0
  const works = new Map<Lane.WorkId, Work<J>>()
  const callers = new Map<Lane.CallId, Deferred.Deferred<unknown, unknown>>()

  /** Changes the state now; the effect executes what follows from it and must be run, in an uninterruptible region. */
  const feed = (event: Lane.Event, answer: Answer = Exit.void): Effect.Effect<void> => {
    const { state: next, commands } = Lane.transition(state, event)
    const shrunk = next.works.length < state.works.length
    state = next
    const effects = commands.map((command) => execute(command, answer))
    if (shrunk) forget()
    return inTurn(effects)
  }

  const forget = () => {
    const kept = new Set(state.works.map((work) => work.id))
    for (const id of works.keys()) if (!kept.has(id)) works.delete(id)
    if (kept.size === 0) onEmpty()
  }

  const execute = (command: Lane.Command, answer: Answer): Effect.Effect<void> => {
    switch (command._tag) {
      case "Start":
        return start(command.work)
      case "Interrupt":
        return interrupt(command.work)
      case "Settle":
        return inTurn(command.calls.map((call) => settle(call, answer)))
      case "Refuse":
        return settle(command.call, Exit.fail(new QueueFull({ limit })))
    }
  }

  const settle = (call: Lane.CallId, answer: Answer): Effect.Effect<void> => {
    const caller = callers.get(call)
    callers.delete(call)
    return caller === undefined ? Effect.void : Effect.asVoid(Deferred.done(caller, answer))
  }

  const finish = (id: Lane.WorkId, answer?: Answer) => feed({ _tag: "Finished", work: id }, answer)

  const start = (id: Lane.WorkId): Effect.Effect<void> => {
    const work = works.get(id)
    if (work === undefined) return Effect.void
    return Effect.suspend(() => {
      if (work.unwanted) return finish(id)
      const fiber = background.fork(
        work.job.effect.pipe(
          Effect.updateContext((_: Context.Context<never>) => work.job.context),
          Effect.interruptible,
          Effect.exit,
          Effect.flatMap((exit) => finish(id, exit))
        )
      )
      return Effect.map(fiber, (started) => {
        work.fiber = started
        if (work.unwanted) started.interruptUnsafe()
      })
    })
  }

  const interrupt = (id: Lane.WorkId): Effect.Effect<void> => {
    const work = works.get(id)
    if (work === undefined) return Effect.void
    work.unwanted = true
    const fiber = work.fiber
    if (fiber === undefined) return Effect.void
    fiber.interruptUnsafe()
    return Effect.gen(function* () {
      if (yield* ended(fiber, stopGrace)) return
      yield* Effect.logWarning(`${work.job.call.operation} did not stop within ${stopGrace} ms; its lane goes on`)
      yield* finish(id)
    }).pipe(background.fork, Effect.asVoid)
  }

  const leave = (call: Lane.CallId, onLeave: (behind: ReadonlyArray<string>) => void) =>
    Effect.suspend(() => {
      callers.delete(call)
      onLeave(Lane.blockers(state, call).flatMap((work) => works.get(work.id)?.job.call.operation ?? []))
      return feed({ _tag: "Left", call })
    })

  return {
    submit: (job, restore, onLeave) => {
      const id = Lane.CallId.make(calls++)
      const answer = Deferred.makeUnsafe<unknown, unknown>()
      callers.set(id, answer)
      works.set(id, { job, fiber: undefined, unwanted: false })
      const { lane, coalesce } = job.call
      const arrived = feed({
        _tag: "Arrived",
        call: id,
        mode: lane,
        ...(coalesce === undefined ? {} : { key: coalesce })
      })
      // refused, or shares the work of another
      if (!state.works.some((work) => work.id === id)) works.delete(id)
      return Effect.andThen(arrived, restore(Deferred.await(answer)).pipe(Effect.onInterrupt(() => leave(id, onLeave))))
    },
    drop: (which, answer) =>
      Effect.suspend(() => {
        const ids = state.works.flatMap(({ id }) => {
          const work = works.get(id)
          return work !== undefined && which(work.job) ? [id] : []
        })
        return ids.length === 0 ? Effect.void : feed({ _tag: "Dropped", works: ids }, answer)
      }).pipe(Effect.uninterruptible),
    isEmpty: () => state.works.length === 0
  }
}
