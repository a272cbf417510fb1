/**
 * The provider "endpoint": sessions in a browser that runs already, somewhere, and may be somebody else's.
 *
 * Every session has a connection and pages of its own, and touches no others: pages are opened in the background, what
 * others have open is neither attached nor paused nor closed, and nothing is set that holds for the whole browser. A
 * session ends with its connection; the next one connects afresh.
 */
import { Deferred, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { BrowserConfig } from "../../../schemas/config.ts"
import { ConnectionLost, type DuplicateProvider } from "../../../schemas/errors.ts"
import { ProviderId } from "../../../schemas/ids.ts"
import { Browser, type BrowserProvider } from "../../../services/Browser.ts"
import type { Capabilities } from "../../../services/BrowserSession.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { CdpEndpoint } from "../../../services/CdpEndpoint.ts"
import { parseEndpoint } from "../../cdp/Endpoint.ts"
import { makeTargets } from "../../page/Targets.ts"
import { acquireBrowserContext } from "../session/browserContext.ts"
import { openCdpSession } from "../session/CdpSession.ts"
import { type EndpointConnector, makeEndpointConnector } from "./EndpointConnector.ts"

/** Id under which the provider is registered. */
export const endpointProviderId = ProviderId.make("endpoint")

const capabilities: Capabilities = {
  dialogs: true,
  frames: true,
  cdp: true,
  nativeCapture: false,
  cookies: true,
  downloads: true,
  // who sits before it, if anybody, is not known
  visibleToHuman: false
}

/** An address and everything that hangs on it. */
interface Binding {
  readonly address: string
  readonly label: string
  readonly connector: EndpointConnector
  /** done once another address has taken its place */
  readonly replaced: Deferred.Deferred<ConnectionLost>
}

const bind = (address: Redacted.Redacted<string>): Binding => {
  const { label } = parseEndpoint(address)
  return {
    address: Redacted.value(address),
    label,
    connector: makeEndpointConnector(address, label),
    replaced: Deferred.makeUnsafe()
  }
}

/**
 * The connection, over for its session as soon as the address is replaced. It is closed with the session, so that its
 * tabs can still be closed.
 */
const untilReplaced = (connection: CdpConnection["Service"], { replaced }: Binding): CdpConnection["Service"] => ({
  ...connection,
  closed: Effect.raceFirst(connection.closed, Deferred.await(replaced)),
  isClosed: () => connection.isClosed() || Deferred.isDoneUnsafe(replaced)
})

/** Whether a browser runs without windows: then nobody resizes its pages, and they have the configured size. */
const isHeadless = (connection: CdpConnection["Service"]) =>
  connection.command("Browser.getVersion").pipe(Effect.map(({ userAgent }) => userAgent.includes("Headless")))

const openSession = Effect.fnUntraced(function* (binding: Binding, config: BrowserConfig, isolated: boolean) {
  const connection = untilReplaced(yield* binding.connector.connect, binding)
  const headless = yield* isHeadless(connection)
  const targets = yield* makeTargets(connection, { shared: true })
  return yield* openCdpSession({
    connection,
    targets,
    provider: endpointProviderId,
    capabilities,
    config,
    browserContextId: isolated ? yield* acquireBrowserContext(connection) : undefined,
    viewport: headless ? config.chromium.viewport : undefined,
    shared: true
  })
})

export interface CdpEndpointProvider {
  readonly provider: BrowserProvider
  readonly endpoint: CdpEndpoint["Service"]
}

/** The provider, attached to the configured address to begin with. It does nothing before the first `open`. */
export const makeCdpEndpointProvider = Effect.fnUntraced(function* (
  config: BrowserConfig
): Effect.fn.Return<CdpEndpointProvider, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  let binding = config.cdpEndpoint === undefined ? undefined : bind(config.cdpEndpoint.url)
  const provider: BrowserProvider = {
    id: endpointProviderId,
    available: () => binding !== undefined,
    capabilities,
    open: Effect.fn("CdpEndpointProvider.open")((options) => {
      const bound = binding
      if (bound === undefined) return Effect.fail(new ConnectionLost({ reason: "no endpoint is set" }))
      return Effect.raceFirst(
        openSession(bound, config, options.isolated ?? config.isolated),
        Effect.flatMap(Deferred.await(bound.replaced), (lost) => Effect.fail(lost))
      ).pipe(
        Effect.catchTag("MessageTooLarge", (error) => Effect.die(error)),
        Effect.provideService(HttpClient.HttpClient, client)
      )
    })
  }
  const endpoint = CdpEndpoint.of({
    label: () => binding?.label,
    set: (address) =>
      Effect.suspend(() => {
        const former = binding
        if (former?.address === (address === undefined ? undefined : Redacted.value(address))) return Effect.void
        binding = address === undefined ? undefined : bind(address)
        const lost = new ConnectionLost({ reason: "another endpoint took its place" })
        return former === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(former.replaced, lost))
      })
  })
  return { provider, endpoint }
})

/** Registers the provider with the seam for the life of the layer, and gives the way to change its address. */
export const layer = (config: BrowserConfig): Layer.Layer<CdpEndpoint, DuplicateProvider, Browser> =>
  Layer.effect(
    CdpEndpoint,
    Effect.gen(function* () {
      const browser = yield* Browser
      const { endpoint, provider } = yield* makeCdpEndpointProvider(config)
      yield* browser.register(provider)
      return endpoint
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
