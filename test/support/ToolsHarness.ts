/** The tool layer over real tasks and a session in memory. */
import { Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as FileAccessLive from "../../src/layers/files/FileAccess.ts"
import * as AddressesLive from "../../src/layers/providers/session/AddressesLive.ts"
import * as ControlLive from "../../src/layers/tasks/ControlLive.ts"
import * as HistoryLive from "../../src/layers/tasks/HistoryLive.ts"
import * as ScrapesLive from "../../src/layers/tasks/ScrapesLive.ts"
import * as TasksLive from "../../src/layers/tasks/TasksLive.ts"
import type { BrowserConfig } from "../../src/schemas/config.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import * as ToolsLive from "../../src/tools/ToolsLive.ts"
import { layerFakeBrowser } from "./FakeSession.ts"

/** `session`: the one to open, or what gives one at each opening (called first for what a session could do). */
export const layerTools = (session: BrowserSession | (() => BrowserSession), settings: Partial<BrowserConfig> = {}) => {
  const config = { ...defaultBrowserConfig, ...settings }
  return ToolsLive.layer(config).pipe(
    Layer.provide(AddressesLive.layer(config)),
    Layer.provideMerge(Layer.mergeAll(ControlLive.layer(config), HistoryLive.layer, ScrapesLive.layer)),
    Layer.provideMerge(Layer.mergeAll(TasksLive.layer(config), FileAccessLive.layer(config))),
    Layer.provide(
      Layer.mergeAll(layerFakeBrowser(typeof session === "function" ? session : () => session), NodeServices.layer)
    )
  )
}
