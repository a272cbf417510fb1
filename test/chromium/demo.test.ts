import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { TestConsole } from "effect/testing"
import { play } from "../../src/cli/demo/play.ts"
import { serveDemoSite } from "../../src/cli/demo/site.ts"
import { bookingStory } from "../../src/cli/demo/story.ts"
import { visitStory } from "../../src/cli/demo/visit.ts"
import { makeStyle } from "../../src/cli/style.ts"
import * as EffectBrowser from "../../src/EffectBrowser.ts"
import { sizeOf } from "../../src/layers/page/picture.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"

it.live(
  "the demo's story holds in a real Chromium, step by step, and its picture is there",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ directory: tmpdir(), prefix: "demo-" })
      const tools = yield* Tools
      const site = yield* serveDemoSite
      const options = {
        call: (tool: string, args: unknown) => tools.invoke(TaskKey.make("demo"), tool, args),
        paper: { width: 80, style: makeStyle(false) },
        limit: 3
      }
      for (const story of [
        bookingStory(site, join(folder, "booking.png")),
        visitStory(`${site.url}/rules.html`, join(folder, "visit.png"))
      ]) {
        assert.strictEqual((yield* play(story, options)).steps, story.length)
      }
      for (const name of ["booking.png", "visit.png"]) {
        const size = sizeOf(yield* fs.readFile(join(folder, name)))
        assert.isAbove(size?.width ?? 0, 1_000)
        assert.isAbove(size?.height ?? 0, 700)
      }
    }).pipe(Effect.provide(EffectBrowser.layer()), Effect.provide([NodeServices.layer, TestConsole.layer])),
  120_000
)
