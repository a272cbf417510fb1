/** A page that is on its way to another one: asked of a server that does not answer, or kept by its own question. */
import { Deferred, Effect, Exit } from "effect"
import { assert, layer } from "@effect/vitest"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

layer(chromium(), { excludeTestServices: true, timeout: "60 seconds" })("a page on its way", (it) => {
  it.effect("does nothing later of what it was asked meanwhile; the error says so, and how to keep the page", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const asked = yield* Deferred.make<void>()
      const silent = site.page("/silent", () => {
        Deferred.doneUnsafe(asked, Exit.void)
      })
      const { browser } = yield* at(site.body("<input aria-label=Name>"))
      yield* browser.execute({ script: `setTimeout(() => { location.href = "${silent}" }, 50); 0` })
      yield* Deferred.await(asked)
      const refused = yield* Effect.flip(
        browser
          .execute({ script: "window.ran = true" })
          .pipe(Effect.provideService(Timeouts, { ...defaultTimeouts, tool: 1_000 }))
      )
      assert.strictEqual(refused._tag, "OperationTimeout")
      assert.include(refused.message, "nothing was done")
      assert.include(refused.next, "browser_stop")
      yield* browser.stop
      assert.strictEqual((yield* browser.execute({ script: "typeof window.ran" })).value, '"undefined"')
    })
  )

  it.effect("that stays after all is at rest: what is done next is answered as ever", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.body("<h1>Next</h1>")
      const { browser } = yield* at(
        site.body(
          `<input aria-label=Name><a href="${next}">Go</a><script>onbeforeunload = (e) => { e.preventDefault() }</script>`
        )
      )
      yield* browser.fill({ fields: [{ label: "Name", value: "one" }], submit: false })
      const went = yield* browser.click({ text: "Go", ...left })
      assert.strictEqual(went.dialog?.type, "beforeunload")
      yield* browser.answerDialog({ action: "dismiss" })
      const pressed = yield* browser.click({ selector: "input", ...left })
      assert.notProperty(pressed, "unsettled")
    })
  )
})
