import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import { type KeyEvent, planInserted, planKey, planText } from "../../src/layers/page/keyboard.ts"
import { keys } from "../../src/layers/page/keyboardLayout.ts"

const events = (key: string, ...rest: [modifiers?: ReadonlyArray<"alt" | "ctrl" | "meta" | "shift">, p?: "mac"]) =>
  Result.getOrThrow(planKey(key, ...rest))
const brief = (list: ReadonlyArray<KeyEvent>) =>
  list.map(({ type, key, modifiers }) => `${type === "keyUp" ? "up" : "down"} ${key} ${modifiers}`)
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

/** The text that the events and insertions of a plan bring about in a text area. */
const typed = (text: string) =>
  planText(text)
    .map((step) =>
      step.is === "insert"
        ? step.text
        : step.events.map((event) => event.text ?? (event.type !== "keyUp" && event.key === "Tab" ? "\t" : "")).join("")
    )
    .join("")

describe("planKey", () => {
  it("types every printable ASCII character by a key of the layout, with its own key code", () => {
    for (const character of printable) {
      const down = events(character).find((event) => event.type === "keyDown")
      assert.deepInclude(down, { key: character, text: character })
      assert.isTrue(keys.some((key) => key.code === down?.code && key.keyCode === down.windowsVirtualKeyCode))
    }
    assert.deepInclude(events("(")[1], { code: "Digit9", windowsVirtualKeyCode: 57, modifiers: 8, text: "(" })
  })

  it("never gives a character the key code of another key", () => {
    const byKeyCode = new Map<number, string>()
    for (const { code, key, keyCode, location } of keys) {
      if (location !== undefined) continue
      assert.isFalse(byKeyCode.has(keyCode), `${key} and ${byKeyCode.get(keyCode)} share ${keyCode}`)
      byKeyCode.set(keyCode, code)
    }
  })

  it("presses modifiers before the key and lets them go after it, in reverse", () => {
    assert.deepStrictEqual(brief(events("k", ["shift", "ctrl"])), [
      "down Control 2",
      "down Shift 10",
      "down K 10",
      "up K 10",
      "up Shift 2",
      "up Control 0"
    ])
  })

  it("types nothing while ctrl, meta or alt is held, and the other case while shift is", () => {
    for (const modifier of ["ctrl", "meta", "alt"] as const) {
      assert.isFalse(events("a", [modifier]).some((event) => event.text !== undefined || event.type === "keyDown"))
    }
    assert.strictEqual(events("a", ["shift"])[1]?.text, "A")
    assert.strictEqual(events("9", ["shift"])[1]?.text, "(")
    assert.strictEqual(events("Enter")[0]?.text, "\r")
  })

  it("takes combinations written in one, in any case", () => {
    assert.deepStrictEqual(events("Control+A"), events("a", ["ctrl"]))
    assert.deepStrictEqual(events("ctrl+shift+k"), events("K", ["shift", "ctrl"]))
    assert.deepStrictEqual(events("Cmd+Enter"), events("enter", ["meta"]))
    assert.deepStrictEqual(events("Ctrl++"), events("+", ["ctrl"]))
    assert.deepStrictEqual(brief(events("+")), ["down Shift 8", "down + 8", "up + 8", "up Shift 0"])
    assert.deepStrictEqual(events("Shift+Tab")[1]?.text, undefined)
  })

  it("presses a modifier that is itself the key only once", () => {
    assert.deepStrictEqual(brief(events("Shift")), ["down Shift 8", "up Shift 0"])
    assert.deepStrictEqual(brief(events("Control+Shift")), [
      "down Control 2",
      "down Shift 10",
      "up Shift 2",
      "up Control 0"
    ])
    assert.deepInclude(events("ShiftRight")[0], { code: "ShiftRight", location: 2 })
  })

  it("adds the editing command of the platform's own modifier only", () => {
    const commands = (key: string, modifiers: ReadonlyArray<"ctrl" | "meta" | "shift">, platform?: "mac") =>
      events(key, modifiers, platform).flatMap((event) => event.commands ?? [])
    assert.deepStrictEqual(commands("a", ["ctrl"]), ["selectAll"])
    assert.deepStrictEqual(commands("a", ["meta"], "mac"), ["selectAll"])
    assert.deepStrictEqual(commands("a", ["ctrl"], "mac"), [])
    assert.deepStrictEqual(commands("z", ["ctrl", "shift"]), ["redo"])
    assert.deepStrictEqual(commands("c", ["ctrl", "meta"]), [])
    assert.deepStrictEqual(commands("c", []), [])
  })

  it("finds every key by its code and every name in any case", () => {
    for (const key of keys) {
      assert.strictEqual(events(key.code).find((event) => event.code === key.code)?.windowsVirtualKeyCode, key.keyCode)
      if (key.key.length > 1) assert.deepStrictEqual(events(key.key.toUpperCase()), events(key.key))
    }
    assert.deepStrictEqual(events("Space"), events(" "))
    assert.deepStrictEqual(events("Esc"), events("Escape"))
  })

  it("lists near names for an unknown key", () => {
    const near = (key: string) => Result.getOrThrow(Result.flip(planKey(key))).near ?? []
    assert.include(near("Entre"), "Enter")
    assert.include(near("Arrow"), "ArrowDown")
    assert.include(near("Control+Pagedwn"), "PageDown")
    assert.deepStrictEqual(near("é"), [])
    assert.strictEqual(near("Hyper+a").length, 0)
  })
})

describe("planText", () => {
  it.prop(
    "types every text whole, as keys or as insertions, line breaks as Enter",
    { text: Arbitrary.schema(Schema.String) },
    ({ text }) => {
      assert.strictEqual(typed(text), text.replace(/\r\n|\n/g, "\r"))
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "presses keys only for a text of the layout, and holds shift in pairs",
    { text: Arbitrary.schema(Schema.Array(Schema.Literals([...printable, "\n", "\t"]))) },
    ({ text }) => {
      const steps = planText(text.join(""))
      const all = steps.flatMap((step) => (step.is === "keys" ? step.events : []))
      assert.isTrue(steps.every((step) => step.is === "keys"))
      assert.strictEqual(all.filter((event) => event.type === "keyUp").length * 2, all.length)
      for (const event of all) {
        if (event.text !== undefined && event.text !== "\r") assert.strictEqual(event.text, event.key)
      }
    },
    { arbitrary: { runs: 200 } }
  )

  it("inserts what the layout lacks as whole graphemes, joined", () => {
    assert.deepStrictEqual(
      planText("né👩‍👩‍👧日x").map((step) => (step.is === "insert" ? step.text : "keys")),
      ["keys", "é👩‍👩‍👧日", "keys"]
    )
    assert.deepStrictEqual(planText("e\u0301"), [{ is: "insert", text: "e\u0301" }])
  })

  it("inserts the middle of a long text but keeps its ends, line breaks and tabs as keys", () => {
    const line = "x".repeat(3_000)
    const text = `${line}\r\n\t${line}👩‍👩‍👧`
    const steps = planText(text)
    assert.strictEqual(typed(text), `${line}\r\t${line}👩‍👩‍👧`)
    assert.deepStrictEqual(
      steps.map((step) => (step.is === "insert" ? step.text.length : step.events.length)),
      [100, 2_950, 4, 2_951, 98, "👩‍👩‍👧".length]
    )
  })

  it.effect("plans a text of ten million characters in time that grows with its size only", () =>
    Effect.sync(() => {
      const began = performance.now()
      assert.isBelow(planText("word ".repeat(2_000_000)).length, 10)
      assert.isBelow(performance.now() - began, 30_000)
    })
  )
})

describe("planInserted", () => {
  it("inserts a character that no key has, and nothing else", () => {
    for (const key of ["é", "ß", "世", "😀"]) assert.strictEqual(planInserted(key), key)
    for (const key of ["e", "E", "+", " ", "Enter", "Entr", "éé", "", "\u0007", "\u0301"]) {
      assert.isUndefined(planInserted(key), JSON.stringify(key))
    }
    assert.isUndefined(planInserted("é", ["ctrl"]))
  })
})
