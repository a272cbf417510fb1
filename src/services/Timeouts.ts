/**
 * Budgets: every wait has one, inner budgets end before outer ones, and running out is a typed error.
 */
import { Clock, Context, Effect } from "effect"
import { OperationTimeout } from "../schemas/errors.ts"
import { after, noWatch, runIn, type Watch } from "./endings.ts"

/** Milliseconds by operation. Inner operations are smaller than the tools that contain them (a test checks it). */
export const defaultTimeouts = {
  /** a tool call as a whole, unless its row in the catalog says otherwise */
  tool: 60_000,
  /** from the request of a page to its load event */
  navigate: 30_000,
  /** until a back/forward/reload has its document */
  historyMove: 30_000,
  execute: 30_000,
  content: 30_000,
  screenshot: 30_000,
  pdf: 50_000,
  snapshot: 20_000,
  /** scrolling a target into view, waiting until it holds still, hit-testing, pressing */
  act: 15_000,
  /** one input event */
  input: 10_000,
  fill: 30_000,
  waitFor: 15_000,
  /** from the request of a file to its last byte */
  download: 55_000,
  stop: 10_000,
  /** a protocol command outside any operation */
  command: 30_000,
  /** setting up one target */
  attach: 10_000,
  /** after an act: the page's own reaction; a page that never rests is answered after this */
  settle: 3_000,
  openSession: 45_000,
  closeSession: 5_000
} as const
export type OperationName = keyof typeof defaultTimeouts

/** The budgets in force, in ms. Provide another table to change them for a part of a program. */
export const Timeouts = Context.Reference<Record<OperationName, number>>("effect-browser/Timeouts", {
  defaultValue: () => defaultTimeouts
})

/** The moment (ms since 1970) at which the innermost surrounding budget ends; undefined outside any. */
export const CurrentDeadline = Context.Reference<number | undefined>("effect-browser/CurrentDeadline", {
  defaultValue: () => undefined
})

/**
 * The limit (ms) behind {@link CurrentDeadline} as its caller knows it: what was asked for, or the default. What is left
 * of it when something inside begins is nobody's number, and is told to nobody.
 */
export const CurrentLimit = Context.Reference<number | undefined>("effect-browser/CurrentLimit", {
  defaultValue: () => undefined
})

/** Time (ms) until the innermost surrounding budget ends; endless outside any, and beyond one that has ended. */
export const timeLeft: Effect.Effect<number> = Effect.withFiberSucceed((fiber) => {
  const deadline = fiber.getRef(CurrentDeadline)
  const left = deadline === undefined ? 0 : deadline - fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
  return left > 0 ? left : Number.POSITIVE_INFINITY
})

/**
 * Time (ms) kept between an inner budget and the one around it, so that the inner error is the one that is reported,
 * and so that there is time to stop what runs in the browser.
 */
const marginOf = (left: number): number => Math.min(200, Math.max(25, left / 20))

/**
 * Runs `effect` within `budget` ms, or what is left of the surrounding budget if that is less. Running out interrupts
 * it and fails with `OperationTimeout` naming `operation` and the limit that its caller knows: `known` (absent: the
 * budget), or that of the surrounding budget where that one ends first.
 *
 * A surrounding deadline that has passed does not count: who still runs then has outlived that operation (a finalizer,
 * or a fiber that the operation started for longer).
 */
export const within = (operation: string, budget: number, known = budget) =>
  withinUnless(operation, budget, known, noWatch)

/** As {@link within}; `watch` may end it for other reasons. */
export const withinUnless = <A2, E2>(operation: string, budget: number, known: number, watch: Watch<A2, E2>) =>
  bounded(operation, budget, known, true, watch)

/**
 * As {@link within}, for an operation that starts what outlives it (opening a session, a connection): listeners and
 * fibers that are started inside keep the references of that moment for life, and must not keep a deadline. So budgets
 * inside do not nest.
 */
export const startWithin = (operation: string, budget: number) => bounded(operation, budget, budget, false, noWatch)

const bounded =
  <A2, E2>(operation: string, budget: number, known: number, nests: boolean, watch: Watch<A2, E2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | A2, E | E2 | OperationTimeout, R> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const outer = fiber.getRef(CurrentDeadline)
      const atMost = outer === undefined || outer <= now ? Infinity : outer - marginOf(outer - now)
      const deadline = Math.min(now + budget, atMost)
      const granted = Math.max(1, Math.round(deadline - now))
      const limit = atMost < now + budget ? (fiber.getRef(CurrentLimit) ?? granted) : known
      const context = fiber.context.pipe(
        Context.add(CurrentDeadline, nests ? deadline : undefined),
        Context.add(CurrentLimit, limit)
      )
      const late: Watch<A2, E2 | OperationTimeout> = after(granted, () =>
        Effect.fail(new OperationTimeout({ operation, budget: limit }))
      )
      return runIn(context, effect, [late, watch])
    })

/** As {@link within}, with the budget of the table. */
export const withinBudget =
  (operation: string, name: OperationName) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | OperationTimeout, R> =>
    Effect.withFiber((fiber) => within(operation, fiber.getRef(Timeouts)[name])(effect))
