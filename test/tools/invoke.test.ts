import { Effect, Fiber, FileSystem } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { DialogOpen, InvalidArguments, OperationTimeout } from "../../src/schemas/errors.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Progress } from "../../src/services/Progress.ts"
import { Tools } from "../../src/services/Tools.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { makeFakeSession, onePixelPng } from "../support/FakeSession.ts"
import { layerTools } from "../support/ToolsHarness.ts"

const task = TaskKey.make("default")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const open = call("browser_open", { url: "http://shop.test/" })
const textOf = (answer: { readonly content: ReadonlyArray<{ readonly type: string }> }) =>
  answer.content.flatMap((part) => ("text" in part ? [String(part.text)] : [])).join("\n")

describe("invoke", () => {
  it.effect("opens the session with the first page and acts on it", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const opened = yield* open
      assert.strictEqual(opened.structured["url"], "http://shop.test/")
      assert.include(textOf(opened), '[3] button "Save"')
      const clicked = yield* call("browser_click_ref", { snapshotId: "s1", ref: 3 })
      assert.strictEqual(textOf(clicked), 'clicked button "Save" at 50,60')
      assert.deepStrictEqual(session.log, ["open", "clickRef 3"])
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("names near tools when a name is unknown", () =>
    Effect.gen(function* () {
      const near = (name: string) =>
        Effect.map(Effect.flip(call(name)), (error) => (error._tag === "ToolUnknown" ? error.near : []))
      assert.include(yield* near("browser_clickref"), "browser_click_ref")
      assert.include(yield* near("click"), "browser_click")
      assert.include(yield* near("browser_screnshot"), "browser_screenshot")
      assert.deepStrictEqual(yield* near("make_coffee"), [])
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("lists all that is wrong with the arguments and does nothing", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(call("browser_fill", { fields: [{ ref: 1, value: "a" }, {}], submit: 1, zz: 1 }))
      assert.instanceOf(error, InvalidArguments)
      assert.sameMembers(
        [...(error as InvalidArguments).issues],
        [
          "zz is not known; known are fields, submit, timeoutMs",
          "fields[0]: ref needs the snapshotId that it is from",
          "fields[1].value is missing",
          "submit must be true or false"
        ]
      )
      assert.include((yield* Effect.flip(call("browser_open", "http://a/"))).message, "the arguments must be an object")
      assert.deepStrictEqual(session.log, [])
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("tells an agent without a session to open one", () =>
    Effect.gen(function* () {
      for (const row of catalog.filter((one) => one.session === "required" && one.name === "browser_list_tabs")) {
        const error = yield* Effect.flip(call(row.name))
        assert.strictEqual(error.code, "BROWSER_SESSION_UNKNOWN")
      }
      const reset = yield* call("browser_reset_session")
      assert.deepStrictEqual(reset.structured, { reset: false })
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("ends a call by the caller's limit, which can only narrow the tool's own", () =>
    Effect.gen(function* () {
      yield* open
      const narrow = yield* Effect.forkChild(Effect.flip(call("browser_execute", { script: "hang", timeoutMs: 500 })))
      yield* TestClock.adjust(600)
      const error = yield* Fiber.join(narrow)
      assert.instanceOf(error, OperationTimeout)
      assert.include(error.message, "within 500 ms")
      const wide = yield* Effect.forkChild(Effect.flip(call("browser_execute", { script: "hang", timeoutMs: 600_000 })))
      yield* TestClock.adjust("56 seconds")
      assert.instanceOf(yield* Fiber.join(wide), OperationTimeout)
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("tells the limit that was asked for, however much of it was spent in waiting for its turn", () =>
    Effect.gen(function* () {
      yield* open
      const hang = (timeoutMs: number) =>
        Effect.forkChild(Effect.flip(call("browser_execute", { script: "hang", timeoutMs })), {
          startImmediately: true
        })
      yield* hang(1_000)
      const second = yield* hang(5_000)
      yield* TestClock.adjust(1_000)
      yield* TestClock.adjust(4_000)
      assert.include((yield* Fiber.join(second)).message, "within 5000 ms")
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("takes the limit of a raw command in seconds, and in ms as every tool does", () => {
    const waits: Array<number> = []
    const session = makeFakeSession({
      cdp: ({ method, timeoutMs }) =>
        method === "Page.never"
          ? Effect.never
          : Effect.sync(() => {
              waits.push(timeoutMs)
              return { success: true, method }
            })
    })
    return Effect.gen(function* () {
      yield* open
      const method = "Page.enable"
      for (const limit of [{}, { timeout: 2 }, { timeoutMs: 1_500 }, { timeout: 2, timeoutMs: 3_000 }]) {
        yield* call("browser_cdp", { method, ...limit })
      }
      assert.deepStrictEqual(waits, [30_000, 2_000, 1_500, 2_000])
      const hanging = yield* Effect.forkChild(
        Effect.flip(call("browser_cdp", { method: "Page.never", timeout: 20, timeoutMs: 500 }))
      )
      yield* TestClock.adjust(600)
      assert.include((yield* Fiber.join(hanging)).message, "within 500 ms")
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("hands a fault of its own out as BROWSER_INTERNAL without its text", () =>
    Effect.gen(function* () {
      yield* open
      const error = yield* Effect.flip(call("browser_execute", { script: "defect" }))
      assert.strictEqual(error.code, "BROWSER_INTERNAL")
      assert.notInclude(JSON.stringify(error) + error.message, "token")
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("treats a result that does not fit its schema as a fault", () =>
    Effect.gen(function* () {
      yield* open
      const error = yield* Effect.flip(call("browser_click", { x: 1, y: 1 }))
      assert.strictEqual(error.code, "BROWSER_INTERNAL")
    }).pipe(
      Effect.provide(
        layerTools(makeFakeSession({ click: () => Effect.succeed(Object.assign({ clicked: true }, { secret: 1 })) }))
      )
    )
  )

  it.effect("refuses every tool that needs the page while its dialog is open, and lets the others through", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      const asked = yield* call("browser_execute", { script: "dialog" })
      assert.include(textOf(asked), 'dialog d-1 is open: confirm "Sure?"')
      const error = yield* Effect.flip(call("browser_click", { x: 1, y: 1 }))
      assert.instanceOf(error, DialogOpen)
      assert.include(error.next, "browser_dialog")
      assert.include(textOf(yield* call("browser_snapshot")), "dialog d-1 is open")
      yield* call("browser_list_tabs")
      const answered = yield* call("browser_dialog", { action: "accept" })
      assert.strictEqual(answered.structured["success"], true)
      yield* call("browser_click", { x: 1, y: 1 })
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("answers a dialog beside a call that holds the lane", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_execute", { script: "dialog" })
      const other = yield* call("browser_open", { url: "http://shop.test/", newTab: true })
      assert.isDefined(other)
      const hanging = yield* Effect.forkChild(call("browser_execute", { script: "hang" }), { startImmediately: true })
      const error = yield* Effect.flip(call("browser_dialog", { action: "dismiss" }))
      assert.strictEqual(error.code, "BROWSER_DIALOG_NONE")
      yield* Fiber.interrupt(hanging)
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("refuses a tool whose capability the provider lacks", () => {
    const session = makeFakeSession()
    const without = { ...session, capabilities: { ...session.capabilities, dialogs: false } }
    return Effect.gen(function* () {
      yield* open
      const error = yield* Effect.flip(call("browser_dialog", { action: "accept" }))
      assert.strictEqual(error.code, "BROWSER_CAPABILITY_MISSING")
    }).pipe(Effect.provide(layerTools(without)))
  })

  it.effect("gives a picture as image content and as base64, or as a file and then not at all", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* open
      const inline = yield* call("browser_screenshot")
      assert.strictEqual(inline.structured["image"], onePixelPng.toString("base64"))
      assert.strictEqual(inline.content[0]?.type, "image")
      const saved = yield* call("browser_screenshot", { savePath: `${folder}/a/shot.png` })
      assert.isUndefined(saved.structured["image"])
      assert.isFalse(saved.content.some((part) => part.type === "image"))
      assert.deepStrictEqual(Buffer.from(yield* fs.readFile(String(saved.structured["path"]))), onePixelPng)
    }).pipe(Effect.provide([layerTools(makeFakeSession()), NodeServices.layer]))
  )

  it.effect("checks the path of a picture before it touches the page", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      const denied = (savePath: string) =>
        Effect.map(Effect.flip(call("browser_screenshot", { savePath })), (error) => error.code)
      assert.strictEqual(yield* denied("/etc/shot.png"), "BROWSER_WRITE_PATH_DENIED")
      assert.strictEqual(yield* denied("shot.gif"), "BROWSER_INVALID_ARGUMENTS")
      assert.deepStrictEqual(session.log, ["open"])
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("bounds the text of long content and says what is missing", () =>
    Effect.gen(function* () {
      yield* open
      const answer = yield* call("browser_content", { format: "txt" })
      assert.isAtMost(textOf(answer).length, 25_001)
      assert.match(textOf(answer), /\[cut: \d+ more characters not shown\]$/)
      assert.strictEqual(String(answer.structured["content"]).length, 90_000)
    }).pipe(
      Effect.provide(
        layerTools(
          makeFakeSession({
            content: () => Effect.succeed({ content: "word \n".repeat(15_000), truncated: false, total: 90_000 })
          })
        )
      )
    )
  )

  it.effect("reports what a long call does", () => {
    const said: Array<string> = []
    return Effect.gen(function* () {
      yield* open.pipe(Effect.provideService(Progress, (message) => Effect.sync(() => said.push(message))))
      assert.deepStrictEqual(said, ["starting the browser", "opening http://shop.test/"])
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  })

  it.effect("shares equal reads, and not the wait for different ones", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      yield* Effect.all(
        [
          call("browser_snapshot", { query: "a", limit: 5 }),
          call("browser_snapshot", { limit: 5, query: "a" }),
          call("browser_snapshot", { query: "b" })
        ],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(session.log.filter((entry) => entry === "snapshot").length, 2)
    }).pipe(Effect.provide(layerTools(session)))
  })
})
