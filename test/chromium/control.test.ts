import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Control } from "../../src/services/Control.ts"
import { Tools } from "../../src/services/Tools.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { TestSite } from "../support/TestSite.ts"

const task = TaskKey.make("control")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))

layer(chromiumTools(), { excludeTestServices: true, timeout: "90 seconds" })("control in a real Chromium", (it) => {
  it.effect("reading says that a person drives; acting waits for them, and then really happens, once", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const control = yield* Control
      yield* call("browser_open", {
        url: site.body(`<button onclick="this.textContent = 'pressed ' + (window.n = (window.n ?? 0) + 1)">Go</button>`)
      })
      yield* call("browser_handoff", { state: "waiting-user" })
      const click = yield* Effect.forkChild(call("browser_click", { text: "Go" }), { startImmediately: true })
      const seen = yield* call("browser_snapshot")
      assert.strictEqual(seen.structured["userControlling"], true)
      assert.include(JSON.stringify(seen.structured["elements"]), '"Go"')
      yield* control.handBack(task)
      const done = yield* Fiber.join(click)
      assert.include(JSON.stringify(done.structured), "pressed 1")
      assert.isUndefined((yield* call("browser_snapshot")).structured["userControlling"])
    })
  )

  it.effect("while the person has it, a native dialog waits for them whatever the policy says", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const control = yield* Control
      yield* call("browser_open", {
        url: site.body(`<script>setTimeout(() => { document.title = String(confirm("Sure?")) }, 500)</script>`)
      })
      yield* control.takeOver(task)
      const pending = Effect.map(call("browser_snapshot"), ({ structured }) =>
        JSON.stringify(structured["pending_dialogs"])
      )
      yield* Effect.repeat(pending, {
        until: (dialogs) => dialogs.includes("Sure?"),
        schedule: Schedule.spaced("20 millis")
      })
      // a policy would have answered it by now
      assert.include(yield* pending, "Sure?")
      const refused = yield* Effect.flip(call("browser_execute", { script: "1", timeoutMs: 500 }))
      assert.strictEqual(refused.code, "BROWSER_HUMAN_IN_CONTROL")
      yield* control.handBack(task)
      yield* call("browser_dialog", { action: "accept" })
      assert.strictEqual((yield* call("browser_execute", { script: "document.title" })).structured["value"], '"true"')
    })
  )
})
