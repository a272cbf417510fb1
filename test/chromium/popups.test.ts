/** Windows that pages open: those that come, those that do not, and those that are gone before anybody looks. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

layer(chromium({ deniedHosts: ["denied.test"] }), { excludeTestServices: true, timeout: "90 seconds" })(
  "windows that a page opens",
  (it) => {
    it.effect("are all accounted for: each has come as a tab or is named as blocked", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const other = site.body("<h1>Window</h1>")
        const { browser } = yield* at(
          site.body(`<button onclick="for (const n of [1, 2, 3]) window.open('${other}?' + n)">Open three</button>`)
        )
        const done = yield* browser.click({ text: "Open three", ...left })
        const blocked = done.blocked === undefined ? [] : [done.blocked, ...(done.blocked.also ?? [])]
        // how many are let through differs from browser to browser
        assert.deepStrictEqual(
          [...(done.newTabs ?? []), ...blocked].map(({ url }) => url).sort(),
          [1, 2, 3].map((n) => `${other}?${n}`)
        )
        // what waited for them in vain was not the page
        assert.isUndefined(done.unsettled)
      })
    )

    it.effect("answer a click once its timer has run, like any other page", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const window = site.body(
          `<button onclick="setTimeout(() => { out.textContent = 'later' }, 300)">Go</button><p id=out></p>`
        )
        const { browser } = yield* at(site.body(`<button onclick="window.open('${window}')">Open</button>`))
        const [tab] = (yield* browser.click({ text: "Open", ...left })).newTabs ?? []
        if (tab === undefined) return assert.fail("no window came")
        yield* browser.switchTab(tab.id)
        const done = yield* browser.click({ text: "Go", ...left })
        const seen = (done.changes?.elements ?? []).map(({ label }) => label)
        assert.include(seen, "later")
      })
    )

    for (const address of ["about:blank", "javascript:void 0", "data:text/html,never", "made-up:thing"]) {
      it.effect(`that stay blank are not waited for: ${address}`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { browser } = yield* at(site.body(`<button onclick="window.open('${address}')">Open</button>`))
          const done = yield* browser.click({ text: "Open", ...left })
          assert.isTrue(done.clicked)
          assert.isUndefined(done.unsettled)
        })
      )
    }

    for (const [how, rel] of [
      ["that its opener can reach", "opener"],
      ["of its own", "noopener"]
    ] as const) {
      it.effect(`tell the press by which a window ${how} closed itself as done`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const window = site.body(`<button onclick="window.close()">Done</button><input onkeydown="window.close()">`)
          const { browser } = yield* at(site.body(`<a href="${window}" target=_blank rel=${rel}>Open</a>`))
          for (const act of ["press", "key"] as const) {
            const { newTabs } = yield* browser.click({ text: "Open", ...left })
            const [tab] = newTabs ?? []
            if (tab === undefined) return assert.fail("no window came")
            yield* browser.switchTab(tab.id)
            const press = () => Effect.map(browser.click({ text: "Done", ...left }), (it) => [it.clicked, it] as const)
            const key = () =>
              Effect.andThen(
                browser.click({ selector: "input", ...left }),
                Effect.map(browser.pressKey({ key: "x" }), (it) => [it.pressed, it] as const)
              )
            const [done, { note }] = yield* act === "press" ? press() : key()
            assert.isTrue(done)
            assert.include(note, `tab ${tab.id} (${window}) has closed; tab t1 (`)
            assert.strictEqual((yield* browser.tabs).length, 1)
          }
        })
      )
    }

    it.effect("are told as closed if they have closed again, with the address that they were opened with", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const silent = site.page("/silent", () => {})
        const { browser } = yield* at(site.body(`<button onclick="window.open('${silent}').close()">Flash</button>`))
        const { newTabs } = yield* browser.click({ text: "Flash", ...left })
        assert.deepStrictEqual(
          newTabs?.map(({ closed, url }) => [url, closed]),
          [[silent, true]]
        )
        assert.lengthOf(yield* browser.tabs, 1)
      })
    )

    it.effect(
      "that come to nothing but a download are closed, and the download is told of the page that began it",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const file = site.page("/window.bin", (_, response) => {
            response
              .writeHead(200, {
                "content-type": "application/octet-stream",
                "content-disposition": 'attachment; filename="rope.bin"'
              })
              .write("ro")
            // the rest comes when the window has gone
            setTimeout(() => response.end("pe"), 300)
          })
          const { browser } = yield* at(
            site.body(
              `<a href="${file}" target=_blank>By link</a> <button onclick="window.open('${file}')">By script</button>`
            )
          )
          for (const text of ["By link", "By script"]) {
            const { downloads, newTabs, unsettled } = yield* browser.click({ text, ...left })
            assert.deepStrictEqual(
              downloads?.map(({ bytes, state, suggestedName }) => [suggestedName, state, bytes]),
              [["rope.bin", "saved", 4]],
              text
            )
            assert.deepStrictEqual(
              newTabs?.map(({ closed }) => closed),
              [true]
            )
            assert.isUndefined(unsettled)
            assert.lengthOf(yield* browser.tabs, 1)
          }
        })
    )

    it.effect("are told as kept from an address that is not allowed", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(`<button onclick="window.open('http://denied.test/rope')">Open</button>`)
        )
        const { blocked } = yield* browser.click({ text: "Open", ...left })
        assert.strictEqual(blocked?.url, "http://denied.test/rope")
        assert.include(blocked?.reason, "denied")
      })
    )
  }
)
