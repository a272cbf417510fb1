import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { planKey, planText, type TextStep } from "../../src/layers/page/keyboard.ts"
import { keys } from "../../src/layers/page/keyboardLayout.ts"
import { PlainChromium } from "../support/plainChromium.ts"

interface Seen {
  readonly type: string
  readonly key: string
  readonly code: string
  readonly keyCode: number
  readonly location: number
  readonly shift: boolean
  readonly trusted: boolean
}

const page = `<!doctype html><textarea id=area></textarea><input id=line>
<script>
  seen = []
  for (const type of ["keydown", "keypress", "keyup"]) addEventListener(type, (event) => seen.push({
    type, key: event.key, code: event.code, keyCode: event.keyCode, location: event.location,
    shift: event.shiftKey, trusted: event.isTrusted }), true)
  submitted = 0
  pasted = 0
  addEventListener("paste", () => pasted++)
  fresh = (id) => { seen = []; const field = document.getElementById(id); field.value = ""; field.focus(); return true }
</script>`

// Sent without awaiting each: the browser keeps the order, and a key costs a fraction of a round trip.
const send = (steps: ReadonlyArray<TextStep>) =>
  Effect.flatMap(PlainChromium, ({ send }) =>
    Effect.all(
      steps.flatMap((step) =>
        step.is === "keys"
          ? step.events.map((event) => send("Input.dispatchKeyEvent", event))
          : [send("Input.insertText", { text: step.text })]
      ),
      { concurrency: "unbounded", discard: true }
    )
  )
const press = (...args: Parameters<typeof planKey>) =>
  send([{ is: "keys", events: Result.getOrThrow(planKey(...args)) }])
const type = (text: string) => send(planText(text))
const value = (id: string) => Effect.flatMap(PlainChromium, ({ evaluate }) => evaluate(`${id}.value`))
const seen = Effect.flatMap(PlainChromium, ({ evaluate }) => evaluate("seen")) as Effect.Effect<
  ReadonlyArray<Seen>,
  never,
  PlainChromium
>
const fresh = (id: string) => Effect.flatMap(PlainChromium, ({ evaluate }) => evaluate(`fresh("${id}")`))

layer(PlainChromium.layer, { excludeTestServices: true, timeout: "60 seconds" })("keyboard in Chromium", (it) => {
  it.effect("a page sees the key, code, keyCode and location of the table for every key", () =>
    Effect.gen(function* () {
      yield* (yield* PlainChromium).show(page)
      for (const key of keys) {
        yield* fresh("area")
        yield* press(key.code)
        const events = yield* seen
        const down = events.find((event) => event.type === "keydown")
        const expected = {
          key: key.key,
          code: key.code,
          keyCode: key.keyCode,
          location: key.location ?? 0,
          trusted: true
        }
        assert.deepInclude(down, expected, key.code)
        assert.deepInclude(events.at(-1), { ...expected, type: "keyup" }, key.code)
        assert.strictEqual(
          yield* value("area"),
          key.types ? (key.text ?? key.key).replace("\r", "\n") : "",
          `what ${key.code} types`
        )
      }
    })
  )

  it.effect("every printable ASCII character arrives as itself, with one key press of its own", () =>
    Effect.gen(function* () {
      yield* (yield* PlainChromium).show(page)
      for (let code = 32; code < 127; code++) {
        const character = String.fromCharCode(code)
        yield* fresh("area")
        yield* press(character)
        assert.strictEqual(yield* value("area"), character)
        const presses = (yield* seen).filter((event) => event.type === "keypress")
        assert.deepStrictEqual(
          presses.map(({ key, keyCode }) => [key, keyCode]),
          [[character, code]]
        )
      }
    })
  )

  it.effect("a typed text arrives whole, with accents, emoji and line breaks", () =>
    Effect.gen(function* () {
      yield* (yield* PlainChromium).show(page)
      const text = "Hello, World! (50%)\nGrüße 👩‍👩‍👧 日本\r\nEND of it: ~`|\\"
      yield* fresh("area")
      yield* type(text)
      assert.strictEqual(yield* value("area"), text.replace("\r\n", "\n"))
      const shifts = (yield* seen).filter((event) => event.key === "Shift")
      assert.strictEqual(shifts.filter((event) => event.type === "keydown").length * 2, shifts.length)
    })
  )

  it.effect("a text too long to press key by key arrives whole", () =>
    Effect.gen(function* () {
      yield* (yield* PlainChromium).show(page)
      const text = "All work and no play.\n".repeat(200)
      yield* fresh("area")
      yield* type(text)
      assert.strictEqual(yield* value("area"), text)
    })
  )

  it.effect("Enter submits a form, Tab moves on, Backspace, arrows and Delete edit", () =>
    Effect.gen(function* () {
      const { evaluate, show } = yield* PlainChromium
      yield* show(`<form onsubmit="sent = name.value; event.preventDefault()"><input id=name><input id=other></form>`)
      yield* evaluate(`document.getElementById("name").focus()`)
      yield* type("abcd")
      for (const key of ["Backspace", "ArrowLeft", "Delete", "Home", "x", "Shift+End", "y", "Enter"]) yield* press(key)
      assert.strictEqual(yield* evaluate(`document.getElementById("name").value`), "xy")
      yield* press("Tab")
      assert.strictEqual(yield* evaluate("document.activeElement.id"), "other")
      yield* press("Shift+Tab")
      assert.strictEqual(yield* evaluate("document.activeElement.id"), "name")
    })
  )

  it.effect("ctrl combinations select, copy, cut, paste once, undo and redo", () =>
    Effect.gen(function* () {
      const { evaluate, show } = yield* PlainChromium
      yield* show(page)
      yield* fresh("area")
      yield* type("word")
      for (const key of ["Control+A", "Control+C", "End", "Control+V"]) yield* press(key)
      assert.strictEqual(yield* value("area"), "wordword")
      assert.strictEqual(yield* evaluate("pasted"), 1)
      for (const key of ["Control+A", "Control+X"]) yield* press(key)
      assert.strictEqual(yield* value("area"), "")
      yield* press("Control+Z")
      assert.strictEqual(yield* value("area"), "wordword")
      yield* press("Control+Shift+Z")
      assert.strictEqual(yield* value("area"), "")
    })
  )

  it.effect("a page that cancels the key of an editing combination keeps its text", () =>
    Effect.gen(function* () {
      const { evaluate, show } = yield* PlainChromium
      yield* show(page)
      yield* evaluate(`addEventListener("keydown", (event) => event.ctrlKey && event.preventDefault())`)
      yield* fresh("area")
      yield* type("kept")
      for (const key of ["Control+A", "Control+X"]) yield* press(key)
      assert.strictEqual(yield* value("area"), "kept")
    })
  )
})
