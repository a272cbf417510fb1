/** One call of a tool: from a name and raw arguments to an answer. */
import { Cause, Effect } from "effect"
import * as E from "../schemas/errors.ts"
import type { BrowserError } from "../schemas/errors.ts"
import { isBrowserError } from "../schemas/errors.ts"
import { historyLimits } from "../schemas/history.ts"
import type { BrowserSession } from "../services/BrowserSession.ts"
import type { Begin } from "../services/Control.ts"
import { report } from "../services/Progress.ts"
import type { ToolAnswer, ToolContent } from "../services/Tools.ts"
import { Timeouts, within } from "../services/Timeouts.ts"
import type { PreparedCall, RowAnswer, ToolEnvironment, ToolRow } from "./ToolRow.ts"
import { callBudget, workBudget } from "./budgets.ts"
import { findRow, requireRow } from "./catalog.ts"
import { issueTexts } from "./issues.ts"
import type { Rendered } from "./render/text.ts"
import { replayOf } from "./recording.ts"
import { boundedBlock, boundedLines, cut, textLimit } from "./render/text.ts"

/** Fails if a dialog keeps the tool from its work. */
const refuseWhileDialog = Effect.fnUntraced(function* (row: ToolRow, session: BrowserSession) {
  if (row.whileDialog !== "refused" && row.whileDialog !== "looks") return
  const dialog = session.blockedBy(row.whileDialog === "looks" ? "look" : "act")
  if (dialog !== undefined) return yield* new E.DialogOpen({ dialog, operation: row.name })
})

/** The work of a call once it is its turn. */
const work = (row: ToolRow, call: PreparedCall, environment: ToolEnvironment) => (session: BrowserSession) =>
  Effect.gen(function* () {
    if (row.capability !== undefined && !session.capabilities[row.capability]) {
      return yield* new E.CapabilityMissing({ capability: row.capability, provider: session.provider })
    }
    yield* refuseWhileDialog(row, session)
    return yield* call.run(environment, session)
  }).pipe(within(row.name, workBudget(row, environment.timeouts)))

/** `begun` is called when it is the call's turn. */
const perform = (row: ToolRow, call: PreparedCall, environment: ToolEnvironment, begun: () => void) => {
  const { task, tasks, control, config, addresses } = environment
  const budget = callBudget(config.toolTimeoutMs, call.timeoutMs)
  const inTurn = (begin: Begin, left: number): Effect.Effect<unknown, BrowserError> => {
    const turn = <A, Err>(effect: Effect.Effect<A, Err>) => begin(Effect.andThen(Effect.sync(begun), effect))
    if (row.session === "none") return turn(call.run(environment, undefined)).pipe(within(row.name, left, budget))
    const options = {
      operation: row.name,
      lane: row.lane,
      session: row.session,
      coalesce: call.coalesce,
      budget: left,
      limit: budget
    }
    const first =
      row.session === "open" && tasks.peek(task) === undefined ? report("starting the browser") : Effect.void
    return Effect.andThen(
      first,
      tasks.run(task, options, (session) => turn(work(row, call, environment)(session)))
    )
  }
  return Effect.andThen(
    // before a browser is started for an address that it could not load
    call.addresses.length === 0 ? Effect.void : Effect.forEach(call.addresses, addresses.admit, { discard: true }),
    row.guarded ? control.act(task, row.name, budget, inTurn) : inTurn((effect) => effect, budget)
  )
}

/**
 * Writes a step into the history, if its tool has an entry there: once, when its end is known. What never began and what
 * was broken off leave none, nor does an address that is not admitted: nothing was done.
 */
const recorded =
  (row: ToolRow, call: PreparedCall, { history, task }: ToolEnvironment, hasBegun: () => boolean) =>
  <R>(effect: Effect.Effect<unknown, BrowserError, R>): Effect.Effect<RowAnswer, BrowserError, R> =>
    Effect.gen(function* () {
      const write = (ok: boolean, result: unknown, text: string) => {
        if (row.history === undefined) return Effect.void
        const kept = call.record(result)
        // the text would tell what was left out of the arguments
        const told = kept.secret ? (ok ? call.harmless(result) : undefined) : text
        return history.record(task, {
          tool: row.name,
          action: row.history,
          ok,
          params: kept.params,
          ...(told === undefined ? {} : ok ? { result: told } : { error: told }),
          replay: replayOf(row.replayable, kept)
        })
      }
      const result = yield* Effect.tapError(effect, (error) =>
        hasBegun() && error._tag !== "NavigationBlocked"
          ? write(false, undefined, cut(`${error.code}: ${error.message}`, historyLimits.shown))
          : Effect.void
      )
      const answer = yield* Effect.orDie(call.answer(result))
      yield* write(true, result, cut(answer.rendered.lines.join("; "), historyLimits.shown))
      return answer
    })

/** Does a step again; see `ToolEnvironment.again`. */
const again = (environment: Omit<ToolEnvironment, "again">): ToolEnvironment["again"] =>
  Effect.fnUntraced(function* (step, session) {
    const row = findRow(step.tool)
    if (row === undefined) return undefined
    yield* checkAllowed(row, environment)
    const call = yield* Effect.orElseSucceed(row.prepare(step.params), () => undefined)
    if (call === undefined) return undefined
    const whole: ToolEnvironment = { ...environment, again: () => Effect.succeed(undefined) }
    return yield* work(row, call, whole)(session).pipe(recorded(row, call, whole, () => true))
  })

/** A task may use what its operator and it itself have left; it may always ask for other limits. */
const checkAllowed = (row: ToolRow, { control, task }: Pick<ToolEnvironment, "control" | "task">) => {
  const allowed = control.allowed(task)
  return allowed === undefined || allowed.includes(row.name) || row.name === "browser_restrict"
    ? Effect.void
    : Effect.fail(new E.ToolRestricted({ tool: row.name, allowed }))
}

/** Texts of an answer have at most {@link textLimit} characters together; what is left out is said. */
export const contentOf = ({ lines, page, image }: Rendered): ReadonlyArray<ToolContent> => {
  const text = boundedLines(lines, textLimit)
  const room = textLimit - text.length
  return [
    ...(image === undefined ? [] : [{ type: "image" as const, ...image }]),
    { type: "text" as const, text },
    ...(page === undefined ? [] : [{ type: "text" as const, text: boundedBlock(page, room) }])
  ]
}

/** Faults of ours become `Internal`: the cause goes to the log, never to the caller. */
const guarded =
  (operation: string) =>
  <A>(effect: Effect.Effect<A, BrowserError>): Effect.Effect<A, BrowserError> =>
    Effect.catchCause(effect, (cause) => {
      const failure = cause.reasons.find(Cause.isFailReason)
      if (failure !== undefined && isBrowserError(failure.error)) return Effect.fail(failure.error)
      if (Cause.hasInterruptsOnly(cause))
        return Effect.failCause(Cause.fromReasons(cause.reasons.filter(Cause.isInterruptReason)))
      return Effect.andThen(
        Effect.logError(`${operation} failed by a fault of its own`, cause),
        Effect.fail(new E.Internal({ operation }))
      )
    })

const prepare = Effect.fnUntraced(function* (name: string, args: unknown) {
  const row = yield* requireRow(name)
  const call = yield* row
    .prepare(args ?? {})
    .pipe(
      Effect.mapError((error) => new E.InvalidArguments({ tool: row.name, issues: issueTexts(error, row.parameters) }))
    )
  return { row, call }
})

/** Fails as {@link invoke} would before it does anything; yields the addresses that the call is to load. */
export const checkCall = (
  name: string,
  args: unknown
): Effect.Effect<ReadonlyArray<string>, E.ToolUnknown | E.InvalidArguments> =>
  Effect.map(prepare(name, args), ({ call }) => call.addresses)

/**
 * Calls a tool. Arguments are decoded strictly and the result leaves through the tool's closed success schema only.
 *
 * Fails with `ToolUnknown`, `InvalidArguments`, `ToolRestricted` (nothing was done), whatever the tool can meet, or `Internal`.
 */
export const invoke = (
  surroundings: Omit<ToolEnvironment, "timeouts" | "again">,
  name: string,
  args: unknown
): Effect.Effect<ToolAnswer, BrowserError> =>
  Effect.gen(function* () {
    const { row, call } = yield* prepare(name, args)
    yield* checkAllowed(row, surroundings)
    const known = { ...surroundings, timeouts: yield* Timeouts }
    const environment = { ...known, again: again(known) }
    let begun = false
    const { structured, rendered } = yield* perform(row, call, environment, () => {
      begun = true
    }).pipe(recorded(row, call, environment, () => begun))
    return { structured, content: contentOf(rendered) }
  }).pipe(guarded(name.slice(0, 100)))
