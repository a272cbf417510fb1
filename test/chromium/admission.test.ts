import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TabId } from "../../src/schemas/ids.ts"
import { at, chromium, session, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

/** The site is 127.0.0.1 under an allowed name; localhost stands for a place that is not allowed. */
const named = (origin: string, name: string) => origin.replace("127.0.0.1", name)
const settings = {
  allowedHosts: ["*.good.test", "127.0.0.1"],
  chromium: { args: ["--host-resolver-rules=MAP *.test 127.0.0.1"] }
}

layer(chromium(settings), { excludeTestServices: true, timeout: "90 seconds" })(
  "admission in a real Chromium",
  (it) => {
    it.effect("stops a redirect to a host that is not allowed before anything is sent there", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        let asked = 0
        site.page("/secret", (_, response) => {
          asked++
          response.end("secret")
        })
        const hop = site.page(
          "/hop",
          (_, response) => void response.writeHead(302, { location: `${site.otherOrigin}/secret` }).end()
        )
        const { browser } = yield* at(site.body("<h1>Home</h1>"))
        const error = yield* Effect.flip(browser.open({ url: hop, newTab: false }))
        assert.strictEqual(error._tag, "NavigationBlocked")
        assert.include(error.message, "localhost")
        assert.strictEqual(asked, 0)
        // the tab still shows the page before
        assert.deepStrictEqual(
          (yield* browser.snapshot(whole)).elements.map((one) => one.label),
          ["Home"]
        )
      })
    )

    it.effect("tells of a click that was to lead to such a host, and stays on the page", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        let asked = 0
        site.page("/secret2", (_, response) => {
          asked++
          response.end("secret")
        })
        const { browser } = yield* at(site.body(`<a href="${site.otherOrigin}/secret2">Away</a>`))
        const clicked = yield* browser.click({ text: "Away", button: "left" })
        assert.include(clicked.blocked?.url, "/secret2")
        assert.isUndefined(clicked.navigatedTo)
        assert.strictEqual(asked, 0)
        yield* browser.snapshot(whole)
      })
    )

    it.effect("keeps such a host out of frames, of windows that open, and of scripts that move the page", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        let asked = 0
        site.page("/secret3", (_, response) => {
          asked++
          response.end("secret")
        })
        const away = `${site.otherOrigin}/secret3`
        const { browser } = yield* at(
          site.body(`<iframe src="${away}"></iframe><button onclick="window.open('${away}')">Open</button>`)
        )
        yield* browser.click({ text: "Open", button: "left" })
        yield* browser.switchTab(TabId.make("t1"))
        const moved = yield* browser.execute({ script: `location.href = "${away}"; 1` })
        assert.isTrue(moved.ok)
        yield* browser.waitFor({ selector: "button" })
        const seen = yield* browser.snapshot(whole)
        assert.deepStrictEqual(seen.elements.map((one) => one.kind).sort(), ["button", "frame"])
        assert.strictEqual(asked, 0)
      })
    )

    it.effect("lets redirects and subdomains that are allowed through", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const end = site.page("/end", "<title>End</title><h1>Arrived</h1>")
        const hop = site.page(
          "/fine",
          (_, response) => void response.writeHead(302, { location: named(end, "www.good.test") }).end()
        )
        const { first } = yield* at(hop)
        assert.strictEqual(first.title, "End")
        assert.include(first.url, "www.good.test")
      })
    )
  }
)

layer(chromium({ privateNetwork: "deny", chromium: settings.chromium }), {
  excludeTestServices: true,
  timeout: "90 seconds"
})("the private network in a real Chromium", (it) => {
  it.effect("refuses a private address by name, and reading a page whose name leads into one, but lets leave it", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const page = site.body("<h1>Router</h1>")
      const browser = yield* session
      assert.strictEqual((yield* Effect.flip(browser.open({ url: page, newTab: false })))._tag, "NavigationBlocked")
      // the name looks public; only the connection shows where it leads
      const opened = yield* Effect.flip(browser.open({ url: named(page, "public.test"), newTab: false }))
      assert.strictEqual(opened._tag, "NavigationBlocked")
      assert.include(opened.message, "127.0.0.1")
      for (const read of [
        browser.snapshot(whole),
        browser.content({ format: "txt" }),
        browser.execute({ script: "document.body.innerText" }),
        browser.find({ text: "Router", limit: 5 }),
        browser.screenshot({ fullPage: false, format: "png" })
      ]) {
        assert.strictEqual(
          (yield* Effect.flip(read as Effect.Effect<unknown, { readonly _tag: string }>))._tag,
          "NavigationBlocked"
        )
      }
      assert.strictEqual((yield* browser.tabs)[0]?.title, "")
      yield* browser.back
      yield* browser.open({ url: "about:blank", newTab: false })
      yield* browser.snapshot(whole)
      yield* browser.reset
    })
  )
})

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("without any rule", (it) => {
  it.effect("opens no tab for an address that is not admitted", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>Fine</h1>"))
      yield* browser.snapshot(whole)
      const error = yield* Effect.flip(browser.open({ url: "file:///etc/hostname", newTab: true }))
      assert.strictEqual(error._tag, "NavigationBlocked")
      assert.lengthOf(yield* browser.tabs, 1)
    })
  )
})
