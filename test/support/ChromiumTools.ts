/** The tools as they are offered to agents, over a real Chromium. */
import { Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as FileAccessLive from "../../src/layers/files/FileAccess.ts"
import * as AddressesLive from "../../src/layers/providers/session/AddressesLive.ts"
import * as ControlLive from "../../src/layers/tasks/ControlLive.ts"
import * as HistoryLive from "../../src/layers/tasks/HistoryLive.ts"
import * as ScrapesLive from "../../src/layers/tasks/ScrapesLive.ts"
import * as TasksLive from "../../src/layers/tasks/TasksLive.ts"
import { decodeBrowserConfig, type DialogWay } from "../../src/schemas/config.ts"
import * as ToolsLive from "../../src/tools/ToolsLive.ts"
import { chromium } from "./ChromiumSession.ts"

/** Tools, tasks and a browser that all have the same settings, and pages to open. */
export const chromiumTools = (settings: { readonly chromium?: object; readonly dialogWay?: DialogWay } = {}) =>
  Layer.unwrap(
    Effect.map(Effect.orDie(decodeBrowserConfig(settings)), (config) =>
      ToolsLive.layer(config).pipe(
        Layer.provide(AddressesLive.layer(config)),
        Layer.provideMerge(Layer.mergeAll(ControlLive.layer(config), HistoryLive.layer, ScrapesLive.layer)),
        Layer.provideMerge(Layer.mergeAll(TasksLive.layer(config), FileAccessLive.layer(config))),
        Layer.provideMerge(chromium(settings)),
        Layer.provide(NodeServices.layer)
      )
    )
  )
