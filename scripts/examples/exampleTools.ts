/** The tools for the examples: a new set for each one, so that none sees what another did, over one browser. */
import { Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as FileAccessLive from "../../src/layers/files/FileAccess.ts"
import * as ChromiumProvider from "../../src/layers/providers/chromium/ChromiumProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import * as AddressesLive from "../../src/layers/providers/session/AddressesLive.ts"
import * as ControlLive from "../../src/layers/tasks/ControlLive.ts"
import * as HistoryLive from "../../src/layers/tasks/HistoryLive.ts"
import * as ScrapesLive from "../../src/layers/tasks/ScrapesLive.ts"
import * as TasksLive from "../../src/layers/tasks/TasksLive.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import * as ToolsLive from "../../src/tools/ToolsLive.ts"

const config = defaultBrowserConfig

/** The browser. */
export const exampleBrowser = ChromiumProvider.layer(config).pipe(
  Layer.orDie,
  Layer.provideMerge(BrowserSeam.layer(config)),
  Layer.provide(NodeServices.layer)
)

/** Tools that have done nothing yet, over the browser. */
export const exampleTools = Layer.fresh(
  ToolsLive.layer(config).pipe(
    Layer.provide(AddressesLive.layer(config)),
    Layer.provide(Layer.mergeAll(ControlLive.layer(config), HistoryLive.layer, ScrapesLive.layer)),
    Layer.provide(Layer.mergeAll(TasksLive.layer(config), FileAccessLive.layer(config))),
    Layer.provide(NodeServices.layer)
  )
)
