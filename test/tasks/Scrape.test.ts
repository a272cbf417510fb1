import { Arbitrary, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Batch from "../../src/layers/tasks/Scrape.ts"

const story = {
  total: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))),
  events: Arbitrary.schema(Schema.Array(Batch.Event).check(Schema.isMaxLength(60)))
}

describe("a batch, whatever happens in whatever order,", () => {
  it.prop("never leaves a state that is final: a stopped one never becomes done", story, ({ total, events }) => {
    let state = Batch.initial(total)
    for (const event of events) {
      const next = Batch.transition(state, event)
      if (state.state !== "running") assert.strictEqual(next, state)
      state = next
    }
  })

  it.prop("is done exactly when all of its pages have ended, and counts none twice", story, ({ total, events }) => {
    let state = Batch.initial(total)
    let ended = 0
    for (const event of events) {
      const running = state.state === "running"
      state = Batch.transition(state, event)
      if (running && event._tag === "PageEnded") ended++
      assert.strictEqual(state.done + state.failed, ended)
      assert.isAtMost(ended, total)
      assert.strictEqual(state.state === "done", ended === total && (total === 0 || state.error === undefined))
    }
  })
})
