/** A person before the window: they see every dialog, and answer it; they use the page, and so take it over. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { PNG } from "pngjs"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Control } from "../../src/services/Control.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import { Tools } from "../../src/services/Tools.ts"
import { TestSite } from "../support/TestSite.ts"
import { callTool, hostTasks, layerWatchedWindow, personHere, until, windowState } from "../support/WatchedWindow.ts"
import { xKeys } from "../support/XPerson.ts"

const start = { startImmediately: true } as const

const sessionOf = (task: string) => Effect.map(Tasks, (tasks) => tasks.peek(TaskKey.make(task))!)
const stateOf = (task: string) => Control.use((control) => control.state(TaskKey.make(task)))
const pictureOf = (task: string) =>
  Effect.flatMap(sessionOf(task), (session) =>
    Effect.map(session.screenshot({ format: "png", fullPage: false }), ({ data }) => PNG.sync.read(Buffer.from(data)))
  )
const evaluate = (task: string, script: string) =>
  Effect.flatMap(sessionOf(task), (session) => Effect.map(session.execute({ script }), ({ value }) => value))

/** Brings a task to the front, as a person does. */
const select = Effect.fnUntraced(function* (label: string) {
  const person = yield* personHere
  const found = (yield* until(hostTasks, (tasks) => tasks.some((task) => task.label === label))).find(
    (task) => task.label === label
  )!
  yield* person.press(`task ${found.id}`)
  yield* until(hostTasks, (tasks) => tasks.some((task) => task.label === label && task.visible))
})

const Block = Layer.merge(layerWatchedWindow(), TestSite.layer)

layer(Block, { excludeTestServices: true, timeout: "60 seconds" })("a dialog before the eyes of a person", (it) => {
  it.effect(
    "shows who asks and what, takes the answer that they write, and tells the agent that it was not its own",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const person = yield* personHere
        yield* callTool("asked", "browser_open", { url: site.body("<p>Harbour</p>", "Harbour") })
        yield* select("asked")
        const asked = yield* callTool("asked", "browser_execute", {
          script: `window.answer = prompt("Who <b>are</b> you?", "b")`
        })
        assert.deepInclude(asked["dialog"], { type: "prompt" })
        const { bar } = yield* until(windowState, ({ bar }) =>
          bar.controls.some(({ name }) => name === "dialog accept")
        )
        assert.deepInclude(bar.dialog, {
          type: "prompt",
          message: "Who <b>are</b> you?",
          origin: new URL(site.body("")).origin,
          defaultPrompt: "b"
        })
        yield* person.press("dialog text")
        yield* person.keys(xKeys.a)
        yield* person.press("dialog accept")
        const session = yield* sessionOf("asked")
        yield* until(
          Effect.sync(() => session.recentDialogs()),
          (recent) => recent.length > 0
        )
        assert.deepInclude(session.recentDialogs().at(-1), { type: "prompt", closed_by: "remote" })
        assert.strictEqual(yield* evaluate("asked", "window.answer"), '"ba"')
        const late = yield* Effect.flip(callTool("asked", "browser_dialog", { action: "accept" }))
        assert.strictEqual(late.code, "BROWSER_DIALOG_NONE")
        yield* until(windowState, ({ bar }) => bar.dialog === undefined && bar.height === 40)
      })
  )

  it.effect("goes away when the agent answers it, and is in no picture of its page meanwhile", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* callTool("pictured", "browser_open", {
        url: site.body(`<style>html { background: rgb(10, 120, 60); height: 100% }</style>`, "Green")
      })
      yield* select("pictured")
      const page = yield* pictureOf("pictured")
      yield* callTool("pictured", "browser_execute", { script: `window.answer = confirm("Really?")` })
      yield* until(windowState, ({ bar }) => bar.height > 40)
      assert.isTrue((yield* pictureOf("pictured")).data.equals(page.data))
      yield* callTool("pictured", "browser_dialog", { action: "dismiss" })
      yield* until(windowState, ({ bar }) => bar.dialog === undefined && bar.height === 40)
      assert.strictEqual((yield* sessionOf("pictured")).recentDialogs().at(-1)?.closed_by, "agent")
      assert.strictEqual(yield* evaluate("pictured", "window.answer"), "false")
    })
  )

  it.effect("of another page than theirs takes neither their page nor what they write; it waits until they look", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const person = yield* personHere
      const field = `<style>body { margin: 0 } input { width: 600px; height: 200px }</style><input id="field">`
      yield* callTool("theirs", "browser_open", { url: site.body(field, "Theirs") })
      yield* callTool("other", "browser_open", { url: site.body("<p>Other</p>", "Other") })
      yield* select("theirs")
      yield* person.clickPage(100, 100)
      yield* person.keys(xKeys.a)
      yield* until(evaluate("theirs", "field.value"), (value) => value === '"a"')
      yield* callTool("other", "browser_execute", { script: `alert("Look at me")` })
      yield* person.keys(xKeys.b)
      yield* until(evaluate("theirs", "field.value"), (value) => value === '"ab"')
      const { bar } = yield* windowState
      assert.isUndefined(bar.dialog)
      assert.strictEqual(bar.height, 40)
      yield* select("other")
      yield* person.press("dialog accept")
      const session = yield* sessionOf("other")
      yield* until(
        Effect.sync(() => session.pendingDialogs()),
        (pending) => pending.length === 0
      )
      yield* Control.use((control) => control.handBack(TaskKey.make("theirs")))
    })
  )
})

layer(Block, { excludeTestServices: true, timeout: "60 seconds" })("a person who uses the page", (it) => {
  const body = `<style>body { margin: 0; height: 3000px } button, input { width: 300px; height: 100px; display: block }</style>
    <button onclick="window.pressed = (window.pressed ?? 0) + 1">Press</button><input id="field">
    <script>onkeydown = () => { window.keys = (window.keys ?? 0) + 1 }</script>`

  it.effect(
    "takes the task over by a click; the agent waits, refuses in time, and goes on when they hand it back",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const person = yield* personHere
        yield* callTool("shared", "browser_open", { url: site.body(body, "Shared") })
        yield* select("shared")
        yield* person.clickPage(100, 50)
        yield* until(stateOf("shared"), ({ control }) => control === "human")
        yield* until(evaluate("shared", "window.pressed"), (pressed) => pressed === "1")
        yield* until(hostTasks, (tasks) => tasks.some((task) => task.label === "shared" && task.control === "human"))
        const refused = yield* Effect.flip(callTool("shared", "browser_click", { text: "Press", timeoutMs: 300 }))
        assert.strictEqual(refused.code, "BROWSER_HUMAN_IN_CONTROL")
        const looked = yield* callTool("shared", "browser_snapshot")
        assert.isTrue(looked["userControlling"])
        const waiting = yield* Effect.forkChild(callTool("shared", "browser_click", { text: "Press" }), start)
        yield* until(stateOf("shared"), (state) => state.waiting === 1)
        assert.strictEqual(
          (yield* Effect.flip(callTool("shared", "browser_handoff", { state: "agent" }))).code,
          "BROWSER_HANDOFF_REFUSED"
        )
        yield* person.press("hand back")
        yield* Fiber.join(waiting)
        assert.strictEqual(yield* evaluate("shared", "window.pressed"), "2")
        assert.strictEqual((yield* stateOf("shared")).control, "agent")
      })
  )

  it.effect("takes it over by a key, too, and by the button; looking around is no taking over", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const person = yield* personHere
      yield* callTool("looked at", "browser_open", { url: site.body(body, "Looked at") })
      yield* select("looked at")
      yield* person.press("take over")
      yield* until(stateOf("looked at"), ({ control }) => control === "human")
      yield* person.clickPage(100, 150)
      yield* person.press("hand back")
      yield* until(stateOf("looked at"), ({ control }) => control === "agent")
      // the field has the keyboard
      yield* person.clickPage(600, 400)
      yield* person.press("hand back")
      yield* until(stateOf("looked at"), ({ control }) => control === "agent")
      const { position } = yield* windowState
      yield* person.move(position.x + 500, position.y + 500)
      yield* person.wheel
      yield* until(evaluate("looked at", "scrollY > 0"), (scrolled) => scrolled === "true")
      yield* person.keys(xKeys.down)
      // what the host tells of it comes before this answer
      yield* until(evaluate("looked at", "window.keys"), (keys) => keys === "1")
      assert.strictEqual((yield* stateOf("looked at")).control, "agent")
      yield* person.keys(xKeys.a)
      yield* until(stateOf("looked at"), ({ control }) => control === "human")
    })
  )

  it.effect(
    "is never taken for the agent, nor the agent for them: clicks, keys, wheel, drags and touches by protocol",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        yield* callTool("driven", "browser_open", { url: site.body(body, "Driven") })
        yield* select("driven")
        yield* callTool("driven", "browser_click", { text: "Press" })
        yield* callTool("driven", "browser_click", { selector: "#field" })
        yield* callTool("driven", "browser_type", { text: "Noor says (hello) 123" })
        yield* callTool("driven", "browser_press_key", { key: "Control+A" })
        yield* callTool("driven", "browser_scroll", { deltaY: 200 })
        const tools = yield* Tools
        const raw = (method: string, params: object) =>
          tools.invoke(TaskKey.make("driven"), "browser_cdp", { method, params })
        yield* raw("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: 500, y: 300 }] })
        yield* raw("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
        yield* raw("Input.synthesizeTapGesture", { x: 500, y: 300 })
        yield* raw("Input.synthesizeScrollGesture", { x: 500, y: 300, yDistance: -100 })
        assert.include(String(yield* evaluate("driven", "field.value")), "hello")
        const { control, label } = yield* stateOf("driven")
        assert.deepStrictEqual([control, label], ["agent", "driven"])
      })
  )

  it.effect("reads the name that the agent gave its task, at once and in later sessions", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* callTool("k-1", "browser_space", { label: "Compare flights" })
      yield* callTool("k-1", "browser_open", { url: site.body("<p>one</p>", "One") })
      yield* until(hostTasks, (tasks) => tasks.some(({ label }) => label === "Compare flights"))
      yield* select("Compare flights")
      yield* until(windowState, ({ title }) => title.includes("Compare flights"))
      yield* callTool("k-1", "browser_space", { label: "Book the flight" })
      yield* until(windowState, ({ title }) => title.includes("Book the flight"))
    })
  )
})
