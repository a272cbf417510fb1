/**
 * The one running thing at the other end of a connection that all its users share: started at its first use, kept, and
 * replaced once it is gone.
 */
import { Deferred, Effect, Exit, Fiber, type Scope } from "effect"

/** How sharing learns that it is gone. */
export interface Life<B> {
  /** a connection that has just closed is gone, even if that has not been dealt with yet */
  readonly isClosed: (running: B) => boolean
  /** Waits for its end, however it comes, and says why. */
  readonly ended: (running: B) => Effect.Effect<string>
  /** what it is called in the log: "browser (process 17)" */
  readonly name: (running: B) => string
}

export interface Shared<B, E> {
  /**
   * The running one; it is started if there is none, once for all who wait. A start that nobody waits for any more is
   * broken off.
   */
  readonly get: Effect.Effect<B, E>
  /** The one that runs now; starts nothing. */
  readonly current: () => B | undefined
}

interface Entry<B, E> {
  readonly ready: Deferred.Deferred<B, E>
  /** its life, from the start of the launch to the release of what it held */
  fiber: Fiber.Fiber<void> | undefined
  waiting: number
  running: B | undefined
}

/** A shared one for the life of the scope; `launch` starts it, and starts it anew after its end. */
export const makeShared = Effect.fnUntraced(function* <B, E>(
  launch: Effect.Effect<B, E, Scope.Scope>,
  life: Life<B>
): Effect.fn.Return<Shared<B, E>, never, Scope.Scope> {
  const owner = yield* Effect.scope
  let current: Entry<B, E> | undefined

  const isAlive = ({ running }: Entry<B, E>) => running === undefined || !life.isClosed(running)

  const forget = (entry: Entry<B, E>) => {
    if (current === entry) current = undefined
  }

  const live = (entry: Entry<B, E>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const running = yield* launch
        entry.running = running
        yield* Deferred.succeed(entry.ready, running)
        const reason = yield* life.ended(running)
        forget(entry)
        yield* Effect.logWarning(`The ${life.name(running)} is gone: ${reason}.`)
      })
    ).pipe(
      Effect.onExit((exit) => {
        forget(entry)
        return Exit.isFailure(exit) ? Deferred.failCause(entry.ready, exit.cause) : Effect.void
      }),
      Effect.ignoreCause
    )

  const start = Effect.gen(function* () {
    const ready = yield* Deferred.make<B, E>()
    const entry: Entry<B, E> = { ready, fiber: undefined, waiting: 0, running: undefined }
    current = entry
    entry.fiber = yield* Effect.forkIn(live(entry), owner)
    return entry
  })

  const leave = (entry: Entry<B, E>) =>
    Effect.suspend(() => {
      entry.waiting--
      if (entry.waiting > 0 || entry.running !== undefined || entry.fiber === undefined) return Effect.void
      forget(entry)
      return Effect.asVoid(Fiber.interrupt(entry.fiber))
    })

  const get = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const entry = current !== undefined && isAlive(current) ? current : yield* start
      entry.waiting++
      return yield* restore(Deferred.await(entry.ready)).pipe(Effect.ensuring(leave(entry)))
    })
  )
  return { get, current: () => (current !== undefined && isAlive(current) ? current.running : undefined) }
})
