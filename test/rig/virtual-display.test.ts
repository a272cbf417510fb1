import { spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { processesNaming, untilNothing } from "../support/browserProcesses.ts"
import { VirtualDisplay } from "../support/VirtualDisplay.ts"
import { withVariable } from "../support/variables.ts"

const servers = () => processesNaming("-displayfd 3 -screen 0 1600x1200x24")

it.live.skipIf(spawnSync("Xvfb", ["-help"]).error !== undefined)(
  "a display is started where there is none, is named by DISPLAY meanwhile, and goes with its scope",
  () =>
    Effect.gen(function* () {
      yield* withVariable("DISPLAY", undefined)
      const before = new Set(servers())
      const own = () => servers().filter((pid) => !before.has(pid))
      yield* Effect.gen(function* () {
        const { display } = yield* VirtualDisplay
        assert.match(display, /^:\d+$/)
        assert.strictEqual(process.env["DISPLAY"], display)
        assert.isAbove(own().length, 0)
      }).pipe(Effect.provide(Layer.fresh(VirtualDisplay.layer)))
      assert.isUndefined(process.env["DISPLAY"])
      assert.deepStrictEqual(yield* untilNothing(own, 5_000), [])
    })
)

it.live("a display that is there is used as it is", () =>
  Effect.gen(function* () {
    yield* withVariable("DISPLAY", ":4711")
    const { display } = yield* VirtualDisplay.pipe(Effect.provide(Layer.fresh(VirtualDisplay.layer)))
    assert.strictEqual(display, ":4711")
    assert.strictEqual(process.env["DISPLAY"], ":4711")
  })
)
