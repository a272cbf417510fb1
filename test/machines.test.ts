/** The machines as a program outside uses them: generated events, without knowing what is inside. */
import { assert, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { Control, Lane, Supervisor } from "../src/machines.ts"

it.prop(
  "nothing that an agent does takes control back from a person",
  { events: Arbitrary.array(Arbitrary.schema(Control.Event)) },
  ({ events }) => {
    let { state } = Control.transition(Control.initial(600_000, 0), { _tag: "TakenOver", at: 0 })
    for (const event of events) {
      if (event._tag === "HandedBack" || event._tag === "TimeoutFired") continue
      const next = Control.transition(state, event)
      assert.isFalse(next.commands.some(({ _tag }) => _tag === "Admit"))
      state = next.state
    }
    assert.strictEqual(state.owner, "human")
  }
)

it.prop(
  "any event is allowed in any state of a lane, and no call of it waits behind nothing",
  { events: Arbitrary.array(Arbitrary.schema(Lane.Event)) },
  ({ events }) => {
    let state = Lane.empty(10)
    for (const event of events) state = Lane.transition(state, event).state
    const [first] = state.works.filter(({ mode }) => mode !== "free")
    assert.notStrictEqual(first?.status, "queued")
  }
)

it.prop(
  "any event is allowed in any state of a supervisor, and no number of a dialog is used twice",
  {
    rules: Arbitrary.schema(Supervisor.Rules),
    events: Arbitrary.array(Arbitrary.schema(Supervisor.Event), { maxLength: 40 })
  },
  ({ events, rules }) => {
    let state = Supervisor.initial(rules)
    for (const event of events) {
      state = Supervisor.transition(state, event).state
      const ids = [...state.dialogs, ...state.recent].map(({ id }) => id)
      assert.strictEqual(new Set(ids).size, ids.length)
    }
  }
)
