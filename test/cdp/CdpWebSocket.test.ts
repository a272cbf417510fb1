import { createServer } from "node:http"
import { createServer as createTcpServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { connect, layer, resolveEndpoint } from "../../src/layers/cdp/CdpWebSocket.ts"
import { CdpConnection, type CdpEvent } from "../../src/services/CdpConnection.ts"
import { makeSimulatedWebSocket } from "../support/SimulatedCdpServer.ts"

const start = { startImmediately: true } as const

/** Listens on a free port of 127.0.0.1 until the scope closes; gives the port. */
const listening = <S extends Server>(server: S) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : 0))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
  )

const answering = (status: number, body: string, seen: Array<{ url?: string; authorization?: string }> = []) =>
  listening(
    createServer((request, response) => {
      seen.push({ url: request.url ?? "", authorization: request.headers.authorization ?? "" })
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(body)
    })
  )

describe("connect", () => {
  it.live("commands, replies and events pass over a real socket", () =>
    Effect.gen(function* () {
      const { server, url, port } = yield* makeSimulatedWebSocket
      const connection = yield* connect(Redacted.make(url))
      assert.strictEqual(connection.endpoint, `ws://127.0.0.1:${port}`)
      const events: Array<CdpEvent> = []
      yield* connection.listen("all", (event) => events.push(event))
      const asked = yield* Effect.forkChild(connection.raw("Runtime.evaluate", { expression: "1" }), start)
      const command = yield* server.next
      server.event("Page.loadEventFired", { timestamp: 1 }, "PAGE")
      server.text("garbage")
      server.reply(command, { result: { value: 1 } })
      assert.deepStrictEqual(yield* Fiber.join(asked), { result: { value: 1 } })
      assert.deepStrictEqual(
        events.map(({ method }) => method),
        ["Page.loadEventFired"]
      )
    })
  )

  it.live("events that arrive with the handshake do no harm", () =>
    Effect.gen(function* () {
      const { server, url, connected } = yield* makeSimulatedWebSocket
      server.answer("*", () => ({}))
      yield* Effect.forkChild(
        Effect.andThen(
          connected,
          Effect.sync(() => server.event("Target.targetCreated"))
        ),
        start
      )
      const connection = yield* connect(Redacted.make(url))
      yield* connection.command("Browser.getVersion")
    })
  )

  it.live("a message of 20 MB passes, and one above the limit ends the connection and says why", () =>
    Effect.gen(function* () {
      const { server, url } = yield* makeSimulatedWebSocket
      server.answer("*", ({ params }) => ({ data: "x".repeat(Number(params?.["size"])) }))
      const connection = yield* connect(Redacted.make(url), { maxIncomingBytes: 25_000_000 })
      const result = yield* connection.raw("Any.size", { size: 20_000_000 })
      assert.lengthOf(JSON.stringify(result), 20_000_011)
      assert.deepInclude(yield* Effect.flip(connection.raw("Any.size", { size: 26_000_000 })), {
        _tag: "ConnectionLost",
        reason: "a message larger than 25000000 bytes arrived"
      })
    })
  )

  it.live("the browser's closing, and its breaking off in the middle of a message, end the connection", () =>
    Effect.gen(function* () {
      const { server, url } = yield* makeSimulatedWebSocket
      const closing = yield* connect(Redacted.make(url))
      const asked = yield* Effect.forkChild(closing.raw("Page.enable"), start)
      yield* server.next
      server.close("shutting down")
      assert.include((yield* Effect.flip(Fiber.join(asked))).message, "code 1001: shutting down")

      const breaking = yield* connect(Redacted.make(url))
      const lost = yield* Effect.forkChild(breaking.raw("Page.enable"), start)
      yield* server.next
      server.half(`{"id":1,`)
      assert.include((yield* Effect.flip(Fiber.join(lost))).message, "1006")
      assert.include((yield* breaking.closed).reason, "1006")
    })
  )

  it.live("closing the scope closes the socket", () =>
    Effect.gen(function* () {
      const { server, url } = yield* makeSimulatedWebSocket
      const scope = yield* Scope.make()
      yield* connect(Redacted.make(url)).pipe(Scope.provide(scope))
      yield* Scope.close(scope, Exit.void)
      yield* Effect.yieldNow
      assert.isTrue(server.isClosed())
    })
  )

  it.live("user info of the address goes along as basic authentication", () =>
    Effect.gen(function* () {
      const { url, request } = yield* makeSimulatedWebSocket
      yield* connect(Redacted.make(url.replace("ws://", "ws://m%C3%BCller:p%40ss@")))
      assert.strictEqual(request.authorization, `Basic ${Buffer.from("müller:p@ss").toString("base64")}`)
    })
  )

  it.live("nobody there, a refusal and silence are each ConnectionLost that names the host", () =>
    Effect.gen(function* () {
      const closedPort = yield* Effect.scoped(listening(createTcpServer()))
      const refused = yield* Effect.flip(connect(Redacted.make(`ws://127.0.0.1:${closedPort}/x`)))
      assert.strictEqual(refused.reason, `ws://127.0.0.1:${closedPort} cannot be reached (ECONNREFUSED)`)

      const port = yield* answering(403, "{}")
      const forbidden = yield* Effect.flip(connect(Redacted.make(`ws://127.0.0.1:${port}/x`)))
      assert.strictEqual(forbidden.reason, `ws://127.0.0.1:${port} answered 403 instead of opening a WebSocket`)

      const sockets = new Set<{ destroy: () => unknown }>()
      const silentPort = yield* listening(createTcpServer((socket) => sockets.add(socket.on("error", () => {}))))
      const silent = yield* Effect.flip(
        connect(Redacted.make(`ws://127.0.0.1:${silentPort}/x`), { connectTimeout: 100 })
      )
      for (const socket of sockets) socket.destroy()
      assert.strictEqual(silent.reason, `ws://127.0.0.1:${silentPort} did not answer within 100 ms`)

      for (const address of ["http://127.0.0.1:9", "nonsense", "file:///etc/passwd"]) {
        assert.strictEqual((yield* Effect.flip(connect(Redacted.make(address))))._tag, "ConnectionLost")
      }
    })
  )
})

describe("resolveEndpoint", () => {
  const resolve = (address: string) =>
    resolveEndpoint(Redacted.make(address)).pipe(Effect.map(Redacted.value), Effect.provide(FetchHttpClient.layer))

  it.live("WebSocket addresses stay as they are", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* resolve("wss://host.example/a?token=b"), "wss://host.example/a?token=b")
    })
  )

  it.live("an HTTP address is asked below its path, with its query and its user info", () =>
    Effect.gen(function* () {
      const seen: Array<{ url?: string; authorization?: string }> = []
      const port = yield* answering(
        200,
        `{"webSocketDebuggerUrl":"ws://127.0.0.1:1/devtools/browser/x","more":1}`,
        seen
      )
      const url = yield* resolve(`http://user:pass@127.0.0.1:${port}/proxy/?token=t`)
      assert.strictEqual(url, "ws://127.0.0.1:1/devtools/browser/x")
      assert.deepStrictEqual(seen, [
        { url: "/proxy/json/version?token=t", authorization: `Basic ${Buffer.from("user:pass").toString("base64")}` }
      ])
    })
  )

  it.live("what does not answer as a browser is ConnectionLost", () =>
    Effect.gen(function* () {
      const failing = yield* answering(500, "Host header is specified")
      assert.include((yield* Effect.flip(resolve(`http://127.0.0.1:${failing}`))).reason, "answered 500")
      const strange = yield* answering(200, `{"webSocketDebuggerUrl":7}`)
      assert.include((yield* Effect.flip(resolve(`http://127.0.0.1:${strange}`))).reason, "does not name")
      const notUrl = yield* answering(200, `{"webSocketDebuggerUrl":"x"}`)
      assert.include((yield* Effect.flip(resolve(`http://127.0.0.1:${notUrl}`))).reason, "does not name")
      const closedPort = yield* Effect.scoped(listening(createTcpServer()))
      assert.include((yield* Effect.flip(resolve(`http://127.0.0.1:${closedPort}`))).reason, "cannot be asked")
      assert.include((yield* Effect.flip(resolve("ftp://host.example"))).reason, "not an address of a browser")
    })
  )

  it.live("the layer connects through an HTTP address", () =>
    Effect.gen(function* () {
      const { server, url } = yield* makeSimulatedWebSocket
      server.answer("*", () => ({ product: "Simulated/1" }))
      const port = yield* answering(200, JSON.stringify({ webSocketDebuggerUrl: url }))
      const version = yield* CdpConnection.use((connection) => connection.command("Browser.getVersion")).pipe(
        Effect.provide(layer(Redacted.make(`http://127.0.0.1:${port}`)).pipe(Layer.provide(FetchHttpClient.layer)))
      )
      assert.deepInclude(version, { product: "Simulated/1" })
    })
  )
})
