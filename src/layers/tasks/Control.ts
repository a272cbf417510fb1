/**
 * Who is in control of a task's browser, as a pure state machine.
 *
 * - An act of the agent begins only while the agent is in control; one that is under way goes on when a person takes
 *   over.
 * - Control goes back to the agent when the person hands it back, or when the person was not heard of for the whole
 *   time-out. Nothing that the agent does returns it (L45).
 * - The status follows from the rest, so that no late report can overwrite what a person did meanwhile.
 */
import { Schema } from "effect"
import { TaskOwner, type TaskStatus, taskLimits } from "../../schemas/tasks.ts"

/** Number of an act, unique in its task. */
export const ActId = Schema.Int.pipe(Schema.brand("ActId"))
export type ActId = typeof ActId.Type

const at = Schema.Finite

export const State = Schema.Struct({
  owner: TaskOwner,
  /** acts under way */
  acts: Schema.Array(ActId),
  /** the latest act that began */
  latestAction: Schema.UndefinedOr(Schema.String),
  /** why the latest act failed */
  error: Schema.UndefinedOr(Schema.String),
  /** calls that wait until the agent is in control */
  waiting: Schema.Int,
  /** ms since 1970 at which control goes back by itself; only while a person has it */
  humanUntil: Schema.UndefinedOr(Schema.Finite),
  /** ms since 1970 */
  updatedAt: Schema.Finite,
  /** ms without a sign of the person after which control goes back */
  timeoutMs: Schema.Finite
})
export type State = typeof State.Type

/** What happens to a task. `at` is the moment in ms since 1970. */
export const Event = Schema.TaggedUnion({
  /** the agent wants to act */
  ActAsked: { at, act: ActId, action: Schema.String },
  /** an act is over; `error`: it failed for that reason */
  ActEnded: { at, act: ActId, error: Schema.optionalKey(Schema.String) },
  /** a person takes control, or the agent asks a person to */
  TakenOver: { at },
  /** a person in control was seen doing something */
  PersonSeen: { at },
  /** the person hands control back */
  HandedBack: { at },
  /** the time for the person may be over */
  TimeoutFired: { at },
  /** a call begins or ends to wait for control */
  WaitBegan: { at },
  WaitEnded: { at }
})
export type Event = typeof Event.Type

/** What is to be done about it, in this order. */
export const Command = Schema.TaggedUnion({
  /** the act may begin */
  Admit: { act: ActId },
  /** a person is in control: the act does not begin */
  Refuse: { act: ActId },
  /** control changed: tell the session, and everybody who waits */
  Announce: { owner: TaskOwner },
  /** fire `TimeoutFired` after `ms`, instead of any earlier timer */
  StartTimer: { ms: Schema.Finite },
  CancelTimer: {}
})
export type Command = typeof Command.Type

export interface Transition {
  readonly state: State
  readonly commands: ReadonlyArray<Command>
}

/** A task of which nothing is known yet. */
export const initial = (timeoutMs: number, now: number): State => ({
  owner: "agent",
  acts: [],
  latestAction: undefined,
  error: undefined,
  waiting: 0,
  humanUntil: undefined,
  updatedAt: now,
  timeoutMs
})

export const statusOf = (state: State): TaskStatus => {
  if (state.owner === "human") return "waiting-user"
  if (state.acts.length > 0) return "running"
  return state.error === undefined ? "idle" : "failed"
}

const unchanged = (state: State): Transition => ({ state, commands: [] })

const clip = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`)

const handedBack = (state: State, now: number): Transition => ({
  state: { ...state, owner: "agent", humanUntil: undefined, updatedAt: now },
  commands: [{ _tag: "CancelTimer" }, { _tag: "Announce", owner: "agent" }]
})

/** What an event makes of a task. */
export const transition = (state: State, event: Event): Transition => {
  const now = event.at
  switch (event._tag) {
    case "ActAsked": {
      const { act } = event
      if (state.acts.includes(act)) return unchanged(state)
      if (state.owner === "human") return { state, commands: [{ _tag: "Refuse", act }] }
      const action = clip(event.action, taskLimits.action)
      return {
        state: { ...state, acts: [...state.acts, act], latestAction: action, error: undefined, updatedAt: now },
        commands: [{ _tag: "Admit", act }]
      }
    }
    case "ActEnded": {
      if (!state.acts.includes(event.act)) return unchanged(state)
      const error = event.error === undefined ? undefined : clip(event.error, taskLimits.error)
      const acts = state.acts.filter((one) => one !== event.act)
      // what an act reports after a person took over is not the news any more
      return unchanged({
        ...state,
        acts,
        error: state.owner === "human" ? state.error : (error ?? state.error),
        updatedAt: now
      })
    }
    case "TakenOver":
      return {
        state: {
          ...state,
          owner: "human",
          error: undefined,
          humanUntil: now + state.timeoutMs,
          updatedAt: now
        },
        commands: [
          { _tag: "StartTimer", ms: state.timeoutMs },
          ...(state.owner === "human" ? [] : [{ _tag: "Announce" as const, owner: "human" as const }])
        ]
      }
    case "PersonSeen":
      return state.owner === "agent"
        ? unchanged(state)
        : {
            state: { ...state, humanUntil: now + state.timeoutMs },
            commands: [{ _tag: "StartTimer", ms: state.timeoutMs }]
          }
    case "HandedBack":
      return state.owner === "agent" ? unchanged(state) : handedBack(state, now)
    case "TimeoutFired": {
      if (state.humanUntil === undefined) return unchanged(state)
      const left = state.humanUntil - now
      return left > 0 ? { state, commands: [{ _tag: "StartTimer", ms: left }] } : handedBack(state, now)
    }
    case "WaitBegan":
      return unchanged({ ...state, waiting: state.waiting + 1 })
    case "WaitEnded":
      return unchanged({ ...state, waiting: Math.max(0, state.waiting - 1) })
  }
}
