/**
 * The provider "browserbase": each session gets a browser of its own in Browserbase's cloud, which ends with it.
 *
 * Its proxy answers native dialogs itself within milliseconds (runtime fact 32), so they wait at the gate, and what misses it asks over the bridge.
 */
import { Config, Effect, Exit, Fiber, Layer, Option, type Redacted, Schedule, type Scope } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { BrowserConfig } from "../../../schemas/config.ts"
import { type DuplicateProvider, ConnectionLost } from "../../../schemas/errors.ts"
import { ProviderId } from "../../../schemas/ids.ts"
import { Browser, type BrowserProvider } from "../../../services/Browser.ts"
import type { Capabilities } from "../../../services/BrowserSession.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { connect } from "../../cdp/CdpWebSocket.ts"
import { makeTargets } from "../../page/Targets.ts"
import { openCdpSession } from "../session/CdpSession.ts"
import { type BrowserbaseApi, type CloudSession, makeBrowserbaseApi } from "./BrowserbaseApi.ts"

/** Id under which the provider is registered. */
export const browserbaseProviderId = ProviderId.make("browserbase")

const capabilities: Capabilities = {
  dialogs: true,
  frames: true,
  cdp: true,
  nativeCapture: false,
  cookies: true,
  downloads: true,
  visibleToHuman: false
}

/** Time between two signs of life: what stands in between drops connections over which nothing goes. */
const heartbeat = "30 seconds"

/**
 * A browser in the cloud, released when the scope closes. An interruption does not stop the request that starts it: it
 * would run on, and cost, without anybody who knows it.
 */
const acquireCloudSession = (api: BrowserbaseApi): Effect.Effect<CloudSession, ConnectionLost, Scope.Scope> =>
  Effect.gen(function* () {
    const creating = yield* Effect.uninterruptible(
      Effect.tap(Effect.forkDetach(Effect.interruptible(api.create)), (fiber) =>
        Effect.addFinalizer(() =>
          Effect.flatMap(Fiber.await(fiber), (created) =>
            Exit.isFailure(created)
              ? Effect.void
              : Effect.catch(api.release(created.value.id), ({ reason }) =>
                  Effect.logWarning(`A browser in the cloud was not released: ${reason}`)
                )
          )
        )
      )
    )
    return yield* Fiber.join(creating)
  })

const keepAlive = (connection: CdpConnection["Service"]) =>
  Effect.ignore(connection.command("Browser.getVersion", undefined, { timeout: "20 seconds" })).pipe(
    Effect.repeat(Schedule.spaced(heartbeat)),
    Effect.delay(heartbeat),
    Effect.forkScoped
  )

/** The provider for a key; without one it is not available. Nothing is started before the first `open`. */
export const makeBrowserbaseProvider = Effect.fnUntraced(function* (
  config: BrowserConfig,
  credentials: { readonly key: Redacted.Redacted<string> | undefined; readonly projectId: string | undefined }
): Effect.fn.Return<BrowserProvider, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const { key, projectId } = credentials
  const settings = config.browserbase
  const api =
    key === undefined || settings === undefined
      ? undefined
      : makeBrowserbaseApi(client, key, settings, settings.projectId ?? projectId)
  return {
    id: browserbaseProviderId,
    available: () => api !== undefined,
    capabilities,
    open: Effect.fn("BrowserbaseProvider.open")(function* () {
      if (api === undefined) return yield* new ConnectionLost({ reason: "BROWSERBASE_API_KEY is not set" })
      const { address } = yield* acquireCloudSession(api)
      const connection = yield* connect(address)
      yield* keepAlive(connection)
      return yield* openCdpSession({
        connection,
        // nobody else uses that browser, so every page may be made to wait for us; but its disk is not ours
        targets: yield* makeTargets(connection),
        shared: true,
        provider: browserbaseProviderId,
        capabilities,
        config,
        browserContextId: undefined,
        viewport: config.chromium.viewport,
        dialogWay: "both"
      })
    })
  }
})

const credentials = Config.all({
  key: Config.map(Config.option(Config.Redacted("BROWSERBASE_API_KEY")), Option.getOrUndefined),
  projectId: Config.map(Config.option(Config.String("BROWSERBASE_PROJECT_ID")), Option.getOrUndefined)
})

/**
 * Registers the provider with the seam for the life of the layer. The key comes from `BROWSERBASE_API_KEY`, the project
 * from the settings or from `BROWSERBASE_PROJECT_ID`; without it the service takes the key's own.
 */
export const layer = (config: BrowserConfig): Layer.Layer<never, DuplicateProvider, Browser> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const browser = yield* Browser
      const found = yield* Effect.orDie(credentials)
      yield* browser.register(yield* makeBrowserbaseProvider(config, found))
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
