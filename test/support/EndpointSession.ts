/** Sessions in a browser that runs already, for tests of what attaches to one. */
import { Effect, Layer } from "effect"
import * as CdpEndpointProvider from "../../src/layers/providers/endpoint/CdpEndpointProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"

/** The seam with the provider "endpoint" at an address, and the way to change it. */
export const endpointAt = (url: string, settings: object = {}) =>
  Layer.unwrap(
    Effect.map(Effect.orDie(decodeBrowserConfig({ ...settings, cdpEndpoint: { url } })), (config) =>
      CdpEndpointProvider.layer(config).pipe(Layer.orDie, Layer.provideMerge(BrowserSeam.layer(config)))
    )
  )

let tasks = 0

/** A session of a task of its own, closed with the scope. */
export const endpointSession = Effect.flatMap(Browser, (browser) =>
  browser.open({ task: TaskKey.make(`endpoint-${++tasks}`) })
)
