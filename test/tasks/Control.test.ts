import { Arbitrary, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Control from "../../src/layers/tasks/Control.ts"

const timeoutMs = 1_000

/** A step of a generated story: what happens, and how much time passed before it. */
const Step = Schema.Struct({
  after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700 })),
  what: Schema.Literals([
    "ask",
    "end",
    "fail",
    "take",
    "seen",
    "back",
    "timeout",
    "wait",
    "stop waiting",
    "end of an unknown act"
  ]),
  pick: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))
})

interface Played {
  readonly state: Control.State
  readonly event: Control.Event
  readonly next: Control.Transition
}

/** Plays a story; ends always mean acts that were admitted. */
const play = (steps: ReadonlyArray<typeof Step.Type>): ReadonlyArray<Played> => {
  let state = Control.initial(timeoutMs, 0)
  let now = 0
  let acts = 0
  return steps.flatMap(({ after, pick, what }): ReadonlyArray<Played> => {
    now += after
    const at = now
    const running = state.acts[pick % Math.max(1, state.acts.length)]
    const event = ((): Control.Event | undefined => {
      switch (what) {
        case "ask":
          return { _tag: "ActAsked", at, act: Control.ActId.make(++acts), action: "browser_click" }
        case "end":
          return running === undefined ? undefined : { _tag: "ActEnded", at, act: running }
        case "fail":
          return running === undefined ? undefined : { _tag: "ActEnded", at, act: running, error: "it failed" }
        case "end of an unknown act":
          return { _tag: "ActEnded", at, act: Control.ActId.make(1_000 + pick), error: "never begun" }
        case "take":
          return { _tag: "TakenOver", at }
        case "seen":
          return { _tag: "PersonSeen", at }
        case "back":
          return { _tag: "HandedBack", at }
        case "timeout":
          return { _tag: "TimeoutFired", at }
        case "wait":
          return { _tag: "WaitBegan", at }
        case "stop waiting":
          return { _tag: "WaitEnded", at }
      }
    })()
    if (event === undefined) return []
    const next = Control.transition(state, event)
    const played = { state, event, next }
    state = next.state
    return [played]
  })
}

const story = { steps: Arbitrary.schema(Schema.Array(Step).check(Schema.isMaxLength(60))) }
const runs = { arbitrary: { runs: 300 } }
const has = (next: Control.Transition, tag: Control.Command["_tag"]) =>
  next.commands.some((command) => command._tag === tag)

describe("control of a task, in any generated story,", () => {
  it.prop(
    "goes back to the agent only when the person hands it back, or was not heard of for the whole time-out",
    story,
    ({ steps }) => {
      let seen = 0
      for (const { event, next, state } of play(steps)) {
        if (event._tag === "TakenOver" || event._tag === "PersonSeen") seen = event.at
        if (state.owner === "human" && next.state.owner === "agent") {
          assert.isTrue(
            event._tag === "HandedBack" || (event._tag === "TimeoutFired" && event.at - seen >= timeoutMs),
            event._tag
          )
        }
        if (state.owner === "agent" && next.state.owner === "human") assert.strictEqual(event._tag, "TakenOver")
      }
    },
    runs
  )

  it.prop(
    "lets an act begin only while the agent has it, and answers each asking exactly once",
    story,
    ({ steps }) => {
      for (const { event, next, state } of play(steps)) {
        const answers = next.commands.filter(({ _tag }) => _tag === "Admit" || _tag === "Refuse")
        assert.lengthOf(answers, event._tag === "ActAsked" ? 1 : 0)
        if (event._tag === "ActAsked") {
          assert.strictEqual(has(next, "Admit"), state.owner === "agent")
          assert.strictEqual(next.state.acts.includes(event.act), state.owner === "agent")
        }
      }
    },
    runs
  )

  it.prop(
    "shows a status that follows from who has it and what runs",
    story,
    ({ steps }) => {
      for (const { next } of play(steps)) {
        const status = Control.statusOf(next.state)
        assert.strictEqual(status === "waiting-user", next.state.owner === "human")
        assert.strictEqual(status === "running", next.state.owner === "agent" && next.state.acts.length > 0)
        if (status === "failed") assert.isDefined(next.state.error)
        if (status === "idle") assert.isUndefined(next.state.error)
        assert.isAtLeast(next.state.waiting, 0)
      }
    },
    runs
  )

  it.prop(
    "is announced exactly when it changes, and its timer runs exactly while a person has it",
    story,
    ({ steps }) => {
      let timer = false
      for (const { event, next, state } of play(steps)) {
        assert.strictEqual(has(next, "Announce"), state.owner !== next.state.owner)
        if (event._tag === "TimeoutFired") timer = false
        if (has(next, "CancelTimer")) timer = false
        if (has(next, "StartTimer")) timer = true
        // a generated time-out may fire without a timer; then it may only start one anew
        if (event._tag !== "TimeoutFired") assert.strictEqual(timer, next.state.owner === "human")
        assert.strictEqual(next.state.humanUntil !== undefined, next.state.owner === "human")
      }
    },
    runs
  )

  it.prop(
    "is not overwritten by what an act reports after a person took over",
    story,
    ({ steps }) => {
      for (const { event, next, state } of play(steps)) {
        if (event._tag === "ActEnded" && state.owner === "human") {
          assert.strictEqual(Control.statusOf(next.state), "waiting-user")
          assert.strictEqual(next.state.error, state.error)
        }
        if (event._tag === "ActEnded" && !state.acts.includes(event.act)) assert.deepStrictEqual(next.state, state)
      }
    },
    runs
  )
})

describe("control of a task", () => {
  const after = (...events: ReadonlyArray<Control.Event>) =>
    events.reduce((state, event) => Control.transition(state, event).state, Control.initial(timeoutMs, 0))

  it("keeps an error until the next act, and cuts it at 180 characters", () => {
    const act = Control.ActId.make(1)
    const failed = after(
      { _tag: "ActAsked", at: 1, act, action: "browser_open" },
      { _tag: "ActEnded", at: 2, act, error: "x".repeat(500) }
    )
    assert.strictEqual(Control.statusOf(failed), "failed")
    assert.lengthOf(failed.error ?? "", 180)
    const again = Control.transition(failed, { _tag: "ActAsked", at: 3, act: Control.ActId.make(2), action: "a" })
    assert.isUndefined(again.state.error)
  })

  it("waits longer when the person was seen meanwhile", () => {
    const seen = after({ _tag: "TakenOver", at: 0 }, { _tag: "PersonSeen", at: 900 })
    const early = Control.transition(seen, { _tag: "TimeoutFired", at: 1_000 })
    assert.strictEqual(early.state.owner, "human")
    assert.deepStrictEqual(early.commands, [{ _tag: "StartTimer", ms: 900 }])
    assert.strictEqual(Control.transition(seen, { _tag: "TimeoutFired", at: 1_900 }).state.owner, "agent")
  })
})
