/** What opening a page tells beside its elements. */
import { Effect } from "effect"
import { assert, layer } from "@effect/vitest"
import { within } from "../../src/services/Timeouts.ts"
import { address } from "../../src/tools/render/text.ts"
import { outcomeLines } from "../../src/tools/render/outcome.ts"
import { snapshotLines } from "../../src/tools/render/snapshot.ts"
import { at, chromium, element, session, whole } from "../support/ChromiumSession.ts"
import { isHeadlessShell } from "../support/headlessShell.ts"
import { TestSite } from "../support/TestSite.ts"

/** The smallest PDF that a viewer takes. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`

layer(chromium(), { excludeTestServices: true, timeout: "60 seconds" })("opening", (it) => {
  it.effect("tells the HTTP status of a page that is not what was asked for, and of no other", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const fine = site.body("<p>fine</p>")
      const broken = site.page("/broken", (_, response) => {
        response.writeHead(500, { "content-type": "text/html" }).end("<p>Sorry</p>")
      })
      const { browser, first } = yield* at(`${site.origin}/nowhere`)
      assert.strictEqual(first.status, 404)
      assert.include(snapshotLines(first).join("\n"), "HTTP status 404")
      assert.strictEqual((yield* browser.open({ url: broken, newTab: false })).status, 500)
      assert.notProperty(yield* browser.open({ url: fine, newTab: false }), "status")
      assert.strictEqual((yield* browser.back).status, 500)
      assert.strictEqual((yield* browser.reload).status, 500)
      assert.notProperty(yield* browser.forward, "status")
    })
  )

  it.effect("an act that leads to a missing page tells its status beside its address", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(site.body(`<a href="/missing">There</a>`))
      const { ref } = element(first, "link", "There")
      const clicked = yield* browser.clickRef({ snapshotId: first.snapshotId, ref, button: "left" })
      assert.strictEqual(clicked.status, 404)
      assert.include(outcomeLines(clicked), `page went to ${address(`${site.origin}/missing`)} (HTTP status 404)`)
    })
  )

  it.effect("a page whose load never ends is shown as far as it is, still loading", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const url = site.page("/trickle", (_, response) => {
        response.writeHead(200, { "content-type": "text/html" })
        response.write("<!doctype html><title>Trickle</title><h1>First</h1>")
        const more = setInterval(() => response.write("<p>more</p>"), 200)
        response.on("close", () => clearInterval(more))
      })
      const browser = yield* session
      const first = yield* browser.open({ url, newTab: false }).pipe(within("the call", 4_000))
      assert.isTrue(first.loading)
      element(first, "heading", "First")
    })
  )

  it.effect("a document of which nothing has come yet is shown empty, and empty is its content", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const url = site.page("/beginning", (_, response) => {
        response.writeHead(200, { "content-type": "text/html" })
        response.write("<")
      })
      const browser = yield* session
      const first = yield* browser.open({ url, newTab: false }).pipe(within("the call", 4_000))
      assert.isTrue(first.loading)
      assert.isEmpty(first.elements)
      assert.strictEqual((yield* browser.content({ format: "markdown" })).content, "")
      assert.isEmpty((yield* browser.find({ text: "a", limit: 5 })).matches)
    })
  )

  it.effect("a page that has not begun when the time is over is said to be the server's", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const browser = yield* session
      const silent = site.page("/silent", () => {})
      const error = yield* Effect.flip(browser.open({ url: silent, newTab: false }).pipe(within("the call", 5_000)))
      assert.strictEqual(error._tag, "OperationTimeout")
      assert.include(error.message, "the server has not sent a page")
    })
  )

  it.effect("a page that never stops computing is told of without its elements", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const browser = yield* session
      const url = site.body("<h1>Before</h1><script>while (true) {}</script>")
      const first = yield* browser.open({ url, newTab: false }).pipe(within("the call", 12_000))
      assert.strictEqual(first.url, url)
      assert.include(first.note, "too busy")
      assert.include(first.note, "stopped")
    })
  )

  it.effect("a page of sixty thousand links is shown in part, and says so", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const links = Array.from({ length: 60_000 }, (_, index) => `<a href="#${index}">Link number ${index}</a> `)
      const { first } = yield* at(site.body(links.join("")))
      assert.isTrue(first.truncated)
      assert.isAtLeast(first.total ?? 0, 60_000)
    })
  )

  it.effect("a PDF says that it is one, and how to get it", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const url = site.page("/report.pdf", (_, response) => {
        response.writeHead(200, { "content-type": "application/pdf" }).end(pdf)
      })
      if (isHeadlessShell) {
        // it has no viewer, so that a PDF is a download
        const error = yield* Effect.flip(at(url))
        assert.strictEqual(error._tag, "NavigationFailed")
        assert.include(error.message, "browser_download")
        return
      }
      const { browser, first } = yield* at(url)
      assert.include(first.note, "PDF")
      assert.include(first.note, "browser_download")
      const read = yield* browser.content({ format: "txt" })
      assert.include(read.note, "browser_download")
      assert.strictEqual(read.content, "")
      // what the browser shows it with is no part of it
      const again = yield* browser.snapshot(whole)
      assert.include(again.note, "PDF")
      assert.isUndefined(again.truncated)
      assert.include((yield* browser.find({ text: "Harbour", limit: 5 })).note, "PDF")
    })
  )

  it.effect("what a frame that cannot be seen holds is not counted as left out", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = site.body("<button>One</button><button>Two</button>").replace(site.origin, site.otherOrigin)
      const { browser, first } = yield* at(
        site.body(
          `<h1>Harbour</h1><iframe src="${inner}" style="position:absolute;width:300px;height:200px;opacity:0;clip-path:inset(100%)" hidden></iframe>`
        )
      )
      assert.isUndefined(first.truncated)
      assert.isUndefined((yield* browser.snapshot(whole)).truncated)
    })
  )
})
