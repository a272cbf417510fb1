import { assert, it } from "@effect/vitest"
import { FramePatience } from "../../src/layers/page/FramePatience.ts"
import type { FrameModel } from "../../src/layers/page/FrameTable.ts"

const frame = (id: string, loaderId: string) => ({ id, loaderId }) as FrameModel

it("a frame that was silent gets little time until it answers, or shows another document", () => {
  const patience = new FramePatience()
  const whole = patience.budget(frame("a", "1"))
  patience.note(frame("a", "1"), false)
  assert.isBelow(patience.budget(frame("a", "1")), whole / 4)
  assert.strictEqual(patience.budget(frame("a", "2")), whole)
  assert.strictEqual(patience.budget(frame("b", "1")), whole)
  patience.note(frame("a", "1"), true)
  assert.strictEqual(patience.budget(frame("a", "1")), whole)
})

it("two hundred are remembered, not more", () => {
  const patience = new FramePatience()
  const whole = patience.budget(frame("first", "1"))
  patience.note(frame("first", "1"), false)
  for (let n = 1; n < 200; n++) patience.note(frame(`f${n}`, "1"), false)
  assert.isBelow(patience.budget(frame("first", "1")), whole)
  patience.note(frame("another", "1"), false)
  assert.strictEqual(patience.budget(frame("first", "1")), whole)
})
