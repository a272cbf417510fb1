import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, Layer, Logger, Option, Redacted, References, Schema, Scope } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as EffectBrowser from "../../src/EffectBrowser.ts"
import type { BrowserOptions } from "../../src/cli/browserFlags.ts"
import { loadConfig } from "../../src/cli/settings.ts"
import { makeEndpointConnector } from "../../src/layers/providers/endpoint/EndpointConnector.ts"
import { decodeBrowserConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"
import { ProviderId, TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"
import { CdpEndpoint } from "../../src/services/CdpEndpoint.ts"
import { Tools } from "../../src/services/Tools.ts"
import { FetchHttpClient } from "effect/http"
import { endpointAt } from "../support/EndpointSession.ts"
import { makeSimulatedWebSocket } from "../support/SimulatedCdpServer.ts"

const Secret = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{8,24}$/))
const Secrets = Schema.Struct({ user: Secret, password: Secret, token: Secret, path: Secret })

/** Logs everything into `lines`. */
const capture = (lines: Array<string>) =>
  Layer.merge(
    Logger.layer([
      Logger.make((options) => lines.push(JSON.stringify(Logger.formatJson.log(options)))),
      Logger.make((options) => lines.push(Logger.formatLogFmt.log(options)))
    ]),
    Layer.succeed(References.MinimumLogLevel, "All")
  )

/** Everything that an exit shows. */
const shown = (exit: Exit.Exit<unknown, unknown>): string =>
  [JSON.stringify(exit), String(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""].join("\n")

/** A server that refuses, and echoes what it was asked, as proxies do. */
const refusing = Effect.map(
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const made = createServer((request, response) => {
        response.writeHead(403, { connection: "close" }).end(`${request.url} ${request.headers.authorization}`)
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.callback<void>((resume) => void made.close(() => resume(Effect.void)))
  ),
  (made) => (made.address() as AddressInfo).port
)

const noOptions: BrowserOptions = {
  config: Option.none(),
  provider: Option.none(),
  endpoint: Option.none(),
  executable: Option.none(),
  headed: false,
  profile: Option.none(),
  isolated: false,
  viewport: Option.none(),
  writeRoots: []
}

describe("the address of a browser", () => {
  it.live.prop(
    "reaches no error, no answer of a tool, no log line and no message about settings",
    { secrets: Secrets },
    ({ secrets }) =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        yield* Effect.gen(function* () {
          const closed = yield* refusing
          const { port, server } = yield* makeSimulatedWebSocket
          server.answer("*", (command) => {
            server.refuse(command, `refused ${Object.values(secrets).join(" ")}`, -32000, secrets.token)
            return undefined
          })
          const address = (scheme: string, to: number) =>
            `${scheme}://${secrets.user}:${secrets.password}@127.0.0.1:${to}/${secrets.path}?token=${secrets.token}`
          for (const url of [
            address("ws", 9),
            address("ws", closed),
            address("http", 9),
            address("http", closed),
            address("wss", closed),
            address("ws", port)
          ]) {
            const config = yield* decodeBrowserConfig({ cdpEndpoint: { url } })
            lines.push(JSON.stringify(config), String(config.cdpEndpoint?.url))
            yield* Effect.gen(function* () {
              const browser = yield* Browser
              const tools = yield* Tools
              const task = TaskKey.make("task")
              lines.push(JSON.stringify(browser.providers()))
              lines.push(shown(yield* Effect.exit(Effect.scoped(browser.open({ task })))))
              lines.push(shown(yield* Effect.exit(tools.invoke(task, "browser_open", { url: "http://127.0.0.1/" }))))
            }).pipe(Effect.provide(EffectBrowser.layer(config)))
          }
          for (const wrong of [`ftp://${secrets.token}@host/`, secrets.token]) {
            const error = yield* Effect.flip(loadConfig({ ...noOptions, endpoint: Option.some(wrong) }))
            assert.include(error.message, "--endpoint")
            lines.push(shown(Exit.fail(error)))
          }
        }).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeServices.layer, capture(lines))))
        const everything = lines.join("\n")
        assert.include(everything, "127.0.0.1")
        for (const secret of Object.values(secrets)) assert.notInclude(everything, secret)
      }),
    { arbitrary: { runs: 8 }, timeout: 60_000 }
  )

  it.effect("comes from the option or the environment, and selects its provider", () =>
    Effect.gen(function* () {
      const url = "ws://127.0.0.1:9222/devtools/browser/x"
      const load = (options: Partial<BrowserOptions>, env: Record<string, string>) =>
        loadConfig({ ...noOptions, ...options }).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
        )
      const byOption = yield* load({ endpoint: Option.some(url) }, { EFFECT_BROWSER_ENDPOINT: "ws://other/" })
      const byEnvironment = yield* load({}, { EFFECT_BROWSER_ENDPOINT: url })
      for (const config of [byOption, byEnvironment]) {
        assert.strictEqual(Redacted.value(config.cdpEndpoint!.url), url)
      }
      const selected = yield* Effect.flatMap(Browser, (browser) => browser.select).pipe(
        Effect.provide(EffectBrowser.layer(byOption))
      )
      assert.strictEqual(selected.id, "endpoint")
      const named = yield* Effect.flatMap(Browser, (browser) => Effect.exit(browser.select)).pipe(
        Effect.provide(EffectBrowser.layer({ ...byOption, provider: "nobody" as never }))
      )
      assert.isTrue(Exit.isFailure(named))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is shown as scheme and host, and none makes the provider unavailable", () =>
    Effect.gen(function* () {
      const browser = yield* Browser
      const endpoint = yield* CdpEndpoint
      assert.strictEqual(endpoint.label(), "wss://cloud.example")
      assert.deepStrictEqual(browser.providers(), [{ id: "endpoint" as never, available: true }])
      yield* endpoint.set(undefined)
      assert.isUndefined(endpoint.label())
      assert.deepStrictEqual(browser.providers(), [{ id: "endpoint" as never, available: false }])
      yield* endpoint.set(Redacted.make("ws://127.0.0.1:9/"))
      assert.strictEqual((yield* browser.select).id, "endpoint")
    }).pipe(Effect.provide(endpointAt("wss://cloud.example/?token=secret")))
  )
})

describe("a program that changes the address while it runs", () => {
  const provider = ProviderId.make("endpoint")
  const config = { ...defaultBrowserConfig, provider }

  it.effect("adds the provider to the whole library, and has it once there is an address", () =>
    Effect.gen(function* () {
      const browser = yield* Browser
      assert.strictEqual((yield* Effect.flip(browser.select))._tag, "ProviderConfiguredUnavailable")
      yield* (yield* CdpEndpoint).set(Redacted.make("ws://127.0.0.1:9/"))
      assert.strictEqual((yield* browser.select).id, provider)
    }).pipe(
      Effect.provide(EffectBrowser.endpointLayer(config).pipe(Layer.provideMerge(EffectBrowser.layer(config)))),
      Effect.orDie
    )
  )
})

describe("connecting again", () => {
  it.live(
    "after a success it is tried five times with growing waits, then said once, and no more until it is asked again",
    () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        /** what five tries wait in all (ms): 0.5 + 1 + 2 + 4 s, each 80 to 120 % */
        const leastWait = 5_900
        const scope = yield* Scope.make()
        const { port } = yield* Scope.provide(makeSimulatedWebSocket, scope)
        const connector = makeEndpointConnector(Redacted.make(`ws://127.0.0.1:${port}/a`), "ws://here")
        const never = makeEndpointConnector(Redacted.make("ws://127.0.0.1:9/a"), "ws://there")
        /** Dials and gives the time (ms) until the failure. */
        const failing = Effect.fnUntraced(
          function* (one: typeof connector) {
            const began = performance.now()
            const error = yield* Effect.flip(Effect.scoped(Effect.asVoid(one.connect)))
            assert.strictEqual(error._tag, "ConnectionLost")
            return performance.now() - began
          },
          Effect.provide(capture(lines))
        )
        yield* Effect.scoped(Effect.asVoid(connector.connect))
        yield* Scope.close(scope, Exit.void)
        // in less time than another try would wait for
        const unsaid = lines.length
        assert.isBelow(yield* failing(never), leastWait)
        assert.lengthOf(lines.slice(unsaid), 0)
        assert.isAtLeast(yield* failing(connector), leastWait)
        assert.lengthOf(
          lines.filter((line) => line.includes("did not come back in 5 tries") && line.includes("level=")),
          1
        )
        assert.isBelow(yield* failing(connector), leastWait)
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)),
    30_000
  )
})
