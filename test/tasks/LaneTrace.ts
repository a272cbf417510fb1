/** Drives the lane by generated steps and keeps what happened, for the properties to look at. */
import { Schema } from "effect"
import * as Lane from "../../src/layers/tasks/Lane.ts"

/** Steps name works and calls by a number that is taken modulo what is there, so every sequence means something. */
const pick = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))

export const Step = Schema.TaggedUnion({
  Write: {},
  Free: {},
  Read: { key: Schema.Literals(["a", "b", "none"]) },
  Leave: { pick },
  Finish: { pick },
  Drop: { picks: Schema.Array(pick).check(Schema.isMaxLength(3)) }
})
export type Step = typeof Step.Type

export const Steps = Schema.Array(Step).check(Schema.isMaxLength(40))

export interface Moment {
  readonly before: Lane.State
  readonly event: Lane.Event
  readonly after: Lane.State
  readonly commands: ReadonlyArray<Lane.Command>
}

const at = <A>(items: ReadonlyArray<A>, index: number): A | undefined =>
  items.length === 0 ? undefined : items[index % items.length]

const eventOf = (state: Lane.State, step: Step, next: number): Lane.Event | undefined => {
  const call = Lane.CallId.make(next)
  switch (step._tag) {
    case "Write":
      return { _tag: "Arrived", call, mode: "write" }
    case "Free":
      return { _tag: "Arrived", call, mode: "free" }
    case "Read":
      return { _tag: "Arrived", call, mode: "read", ...(step.key === "none" ? {} : { key: step.key }) }
    case "Leave": {
      const leaving = at(
        state.works.flatMap((work) => work.callers),
        step.pick
      )
      return leaving === undefined ? undefined : { _tag: "Left", call: leaving }
    }
    case "Finish": {
      const work = at(
        state.works.filter((candidate) => candidate.status !== "queued"),
        step.pick
      )
      return work === undefined ? undefined : { _tag: "Finished", work: work.id }
    }
    case "Drop": {
      const works = step.picks.flatMap((index) => at(state.works, index)?.id ?? [])
      return { _tag: "Dropped", works }
    }
  }
}

/** Plays the steps, then ends what works until nothing is left (or nothing moves any more). */
export const play = (steps: ReadonlyArray<Step>, limit: number): ReadonlyArray<Moment> => {
  const moments: Array<Moment> = []
  let state = Lane.empty(limit)
  let next = 0
  const feed = (event: Lane.Event) => {
    const { state: after, commands } = Lane.transition(state, event)
    moments.push({ before: state, event, after, commands })
    state = after
  }
  for (const step of steps) {
    const event = eventOf(state, step, next)
    if (event === undefined) continue
    if (event._tag === "Arrived") next++
    feed(event)
  }
  for (;;) {
    const work = state.works.find((candidate) => candidate.status !== "queued")
    if (work === undefined) return moments
    feed({ _tag: "Finished", work: work.id })
  }
}

/** The moments' commands of one kind, in order. */
export const commands = <T extends Lane.Command["_tag"]>(
  moments: ReadonlyArray<Moment>,
  tag: T
): ReadonlyArray<Extract<Lane.Command, { readonly _tag: T }>> =>
  moments.flatMap((moment) =>
    moment.commands.filter((command): command is Extract<Lane.Command, { readonly _tag: T }> => command._tag === tag)
  )

/** The arrivals by call. */
export const arrivals = (moments: ReadonlyArray<Moment>) =>
  new Map(
    moments.flatMap(({ event }, index) =>
      event._tag === "Arrived" ? [[event.call, { ...event, index }] as const] : []
    )
  )

export const active = (state: Lane.State): ReadonlyArray<Lane.Work> =>
  state.works.filter((work) => work.status !== "queued" && work.mode !== "free")
