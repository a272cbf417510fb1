/**
 * The lane of a task as a pure state machine: which call may work when, who shares whose work, who is answered.
 *
 * - A write works alone, in the order of arrival.
 * - A read works after all earlier writes and together with other reads; it never overtakes an earlier write.
 * - A free call works at once and holds nobody up.
 * - A read joins the work of an earlier read with the same key, unless something that may have changed the page came
 *   between them: a write that took its place in the lane, or a free call that ended.
 * - A work whose last caller left while it ran keeps its place until it has ended.
 * - Every call is settled exactly once: refused, finished, dropped, or by its own leaving.
 */
import { Schema } from "effect"

/** Number of a call, unique in its lane. */
export const CallId = Schema.Int.pipe(Schema.brand("CallId"))
export type CallId = typeof CallId.Type

/** A work is named after the call that brought it. */
export const WorkId = CallId
export type WorkId = CallId

export const Mode = Schema.Literals(["write", "read", "free"])

export const Work = Schema.Struct({
  id: WorkId,
  mode: Mode,
  status: Schema.Literals(["queued", "running", "stopping"]),
  /** who waits for it; empty exactly while it is stopping */
  callers: Schema.Array(CallId),
  /** set if other reads may join: their key, and the epoch in which it began to wait */
  shared: Schema.optionalKey(Schema.Struct({ key: Schema.String, epoch: Schema.Int }))
})
export type Work = typeof Work.Type

export const State = Schema.Struct({
  /** in the order of arrival */
  works: Schema.Array(Work),
  /** goes up with everything that may change the page */
  epoch: Schema.Int,
  /** calls that may wait at the same time */
  limit: Schema.Int
})
export type State = typeof State.Type

/** What happens to a lane. */
export const Event = Schema.TaggedUnion({
  /** a call wants to work; `key`: it may share its work with equal reads (ignored unless it is a read) */
  Arrived: { call: CallId, mode: Mode, key: Schema.optionalKey(Schema.String) },
  /** a caller does not wait any longer */
  Left: { call: CallId },
  /** a work came to its end, by itself or after having been interrupted */
  Finished: { work: WorkId },
  /** the session under these works is gone: their callers are answered, nobody waits for them to end */
  Dropped: { works: Schema.Array(WorkId) }
})
export type Event = typeof Event.Type

/** What is to be done about it, in this order. */
export const Command = Schema.TaggedUnion({
  /** begin the work */
  Start: { work: WorkId },
  /** interrupt the work, and report `Finished` when it has ended */
  Interrupt: { work: WorkId },
  /** answer these callers: with the outcome of the work, or with the loss of the session */
  Settle: { work: WorkId, calls: Schema.Array(CallId), outcome: Schema.Literals(["finished", "dropped"]) },
  /** answer the caller: the queue is full */
  Refuse: { call: CallId }
})
export type Command = typeof Command.Type

export interface Transition {
  readonly state: State
  readonly commands: ReadonlyArray<Command>
}

/** An empty lane in which at most `limit` calls may wait. */
export const empty = (limit: number): State => ({ works: [], epoch: 0, limit })

/** The calls that wait for their turn. */
export const waiting = (state: State): number =>
  state.works.reduce((sum, work) => (work.status === "queued" ? sum + work.callers.length : sum), 0)

/** The works that a queued call waits for, the one to end first in front; empty if it does not wait. */
export const blockers = (state: State, call: CallId): ReadonlyArray<Work> => {
  const index = state.works.findIndex((work) => work.callers.includes(call))
  const own = state.works[index]
  if (own === undefined || own.status !== "queued") return []
  return state.works.slice(0, index).filter((work) => work.mode !== "free")
}

const ignored = (state: State): Transition => ({ state, commands: [] })

const replace = (state: State, work: Work): State => ({
  ...state,
  works: state.works.map((other) => (other.id === work.id ? work : other))
})

const without = (state: State, ids: ReadonlyArray<WorkId>): State => ({
  ...state,
  works: state.works.filter((work) => !ids.includes(work.id))
})

/** Starts everything whose turn has come. */
const advance = (state: State, commands: ReadonlyArray<Command>): Transition => {
  const starts: Array<Command> = []
  let nothingBefore = true
  let onlyReadsBefore = true
  const works = state.works.map((work) => {
    if (work.mode === "free") return work
    const turn = work.mode === "read" ? onlyReadsBefore : nothingBefore
    nothingBefore = false
    if (work.mode === "write") onlyReadsBefore = false
    if (work.status !== "queued" || !turn) return work
    starts.push({ _tag: "Start", work: work.id })
    return { ...work, status: "running" as const }
  })
  return starts.length === 0 ? { state, commands } : { state: { ...state, works }, commands: [...commands, ...starts] }
}

const arrived = (state: State, event: Extract<Event, { readonly _tag: "Arrived" }>): Transition => {
  const { call, mode, key } = event
  if (state.works.some((work) => work.id === call || work.callers.includes(call))) return ignored(state)
  const refused: Transition = { state, commands: [{ _tag: "Refuse", call }] }
  const full = waiting(state) >= state.limit
  const shared = mode === "read" && key !== undefined ? { key, epoch: state.epoch } : undefined

  const open = state.works.find(
    (work) =>
      shared !== undefined &&
      work.status !== "stopping" &&
      work.shared?.key === shared.key &&
      work.shared.epoch === shared.epoch
  )
  if (open !== undefined) {
    if (open.status === "queued" && full) return refused
    return ignored(replace(state, { ...open, callers: [...open.callers, call] }))
  }

  const work: Work = {
    id: call,
    mode,
    status: mode === "free" ? "running" : "queued",
    callers: [call],
    ...(shared === undefined ? {} : { shared })
  }
  const next = advance(
    { ...state, works: [...state.works, work], epoch: mode === "write" ? state.epoch + 1 : state.epoch },
    mode === "free" ? [{ _tag: "Start", work: call }] : []
  )
  return next.commands.length === 0 && full ? refused : next
}

const left = (state: State, call: CallId): Transition => {
  const work = state.works.find((candidate) => candidate.callers.includes(call))
  if (work === undefined) return ignored(state)
  const callers = work.callers.filter((caller) => caller !== call)
  if (callers.length > 0) return ignored(replace(state, { ...work, callers }))
  return work.status === "queued"
    ? advance(without(state, [work.id]), [])
    : {
        state: replace(state, { ...work, callers, status: "stopping" }),
        commands: [{ _tag: "Interrupt", work: work.id }]
      }
}

const finished = (state: State, id: WorkId): Transition => {
  const work = state.works.find((candidate) => candidate.id === id)
  if (work === undefined || work.status === "queued") return ignored(state)
  const rest = without(state, [id])
  return advance(
    work.mode === "free" ? { ...rest, epoch: rest.epoch + 1 } : rest,
    work.callers.length === 0 ? [] : [{ _tag: "Settle", work: id, calls: work.callers, outcome: "finished" }]
  )
}

const dropped = (state: State, ids: ReadonlyArray<WorkId>): Transition => {
  const works = state.works.filter((work) => ids.includes(work.id))
  if (works.length === 0) return ignored(state)
  return advance(
    without(state, ids),
    works.flatMap(
      (work): ReadonlyArray<Command> => [
        ...(work.callers.length === 0
          ? []
          : [{ _tag: "Settle" as const, work: work.id, calls: work.callers, outcome: "dropped" as const }]),
        ...(work.status === "running" ? [{ _tag: "Interrupt" as const, work: work.id }] : [])
      ]
    )
  )
}

/** What an event makes of a lane. An event about a call or work that is not there changes nothing. */
export const transition = (state: State, event: Event): Transition => {
  switch (event._tag) {
    case "Arrived":
      return arrived(state, event)
    case "Left":
      return left(state, event.call)
    case "Finished":
      return finished(state, event.work)
    case "Dropped":
      return dropped(state, event.works)
  }
}
