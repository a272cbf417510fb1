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
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"
import { TestSite } from "../support/TestSite.ts"

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
        // no dialog of the page is open there, so none is dismissed
        const played = story.filter(({ onlyIf }) => onlyIf === undefined)
        assert.strictEqual((yield* play(story, options)).steps, played.length)
      }
      for (const name of ["booking.png", "visit.png"]) {
        const size = sizeOf(yield* fs.readFile(join(folder, name)))
        assert.isAbove(size?.width ?? 0, 1_000)
        assert.isAbove(size?.height ?? 0, 700)
      }
    }).pipe(Effect.provide(EffectBrowser.layer()), Effect.provide([NodeServices.layer, TestConsole.layer])),
  120_000
)

it.live(
  "the demo of a page that asks before anything else dismisses its dialogs, says so, and goes on",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ directory: tmpdir(), prefix: "demo-" })
      const tools = yield* Tools
      const site = yield* TestSite
      const url = site.page("/asks-first", "<script>alert('First'); alert('Second')</script><p>Here</p>")
      const story = visitStory(url, join(folder, "visit.png"))
      yield* play(story, {
        call: (tool, args) => tools.invoke(TaskKey.make("demo"), tool, args),
        paper: { width: 80, style: makeStyle(false) },
        limit: 8
      })
      const printed = (yield* TestConsole.logLines).map(String).join("\n")
      for (const said of ['alert "First"', 'alert "Second"', "dismiss", "Here"]) assert.include(printed, said)
      assert.isTrue(yield* fs.exists(join(folder, "visit.png")))
    }).pipe(
      Effect.provide(EffectBrowser.layer({ ...defaultBrowserConfig, dialogWay: "gate" })),
      Effect.provide([NodeServices.layer, TestConsole.layer, TestSite.layer])
    ),
  120_000
)
