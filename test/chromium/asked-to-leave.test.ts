/** Pages that ask whether they may be left, and the answers to that, for the ways in which the browser itself leaves. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const asks = `<button>Touch</button><script>onbeforeunload = (event) => event.preventDefault()</script>`

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a page that asks whether it may be", (it) => {
  for (const way of ["reload", "back", "forward"] as const) {
    it.effect(`left (${way}) keeps its question open until it is answered, and then stays or goes`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const asking = site.body(`<h1>Asks</h1>${asks}`)
        const plain = site.body("<h1>Plain</h1>")
        const { browser } = yield* at(way === "back" ? plain : asking)
        yield* browser.open({ url: way === "back" ? asking : plain, newTab: false })
        if (way !== "back") yield* browser.back
        // a page that nobody has touched may not ask
        yield* browser.click({ text: "Touch", button: "left" })
        yield* browser.execute({ script: "window.kept = true" })
        const kept = Effect.map(
          browser.execute({ script: "[document.querySelector('h1').textContent, window.kept === true].join()" }),
          ({ value }) => value
        )

        assert.strictEqual((yield* browser[way]).dialog?.type, "beforeunload")
        assert.strictEqual((yield* browser.answerDialog({ action: "dismiss" })).dialog.type, "beforeunload")
        assert.strictEqual(yield* kept, '"Asks,true"')

        assert.strictEqual((yield* browser[way]).dialog?.type, "beforeunload")
        yield* browser.answerDialog({ action: "accept" })
        const after = way === "reload" ? '"Asks,false"' : '"Plain,false"'
        yield* Effect.repeat(kept, { until: (value) => value === after })
        assert.deepStrictEqual(browser.pendingDialogs(), [])
      })
    )
  }
})
