/** The whole library in one layer: seam, local Chromium, tasks, files and tools. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as FileAccessLive from "./layers/files/FileAccess.ts"
import * as ChromiumProvider from "./layers/providers/chromium/ChromiumProvider.ts"
import * as BrowserSeam from "./layers/providers/seam/BrowserSeam.ts"
import * as AddressesLive from "./layers/providers/session/AddressesLive.ts"
import * as ControlLive from "./layers/tasks/ControlLive.ts"
import * as HistoryLive from "./layers/tasks/HistoryLive.ts"
import * as ScrapesLive from "./layers/tasks/ScrapesLive.ts"
import * as TasksLive from "./layers/tasks/TasksLive.ts"
import type { BrowserConfig } from "./schemas/config.ts"
import { defaultBrowserConfig } from "./schemas/config.ts"
import type { DuplicateProvider } from "./schemas/errors.ts"
import { ProviderId } from "./schemas/ids.ts"
import type { Browser } from "./services/Browser.ts"
import type { CdpEndpoint } from "./services/CdpEndpoint.ts"
import type { Control } from "./services/Control.ts"
import type { FileAccess } from "./services/FileAccess.ts"
import type { History } from "./services/History.ts"
import type { Scrapes } from "./services/Scrapes.ts"
import type { Tasks } from "./services/Tasks.ts"
import type { Tools } from "./services/Tools.ts"
import type { ViewHost } from "./services/ViewHost.ts"
import * as ToolsLive from "./tools/ToolsLive.ts"

type ProviderLayer = Layer.Layer<never, DuplicateProvider, Browser>

/**
 * The provider "endpoint" beside the others, for a program that sets its address while it runs, by `CdpEndpoint`. The
 * library must be told to select it: its own layer has it already if the configuration holds an address.
 */
export const endpointLayer = (config: BrowserConfig): Layer.Layer<CdpEndpoint, DuplicateProvider, Browser> =>
  Layer.unwrap(
    Effect.promise(() =>
      import("./layers/providers/endpoint/CdpEndpointProvider.ts").then((module) => module.layer(config))
    )
  )

const browserbaseLayer = (config: BrowserConfig): ProviderLayer =>
  Layer.unwrap(
    Effect.promise(() =>
      import("./layers/providers/browserbase/BrowserbaseProvider.ts").then((module) => module.layer(config))
    )
  )

/**
 * The provider "electron" over a view host that the program provides by the service `ViewHost`: a desktop application
 * that shows the pages in a window of its own. The library must be told to select it.
 */
export const viewHostLayer = (config: BrowserConfig): Layer.Layer<never, DuplicateProvider, Browser | ViewHost> =>
  Layer.unwrap(
    Effect.promise(() =>
      import("./layers/providers/electron/ElectronProvider.ts").then((module) => module.layerOverHost(config))
    )
  )

const electronLayer = (config: BrowserConfig): ProviderLayer =>
  Layer.unwrap(
    Effect.promise(() =>
      import("./layers/providers/electron/ElectronProvider.ts").then((module) => module.layer(config))
    )
  )

/** Providers that are there when the configuration describes them, or names them; loaded then. */
const further: Record<"endpoint" | "browserbase" | "electron", (config: BrowserConfig) => ProviderLayer> = {
  endpoint: endpointLayer,
  browserbase: browserbaseLayer,
  electron: electronLayer
}

const described = (config: BrowserConfig): ReadonlyArray<keyof typeof further> => [
  ...(config.cdpEndpoint === undefined ? [] : (["endpoint"] as const)),
  ...(config.browserbase === undefined ? [] : (["browserbase"] as const)),
  ...(config.provider === "electron" ? (["electron"] as const) : [])
]

/** The provider that the configuration names, else the one that it describes, if that is one. */
const chosen = (config: BrowserConfig): Pick<BrowserConfig, "provider"> => {
  const [only, another] = described(config)
  const provider = config.provider ?? (another === undefined && only !== undefined ? ProviderId.make(only) : undefined)
  return provider === undefined ? {} : { provider }
}

const providers = (config: BrowserConfig): ProviderLayer =>
  described(config).reduce((layers, name) => Layer.merge(layers, further[name](config)), ChromiumProvider.layer(config))

/**
 * Everything that is needed to use a browser. No process is started before the first `browser_open`; closing the layer
 * closes every session and ends the browser.
 */
export const layer = (
  config: BrowserConfig = defaultBrowserConfig
): Layer.Layer<Tools | Control | History | Scrapes | Tasks | Browser | FileAccess> =>
  ToolsLive.layer(config).pipe(
    Layer.provide(AddressesLive.layer(config)),
    Layer.provideMerge(Layer.mergeAll(ControlLive.layer(config), HistoryLive.layer, ScrapesLive.layer)),
    Layer.provideMerge(Layer.mergeAll(TasksLive.layer(config), FileAccessLive.layer(config))),
    Layer.provide(Layer.orDie(providers(config))),
    Layer.provideMerge(BrowserSeam.layer(chosen(config))),
    Layer.provide(NodeServices.layer)
  )
