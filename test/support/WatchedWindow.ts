/** The whole library over the Electron of the tests, its window, and a person before it. */
import { Effect, Layer, type Scope } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as FileAccessLive from "../../src/layers/files/FileAccess.ts"
import { layerOverHost } from "../../src/layers/providers/electron/ElectronProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import * as AddressesLive from "../../src/layers/providers/session/AddressesLive.ts"
import * as ControlLive from "../../src/layers/tasks/ControlLive.ts"
import * as HistoryLive from "../../src/layers/tasks/HistoryLive.ts"
import * as ScrapesLive from "../../src/layers/tasks/ScrapesLive.ts"
import * as TasksLive from "../../src/layers/tasks/TasksLive.ts"
import type { BrowserConfig } from "../../src/schemas/config.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"
import * as ToolsLive from "../../src/tools/ToolsLive.ts"
import { testViewHost } from "./ElectronSession.ts"
import { VirtualDisplay } from "./VirtualDisplay.ts"
import { type XPerson, xPerson } from "./XPerson.ts"

/** Tools, control and window for a block of tests. */
export const layerWatchedWindow = (settings: Partial<BrowserConfig> = {}) => {
  const config = { ...defaultBrowserConfig, ...settings }
  return ToolsLive.layer(config).pipe(
    Layer.provide(AddressesLive.layer(config)),
    Layer.provideMerge(Layer.mergeAll(ControlLive.layer(config), HistoryLive.layer, ScrapesLive.layer)),
    Layer.provideMerge(Layer.mergeAll(TasksLive.layer(config), FileAccessLive.layer(config))),
    Layer.provide(Layer.orDie(layerOverHost(config))),
    Layer.provideMerge(Layer.merge(testViewHost(), BrowserSeam.layer(config))),
    Layer.provideMerge(VirtualDisplay.layer),
    Layer.provide(NodeServices.layer)
  )
}

/** Calls a tool of a task; yields what it answers, as data. */
export const callTool = (task: string, name: string, args: object = {}) =>
  Effect.map(
    Tools.use((tools) => tools.invoke(TaskKey.make(task), name, args)),
    ({ structured }) => structured
  )

const host = Effect.flatMap(ViewHost, (service) => service.running)

export const windowState = Effect.flatMap(host, (running) => running.call("window", {}))
export const hostTasks = Effect.flatMap(host, (running) =>
  Effect.map(running.call("listTasks", {}), ({ tasks }) => tasks)
)

/** Asks until it is so; what somebody else does takes its time. */
export const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (value: A) => boolean): Effect.Effect<A, E, R> =>
  ask.pipe(
    Effect.tap((value) => (isSo(value) ? Effect.void : Effect.sleep("20 millis"))),
    Effect.repeat({ until: isSo }),
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => Effect.flatMap(ask, (value) => Effect.die(new Error(`it is still ${JSON.stringify(value)}`)))
    })
  )

export interface PersonHere extends XPerson {
  /** Presses something in the window's bar, as soon as it is there. */
  readonly press: (control: string) => Effect.Effect<void, unknown, ViewHost>
  /** Clicks into the page in front (CSS px). */
  readonly clickPage: (x: number, y: number) => Effect.Effect<void, unknown, ViewHost>
}

/** A person before the window. */
export const personHere: Effect.Effect<PersonHere, never, Scope.Scope | VirtualDisplay> = Effect.gen(function* () {
  const { display } = yield* VirtualDisplay
  const person = yield* xPerson(display)
  return {
    ...person,
    press: (control) =>
      Effect.gen(function* () {
        const { bar, position } = yield* until(windowState, ({ bar }) =>
          bar.controls.some(({ name }) => name === control)
        )
        const { height, width, x, y } = bar.controls.find(({ name }) => name === control)!.bounds
        yield* person.click(position.x + Math.round(x + width / 2), position.y + Math.round(y + height / 2))
      }),
    clickPage: (x, y) =>
      Effect.gen(function* () {
        const { position, views } = yield* windowState
        const front = views.find(({ visible }) => visible)!
        yield* person.click(position.x + front.bounds.x + x, position.y + front.bounds.y + y)
      })
  }
})
