/** A page that asks something is left: the dialog is dismissed in the agent's name, and the new page comes. */
import { Effect, Option, Schedule } from "effect"
import { assert, layer } from "@effect/vitest"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { at, chromium, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

/** Opens a page with another one behind it in its history. */
const asking = Effect.gen(function* () {
  const site = yield* TestSite
  const { browser } = yield* at(site.body("<h1>Quay</h1>"))
  const url = site.body("<h1>Harbour</h1>")
  yield* browser.open({ url, newTab: false })
  return { site, browser, url }
})

const ask = (browser: BrowserSession, script = "window.got = confirm('Leave the berth?')") =>
  browser.execute({ script })

const heading = (browser: BrowserSession) =>
  Effect.map(browser.execute({ script: "document.querySelector('h1')?.textContent ?? null" }), ({ value }) => value)

const ways = [
  "for a page of its site",
  "for another site",
  "for no page",
  "for a page that comes late",
  "for a part of itself",
  "for a file",
  "by going back",
  "by loading it again"
] as const
type Leaving = (typeof ways)[number]

/** Ways to leave, and the heading that the tab shows afterwards. */
const leavings = (
  site: TestSite["Service"],
  browser: BrowserSession,
  url: string
): Readonly<Record<Leaving, readonly [leave: Effect.Effect<unknown, unknown>, after: string]>> => ({
  "for a page of its site": [browser.open({ url: site.body("<h1>Pier</h1>"), newTab: false }), '"Pier"'],
  "for another site": [
    browser.open({ url: site.body("<h1>Pier</h1>").replace(site.origin, site.otherOrigin), newTab: false }),
    '"Pier"'
  ],
  "for no page": [browser.open({ url: "about:blank", newTab: false }), "null"],
  "for a page that comes late": [
    browser.open({
      url: site.page(`/late-${Math.random()}`, (_, response) => {
        setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Late</h1>"), 700)
      }),
      newTab: false
    }),
    '"Late"'
  ],
  "for a part of itself": [browser.open({ url: `${url}#stern`, newTab: false }), '"Harbour"'],
  "for a file": [
    Effect.flip(
      browser.open({
        url: site.page(`/rope-${Math.random()}.bin`, (_, response) => {
          response
            .writeHead(200, { "content-type": "application/octet-stream", "content-disposition": "attachment" })
            .end("rope")
        }),
        newTab: false
      })
    ),
    '"Harbour"'
  ],
  "by going back": [browser.back, '"Quay"'],
  "by loading it again": [browser.reload, '"Harbour"']
})

for (const dialogWay of ["native", "gate"] as const) {
  layer(chromium({ dialogWay }), { excludeTestServices: true, timeout: "60 seconds" })(
    `a page with an open dialog (${dialogWay})`,
    (it) => {
      for (const way of ways) {
        it.effect(`is left ${way}: its dialog is dismissed by the agent, and the tab is usable`, () =>
          Effect.gen(function* () {
            const { browser, site, url } = yield* asking
            const { dialog } = yield* ask(browser)
            const [leave, after] = leavings(site, browser, url)[way]
            yield* leave
            assert.deepStrictEqual(browser.pendingDialogs(), [])
            const record = browser.recentDialogs().at(-1)
            assert.deepStrictEqual([record?.id, record?.closed_by, record?.leaving], [dialog?.id, "agent", true])
            assert.strictEqual(yield* heading(browser), after)
          })
        )
      }

      it.effect("that asks again whenever it is answered is left, and each of its dialogs is told", () =>
        Effect.gen(function* () {
          const { browser, site } = yield* asking
          yield* ask(browser, "for (const what of ['First?', 'Second?', 'Third?']) confirm(what)")
          yield* browser.open({ url: site.body("<h1>Pier</h1>"), newTab: false })
          assert.deepStrictEqual(
            browser.recentDialogs().map(({ closed_by, leaving, message }) => [message, closed_by, leaving] as const),
            ["First?", "Second?", "Third?"].map((message) => [message, "agent", true] as const)
          )
          assert.strictEqual(yield* heading(browser), '"Pier"')
        })
      )

      it.effect("that never stops asking is ended, and a page of its own site takes its place and can be used", () =>
        Effect.gen(function* () {
          const { browser, site } = yield* asking
          yield* ask(browser, "for (;;) confirm('Again?')")
          const url = site.body(`<h1>Pier</h1><button onclick="document.title = 'pressed'">Press</button>`)
          const seen = yield* browser.open({ url, newTab: false })
          assert.include(seen.note, "was ended")
          assert.deepStrictEqual(browser.pendingDialogs(), [])
          yield* browser.click({ text: "Press", button: "left" })
          assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"pressed"')
        })
      )

      it.effect("that never stops asking can be left for another site", () =>
        Effect.gen(function* () {
          const { browser, site } = yield* asking
          yield* ask(browser, "for (;;) confirm('Again?')")
          const url = site.body("<h1>Pier</h1>").replace(site.origin, site.otherOrigin)
          const seen = yield* browser.open({ url, newTab: false })
          if ((seen.pending_dialogs ?? []).length > 0) assert.include(seen.note, "browser_dialog")
          // it may have asked again on the way out
          const there = yield* Effect.repeat(Effect.option(heading(browser)), {
            until: (found) => Option.getOrUndefined(found) === '"Pier"',
            schedule: Schedule.spaced("20 millis"),
            times: 1_500
          })
          assert.deepStrictEqual(there, Option.some('"Pier"'))
          assert.deepStrictEqual(browser.pendingDialogs(), [])
        })
      )

      it.effect("keeps it if what was asked for is no address that may be opened", () =>
        Effect.gen(function* () {
          const { browser } = yield* asking
          const { dialog } = yield* ask(browser)
          yield* Effect.flip(browser.open({ url: "file:///etc/passwd", newTab: false }))
          yield* browser.stop
          assert.deepStrictEqual(
            browser.pendingDialogs().map(({ id }) => id),
            [dialog?.id]
          )
          yield* browser.answerDialog({ action: "accept" })
          assert.strictEqual((yield* browser.execute({ script: "window.got" })).value, "true")
          const [answered] = (yield* browser.snapshot(whole)).recent_dialogs ?? []
          assert.deepStrictEqual([answered?.closed_by, answered?.leaving], ["agent", undefined])
        })
      )
    }
  )
}
