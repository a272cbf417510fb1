/** A page that does not let itself be left is left all the same: backwards, forwards, and by loading it again. */
import { Deferred, Effect, Exit } from "effect"
import { assert, layer } from "@effect/vitest"
import { chromium, engine, session } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const ways = ["back", "forward", "reload"] as const

const kinds = [
  { kind: "in an endless loop", script: "while (true) {}", note: "what ran in it was stopped" },
  {
    kind: "whose timers start endless loops again and again",
    script: "(function f() { for (let i = 0; i < 20; i++) setTimeout(f); while (true) {} })()",
    note: "was ended"
  },
  { kind: "that never stops asking", script: "for (;;) alert('Again?')", note: "was ended" }
] as const

/** The middle one of three pages of a tab, with `script` running in it. */
const held = (script: string) =>
  Effect.gen(function* () {
    const site = yield* TestSite
    const browser = yield* session
    for (const title of ["before", "here", "after"]) {
      yield* browser.open({ url: site.body(`<h1>${title}</h1>`, title), newTab: false })
    }
    yield* browser.back
    if (script.includes("alert")) yield* browser.execute({ script })
    else {
      const runs = yield* Deferred.make<void>()
      const url = site.page(`/runs-${Math.random()}`, (_, response) => {
        response.end()
        Deferred.doneUnsafe(runs, Exit.void)
      })
      const tell = `const x = new XMLHttpRequest(); x.open("GET", "${url}", false); x.send()`
      yield* browser.execute({ script: `setTimeout(() => { ${tell}; ${script} }, 20); 0` })
      yield* Deferred.await(runs)
    }
    return browser
  })

for (const dialogWay of ["native", "gate"] as const) {
  layer(chromium({ dialogWay }), { excludeTestServices: true, timeout: "60 seconds" })(
    `a page that holds on to its tab (${dialogWay})`,
    (it) => {
      for (const { kind, note, script } of kinds) {
        // only dialogs differ by the way in which they are answered
        if (dialogWay === "gate" && kind !== "that never stops asking") continue
        for (const way of ways) {
          it.effect.skipIf(engine === "electron")(
            `${kind} is left by ${way}, which says how, and the tab goes on`,
            () =>
              Effect.gen(function* () {
                const browser = yield* held(script)
                const left: { readonly navigated?: boolean; readonly reloaded?: boolean; readonly note?: string } =
                  yield* browser[way]
                assert.isTrue(left.navigated ?? left.reloaded)
                assert.include(left.note, note)
                assert.strictEqual(
                  (yield* browser.execute({ script: "document.title" })).value,
                  { back: '"before"', forward: '"after"', reload: '"here"' }[way]
                )
                assert.deepStrictEqual(browser.pendingDialogs(), [])
              }),
            { timeout: 60_000 }
          )
        }
      }

      it.effect("a dialog of the page that comes is told with it", () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const browser = yield* session
          const asks = site.body("<script>if (sessionStorage.again) alert('Again?'); sessionStorage.again = 1</script>")
          yield* browser.open({ url: asks, newTab: false })
          const again = yield* browser.reload
          assert.deepInclude(again, { reloaded: true, url: asks })
          assert.strictEqual(again.dialog?.message, "Again?")
          assert.isUndefined(again.note)
        })
      )

      it.effect("a page that asks whether to leave it keeps its place, and the answer says how to go on", () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const browser = yield* session
          yield* browser.open({ url: site.body("<h1>Before</h1>"), newTab: false })
          const draft = site.body("<input id=i><script>onbeforeunload = (e) => { e.preventDefault() }</script>")
          yield* browser.open({ url: draft, newTab: false })
          yield* browser.click({ selector: "#i", button: "left" })
          yield* browser.type({ text: "text" })
          for (const way of ways) {
            if (way === "forward") continue
            const left: { readonly navigated?: boolean; readonly reloaded?: boolean; readonly note?: string } =
              yield* browser[way]
            assert.isFalse(left.navigated ?? left.reloaded)
            assert.include(left.note, "browser_dialog")
            yield* browser.answerDialog({ action: "dismiss" })
          }
          assert.strictEqual((yield* browser.execute({ script: "document.querySelector('#i').value" })).value, '"text"')
        })
      )
    }
  )
}
