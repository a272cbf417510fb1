import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type PageInput, personInput } from "../../host/core/personInput.ts"

/** As Electron 33.2.1 tells them. */
const mark = 1 << 23
const types = ["mouseMove", "mouseDown", "mouseUp", "mouseWheel", "rawKeyDown", "keyDown", "char", "keyUp"] as const
const byProtocol = Schema.Struct({
  type: Schema.Literals([...types, "touchStart", "touchMove", "touchEnd"]),
  key: Schema.Literals(["a", "Enter", "ArrowDown", "Shift"]),
  other: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mark - 1 }))
})

const hear = (input: PageInput, touching = false, dispatching = false) => personInput(input, touching, dispatching)
const key = (name: string, more: Partial<PageInput> = {}): PageInput => ({
  type: "rawKeyDown",
  key: name,
  _modifiers: 0,
  ...more
})

describe("input of a page", () => {
  it.prop("that was dispatched by protocol is never a person's", { input: byProtocol }, ({ input }) => {
    const { other, ...rest } = input
    assert.isUndefined(hear({ ...rest, _modifiers: mark | other }).did)
    // an Electron that tells no mark
    assert.isUndefined(hear(rest, false, true).did)
  })

  it("of a person takes over by presses and by keys that do something", () => {
    for (const input of [{ type: "mouseDown", _modifiers: 64 }, key("a"), key("Enter"), key("v", { control: true })])
      assert.strictEqual(hear(input).did, "acted")
    // also while the agent dispatches, and without a mark while it does not
    assert.strictEqual(hear({ type: "mouseDown", _modifiers: 64 }, false, true).did, "acted")
    assert.strictEqual(hear({ type: "mouseDown" }).did, "acted")
  })

  it("of a person who looks around or copies is a sign of them, and no more", () => {
    const looks: ReadonlyArray<PageInput> = [
      { type: "mouseMove", _modifiers: 0 },
      { type: "mouseWheel", _modifiers: 0 },
      key("ArrowDown"),
      key("PageUp"),
      key(" "),
      key("Shift"),
      key("c", { control: true })
    ]
    for (const input of looks) assert.strictEqual(hear(input).did, "seen")
    assert.isUndefined(hear({ type: "mouseUp", _modifiers: 0 }).did)
  })

  it("that is a gesture belongs to whose touch it was made of", () => {
    const tap = { type: "gestureTap", _modifiers: 0 }
    const theirs = hear({ type: "touchStart", _modifiers: 0 })
    assert.strictEqual(hear(tap, theirs.touching).did, "acted")
    const ours = hear({ type: "touchStart", _modifiers: mark })
    assert.isUndefined(hear(tap, ours.touching).did)
    // a touch that scrolls is no tap
    assert.isUndefined(hear({ type: "gestureScrollUpdate", _modifiers: 0 }, theirs.touching).did)
  })
})
