/** The state of a batch, as a pure state machine: it counts each page once, and its end is final. */
import { Schema } from "effect"
import { ScrapeState } from "../../schemas/scrapes.ts"

export const State = Schema.Struct({
  state: ScrapeState,
  total: Schema.Int,
  done: Schema.Int,
  failed: Schema.Int,
  error: Schema.UndefinedOr(Schema.String)
})
export type State = typeof State.Type

export const Event = Schema.TaggedUnion({
  /** a page was read, or could not be */
  PageEnded: { ok: Schema.Boolean },
  /** somebody wants it to end */
  Stopped: {},
  /** it cannot go on */
  Broke: { reason: Schema.String }
})
export type Event = typeof Event.Type

/** A batch of `total` pages; one of none is over. */
export const initial = (total: number): State => ({
  state: total === 0 ? "done" : "running",
  total,
  done: 0,
  failed: 0,
  error: undefined
})

/** What an event makes of a batch. Nothing changes one that has ended. */
export const transition = (state: State, event: Event): State => {
  if (state.state !== "running") return state
  switch (event._tag) {
    case "PageEnded": {
      const done = state.done + (event.ok ? 1 : 0)
      const failed = state.failed + (event.ok ? 0 : 1)
      return { ...state, done, failed, state: done + failed >= state.total ? "done" : "running" }
    }
    case "Stopped":
      return { ...state, state: "stopped" }
    case "Broke":
      return { ...state, state: "failed", error: event.reason }
  }
}
