/**
 * Fibers that outlive the call that started them: works that wind down, sessions that open or close.
 *
 * They are detached, because a scope would wait for a release that hangs; instead they are counted, and the end of the
 * layer waits for them with a bound.
 */
import type { Context } from "effect"
import { Cause, Effect, Fiber } from "effect"
import { endedAfter } from "../../services/endings.ts"

export interface Background {
  /**
   * Starts `effect` in a fiber of its own that cannot be interrupted, apart from the parts that `effect` itself marks
   * as interruptible. So what follows such a part always runs. It sees the services and references of the layer, not
   * those of the call that happens to start it (a deadline among them). Defects are logged.
   */
  readonly fork: (effect: Effect.Effect<void>) => Effect.Effect<Fiber.Fiber<void>>
  /** Waits until everything that runs now has ended, `ms` at the most; true if it has. */
  readonly settled: (ms: number) => Effect.Effect<boolean>
}

/** Waits for a fiber, `ms` at the most; true if it has ended. */
export const ended = (fiber: Fiber.Fiber<unknown, unknown>, ms: number): Effect.Effect<boolean> =>
  Fiber.await(fiber).pipe(
    Effect.as(true),
    endedAfter(ms, () => Effect.succeed(false))
  )

/** `context`: services and references of the layer. */
export const make = (context: Context.Context<never>): Background => {
  const running = new Set<Fiber.Fiber<void>>()
  return {
    fork: (effect) =>
      Effect.map(
        Effect.forkDetach(
          effect.pipe(
            Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError(cause))),
            Effect.updateContext((_: Context.Context<never>) => context)
          ),
          { uninterruptible: true }
        ),
        (fiber) => {
          running.add(fiber)
          fiber.addObserver(() => running.delete(fiber))
          return fiber
        }
      ),
    settled: (ms) =>
      Effect.suspend(() =>
        Effect.map(
          Effect.forEach(Array.from(running), (fiber) => ended(fiber, ms), { concurrency: "unbounded" }),
          (all) => all.every((one) => one)
        )
      )
  }
}
