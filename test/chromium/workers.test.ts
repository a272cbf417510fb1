import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { at, chromium, engine } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const script = (text: string) => (_: unknown, response: import("node:http").ServerResponse) => {
  response.writeHead(200, { "content-type": "text/javascript" }).end(text)
}

/** Electron has no session of the whole browser, to which the workers belong that pages share. */
const kinds = ["dedicated", "nested", ...(engine === "electron" ? [] : ["shared"]), "service"]

/** A page with a worker of every kind, each of which says something at once. */
const workshop = Effect.gen(function* () {
  const site = yield* TestSite
  site.page("/plank", "oak")
  site.page("/nested.js", script(`console.log("nested at work")`))
  site.page(
    "/dedicated.js",
    script(
      `console.log("dedicated at work"); fetch("/plank"); new Worker("/nested.js"); onmessage = () => { throw new Error("the saw broke") }`
    )
  )
  site.page(
    "/shared.js",
    script(`console.log("shared at work"); onconnect = ({ ports: [port] }) => port.postMessage("here")`)
  )
  site.page("/service.js", script(`console.log("service at work"); var kind = "service"`))
  return site.body(
    `<script>dedicated = new Worker("/dedicated.js"); shared = new SharedWorker("/shared.js"); navigator.serviceWorker.register("/service.js")</script>`
  )
})

/** The console line of a tab that holds the text, once it is there. */
const said = (browser: BrowserSession, text: string) =>
  Effect.gen(function* () {
    for (;;) {
      const { messages } = yield* browser.console({ limit: 200 })
      const found = messages.find((message) => message.text.includes(text))
      if (found !== undefined) return found
      yield* Effect.sleep(10)
    }
  }).pipe(Effect.timeout("20 seconds"))

const targets = (browser: BrowserSession) =>
  Effect.map(
    browser.cdp({ method: "Target.getTargets", timeoutMs: 10_000 }),
    ({ result }) =>
      (result as { targetInfos: ReadonlyArray<{ targetId: string; type: string; url: string }> }).targetInfos
  )

const valueOf = ({ result }: { readonly result?: unknown }): unknown =>
  (result as { readonly result?: { readonly value?: unknown } } | undefined)?.result?.value

layer(chromium({ dialogWay: "native" }), { excludeTestServices: true, timeout: "90 seconds" })(
  "workers in a real Chromium",
  (it) => {
    it.effect("are heard from their first line on: dedicated, nested, shared and service workers", () =>
      Effect.gen(function* () {
        const { browser } = yield* at(yield* workshop)
        for (const kind of kinds) {
          const line = yield* said(browser, `${kind} at work`)
          assert.include(line.url, `/${kind}.js`)
        }
        yield* browser.execute({ script: "dedicated.postMessage(1)" })
        assert.deepInclude(yield* said(browser, "the saw broke"), { level: "exception" })
        const { requests } = yield* browser.network({ limit: 200, failedOnly: false, urlContains: "/plank" })
        assert.deepInclude(requests[0], { method: "GET", status: 200 })
      })
    )

    it.effect("are reached by raw commands under the ids of their targets, and only by what they know", () =>
      Effect.gen(function* () {
        const { browser } = yield* at(yield* workshop)
        for (const kind of kinds) {
          yield* said(browser, `${kind} at work`)
          const target = (yield* targets(browser)).find(({ url }) => url.endsWith(`/${kind}.js`))
          assert.isDefined(target, kind)
          const to = { target_id: target?.targetId ?? "", timeoutMs: 10_000 }
          const reached = yield* browser.cdp({
            method: "Runtime.evaluate",
            params: { expression: "location.pathname", returnByValue: true },
            ...to
          })
          assert.strictEqual(valueOf(reached), `/${kind}.js`)
          assert.deepInclude(reached, { target_id: target?.targetId })
          assert.deepInclude(yield* Effect.flip(browser.cdp({ method: "Page.getFrameTree", ...to })), {
            _tag: "CdpFailed",
            cdpCode: -32601
          })
        }
      })
    )

    it.effect("answer while their page shows a dialog, and are forgotten with it", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(yield* workshop)
        yield* said(browser, "dedicated at work")
        const target = (yield* targets(browser)).find(({ url }) => url.endsWith("/dedicated.js"))
        const to = { target_id: target?.targetId ?? "", timeoutMs: 5_000 }
        const evaluate = { method: "Runtime.evaluate", params: { expression: "1 + 1" }, ...to }
        yield* browser.execute({ script: "alert('Tea?')" })
        assert.lengthOf(browser.pendingDialogs(), 1)
        assert.strictEqual(valueOf(yield* browser.cdp(evaluate)), 2)
        yield* browser.answerDialog({ action: "accept" })
        yield* browser.open({ url: site.body("elsewhere"), newTab: false })
        assert.strictEqual((yield* Effect.flip(browser.cdp(evaluate)))._tag, "TabUnknown")
      })
    )

    it.effect("do not keep a page from loading, nor an act from ending", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        site.page(
          "/busy.js",
          script("setInterval(() => fetch('/plank'), 20); for (const end = Date.now() + 300; Date.now() < end;);")
        )
        site.page("/plank", "oak")
        const { browser, first } = yield* at(
          site.body(
            `<button onclick="document.title = 'pressed'">Press</button><script>new Worker("/busy.js")</script>`
          )
        )
        assert.isUndefined(first.loading)
        const clicked = yield* browser.click({ text: "Press", button: "left" })
        assert.isTrue(clicked.clicked)
        assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"pressed"')
      })
    )
  }
)
