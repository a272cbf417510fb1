import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const latest = { limit: 50 } as const
const requests = { limit: 50, failedOnly: false } as const

/** Waits until the console of the active tab holds a text. */
const untilSaid = (browser: BrowserSession, text: string) =>
  Effect.gen(function* () {
    for (;;) {
      const said = yield* browser.console(latest)
      if (said.messages.some((message) => message.text.includes(text))) return said
      yield* Effect.sleep(10)
    }
  })

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("behind a page in a real Chromium", (it) => {
  it.effect("the console is there with its levels, and only what is asked for is given", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<script>console.debug('fine'); console.log('one', 2, { three: 3 }); console.warn('careful')
          console.error('broken'); setTimeout(() => { throw new TypeError('lost') })</script>`)
      )
      const all = yield* untilSaid(browser, "lost")
      assert.deepStrictEqual(
        all.messages.map(({ level }) => level),
        ["debug", "log", "warning", "error", "exception"]
      )
      assert.include(all.messages[1]?.text, "one 2")
      const worse = yield* browser.console({ ...latest, level: "warning" })
      assert.deepStrictEqual(
        worse.messages.map(({ level }) => level),
        ["warning", "error", "exception"]
      )
      const last = yield* browser.console({ limit: 1 })
      assert.deepInclude(last, { total: 5, truncated: true })
      assert.include(last.messages[0]?.text, "lost")
      const { at: seen } = last.messages[0]!
      yield* browser.execute({ script: "console.log('later')" })
      yield* untilSaid(browser, "later")
      const since = yield* browser.console({ ...latest, since: seen })
      assert.deepStrictEqual(
        since.messages.map(({ text }) => text),
        ["later"]
      )
    })
  )

  it.effect("requests are there with their end, without the secrets of their addresses", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/data", "<p>data")
      const { browser } = yield* at(site.body("<p>here"))
      const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLXRva2Vu"
      yield* browser.execute({
        script: `await fetch('/data?access_token=hidden1&page=2'); await fetch('/data?t=${jwt}'); await fetch('/missing').catch(() => 0); await fetch('http://127.0.0.1:1/').catch(() => 0)`
      })
      const { requests: seen } = yield* browser.network(requests)
      const text = JSON.stringify(seen)
      assert.notInclude(text, "hidden1")
      assert.notInclude(text, jwt.slice(30))
      assert.include(text, "page=2")
      const failed = yield* browser.network({ ...requests, failedOnly: true })
      assert.deepStrictEqual(
        failed.requests.map(({ failure, status }) => status ?? failure),
        [404, "net::ERR_UNSAFE_PORT"]
      )
      assert.strictEqual((yield* browser.network({ ...requests, urlContains: "MISSING" })).total, 1)
    })
  )

  it.effect("both answer while a dialog blocks the page, and know their tab", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(site.body("<script>console.error('before')</script>"))
      yield* browser.execute({ script: "setTimeout(() => alert('wait'), 0)" })
      while (browser.pendingDialogs().length === 0) yield* Effect.sleep(5)
      assert.deepInclude(yield* browser.console(latest), { tabId: first.tabId, total: 1 })
      assert.isAtLeast((yield* browser.network(requests)).total, 1)
      yield* browser.answerDialog({ action: "accept" })
      yield* browser.open({ url: site.body("<p>quiet"), newTab: true })
      assert.strictEqual((yield* browser.console(latest)).total, 0)
      assert.strictEqual((yield* browser.console({ ...latest, tabId: first.tabId })).total, 1)
    })
  )
})
