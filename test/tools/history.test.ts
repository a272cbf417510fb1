import { Arbitrary, Effect, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { historyLimits, secretMark, withheldMark } from "../../src/schemas/history.ts"
import { DialogId, TabId, TaskKey } from "../../src/schemas/ids.ts"
import { NothingFocused } from "../../src/schemas/errors.ts"
import type { HistoryResult } from "../../src/schemas/tools/history.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { History } from "../../src/services/History.ts"
import { Tools } from "../../src/services/Tools.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { recordedOf } from "../../src/tools/recording.ts"
import { makeFakeSession } from "../support/FakeSession.ts"
import { layerTools } from "../support/ToolsHarness.ts"

const task = TaskKey.make("default")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const open = call("browser_open", { url: "http://shop.test/" })
const kept = History.useSync((history) => history.entries(task))
const shown = (limit = 500) =>
  Effect.map(call("browser_history", { limit }), ({ structured }) => structured as unknown as typeof HistoryResult.Type)
const replay = (seq: number) => call("browser_replay", { seq })

/** A session in which a password field has the focus. */
const atPassword = (overrides: Partial<BrowserSession> = {}) =>
  makeFakeSession({
    type: () => Effect.succeed({ typed: true, into: 'textbox "Password"', value: "•••", secret: true }),
    pressKey: () => Effect.succeed({ pressed: true, secret: true }),
    fill: ({ fields }) =>
      Effect.succeed({
        fields: fields.map(({ label }) => ({
          ok: label !== "Gone",
          target: `textbox "${label}"`,
          ...(label === "Password" ? { secret: true } : {})
        })),
        submitted: false
      }),
    ...overrides
  })

describe("the history of a task", () => {
  it.effect("holds each step once, numbered without gaps, with its arguments and what came of it", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_snapshot")
      yield* call("browser_click", { text: "Save", button: "right", modifiers: ["shift"] })
      yield* Effect.flip(call("browser_open", { url: "http://refused.test/" }))
      const { entries } = yield* shown()
      assert.deepStrictEqual(
        entries.map(({ seq, action, ok }) => [seq, action, ok]),
        [
          [1, "navigate", true],
          [2, "click", true],
          [3, "navigate", false]
        ]
      )
      assert.deepStrictEqual(entries[1]?.params, { text: "Save", button: "right", modifiers: ["shift"] })
      assert.include(entries[2]?.error, "BROWSER_NAVIGATION_FAILED")
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("leaves out what was refused before it began, and what was broken off", () =>
    Effect.gen(function* () {
      yield* Effect.flip(call("browser_click", { text: "Save" }))
      yield* Effect.flip(call("browser_click", { zz: 1 }))
      yield* open
      yield* call("browser_restrict", { allowed: ["browser_history", "browser_execute"] })
      yield* Effect.flip(call("browser_click", { text: "Save" }))
      yield* Effect.flip(call("browser_execute", { script: "defect" }))
      assert.deepStrictEqual(
        (yield* shown()).entries.map(({ action }) => action),
        ["navigate", "restrict"]
      )
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("keeps the latest 500, whose numbers go on for ever", () =>
    Effect.gen(function* () {
      yield* open
      yield* Effect.forEach(Array.from({ length: 520 }), (_, index) => call("browser_execute", { script: `${index}` }))
      const all = yield* kept
      assert.lengthOf(all, historyLimits.entries)
      assert.strictEqual(all.at(-1)?.seq, 521)
      assert.deepStrictEqual(
        all.map(({ seq }) => seq),
        Array.from({ length: 500 }, (_, index) => index + 22)
      )
      const { entries, truncated } = yield* shown(3)
      assert.deepStrictEqual([entries.map(({ seq }) => seq), truncated], [[519, 520, 521], true])
      assert.strictEqual((yield* Effect.flip(replay(5))).code, "BROWSER_HISTORY_UNKNOWN")
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )
})

describe("a secret", () => {
  const secret = "hunter2-Zq"
  const nowhere = Effect.gen(function* () {
    assert.notInclude(JSON.stringify(yield* kept), secret)
    assert.notInclude(JSON.stringify(yield* shown()), secret)
  })

  it.effect("typed into a password field is nowhere in the history, and is not typed again", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_type", { text: secret })
      yield* nowhere
      assert.strictEqual((yield* kept).at(-1)?.params["text"], secretMark)
      assert.strictEqual((yield* Effect.flip(replay(2))).code, "BROWSER_HISTORY_NOT_REPLAYABLE")
    }).pipe(Effect.provide(layerTools(atPassword())))
  )

  it.effect("that its caller calls so is nowhere, whatever the field and whatever came of it", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_type", { text: secret, secret: true })
      yield* nowhere
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("is nowhere when a dialog cut the typing short: nobody knows into what the rest of it went", () => {
    const dialog = {
      id: DialogId.make("d-1"),
      type: "alert",
      message: "m",
      opened_at: 1,
      tab_id: TabId.make("t1")
    } as const
    const session = makeFakeSession({
      type: () => Effect.succeed({ typed: true, into: 'textbox "Name"', dialog })
    })
    return Effect.gen(function* () {
      yield* open
      const { content } = yield* call("browser_type", { text: secret })
      assert.match(JSON.stringify(content), /typed into textbox .+, perhaps only a part of it/)
      yield* nowhere
      assert.strictEqual((yield* kept).at(-1)?.params["text"], withheldMark)
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("is nowhere when the typing failed: nobody knows into what", () => {
    const session = makeFakeSession({
      type: () => Effect.fail(new NothingFocused({ focused: "nothing" }))
    })
    return Effect.gen(function* () {
      yield* open
      yield* Effect.flip(call("browser_type", { text: secret }))
      yield* nowhere
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("among several fields is left out alone, and so is what was not filled", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_fill", {
        fields: [
          { label: "Name", value: "Ada" },
          { label: "Password", value: secret },
          { label: "Gone", value: secret }
        ]
      })
      yield* nowhere
      assert.deepStrictEqual((yield* kept).at(-1)?.params["fields"], [
        { label: "Name", value: "Ada" },
        { label: "Password", value: secretMark },
        { label: "Gone", value: withheldMark }
      ])
      assert.strictEqual((yield* kept).at(-1)?.result, "2 of 3 fields filled")
    }).pipe(Effect.provide(layerTools(atPassword())))
  )

  it.effect("is not spelt by single keys", () =>
    Effect.gen(function* () {
      yield* open
      for (const key of ["h", "é", "Enter"]) yield* call("browser_press_key", { key })
      assert.deepStrictEqual(
        (yield* kept).slice(1).map(({ params }) => params["key"]),
        [secretMark, secretMark, "Enter"]
      )
    }).pipe(Effect.provide(layerTools(atPassword())))
  )

  it("has a rule in the catalog wherever a text is typed or sent", () => {
    const may = catalog.filter((row) => row.secret.length > 0).map((row) => row.name)
    for (const name of ["browser_type", "browser_fill", "browser_press_key", "browser_dialog"]) {
      assert.include(may, name)
    }
  })
})

describe("a replay", () => {
  it.effect("does the step again with all its arguments, and records the step and the replay", () => {
    const asked: Array<unknown> = []
    const session = makeFakeSession({
      click: (params) => {
        asked.push(params)
        return Effect.succeed({ clicked: true })
      }
    })
    return Effect.gen(function* () {
      yield* open
      yield* call("browser_click", { x: 5, y: 6, button: "middle", modifiers: ["ctrl", "alt"] })
      const done = yield* replay(2)
      assert.deepInclude(done.structured, { replayed: true, action: "click" })
      assert.lengthOf(asked, 2)
      assert.deepStrictEqual(asked[0], asked[1])
      assert.deepStrictEqual(
        (yield* shown()).entries.map(({ action, ok }) => [action, ok]),
        [
          ["navigate", true],
          ["click", true],
          ["click", true],
          ["replay", true]
        ]
      )
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("works for opening, typing, keys and scripts", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      yield* call("browser_type", { text: "hello" })
      yield* call("browser_press_key", { key: "Enter", modifiers: ["shift"] })
      yield* call("browser_execute", { script: "1 + 1", args: ["a"] })
      session.log.length = 0
      for (const seq of [1, 2, 3, 4]) yield* replay(seq)
      assert.deepStrictEqual(session.log, ["open", "type", "pressKey Enter", "execute 1 + 1"])
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("of a step that fails again fails like it, and both are recorded as failed", () =>
    Effect.gen(function* () {
      yield* open
      yield* Effect.flip(call("browser_open", { url: "http://refused.test/" }))
      assert.strictEqual((yield* Effect.flip(replay(2))).code, "BROWSER_NAVIGATION_FAILED")
      assert.deepStrictEqual(
        (yield* shown()).entries.slice(2).map(({ action, ok }) => [action, ok]),
        [
          ["navigate", false],
          ["replay", false]
        ]
      )
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("is refused for what is not there, cannot be repeated, was cut, or is not allowed any more", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_back")
      yield* call("browser_execute", { script: `"${"x".repeat(historyLimits.text)}"` })
      const code = (seq: number) => Effect.map(Effect.flip(replay(seq)), (error) => error.code)
      assert.strictEqual(yield* code(99), "BROWSER_HISTORY_UNKNOWN")
      assert.strictEqual(yield* code(2), "BROWSER_HISTORY_NOT_REPLAYABLE")
      assert.strictEqual(yield* code(3), "BROWSER_HISTORY_TRUNCATED")
      yield* call("browser_restrict", { allowed: ["browser_replay"] })
      assert.strictEqual(yield* code(1), "BROWSER_TOOL_RESTRICTED")
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("of a page tool is refused while a dialog is open, as the tool itself is", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      yield* call("browser_press_key", { key: "Enter" })
      session.openDialog("Sure?")
      assert.strictEqual((yield* Effect.flip(replay(2))).code, "BROWSER_DIALOG_OPEN")
      yield* replay(1)
    }).pipe(Effect.provide(layerTools(session)))
  })
})

describe("what is kept of arguments", () => {
  const json = Arbitrary.schema(Schema.Record(Schema.String, Schema.Json))
  it.prop("is the arguments themselves unless they are long or secret", { params: json }, ({ params }) => {
    const same = recordedOf(params, params)
    assert.isFalse(same.secret)
    if (!same.truncated) assert.deepStrictEqual(same.params, params)
    assert.isAtMost(JSON.stringify(same.params).length, historyLimits.params)
  })
})
