import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, Redacted, References, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { connect, resolveEndpoint } from "../../src/layers/cdp/CdpWebSocket.ts"
import { parseEndpoint, reachable } from "../../src/layers/cdp/Endpoint.ts"
import { makeSimulatedWebSocket } from "../support/SimulatedCdpServer.ts"

const Secret = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+%~ _-]{8,24}$/))

const Secrets = Schema.Struct({ user: Secret, password: Secret, token: Secret, path: Secret, fragment: Secret })

/** Logs everything into `lines`, in the forms of all three formatters, spans and annotations included. */
const capture = (lines: Array<string>) =>
  Layer.merge(
    Logger.layer(
      [Logger.formatJson, Logger.formatLogFmt, Logger.formatStructured].map((format) =>
        Logger.make((options) => lines.push(JSON.stringify(format.log(options))))
      )
    ),
    Layer.succeed(References.MinimumLogLevel, "All")
  )

const withServer = Effect.fnUntraced(function* (secrets: typeof Secrets.Type, show: (value: unknown) => void) {
  const { server, port } = yield* makeSimulatedWebSocket
  const refusing = yield* Effect.acquireRelease(
    Effect.callback<import("node:http").Server>((resume) => {
      const created = createServer((request, response) => {
        // Echoes what it was asked, as proxies do in their error pages.
        response.writeHead(403, { connection: "close" }).end(`${request.url} ${request.headers.authorization}`)
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(created)))
    }),
    (created) => Effect.callback<void>((resume) => void created.close(() => resume(Effect.void)))
  )
  const refusingAddress = refusing.address()
  const refusingPort = refusingAddress !== null && typeof refusingAddress === "object" ? refusingAddress.port : 0

  const userInfo = `${encodeURIComponent(secrets.user)}:${encodeURIComponent(secrets.password)}`
  const rest = `${encodeURIComponent(secrets.path)}?token=${encodeURIComponent(secrets.token)}#${encodeURIComponent(secrets.fragment)}`
  const address = (protocol: string, to: number) =>
    Redacted.make(`${protocol}://${userInfo}@127.0.0.1:${to}/devtools/${rest}`)
  const all = Object.values(secrets)
  const echo = `${all.join(" ")} ${all.map(encodeURIComponent).join("/")} ${Redacted.value(address("ws", port))}`

  for (const [protocol, to] of [
    ["ws", 9],
    ["ws", refusingPort],
    ["wss", refusingPort],
    ["ftp", 9]
  ] as const) {
    show(yield* Effect.exit(connect(address(protocol, to))))
  }
  for (const to of [9, refusingPort]) {
    show(yield* resolveEndpoint(address("http", to)).pipe(Effect.exit, Effect.provide(FetchHttpClient.layer)))
  }
  show(yield* Effect.exit(connect(Redacted.make(`no URL ${echo}`))))

  const connection = yield* connect(address("ws", port))
  show(connection.endpoint)
  yield* connection.listen("all", () => {
    throw new Error(`listener ${echo}`)
  })
  server.answer("Page.enable", (command) => {
    server.event("Target.targetCreated", { url: echo })
    server.text(`garbage ${echo}`)
    server.reply(987_654)
    server.refuse(command, `refused ${echo}`, -32000, echo)
    return undefined
  })
  show(yield* Effect.exit(connection.command("Page.enable")))
  const asked = yield* Effect.forkChild(connection.raw("Page.disable"), { startImmediately: true })
  yield* server.nextOf("Page.disable")
  // A close reason has room for 123 bytes.
  server.close(`${secrets.token} ${secrets.password} ${encodeURIComponent(secrets.path)}`.slice(0, 120))
  show(yield* Fiber.await(asked))
  show(yield* connection.closed)
  show(yield* Effect.exit(connection.command("Page.enable")))
})

describe("secrets of an endpoint", () => {
  it.effect.prop(
    "user info, tokens and paths reach no error, no log line and no label",
    { secrets: Secrets },
    ({ secrets }) =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        yield* withServer(secrets, (value) => {
          lines.push(JSON.stringify(value), String(value), Exit.isExit(value) ? JSON.stringify(value.toJSON()) : "")
        }).pipe(Effect.scoped, Effect.provide(capture(lines)))
        const everything = lines.join("\n")
        for (const secret of Object.values(secrets)) {
          for (const form of [secret, encodeURIComponent(secret)]) assert.notInclude(everything, form)
        }
        assert.include(everything, "ws://127.0.0.1:")
        assert.include(everything, "garbage")
        assert.include(everything, "listener")
        assert.include(everything, "987654")
      }),
    { arbitrary: { runs: 15 } }
  )

  it("ordinary words of an address are no secrets", () => {
    const { redact, label } = parseEndpoint(Redacted.make("ws://127.0.0.1:9222/devtools/browser/0b1f-77aa?x=1"))
    assert.strictEqual(label, "ws://127.0.0.1:9222")
    assert.strictEqual(redact("the browser said 1 about 0b1f-77aa"), "the browser said 1 about ***")
  })
})

describe("the address that a browser names", () => {
  const find = (asked: string, named: string) => reachable(new URL(asked), new URL(named)).href

  it("is taken as it is where it can be reached", () => {
    assert.strictEqual(find("http://127.0.0.1:9222", "ws://127.0.0.1:9222/b/1"), "ws://127.0.0.1:9222/b/1")
    assert.strictEqual(find("https://a.example", "wss://b.example/b/1"), "wss://b.example/b/1")
  })

  it("gets host, port and encryption of the address that was asked where the browser cannot know them", () => {
    assert.strictEqual(find("http://10.0.0.7:9000", "ws://127.0.0.1:9222/b/1"), "ws://10.0.0.7:9000/b/1")
    assert.strictEqual(find("https://a.example", "ws://localhost:9222/b/1"), "wss://a.example/b/1")
    assert.strictEqual(find("https://a.example", "ws://a.example/b/1"), "wss://a.example/b/1")
  })

  it("gets the user info only for the same host", () => {
    assert.strictEqual(find("http://u:p@a.example:1", "ws://0.0.0.0:2/b"), "ws://u:p@a.example:1/b")
    assert.strictEqual(find("http://u:p@a.example:1", "ws://b.example:1/b"), "ws://b.example:1/b")
  })
})
