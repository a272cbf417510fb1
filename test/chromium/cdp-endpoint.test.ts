import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { connect } from "../../src/layers/cdp/CdpWebSocket.ts"
import type { CdpSessionId } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { inspectEndpoint } from "../../src/layers/providers/endpoint/doctor.ts"
import { CdpEndpoint } from "../../src/services/CdpEndpoint.ts"
import { whole } from "../support/ChromiumSession.ts"
import { dismissingProxy } from "../support/DismissingProxy.ts"
import { endpointAt, endpointSession } from "../support/EndpointSession.ts"
import { type PortChromium, portChromium } from "../support/PortChromium.ts"
import { isHeadlessShell } from "../support/headlessShell.ts"
import { TestSite } from "../support/TestSite.ts"

class Running extends Context.Service<Running, PortChromium>()("test/Running") {
  static readonly layer = Layer.effect(Running, portChromium)
}

/** Somebody else who uses the same browser. */
const stranger = Effect.gen(function* () {
  const connection = yield* connect(Redacted.make((yield* Running).webSocketUrl))
  const pages = Effect.map(connection.command("Target.getTargets"), ({ targetInfos }) =>
    targetInfos.filter(({ type }) => type === "page")
  )
  const page = (url: string) =>
    Effect.map(connection.command("Target.createTarget", { url }), ({ targetId }) => targetId)
  return { connection, pages, page }
})

/** A plain proxy before the browser, to look at what is sent and to break it off. */
const proxied = Effect.flatMap(Running, ({ webSocketUrl }) => dismissingProxy(webSocketUrl, { dismisses: false }))

const load = (browser: BrowserSession, url: string) => browser.open({ url, newTab: false })

layer(Layer.merge(Running.layer, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "a session in somebody's browser",
  (it) => {
    it.effect("is had by a WebSocket address, and by an http address that names it", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const running = yield* Running
        for (const url of [running.webSocketUrl, running.httpUrl]) {
          yield* Effect.gen(function* () {
            const browser = yield* endpointSession
            assert.strictEqual(browser.provider, "endpoint")
            const first = yield* load(browser, site.body("<button>Go</button>", "here"))
            assert.strictEqual(first.title, "here")
            assert.deepStrictEqual(
              first.elements.map(({ label }) => label),
              ["Go"]
            )
          }).pipe(Effect.scoped, Effect.provide(endpointAt(url)))
        }
      })
    )

    it.effect("is tried by the doctor, which tells a browser from a page and from nobody, and shows no secret", () =>
      Effect.gen(function* () {
        const running = yield* Running
        const other = yield* stranger
        const target = yield* other.page("about:blank")
        const page = running.webSocketUrl.replace(/browser\/.*/, `page/${target}`)
        const nobody = running.webSocketUrl.replace(/browser\/.*/, "browser/s3cret-token")
        const inspect = (url: string) => inspectEndpoint(Redacted.make(url))
        for (const url of [running.webSocketUrl, running.httpUrl]) {
          const found = yield* inspect(url)
          assert.isTrue(found.ok && found.product.includes("Chrom"), JSON.stringify(found))
        }
        const pageFound = yield* inspect(page)
        assert.isTrue(!pageFound.ok && pageFound.next.includes("not that of one page"), JSON.stringify(pageFound))
        const nobodyFound = yield* inspect(nobody)
        assert.isTrue(!nobodyFound.ok && nobodyFound.code === "BROWSER_CONNECTION_LOST", JSON.stringify(nobodyFound))
        assert.notInclude(JSON.stringify(nobodyFound), "s3cret-token")
        // nothing was opened or closed there
        assert.isTrue((yield* other.pages).some(({ targetId }) => targetId === target))
      })
    )

    it.effect("neither attaches nor pauses nor closes pages of others, and closes its own", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const running = yield* Running
        const other = yield* stranger
        const popup = site.body("<script>document.title = 'popup ran'</script>", "popup")
        const busy = site.body("<script>document.title = 'ran'</script>", "stranger")
        const before = yield* other.page(busy)
        const scope = yield* Scope.make()
        yield* Effect.gen(function* () {
          const browser = yield* endpointSession
          yield* load(browser, site.body("<p>ours", "ours"))
          const during = yield* other.page(busy)
          const { sessionId } = yield* other.connection.command("Target.attachToTarget", {
            targetId: during,
            flatten: true
          })
          const theirSession = { sessionId: sessionId as CdpSessionId }
          const opening = { expression: `void window.open("${popup}")`, userGesture: true }
          yield* other.connection.command("Runtime.evaluate", opening, theirSession)
          yield* other.connection.command("Target.detachFromTarget", theirSession)
          // they run their scripts while our session is open: nobody made them wait
          for (;;) {
            const titles = (yield* other.pages).filter(({ title }) => /^(popup )?ran$/.test(title))
            if (titles.length >= 3) break
            yield* Effect.sleep(20)
          }
          const theirs = (yield* other.pages).filter(({ title }) => title !== "ours")
          assert.isTrue(theirs.some(({ targetId }) => targetId === before))
          assert.isTrue(theirs.some(({ targetId }) => targetId === during))
          assert.deepStrictEqual(
            theirs.filter(({ attached }) => attached),
            []
          )
          assert.lengthOf(yield* browser.tabs, 1)
        }).pipe(Effect.provide(endpointAt(running.webSocketUrl)), Scope.provide(scope))
        const own = (yield* other.pages).filter(({ title }) => title === "ours")
        assert.lengthOf(own, 1)
        yield* Scope.close(scope, Exit.void)
        const left = yield* other.pages
        assert.isFalse(left.some(({ title }) => title === "ours"))
        assert.isTrue(left.some(({ targetId }) => targetId === before))
      })
    )

    it.effect("sets nothing that holds for the whole browser, and takes the screen from nobody", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const proxy = yield* proxied
        yield* Effect.gen(function* () {
          const browser = yield* endpointSession
          yield* load(browser, site.body("<button onclick='this.textContent = 1'>Go</button>"))
          yield* browser.click({ text: "Go", button: "left" })
          yield* browser.screenshot({ fullPage: false, format: "png" })
        }).pipe(Effect.scoped, Effect.provide(endpointAt(proxy.webSocketUrl)))
        const global = proxy.commands.filter(({ sessionId }) => sessionId === undefined).map(({ method }) => method)
        const expected = /^(Browser.getVersion|Target.(attachTo|close|create|get|setDiscover)Targets?)$/
        assert.deepStrictEqual(
          global.filter((method) => !expected.test(method)),
          []
        )
        const all = new Set(proxy.commands.map(({ method }) => method))
        for (const method of ["Page.bringToFront", "Target.activateTarget", "Browser.setDownloadBehavior"]) {
          assert.isFalse(all.has(method), method)
        }
        const created = proxy.commands.find(({ method }) => method === "Target.createTarget")
        assert.isTrue(created?.params?.["background"])
      })
    )

    it.effect("gets the popups of its own pages as tabs, with and without opener, and their dialogs", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const running = yield* Running
        yield* Effect.gen(function* () {
          const browser = yield* endpointSession
          const pop = site.body("<button onclick=\"document.title = confirm('Sure?')\">Ask</button>", "pop")
          const first = yield* load(
            browser,
            site.body(`<a href="${pop}" target=_blank>With</a> <a href="${pop}" target=_blank rel=noopener>Without</a>`)
          )
          for (const text of ["With", "Without"]) {
            const clicked = yield* browser.click({ text, button: "left" })
            assert.deepInclude(clicked.newTabs?.[0], { url: pop, opener: first.tabId })
            assert.isUndefined(clicked.unsettled)
            yield* browser.switchTab(clicked.newTabs![0]!.id)
            const asked = yield* browser.click({ text: "Ask", button: "left" })
            assert.strictEqual(asked.dialog?.message, "Sure?")
            yield* browser.answerDialog({ action: "accept" })
            assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"true"')
            yield* browser.switchTab(first.tabId)
          }
        }).pipe(Effect.scoped, Effect.provide(endpointAt(running.webSocketUrl)))
      })
    )

    // The headless shell answers a dialog that nobody has seen by itself (runtime fact 18).
    it.effect.skipIf(isHeadlessShell)(
      "says of a popup whose dialog opened before we were there how to get rid of it, and waits for nobody",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { webSocketUrl } = yield* Running
          let late = false
          const proxy = yield* dismissingProxy(webSocketUrl, {
            dismisses: false,
            hold: (method) => (late && method === "Target.attachToTarget" ? 1_000 : 0)
          })
          yield* Effect.gen(function* () {
            const browser = yield* endpointSession
            const pop = site.body("<script>alert('early')</script>", "pop")
            const first = yield* load(browser, site.body(`<a href="${pop}" target=_blank>Go</a>`))
            late = true
            yield* Effect.exit(browser.click({ text: "Go", button: "left" }))
            while ((yield* browser.tabs).length < 2) yield* Effect.sleep(10)
            const popup = (yield* browser.tabs).find(({ id }) => id !== first.tabId)!
            yield* browser.switchTab(popup.id)
            const error = yield* Effect.flip(browser.execute({ script: "1" }))
            assert.strictEqual(error._tag, "DialogUnanswerable")
            assert.include((error as { next: string }).next, `"${popup.id}"`)
            const other = yield* load(browser, site.body("<p>free", "free"))
            assert.strictEqual(other.title, "free")
            assert.strictEqual((yield* browser.execute({ script: "1" })).value, "1")
          }).pipe(Effect.scoped, Effect.provide(endpointAt(proxy.webSocketUrl)))
        })
    )

    it.effect("has a connection of its own for each task", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const proxy = yield* proxied
        yield* Effect.gen(function* () {
          const [one, two] = yield* Effect.all([endpointSession, endpointSession], { concurrency: 2 })
          assert.strictEqual(proxy.clients(), 2)
          yield* load(one, site.body("<p>one", "one"))
          yield* load(two, site.body("<p>two", "two"))
          assert.deepStrictEqual(
            (yield* one.tabs).map(({ title }) => title),
            ["one"]
          )
          assert.strictEqual((yield* two.snapshot(whole)).title, "two")
        }).pipe(Effect.scoped, Effect.provide(endpointAt(proxy.webSocketUrl)))
        while (proxy.clients() > 0) yield* Effect.sleep(5)
      })
    )

    it.effect("has cookies and storage of its own when it is isolated, and leaves none behind", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const running = yield* Running
        const other = yield* stranger
        yield* Effect.gen(function* () {
          const browser = yield* endpointSession
          yield* load(browser, site.body("<p>shelf"))
          yield* browser.execute({ script: "document.cookie = 'mine=1'" })
          const { cookies } = yield* other.connection.command("Storage.getCookies")
          assert.isFalse(cookies.some(({ name }) => name === "mine"))
        }).pipe(Effect.scoped, Effect.provide(endpointAt(running.webSocketUrl, { isolated: true })))
        const { browserContextIds } = yield* other.connection.command("Target.getBrowserContexts")
        assert.deepStrictEqual(browserContextIds, [])
      })
    )

    it.effect(
      "is lost with its connection: calls end at once, nothing is sent twice, the next one connects afresh",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          let orders = 0
          site.page("/order", (_, response) => {
            orders += 1
            // never answered: the call is under way when the connection breaks
            response.writeHead(200).write("...")
          })
          const proxy = yield* proxied
          yield* Effect.gen(function* () {
            const browser = yield* endpointSession
            yield* load(browser, site.body("<p>shop"))
            const order = yield* Effect.forkChild(
              browser.execute({ script: "return fetch('/order', { method: 'POST' }).then((r) => r.text())" }),
              { startImmediately: true }
            )
            while (orders === 0) yield* Effect.sleep(5)
            yield* proxy.cut
            const began = yield* Clock.currentTimeMillis
            const error = yield* Effect.flip(Fiber.join(order))
            assert.strictEqual(error._tag, "SessionLost")
            assert.strictEqual((yield* browser.lost)._tag, "SessionLost")
            assert.strictEqual((yield* Effect.flip(browser.snapshot(whole)))._tag, "SessionLost")
            // the backend is not back at once: it gets some time
            proxy.refuseNext(2)
            const again = yield* endpointSession
            assert.strictEqual((yield* load(again, site.body("<p>shop", "again"))).title, "again")
            assert.isAtLeast((yield* Clock.currentTimeMillis) - began, 1_000)
            assert.strictEqual(orders, 1)
          }).pipe(Effect.scoped, Effect.provide(endpointAt(proxy.webSocketUrl)))
        })
    )

    it.effect("that was never reached is not tried again and again", () =>
      Effect.gen(function* () {
        const proxy = yield* proxied
        proxy.refuseNext(1)
        yield* Effect.gen(function* () {
          const error = yield* Effect.flip(endpointSession)
          assert.strictEqual(error._tag, "ConnectionLost")
          assert.include(error.message, "answered 503")
          assert.lengthOf(proxy.asked, 1)
        }).pipe(Effect.scoped, Effect.provide(endpointAt(proxy.webSocketUrl)))
      })
    )

    it.effect("ends when the address is changed: its tabs are closed there, and nothing is carried over", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const running = yield* Running
        const second = yield* portChromium
        const other = yield* stranger
        yield* Effect.gen(function* () {
          const endpoint = yield* CdpEndpoint
          const scope = yield* Scope.make()
          const browser = yield* Scope.provide(endpointSession, scope)
          yield* load(browser, site.body("<script>setTimeout(() => alert('old'), 0)</script>", "former"))
          while (browser.pendingDialogs().length === 0) yield* Effect.sleep(5)
          yield* endpoint.set(Redacted.make(running.webSocketUrl))
          assert.lengthOf(browser.pendingDialogs(), 1, "the same address changes nothing")
          yield* endpoint.set(Redacted.make(second.webSocketUrl))
          assert.include((yield* browser.lost).reason, "another endpoint")
          assert.strictEqual((yield* Effect.flip(browser.tabs))._tag, "SessionLost")
          while (browser.pendingDialogs().length > 0) yield* Effect.sleep(1)
          yield* Scope.close(scope, Exit.void)
          assert.isFalse((yield* other.pages).some(({ title }) => title === "former"))

          const next = yield* endpointSession
          assert.deepStrictEqual(next.recentDialogs(), [])
          yield* load(next, site.body("<p>new", "latter"))
          assert.isFalse((yield* other.pages).some(({ title }) => title === "latter"))
          const there = yield* connect(Redacted.make(second.webSocketUrl))
          const { targetInfos } = yield* there.command("Target.getTargets")
          assert.isTrue(targetInfos.some(({ title }) => title === "latter"))
        }).pipe(Effect.scoped, Effect.provide(endpointAt(running.webSocketUrl)))
      })
    )
  }
)
