import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import type { FrameModel } from "../../src/layers/page/FrameTable.ts"
import { LookAhead } from "../../src/layers/page/LookAhead.ts"
import { CdpSessionId, FrameId } from "../../src/schemas/ids.ts"
import type { WalkResult } from "../../src/schemas/page.ts"

const frame = (loaderId: string): FrameModel => ({
  id: FrameId.make("main"),
  parentId: undefined,
  url: "http://a.test/",
  loaderId,
  sessionId: CdpSessionId.make("S")
})
const seen: WalkResult = {
  url: "http://a.test/",
  title: "",
  ready: "complete",
  viewport: { width: 1, height: 1, scrollX: 0, scrollY: 0, maxX: 0, maxY: 0 },
  items: [],
  total: 0,
  truncated: false,
  suspects: []
}
const asked = { limit: 400, maxChars: 24_000, interactive: false, skip: 0, budget: 8_000 }

describe("a look that was taken ahead", () => {
  const keeping = (ahead: LookAhead) => ahead.keep({ loaderId: "L1", limit: 400, seen })

  it.effect("is what the next walk over the whole document sees, and no other one", () =>
    Effect.gen(function* () {
      const ahead = new LookAhead()
      assert.isUndefined(yield* ahead.take(frame("L1"), asked))
      yield* keeping(ahead)
      assert.strictEqual(yield* ahead.take(frame("L1"), asked), seen)
      assert.isUndefined(yield* ahead.take(frame("L1"), asked))
    })
  )

  it.effect("is nothing to a walk that asks for something else, which leaves it there", () =>
    Effect.gen(function* () {
      const ahead = new LookAhead()
      yield* keeping(ahead)
      for (const other of [{ interactive: true }, { query: "a" }, { rootKey: 1 }, { selector: "p" }]) {
        assert.isUndefined(yield* ahead.take(frame("L1"), { ...asked, ...other }))
      }
      assert.isUndefined(yield* ahead.take(frame("L2"), asked), "another document")
      assert.strictEqual(yield* ahead.take(frame("L1"), asked), seen)
    })
  )

  it.effect("is nothing to one that asks for another number of elements", () =>
    Effect.gen(function* () {
      const ahead = new LookAhead()
      yield* keeping(ahead)
      assert.isUndefined(yield* ahead.take(frame("L1"), { ...asked, limit: 401 }))
    })
  )

  it.effect("is of yesterday after 100 ms, and when it is forgotten", () =>
    Effect.gen(function* () {
      const ahead = new LookAhead()
      yield* keeping(ahead)
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* ahead.take(frame("L1"), asked), seen)
      yield* keeping(ahead)
      yield* TestClock.adjust("101 millis")
      assert.isUndefined(yield* ahead.take(frame("L1"), asked))
      yield* keeping(ahead)
      ahead.forget()
      assert.isUndefined(yield* ahead.take(frame("L1"), asked))
    })
  )
})
