import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeBrowserConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"

it.effect("an absent list and an empty one are different", () =>
  Effect.gen(function* () {
    const absent = yield* decodeBrowserConfig({})
    const empty = yield* decodeBrowserConfig({ writeRoots: [], readRoots: [] })
    assert.isUndefined(absent.writeRoots)
    assert.deepStrictEqual(empty.writeRoots, [])
    assert.deepStrictEqual(empty.readRoots, [])
  })
)

it.effect("every setting has its default", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* decodeBrowserConfig({}), defaultBrowserConfig)
    assert.deepInclude(defaultBrowserConfig, {
      dialogPolicy: "must_respond",
      dialogTimeoutMs: 300_000,
      isolated: false
    })
    assert.deepStrictEqual((yield* decodeBrowserConfig({ chromium: {} })).chromium, defaultBrowserConfig.chromium)
  })
)

it.effect("an unknown setting, a wrong type and a number out of range are refused, all in one message", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(decodeBrowserConfig({ colour: 1, isolated: "yes", toolTimeoutMs: 0 }))
    for (const name of ["colour", "isolated", "toolTimeoutMs"]) assert.include(error.message, name)
  })
)
