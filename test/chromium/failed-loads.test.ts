/** Of a page that could not be loaded it is told which one was asked for, and what the browser says of it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { actedLine, outcomeLines } from "../../src/tools/render/outcome.ts"
import { at, chromium, engine, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

/** Nothing listens there, and nobody has that name. */
const refused = "http://127.0.0.1:65531/nobody#here"
const unknown = "http://nobody.invalid/"

/** A page that its server sends as long as it is `up`. */
const server = (site: TestSite["Service"]) => {
  const state = { up: true }
  const url = site.page("/comes-and-goes", (_, response) => {
    if (state.up)
      response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" }).end("<h1>Up</h1>")
    else response.socket?.destroy()
  })
  return { state, url }
}

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a page that could not be loaded", (it) => {
  for (const [url, reason] of [
    [refused, "net::ERR_CONNECTION_REFUSED"],
    [unknown, "net::ERR_NAME_NOT_RESOLVED"]
  ] as const) {
    it.effect(`is told by its address with ${reason}, by the click and by every look at the tab`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body(`<a href="${url}">Go</a>`))
        const clicked = yield* browser.click({ text: "Go", ...left })
        assert.deepInclude(clicked, { clicked: true, navigatedTo: url })
        assert.strictEqual(clicked.blocked?.url, url)
        assert.include(clicked.blocked?.reason, reason)
        const lines = outcomeLines(clicked).filter((line) => line.includes(url))
        assert.include(lines[0], `page went to ${url}: it could not be loaded: ${reason}`)
        assert.notInclude(lines.join(), "kept from")
        const seen = yield* browser.snapshot(whole)
        assert.strictEqual(seen.url, url)
        assert.include(seen.note, reason)
        assert.strictEqual(seen.frame_tree?.top?.url, url)
        const [tab] = yield* browser.tabs
        assert.deepInclude(tab, { url, failed: reason })
        // the next page is one again
        const next = yield* browser.open({ url: site.body("<h1>Next</h1>"), newTab: false })
        assert.isUndefined(next.note)
        assert.notProperty((yield* browser.tabs)[0], "failed")
      })
    )
  }

  for (const [what, status, headers, body, says] of [
    ["a login", 401, { "www-authenticate": 'Basic realm="x"' }, "<h1>Who are you?</h1>", "login"],
    ["nothing", 404, {}, "", "Check the address"]
  ] as const) {
    it.effect(`is told with HTTP status ${status} when its server answers with ${what}`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<h1>Before</h1>"))
        const url = site.page(`/answers-${status}`, (_, response) => {
          response.writeHead(status, { "content-type": "text/html", ...headers }).end(body)
        })
        const error = yield* Effect.flip(browser.open({ url, newTab: false }))
        assert.strictEqual(error._tag, "NavigationFailed")
        assert.include(error.message, `HTTP status ${status}`)
        assert.include(error.next, says)
      })
    )
  }

  it.effect("is told with what fits a server that does not answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>Before</h1>"))
      const error = yield* Effect.flip(browser.open({ url: refused, newTab: false }))
      assert.include(error.next, "check the port")
    })
  )

  it.effect("is told so after a reload, again and again, and after a step in the history", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { state, url } = server(site)
      const { browser } = yield* at(url)
      state.up = false
      for (let turn = 0; turn < 2; turn++) {
        const failed = yield* browser.reload
        assert.deepInclude(failed, { reloaded: true, url, navigatedTo: url })
        assert.include(failed.blocked?.reason, "net::ERR_EMPTY_RESPONSE")
      }
      state.up = true
      const back = yield* browser.reload
      assert.strictEqual(back.navigatedTo, url)
      assert.notProperty(back, "blocked")
      yield* browser.open({ url: site.body("<h1>Next</h1>"), newTab: false })
      yield* browser.cdp({ method: "Network.clearBrowserCache", timeoutMs: 5_000 })
      state.up = false
      const moved = yield* browser.back
      // a browser that keeps pages in memory asks no server
      if (moved.changes?.elements.every(({ label }) => label !== "Up") === true) {
        assert.deepInclude(moved, { navigated: true, url, navigatedTo: url })
        assert.include(moved.blocked?.reason, "net::ERR_EMPTY_RESPONSE")
      }
    })
  )

  it.effect("is told with the status of a server that sends nothing else", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const url = site.page("/nothing-but-500", (_, response) => void response.writeHead(500).end())
      const { browser } = yield* at(site.body(`<a href="${url}">Go</a>`))
      assert.deepInclude(yield* browser.click({ text: "Go", ...left }), { navigatedTo: url, status: 500 })
      assert.deepInclude(yield* browser.snapshot(whole), { url, status: 500 })
    })
  )

  it.effect("in a new tab or a frame is told by its address there", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<a target=_blank href="${refused}">Window</a><iframe src="${refused}"></iframe>`)
      )
      const { frame_tree } = yield* browser.snapshot({ ...whole, wholeFrameTree: true })
      assert.deepStrictEqual(
        frame_tree?.children.map(({ url }) => url),
        [refused]
      )
      const { newTabs } = yield* browser.click({ text: "Window", ...left })
      assert.strictEqual(newTabs?.[0]?.url, refused)
      // a window of Electron may have failed before its events reach us
      assert.include(newTabs?.[0]?.failed, engine === "electron" ? "" : "net::ERR_CONNECTION_REFUSED")
    })
  )
})

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a server that answers with no page", (it) => {
  const none = (site: TestSite["Service"]) =>
    site.page("/no-content", (_, response) => void response.writeHead(204).end())

  for (const [how, body] of [
    ["a link", `<a href="ADDRESS">Go</a>`],
    ["a form", `<form action="ADDRESS" method=post><button>Go</button></form>`],
    ["a window", `<a target=_blank href="ADDRESS">Go</a>`]
  ] as const) {
    it.effect(`is told when ${how} leads there, at once, and the page stays`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const url = none(site)
        const { browser, first } = yield* at(site.body(body.replace("ADDRESS", url)))
        const clicked = yield* browser.click({ text: "Go", ...left })
        assert.strictEqual(clicked.blocked?.url, url)
        assert.include(clicked.blocked?.reason, "HTTP status 204")
        assert.notProperty(clicked, "navigatedTo")
        assert.notProperty(clicked, "unsettled")
        assert.strictEqual((yield* browser.snapshot(whole)).url, first.url)
        assert.include(
          [actedLine(true, "clicked", clicked), ...outcomeLines(clicked)].join("\n"),
          `page was kept from ${url}: the server has answered that there is no page`
        )
      })
    )
  }

  it.effect("is told when it is opened, as why there is none", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>Here</h1>"))
      const error = yield* Effect.flip(browser.open({ url: none(site), newTab: false }))
      assert.strictEqual(error._tag, "NavigationFailed")
      assert.include(error.message, "HTTP status 204")
    })
  )
})
