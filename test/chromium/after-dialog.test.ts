/** An answered dialog is told with what the page did then. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { type TestPage, TestSite } from "../support/TestSite.ts"

/** Answers after so many ms. */
const later =
  (ms: number, body: string): TestPage =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(body), ms)
  }

const left = { button: "left" } as const

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("what follows an answered dialog", (it) => {
  it.effect("whoever agrees to leave a page is answered when the next one is there", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.page("/next-page", later(300, "<h1>Next</h1>"))
      const { browser } = yield* at(
        site.body(`<input><a href="${next}">Go</a><script>onbeforeunload = (event) => event.preventDefault()</script>`)
      )
      yield* browser.click({ selector: "input", ...left })
      const { dialog } = yield* browser.click({ text: "Go", ...left })
      assert.strictEqual(dialog?.type, "beforeunload")
      const { outcome } = yield* browser.answerDialog({ action: "accept" })
      assert.strictEqual(outcome?.navigatedTo, next)
      assert.deepStrictEqual(
        outcome?.changes?.elements.map(({ label }) => label),
        ["Next"]
      )
    })
  )

  it.effect("what a page fetches and shows once it was told yes is in the answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const data = site.page("/removed", later(200, "{}"))
      const { browser } = yield* at(
        site.body(`<ul><li>Item</li></ul><button onclick="if (confirm('Remove?')) fetch('${data}').then(() => {
          document.querySelector('ul').outerHTML = '<p>Removed</p>' })">Remove</button>`)
      )
      yield* browser.click({ text: "Remove", ...left })
      const { dialog, outcome } = yield* browser.answerDialog({ action: "accept" })
      assert.strictEqual(dialog.message, "Remove?")
      assert.include(outcome?.changes?.elements.map(({ label }) => label) ?? [], "Removed")
    })
  )

  it.effect("a page that asks as it comes back from memory is there once it was answered", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const second = site.body("<h1>Second</h1>")
      const first = site.body(`<h1>First</h1><a href="${second}">Go</a>
        <script>addEventListener("pageshow", (event) => { if (event.persisted) alert("back") })</script>`)
      const { browser } = yield* at(first)
      yield* browser.click({ text: "Go", ...left })
      const back = yield* browser.back
      if (!back.navigated) assert.include(back.note, "the one that comes")
      if (back.dialog !== undefined) yield* browser.answerDialog({ action: "accept" })
      const { elements, url } = yield* browser.snapshot({ interactive: false, wholeFrameTree: false })
      assert.strictEqual(url, first)
      assert.include(
        elements.map(({ label }) => label),
        "First"
      )
    })
  )
})
