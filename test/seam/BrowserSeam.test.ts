import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { ProviderId, TaskKey } from "../../src/schemas/ids.ts"
import type { BrowserProvider } from "../../src/services/Browser.ts"
import { Browser } from "../../src/services/Browser.ts"
import { stubCapabilities, stubSession } from "../support/StubBrowser.ts"

const id = (name: string) => ProviderId.make(name)
const task = TaskKey.make("task")

const provider = (name: string, available: () => boolean = () => true): BrowserProvider => ({
  id: id(name),
  available,
  capabilities: stubCapabilities,
  open: (options) => Effect.succeed(stubSession(`${name}/${options.task}`, name, Effect.never))
})

const withSeam = <A, E>(effect: Effect.Effect<A, E, Browser | Scope.Scope>, configured?: string) =>
  effect.pipe(
    Effect.provide(BrowserSeam.layer(configured === undefined ? {} : { provider: id(configured) })),
    Effect.scoped
  )

describe("the seam", () => {
  it.effect("forgets a provider when the scope of its registration closes", () =>
    withSeam(
      Effect.gen(function* () {
        const browser = yield* Browser
        const scope = yield* Scope.make()
        yield* browser.register(provider("a")).pipe(Scope.provide(scope))
        assert.strictEqual((yield* browser.select).id, "a")
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual((yield* Effect.flip(browser.select)).code, "BROWSER_PROVIDER_UNAVAILABLE")
        assert.deepStrictEqual(browser.providers(), [])
      })
    )
  )

  it.effect("refuses a second provider of the same id, and the first one stays", () =>
    withSeam(
      Effect.gen(function* () {
        const browser = yield* Browser
        const first = provider("a")
        yield* browser.register(first)
        const refused = yield* browser.register(provider("a")).pipe(Effect.scoped, Effect.flip)
        assert.strictEqual(refused.code, "BROWSER_DUPLICATE_PROVIDER")
        assert.strictEqual(yield* browser.select, first)
      })
    )
  )

  it.effect("counts an availability probe that throws as not available", () =>
    withSeam(
      Effect.gen(function* () {
        const browser = yield* Browser
        yield* browser.register(
          provider("broken", () => {
            throw new Error("no")
          })
        )
        yield* browser.register(provider("a"))
        assert.strictEqual((yield* browser.select).id, "a")
        assert.deepStrictEqual(browser.providers(), [
          { id: id("a"), available: true },
          { id: id("broken"), available: false }
        ])
      })
    )
  )

  it.effect("selects anew at each open, and an open session stays with its provider", () =>
    withSeam(
      Effect.gen(function* () {
        const browser = yield* Browser
        let usable = true
        yield* browser.register(provider("a", () => usable))
        yield* browser.register(provider("b", () => !usable))
        const first = yield* browser.open({ task })
        usable = false
        const second = yield* browser.open({ task })
        assert.deepStrictEqual([first.provider, second.provider], [id("a"), id("b")])
      })
    )
  )

  it.effect("opens with the configured provider among several", () =>
    withSeam(
      Effect.gen(function* () {
        const browser = yield* Browser
        yield* browser.register(provider("a"))
        yield* browser.register(provider("b"))
        assert.strictEqual((yield* browser.open({ task })).id, "b/task")
      }),
      "b"
    )
  )
})
