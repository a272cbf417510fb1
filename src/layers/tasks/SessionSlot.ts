/**
 * The session of one task: opened once however many callers race, noticed when it is lost, closed with a bound.
 */
import { Deferred, Effect, Exit, type Fiber, Scope } from "effect"
import { SessionLost, SessionUnknown } from "../../schemas/errors.ts"
import type { TaskKey } from "../../schemas/ids.ts"
import type { OpenSessionError, SelectionError } from "../../services/Browser.ts"
import type { BrowserSession } from "../../services/BrowserSession.ts"
import type { SessionNeed } from "../../services/Tasks.ts"
import type { Background } from "./Background.ts"
import { ended } from "./Background.ts"
import type { Restore } from "./LaneRunner.ts"

export type OpenError = SelectionError | OpenSessionError

/** Who wants the session. */
export interface User {
  /** number of losses at the time it was called; a later loss took the session it was meant for */
  readonly lossesBefore: number
  /** set while it holds a session: the session's generation */
  uses: number | undefined
}

export interface SessionSlot {
  /**
   * The session, opened or waited for if need be. When the last of those who wait for an opening is interrupted, the
   * opening is, too. Fails as opening does; with need "required" also with `SessionLost` (for the first call after a
   * loss and for those called before it) and `SessionUnknown`.
   */
  readonly acquire: (need: SessionNeed, user: User) => Effect.Effect<BrowserSession, OpenError | SessionUnknown>
  /** Forgets the session and any loss at once, then closes it, waiting a bounded time; false if there was none. */
  readonly forget: () => { readonly existed: boolean; readonly close: Effect.Effect<void> }
  readonly current: () => BrowserSession | undefined
  readonly isOpening: () => boolean
  readonly losses: () => number
  /** False if there is nothing to remember: no session, none being opened, no loss that nobody was told of. */
  readonly occupied: () => boolean
}

interface Opening {
  readonly is: "opening"
  readonly result: Deferred.Deferred<void, OpenError>
  waiting: number
  fiber: Fiber.Fiber<void> | undefined
}
interface Open {
  readonly is: "open"
  readonly generation: number
  readonly session: BrowserSession
  readonly scope: Scope.Closeable
}
interface Nothing {
  readonly is: "nothing"
  readonly untold: SessionLost | undefined
}

export interface Options {
  readonly task: TaskKey
  /** opens a session on the scope it is run with; bounded */
  readonly open: Effect.Effect<BrowserSession, OpenError, Scope.Scope>
  /** ms to wait for a session to close */
  readonly closeBudget: number
  readonly background: Background
  /** the session of this generation is gone; called once, after the slot has forgotten it */
  readonly onLost: (generation: number, lost: SessionLost) => Effect.Effect<void>
}

export const make = (options: Options): SessionSlot => {
  const { task, background, closeBudget } = options
  let slot: Nothing | Opening | Open = { is: "nothing", untold: undefined }
  let generations = 0
  let losses = 0
  let lastLost: SessionLost | undefined

  const close = (scope: Scope.Closeable): Effect.Effect<void> =>
    Effect.gen(function* () {
      const fiber = yield* background.fork(
        Scope.close(scope, Exit.void).pipe(
          Effect.catchCause((cause) => Effect.logWarning(`Closing the session of task "${task}" failed`, cause))
        )
      )
      if (!(yield* ended(fiber, closeBudget))) {
        yield* Effect.logWarning(`The session of task "${task}" did not close within ${closeBudget} ms; it goes on`)
      }
    })

  const watch = (open: Open): Effect.Effect<void> =>
    Effect.interruptible(open.session.lost).pipe(
      Effect.flatMap((lost) =>
        Effect.suspend(() => {
          if (slot !== open) return Effect.void
          slot = { is: "nothing", untold: lost }
          losses++
          lastLost = lost
          return Effect.andThen(options.onLost(open.generation, lost), background.fork(close(open.scope)))
        })
      ),
      Effect.forkIn(open.scope, { startImmediately: true, uninterruptible: true }),
      Effect.asVoid
    )

  const openInto = (opening: Opening): Effect.Effect<void> =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const exit = yield* options.open.pipe(Scope.provide(scope), Effect.interruptible, Effect.exit)
      if (Exit.isSuccess(exit) && slot === opening) {
        const open: Open = { is: "open", generation: ++generations, session: exit.value, scope }
        slot = open
        yield* watch(open)
        yield* Deferred.succeed(opening.result, undefined)
      } else {
        yield* close(scope)
        if (slot === opening) slot = { is: "nothing", untold: undefined }
        yield* Deferred.done(opening.result, Exit.asVoid(exit))
      }
    })

  const begin = (): Effect.Effect<Opening> => {
    const opening: Opening = { is: "opening", result: Deferred.makeUnsafe(), waiting: 0, fiber: undefined }
    slot = opening
    return Effect.map(background.fork(openInto(opening)), (fiber) => {
      opening.fiber = fiber
      return opening
    })
  }

  /** Waits for an opening; the last one to give up ends it. */
  const join = (opening: Opening, restore: Restore): Effect.Effect<void, OpenError> => {
    opening.waiting++
    return restore(Deferred.await(opening.result)).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          if (opening.waiting > 1 || slot !== opening) return
          slot = { is: "nothing", untold: undefined }
          opening.fiber?.interruptUnsafe()
        })
      ),
      Effect.ensuring(Effect.sync(() => opening.waiting--))
    )
  }

  /** Takes the session that was there a moment ago. */
  const hold = (user: User): Effect.Effect<BrowserSession, SessionLost> =>
    Effect.suspend(() => {
      if (slot.is !== "open") {
        return Effect.fail(lastLost ?? new SessionLost({ reason: "it was reset while it was being opened" }))
      }
      user.uses = slot.generation
      return Effect.succeed(slot.session)
    })

  const refusal = (user: User): SessionLost | SessionUnknown => {
    if (lastLost !== undefined && user.lossesBefore < losses) return lastLost
    const untold = slot.is === "nothing" ? slot.untold : undefined
    slot = { is: "nothing", untold: undefined }
    return untold ?? new SessionUnknown({ task })
  }

  const acquire: SessionSlot["acquire"] = (need, user) =>
    // uninterruptible from looking to acting, else an interruption between them would leave an opening without a fiber
    Effect.uninterruptibleMask((restore): Effect.Effect<BrowserSession, OpenError | SessionUnknown> => {
      if (slot.is === "open") return hold(user)
      if (slot.is === "opening") return Effect.andThen(join(slot, restore), hold(user))
      return need === "open"
        ? begin().pipe(
            Effect.flatMap((opening) => join(opening, restore)),
            Effect.andThen(hold(user))
          )
        : Effect.fail(refusal(user))
    })

  return {
    acquire,
    forget: () => {
      const forgotten = slot
      slot = { is: "nothing", untold: undefined }
      if (forgotten.is === "open") return { existed: true, close: close(forgotten.scope) }
      const fiber = forgotten.is === "opening" ? forgotten.fiber : undefined
      fiber?.interruptUnsafe()
      return {
        existed: forgotten.is === "opening",
        close: fiber === undefined ? Effect.void : Effect.asVoid(ended(fiber, closeBudget))
      }
    },
    isOpening: () => slot.is === "opening",
    current: () => (slot.is === "open" ? slot.session : undefined),
    losses: () => losses,
    occupied: () => slot.is !== "nothing" || slot.untold !== undefined
  }
}
