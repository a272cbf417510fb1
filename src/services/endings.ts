/**
 * Work that something else may end: the time, an event, whatever comes first.
 *
 * It does what `Effect.raceFirst` with a sleep or a callback does, with one fiber instead of three: every call of a tool
 * passes half a dozen of these, and most of them end nothing.
 */
import { Clock, Context, Effect, Fiber } from "effect"

/** Ends the work: it is interrupted, its finalizers run, and then `outcome` takes its place. Only the first one counts. */
export type End<A, E> = (outcome: Effect.Effect<A, E>) => void

/**
 * What may end the work. It is called when the work has begun and waits for something; what it returns takes everything
 * back again, and is called once, whoever ends the work.
 */
export type Watch<A = never, E = never> = (end: End<A, E>, context: Context.Context<never>) => () => void

const nothing = (): void => undefined

/** Ends nothing. */
export const noWatch: Watch = () => nothing

/** Runs `effect` in a fiber of its own until it ends, or until one of `watches` ends it. */
export const endedBy =
  <A2, E2>(watches: ReadonlyArray<Watch<A2, E2>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | A2, E | E2, R> =>
    Effect.withFiber((parent) => runIn(parent.context, effect, watches))

/** As {@link endedBy}, with these services and references for the work and what watches it. */
export const runIn = <A, E, R, A2, E2>(
  context: Context.Context<never>,
  effect: Effect.Effect<A, E, R>,
  watches: ReadonlyArray<Watch<A2, E2>>
): Effect.Effect<A | A2, E | E2, R> =>
  Effect.callback<A | A2, E | E2>((resume) => {
    let over = false
    const stops: Array<() => void> = []
    const stop = (): void => {
      if (over) return
      over = true
      for (const one of stops) one()
    }
    const settle = (outcome: Effect.Effect<A | A2, E | E2>): void => {
      if (over) return
      stop()
      resume(outcome)
    }
    // the effect's own services are in the context of the fiber that runs this
    const work = Effect.runForkWith(context as Context.Context<R>)(effect)
    work.addObserver(settle)
    for (const watch of watches) {
      if (over) break
      const unwatch = watch((outcome) => settle(Effect.andThen(Fiber.interrupt(work), outcome)), context)
      if (over) unwatch()
      else stops.push(unwatch)
    }
    return Effect.suspend(() => {
      stop()
      return Fiber.interrupt(work)
    })
  })

/** The clock of a program that has no other; its sleeps are the runtime's own timers. */
const wallClock = Context.get(Context.empty(), Clock.Clock)
/** What a timer of the runtime can wait for (ms). */
const longestTimer = 2 ** 31 - 1

/** Ends the work after so long (ms). */
export const after =
  <A, E>(ms: number, outcome: () => Effect.Effect<A, E>): Watch<A, E> =>
  (end, context) => {
    if (ms === Number.POSITIVE_INFINITY) return nothing
    const over = (): void => end(Effect.suspend(outcome))
    const clock = Context.get(context, Clock.Clock)
    if (clock === wallClock && ms <= longestTimer) {
      const timer = setTimeout(over, ms)
      return () => clearTimeout(timer)
    }
    const sleep = Effect.runForkWith(context)(Effect.andThen(Effect.sleep(ms), Effect.sync(over)))
    return () => sleep.interruptUnsafe()
  }

/** Runs `effect` for at most so long (ms); then it is interrupted, and `outcome` takes its place. */
export const endedAfter = <A2, E2>(ms: number, outcome: () => Effect.Effect<A2, E2>) => endedBy([after(ms, outcome)])
