/** Tabs that close by themselves are told of, and so is the one that is active then. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { outcomeLines } from "../../src/tools/render/outcome.ts"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

/** A page, and a window that it opened, which is the active tab; `closed` is what is to be said when that has closed. */
const inWindow = (body: string) =>
  Effect.gen(function* () {
    const site = yield* TestSite
    const window = site.body(body, "window")
    const opener = site.body(
      `<button onclick="held = window.open('${window}')">Open</button><button onclick="held.close()">Close it</button>`,
      "opener"
    )
    const { browser, first } = yield* at(opener)
    const [tab] = (yield* browser.click({ text: "Open", ...left })).newTabs ?? []
    if (tab === undefined) return yield* Effect.die("no window came")
    yield* browser.switchTab(tab.id)
    const closed = `tab ${tab.id} (${window}) has closed`
    return {
      browser,
      first: first.tabId,
      tab: tab.id,
      closed,
      back: `${closed}; tab ${first.tabId} (${opener}) is active now`
    }
  })

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a tab that closes by itself", (it) => {
  for (const script of ["window.close(); 7", "new Promise(() => window.close())"]) {
    it.effect(`is told of by the script that closed it, once: ${script}`, () =>
      Effect.gen(function* () {
        const { back, browser } = yield* inWindow("<h1>Window</h1>")
        const ran = yield* browser.execute({ script })
        assert.isTrue(ran.ok)
        assert.deepStrictEqual(outcomeLines(ran), [back])
        assert.isUndefined((yield* browser.execute({ script: "document.title" })).note)
      })
    )
  }

  it.effect("is told of by a click whose script is over before the tab is", () =>
    Effect.gen(function* () {
      const { back, browser } = yield* inWindow("<button onclick='window.close()'>Done</button>")
      const { clicked, note } = yield* browser.click({ text: "Done", ...left })
      assert.isTrue(clicked)
      assert.strictEqual(note, back)
    })
  )

  it.effect("is told of with what a fill had done until then", () =>
    Effect.gen(function* () {
      const { back, browser } = yield* inWindow("<input name=a oninput='window.close()'><input name=b>")
      const fields = [
        { name: "a", value: "one" },
        { name: "b", value: "two" }
      ]
      const filled = yield* browser.fill({ fields, submit: false })
      assert.strictEqual(filled.note, back)
      assert.lengthOf(filled.fields, 2)
    })
  )

  it.effect("is told of with the blank tab that takes its place, if it was the last one", () =>
    Effect.gen(function* () {
      const { browser, closed, first } = yield* inWindow("<h1>Window</h1>")
      yield* browser.closeTab(first)
      const { note } = yield* browser.execute({ script: "window.close()" })
      const [blank, ...others] = yield* browser.tabs
      assert.lengthOf(others, 0)
      assert.strictEqual(note, `${closed}; tab ${blank?.id} (about:blank) is active now`)
    })
  )

  it.effect("is told of by the act of another tab that closed it, with no word of another active one", () =>
    Effect.gen(function* () {
      const { browser, closed, first } = yield* inWindow("<h1>Window</h1>")
      yield* browser.switchTab(first)
      assert.strictEqual((yield* browser.click({ text: "Close it", ...left })).note, closed)
    })
  )

  it.effect("is told of by the next act, which is done in another tab, when it closed between two", () =>
    Effect.gen(function* () {
      const { back, browser } = yield* inWindow("<h1>Window</h1>")
      yield* browser.execute({ script: "setTimeout(() => window.close(), 100); 0" })
      while ((yield* browser.tabs).length > 1) yield* Effect.yieldNow
      const { note, value } = yield* browser.execute({ script: "document.title" })
      assert.strictEqual(value, '"opener"')
      assert.strictEqual(note, back)
    })
  )

  it.effect("is not told of when a tool closed it", () =>
    Effect.gen(function* () {
      const { browser, tab } = yield* inWindow("<h1>Window</h1>")
      yield* browser.closeTab(tab)
      assert.isUndefined((yield* browser.execute({ script: "document.title" })).note)
    })
  )
})
