import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import { History } from "../../src/services/History.ts"
import { Tools } from "../../src/services/Tools.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { TestSite } from "../support/TestSite.ts"

const task = TaskKey.make("history")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const kept = History.useSync((history) => history.entries(task))

layer(chromiumTools(), { excludeTestServices: true, timeout: "90 seconds" })("the history of a real Chromium", (it) => {
  it.effect("holds no password, however it was entered, in whatever frame the field stands", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = site.body("<label>Pin <input type=password id=pin></label>")
      yield* call("browser_open", {
        url: site.body(
          `<label>Name <input id=name></label><label>Password <input type=password id=pw></label><label>Code <input id=code autocomplete=one-time-code></label><iframe src="${inner.replace(site.origin, site.otherOrigin)}"></iframe>`
        )
      })
      yield* call("browser_wait_for", { selector: "#pin" })
      yield* call("browser_fill", {
        fields: [
          { selector: "#name", value: "Ada" },
          { selector: "#pw", value: "s3cret-one" },
          { selector: "#code", value: "s3cret-two" },
          { selector: "#pin", value: "s3cret-three" }
        ]
      })
      for (const selector of ["#pw", "#pin"]) {
        yield* call("browser_click", { selector })
        yield* call("browser_type", { text: "s3cret-four" })
        yield* call("browser_press_key", { key: "~" })
      }
      const entries = yield* kept
      const text = JSON.stringify(entries)
      assert.notInclude(text, "s3cret")
      assert.notInclude(text, "~")
      assert.include(text, "Ada")
      assert.deepStrictEqual(
        entries.filter(({ action }) => action === "type").map(({ replay }) => replay),
        ["secret", "secret"]
      )
    })
  )

  it.effect("lets a click with button and modifiers, a text and a key be done again as they were", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* call("browser_open", {
        url: site.body(
          `<button onauxclick="log.push(event.button + ' ' + event.shiftKey)">Go</button><input id=in onkeydown="if (event.key === 'Enter') log.push(this.value + event.shiftKey)"><script>var log = []</script>`
        )
      })
      yield* call("browser_click", { text: "Go", button: "middle", modifiers: ["shift"] })
      const click = (yield* kept).at(-1)?.seq
      yield* call("browser_click", { selector: "#in" })
      yield* call("browser_type", { text: "ab" })
      const typed = (yield* kept).at(-1)?.seq
      yield* call("browser_press_key", { key: "Enter", modifiers: ["shift"] })
      const key = (yield* kept).at(-1)?.seq
      for (const seq of [typed, key, click]) yield* call("browser_replay", { seq })
      const log = yield* call("browser_execute", { script: "log" })
      assert.deepStrictEqual(JSON.parse(String(log.structured["value"])), ["1 true", "abtrue", "ababtrue", "1 true"])
    })
  )
})
