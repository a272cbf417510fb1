/** A frame of another site, in a process of its own, that is in an endless loop. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit } from "effect"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { at, chromium, element, engine, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

/** A page with such a frame, which starts to loop when its button is pressed or when it is told to. */
const withFrame = Effect.gen(function* () {
  const site = yield* TestSite
  const looping = yield* Deferred.make<void>()
  site.page("/frame-loops", (_, response) => {
    response.end()
    Deferred.doneUnsafe(looping, Exit.void)
  })
  const frame = site.page(
    `/frame-${Math.random()}`,
    `<button onclick="document.title = 'pressed'">Inside</button><p id=state>ready</p><script>
      onmessage = () => { const x = new XMLHttpRequest(); x.open("GET", "/frame-loops", false); x.send(); while (true) {} }
    </script>`
  )
  const url = frame.replace(site.origin, site.otherOrigin)
  const { browser, first } = yield* at(site.body(`<button>Outside</button><iframe src="${url}"></iframe>`))
  const freeze = Effect.andThen(
    browser.execute({ script: "frames[0].postMessage('go', '*'); 0" }),
    Deferred.await(looping)
  )
  return { browser, first, freeze, url }
})

layer(chromium(), { excludeTestServices: true, timeout: "60 seconds" })("a frozen frame of another site", (it) => {
  it.effect.skipIf(engine !== "chromium")("is named by what looks for something, and hides nothing else", () =>
    Effect.gen(function* () {
      const { browser, freeze, url } = yield* withFrame
      yield* freeze
      const found = yield* browser.find({ text: "Outside", limit: 5 })
      assert.lengthOf(found.matches, 1)
      assert.include(found.note, url)
      assert.isTrue((yield* browser.click({ text: "Outside", button: "left" })).clicked)
      const error = yield* Effect.flip(browser.click({ text: "Inside", button: "left" }))
      assert.strictEqual(error._tag, "TargetNotFound")
      assert.include(error.message, url)
    })
  )

  it.effect.skipIf(engine !== "chromium")("is stopped when the time for an act in it runs out, and works again", () =>
    Effect.gen(function* () {
      const { browser, first, freeze, url } = yield* withFrame
      const { ref } = element(first, "button", "Inside")
      yield* freeze
      const press = browser.clickRef({ snapshotId: first.snapshotId, ref, button: "left" })
      const error = yield* Effect.flip(press.pipe(Effect.provideService(Timeouts, { ...defaultTimeouts, act: 1_500 })))
      assert.strictEqual(error._tag, "OperationTimeout")
      assert.include(error.message, url)
      assert.include(error.message, "stopped")
      element(yield* browser.snapshot(whole), "button", "Inside")
      assert.isTrue((yield* press).clicked)
    })
  )
})
