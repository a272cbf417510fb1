import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { dialogCloses, dialogOpens, supervised, supervisedChromium } from "../support/SupervisedBrowser.ts"
import { TestSite } from "../support/TestSite.ts"

const gated = supervised({ gate: true })

/** The value of `window.got`, once the page has it. */
const got = `new Promise((resolve) => { const look = () => window.got === undefined ? setTimeout(look, 5) : resolve(window.got); look() })`

layer(Layer.merge(supervisedChromium, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "the gate in a real Chromium",
  (it) => {
    it.effect("while a dialog waits at the gate the page can be read and pictured, and goes on with the answer", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        yield* tab.open(site.body("<h1>Harbour</h1>"))
        yield* tab.start(`window.got = prompt("Name?", "quay")`)
        const dialog = yield* dialogOpens(supervisor)
        assert.deepInclude(dialog, { type: "prompt", message: "Name?", default_prompt: "quay" })
        assert.strictEqual(dialog.frame_id, supervisor.frameTree(tab.id).top?.frame_id)
        assert.isTrue(supervisor.isReadable(tab.id))
        const { result } = yield* tab.send("Runtime.evaluate", {
          expression: "document.querySelector('h1').textContent"
        })
        assert.strictEqual(result.value, "Harbour")
        assert.isAbove((yield* tab.send("Page.captureScreenshot")).data.length, 100)
        assert.lengthOf(supervisor.pendingDialogs(), 1)
        yield* supervisor.answer({ action: "accept", prompt_text: `it's "${"\u2028"}" \\ here` })
        assert.strictEqual((yield* dialogCloses(supervisor, dialog.id)).closed_by, "agent")
        assert.strictEqual(yield* tab.evaluate(got), `it's "${"\u2028"}" \\ here`)
      })
    )

    const cases = [
      ["alert", "accept", undefined],
      ["confirm", "accept", true],
      ["confirm", "dismiss", false],
      ["prompt", "accept", ""],
      ["prompt", "dismiss", null]
    ] as const
    for (const [type, action, value] of cases) {
      it.effect(`${type}, when the agent says ${action}, gives the page what the browser would have given`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { supervisor, newTab } = yield* gated
          const tab = yield* newTab()
          yield* tab.open(site.body(`<script>window.got = [${type}("First script")]</script>`)).pipe(
            Effect.zip(
              Effect.gen(function* () {
                const dialog = yield* dialogOpens(supervisor, "First script")
                assert.isTrue(supervisor.isReadable(tab.id))
                yield* supervisor.answer({ action, dialog_id: dialog.id })
              }),
              { concurrent: true }
            )
          )
          assert.deepStrictEqual(
            yield* tab.evaluate(`${got}.then(([value]) => [value === undefined, value ?? null])`),
            [value === undefined, value ?? null]
          )
        })
      )
    }

    it.effect("a strict policy of the page does not stand in the way, and its own debugger statements pass", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        const url = site.page("/strict", (_, response) => {
          response.writeHead(200, {
            "content-type": "text/html",
            "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'",
            "permissions-policy": "sync-xhr=()"
          })
          response.end(`<script>debugger; setTimeout(() => { debugger; window.got = confirm("Strict?") })</script>`)
        })
        yield* tab.open(url)
        yield* dialogOpens(supervisor, "Strict?")
        assert.isTrue(supervisor.isReadable(tab.id))
        yield* supervisor.answer({ action: "accept" })
        assert.strictEqual(yield* tab.evaluate(got), true)
      })
    )

    it.effect("two dialogs in two processes of one tab are both answered, each with its own answer", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        site.page(
          "/inner",
          `<script>onmessage = () => setTimeout(() => parent.postMessage(prompt("Inner"), "*"), 100)</script>`
        )
        yield* tab.open(site.body(`<iframe src="${site.otherOrigin}/inner"></iframe>`))
        yield* tab.start(
          `onmessage = ({ data }) => { window.inner = data }; frames[0].postMessage("go", "*"); setTimeout(() => { window.got = prompt("Outer") }, 50)`
        )
        const outer = yield* dialogOpens(supervisor, "Outer")
        const inner = yield* dialogOpens(supervisor, "Inner")
        const tree = supervisor.frameTree(tab.id)
        assert.strictEqual(inner.frame_id, tree.children.find(({ is_oopif }) => is_oopif)?.frame_id)
        assert.strictEqual(outer.frame_id, tree.top?.frame_id)
        assert.strictEqual(
          (yield* Effect.flip(supervisor.answer({ action: "accept" }))).code,
          "BROWSER_DIALOG_AMBIGUOUS"
        )
        yield* supervisor.answer({ action: "accept", prompt_text: "one", dialog_id: outer.id })
        yield* supervisor.answer({ action: "accept", prompt_text: "two", dialog_id: inner.id })
        assert.strictEqual(yield* tab.evaluate(got), "one")
        assert.strictEqual(
          yield* tab.evaluate(
            `new Promise((resolve) => { const look = () => window.inner === undefined ? setTimeout(look, 5) : resolve(window.inner); look() })`
          ),
          "two"
        )
        assert.deepStrictEqual(
          supervisor.recentDialogs().map(({ closed_by }) => closed_by),
          ["agent", "agent"]
        )
      })
    )

    it.effect(
      "frames of every kind have the gate: srcdoc, blob, empty, and one of another site, from their first script on",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { supervisor, newTab } = yield* gated
          const tab = yield* newTab()
          const ask = (what: string) => `<script>parent.postMessage(confirm("${what}"), "*")</script>`
          site.page("/asking", ask("other site"))
          yield* tab.open(
            site.body(`<script>window.answers = []; onmessage = ({ data }) => answers.push(data)</script>`)
          )
          const frames = {
            srcdoc: `srcdoc = ${JSON.stringify(ask("srcdoc"))}`,
            blob: `src = URL.createObjectURL(new Blob([${JSON.stringify(ask("blob"))}], { type: "text/html" }))`,
            "other site": `src = ${JSON.stringify(`${site.otherOrigin}/asking`)}`
          }
          for (const [index, [what, source]] of Object.entries(frames).entries()) {
            yield* tab.start(
              `{ const frame = document.createElement("iframe"); frame.${source}; document.body.append(frame) }`
            )
            const dialog = yield* dialogOpens(supervisor, what)
            assert.isTrue(supervisor.isReadable(tab.id), what)
            assert.isDefined(dialog.frame_id)
            yield* supervisor.answer({ action: "accept", dialog_id: dialog.id })
            // what another process sends while this page waits at the gate would not come
            yield* tab.evaluate(
              `new Promise((resolve) => { const look = () => answers.length <= ${index} ? setTimeout(look, 5) : resolve(); look() })`
            )
          }
          yield* tab.start(
            `{ const frame = document.createElement("iframe"); document.body.append(frame); frame.contentWindow.confirm("empty") }`
          )
          const dialog = yield* dialogOpens(supervisor, "empty")
          yield* supervisor.answer({ action: "dismiss", dialog_id: dialog.id })
          assert.deepStrictEqual(yield* tab.evaluate("answers"), [true, true, true])
        })
    )

    it.effect("what other processes send a page that waits at the gate is lost, unlike before a native dialog", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        let told = 0
        site.page("/told", (_, response) => {
          told += 1
          response.end()
        })
        site.page(
          "/telling",
          `<script>let n = 0; setInterval(() => { parent.postMessage(++n, "*"); if (n % 10 === 0) fetch("/told") }, 10)</script>`
        )
        const page = site.body(
          `<script>window.heard = []; onmessage = ({ data }) => heard.push(data)</script><iframe src="${site.otherOrigin}/telling"></iframe>`
        )
        for (const gate of [true, false]) {
          const { supervisor, newTab } = yield* supervised({ gate })
          const tab = yield* newTab()
          yield* tab.open(page)
          yield* tab.evaluate(
            `new Promise((resolve) => addEventListener("message", resolve, { once: true })).then(() => 0)`
          )
          yield* tab.start(`confirm("Wait?")`)
          const dialog = yield* dialogOpens(supervisor, "Wait?")
          const before = told
          yield* Effect.repeat(Effect.sleep(20), { until: () => told > before + 4 })
          yield* supervisor.answer({ action: "accept", dialog_id: dialog.id })
          const missing = yield* tab.evaluate(
            `new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data - heard[0] + 1 - heard.length), { once: true }))`
          )
          if (gate) assert.isAbove(Number(missing), 10)
          else assert.strictEqual(missing, 0)
        }
      })
    )

    it.effect("what a page asks with is understood as the browser understands it", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const questions = [
          "alert()",
          "alert(undefined)",
          "alert(null)",
          "confirm(undefined)",
          "confirm({ toString: () => 'an object' })",
          "confirm([1, [2, 3]])",
          "prompt(undefined, null)",
          "prompt('Name?', undefined)",
          "prompt(5, 6n)"
        ]
        const seen: Array<ReadonlyArray<unknown>> = []
        for (const gate of [false, true]) {
          const { supervisor, newTab } = yield* supervised({ gate })
          const tab = yield* newTab()
          yield* tab.open(site.body("odd"))
          const asked: Array<unknown> = []
          for (const question of questions) {
            yield* tab.start(`window.got = [${question}]`)
            const { default_prompt, id, message, type } = yield* dialogOpens(supervisor)
            asked.push({ type, message, default_prompt })
            assert.strictEqual(supervisor.isReadable(tab.id), gate)
            yield* supervisor.answer({ action: "accept", dialog_id: id })
            asked.push(yield* tab.evaluate("JSON.stringify(got)"))
          }
          for (const thrown of ["alert(Symbol())", "confirm({ toString() { throw new RangeError('no') } })"]) {
            asked.push(yield* tab.evaluate(`(() => { try { ${thrown} } catch (error) { return error.name } })()`))
          }
          seen.push(asked)
        }
        assert.deepStrictEqual(seen[1], seen[0])
      })
    )

    for (const gate of [false, true]) {
      it.effect(`a page that asks while it is being left gets nobody's answer (gate: ${gate})`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { supervisor, newTab } = yield* supervised({ gate })
          const tab = yield* newTab()
          yield* tab.open(
            site.body(
              `<script>localStorage.clear(); for (const type of ["beforeunload", "pagehide", "unload"]) addEventListener(type, () => { localStorage[type] = String(confirm("Going?")) })</script>`
            )
          )
          yield* tab.open(site.body("elsewhere"))
          assert.strictEqual(yield* tab.evaluate("localStorage.pagehide"), "false")
          assert.deepStrictEqual([supervisor.pendingDialogs(), supervisor.recentDialogs()], [[], []])
        })
      )
    }

    it.effect("leaving the page drops the dialog that waits at the gate", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        yield* tab.open(site.body("one"))
        const away = [site.body("two"), site.body("two").replace(site.origin, site.otherOrigin)]
        for (const [index, url] of away.entries()) {
          yield* tab.start(`confirm("Stay ${index}?")`)
          const dialog = yield* dialogOpens(supervisor, `Stay ${index}?`)
          yield* tab.open(url)
          assert.strictEqual((yield* dialogCloses(supervisor, dialog.id)).closed_by, "remote")
          assert.deepStrictEqual(supervisor.pendingDialogs(), [])
          assert.strictEqual(yield* tab.evaluate("document.body.textContent"), "two")
        }
        assert.lengthOf(supervisor.recentDialogs(), 2)
      })
    )

    it.effect("a dialog whose supervisor is gone without a word is dismissed, and the page stays usable", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        yield* tab.open(site.body("left alone"))
        yield* tab.start(`window.got = confirm("Anybody?")`)
        yield* dialogOpens(supervisor)
        // what the end of a connection does
        yield* tab.send("Debugger.disable")
        assert.strictEqual(yield* tab.evaluate("window.got"), false)
        // an answer that comes too late says so
        assert.strictEqual((yield* Effect.flip(supervisor.answer({ action: "accept" }))).code, "BROWSER_DIALOG_NONE")
        assert.deepStrictEqual(supervisor.pendingDialogs(), [])
      })
    )

    it.effect(
      "a document of WebAssembly or very many scripts is not debugged: its dialogs are native, the next one's are not",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { supervisor, newTab } = yield* gated
          const tab = yield* newTab()
          const module = "AGFzbQEAAAABBgFgAX8BfwMCAQAHBQEBZgAACiEBHwECfwNAIAEgAiACbGohASACQQFqIgIgAEgNAAsgAQs="
          const heavy = {
            WebAssembly: `new WebAssembly.Module(Uint8Array.from(atob("${module}"), (c) => c.charCodeAt(0)))`,
            scripts: `for (let i = 0; i < 600; i++) (0, eval)("window.n" + i + " = " + i)`
          }
          for (const [what, script] of Object.entries(heavy)) {
            yield* tab.open(site.body(`<script>${script}</script>`))
            yield* tab.start(`window.got = confirm("Native?")`)
            const dialog = yield* dialogOpens(supervisor, "Native?")
            assert.isFalse(supervisor.isReadable(tab.id), what)
            yield* supervisor.answer({ action: "accept", dialog_id: dialog.id })
            assert.strictEqual(yield* tab.evaluate(got), true)
            yield* tab.open(site.body("light again"))
            yield* tab.start(`confirm("Gate?")`)
            const next = yield* dialogOpens(supervisor, "Gate?")
            assert.isTrue(supervisor.isReadable(tab.id), what)
            yield* supervisor.answer({ action: "accept", dialog_id: next.id })
          }
        })
    )

    it.effect("under human control dialogs open natively, and stop at the gate again afterwards", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        yield* tab.open(site.body("mine"))
        supervisor.setRules({ humanControl: true })
        yield* tab.start(`window.got = confirm("Human?")`)
        const native = yield* dialogOpens(supervisor, "Human?")
        assert.isFalse(supervisor.isReadable(tab.id))
        yield* tab.send("Page.handleJavaScriptDialog", { accept: true })
        assert.strictEqual((yield* dialogCloses(supervisor, native.id)).closed_by, "remote")
        supervisor.setRules({ humanControl: false })
        yield* tab.start(`window.got = confirm("Agent?")`)
        yield* dialogOpens(supervisor, "Agent?")
        assert.isTrue(supervisor.isReadable(tab.id))
        yield* supervisor.answer({ action: "accept" })
      })
    )

    it.effect("a stop lets the page go on, and later dialogs pass to their native form", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* gated
        const tab = yield* newTab()
        yield* tab.open(site.body("stop"))
        yield* tab.start(`window.got = confirm("Still?")`)
        const dialog = yield* dialogOpens(supervisor)
        yield* supervisor.stop
        assert.strictEqual((yield* dialogCloses(supervisor, dialog.id)).closed_by, "watchdog")
        assert.strictEqual(yield* tab.evaluate("window.got"), false)
        yield* tab.start(`window.later = confirm("Native?")`)
        yield* Effect.retry(
          tab.send("Page.handleJavaScriptDialog", { accept: true }).pipe(Effect.catchDefect(Effect.fail)),
          {
            times: 1_500,
            schedule: Schedule.spaced("20 millis")
          }
        )
        assert.strictEqual(yield* tab.evaluate("window.later"), true)
      })
    )
  }
)
