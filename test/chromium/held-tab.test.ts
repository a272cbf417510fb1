/**
 * A page that gets into an endless loop after the next document was asked for, and before that could take its place:
 * then nothing reaches the tab any more.
 */
import { Deferred, Effect, Exit } from "effect"
import { assert, layer } from "@effect/vitest"
import { chromium, engine, session } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

/** Shows a page that loops as soon as its server is asked for the next one; that one comes once it does. */
const looping = Effect.gen(function* () {
  const site = yield* TestSite
  const browser = yield* session
  const loops = yield* Deferred.make<void>()
  const asked = yield* Deferred.make<void>()
  const once = (path: string, then: Effect.Effect<void>, first: Deferred.Deferred<void> | undefined) =>
    site.page(path, (_, response) => {
      if (first !== undefined) Deferred.doneUnsafe(first, Exit.void)
      Effect.runFork(
        Effect.andThen(
          then,
          Effect.sync(() => response.end("<title>next</title><h1>Next</h1>"))
        )
      )
    })
  const signal = once("/signal", Deferred.await(asked), undefined)
  const runs = once("/runs", Effect.void, loops)
  const next = once("/next", Deferred.await(loops), asked)
  yield* browser.open({ url: site.body("<h1>First</h1>", "first"), newTab: false })
  const { tabId } = yield* browser.open({ url: site.body("<h1>Here</h1>", "here"), newTab: false })
  yield* browser.execute({
    script: `fetch("${signal}").then(() => {
      const x = new XMLHttpRequest(); x.open("GET", "${runs}", false); x.send(); while (true) {}
    }); 0`
  })
  return { browser, next, site, tabId }
})

layer(chromium(), { excludeTestServices: true, timeout: "60 seconds" })("a tab that its page holds", (it) => {
  it.effect.skipIf(engine === "electron")("is closed, and the address is opened in its place, which is said", () =>
    Effect.gen(function* () {
      const { browser, next, tabId } = yield* looping
      const opened = yield* browser.open({ url: next, newTab: false })
      assert.strictEqual(opened.title, "next")
      assert.include(opened.elements.map(({ label }) => label).join(), "Next")
      if (opened.tabId === tabId) assert.include(opened.note, "was ended")
      else {
        assert.include(opened.note, `its tab ${tabId} was closed and this one opened in its place`)
        assert.deepStrictEqual(
          (yield* browser.tabs).map(({ id }) => id),
          [opened.tabId]
        )
      }
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"next"')
    })
  )
})
