import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as EffectBrowser from "../../src/EffectBrowser.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { hostProgram } from "../../src/layers/viewhost/hostProgram.ts"
import { childLanguage } from "../../src/layers/viewhost/surroundings.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import { HostDisposed } from "../../src/schemas/errors.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"

describe("the provider of the window that a person watches", () => {
  it.effect("is there beside Chromium when the configuration names it, and starts nothing before it is used", () =>
    Effect.gen(function* () {
      const config = yield* decodeBrowserConfig({ provider: "electron" })
      const { ids, selected } = yield* Effect.gen(function* () {
        const browser = yield* Browser
        return { ids: browser.providers().map(({ id }) => id as string), selected: yield* browser.select }
      }).pipe(Effect.provide(EffectBrowser.layer(config)))
      assert.deepStrictEqual(ids, ["chromium", "electron"])
      assert.strictEqual(selected.id, "electron")
      assert.isTrue(Object.values(selected.capabilities).every((one) => one))
    })
  )

  it.effect("runs over a view host that the program itself provides, and hands on why there is none", () =>
    Effect.gen(function* () {
      const config = yield* decodeBrowserConfig({ provider: "electron" })
      const own = Layer.succeed(ViewHost, {
        available: () => true,
        running: Effect.fail(new HostDisposed({ operation: "opening a page" }))
      })
      const error = yield* Browser.use((browser) =>
        Effect.flip(Effect.scoped(browser.open({ task: TaskKey.make("own") })))
      ).pipe(
        Effect.provide(
          EffectBrowser.viewHostLayer(config).pipe(Layer.provide(own), Layer.provideMerge(BrowserSeam.layer(config)))
        )
      )
      assert.strictEqual(error._tag, "HostDisposed")
    })
  )
})

describe("the language of pages", () => {
  it("is given only where the system names none", () => {
    assert.deepStrictEqual(childLanguage({}, "linux"), { LANGUAGE: "en_US" })
    assert.deepStrictEqual(childLanguage({ LANG: "C.UTF-8" }, "linux"), { LANGUAGE: "en_US" })
    assert.deepStrictEqual(childLanguage({ LC_ALL: "POSIX", LANG: "de_DE.UTF-8" }, "linux"), { LANGUAGE: "en_US" })
    assert.deepStrictEqual(childLanguage({ LANG: "de_DE.UTF-8" }, "linux"), {})
    assert.deepStrictEqual(childLanguage({ LANGUAGE: "de", LANG: "C" }, "linux"), {})
    assert.deepStrictEqual(childLanguage({}, "darwin"), {})
  })
})

it("the program of the host is looked for in the package, wherever in it the library runs", () => {
  assert.match(hostProgram("/nowhere/at/all"), /host[/\\]main\.cjs$/)
})
