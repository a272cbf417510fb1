/** The window goes away and comes back, as a person makes it do; what agents see of their pages is always the page. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PNG } from "pngjs"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"
import { TestSite } from "../support/TestSite.ts"
import { VirtualDisplay } from "../support/VirtualDisplay.ts"
import { callTool, layerWatchedWindow, until, windowState } from "../support/WatchedWindow.ts"
import { xWindowManager } from "../support/XWindowManager.ts"

/** The colours of a picture's corners and of its middle. */
const colours = ({ data, height, width }: PNG) => {
  const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)].join()
  return [
    ...new Set([at(2, 2), at(width - 3, 2), at(width >> 1, height >> 1), at(2, height - 3), at(width - 3, height - 3)])
  ]
}

layer(Layer.merge(layerWatchedWindow(), TestSite.layer), { excludeTestServices: true, timeout: "60 seconds" })(
  "a window that is minimised and restored",
  (it) => {
    it.effect("never changes what a picture shows: the page as it is now, in its size, in front or not", () =>
      Effect.gen(function* () {
        const { display } = yield* VirtualDisplay
        yield* xWindowManager(display)
        const site = yield* TestSite
        const tasks = yield* Tasks
        const host = yield* Effect.flatMap(ViewHost, (service) => service.running)
        yield* callTool("front", "browser_open", { url: site.body("<p>front</p>", "Front") })
        yield* callTool("behind", "browser_open", { url: site.body("<p>behind</p>", "Behind") })
        const { content } = yield* windowState
        const arrange = (action: "minimize" | "restore", minimized: boolean) =>
          Effect.andThen(
            host.call("arrangeWindow", { action }),
            until(windowState, (state) => state.minimized === minimized)
          )
        const check = (red: number) =>
          Effect.forEach(["front", "behind"], (task) =>
            Effect.gen(function* () {
              const session = tasks.peek(TaskKey.make(task))!
              yield* session.execute({ script: `document.documentElement.style.background = "rgb(${red}, 20, 30)"` })
              for (const fullPage of [false, true]) {
                const { data } = yield* session.screenshot({ format: "png", fullPage })
                const picture = PNG.sync.read(Buffer.from(data))
                const facts = [picture.width, picture.height, ...colours(picture)]
                assert.deepStrictEqual(facts, [1280, 800, `${red},20,30`], `${task}, ${fullPage}, ${red}`)
              }
            })
          )
        yield* check(50)
        yield* arrange("minimize", true)
        yield* check(100)
        // one that was made meanwhile
        yield* callTool("made meanwhile", "browser_open", { url: site.body("<p>new</p>", "New") })
        yield* arrange("restore", false)
        yield* check(150)
        const after = yield* windowState
        assert.deepStrictEqual(after.content, content)
        const { value } = yield* tasks
          .peek(TaskKey.make("made meanwhile"))!
          .execute({ script: "return [innerWidth, innerHeight].join()" })
        assert.strictEqual(value, '"1280,800"')
      })
    )
  }
)
