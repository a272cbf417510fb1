/**
 * A CDP proxy in front of a real browser that answers every native dialog itself, as the one of Browserbase does: its
 * clients see each dialog open and close within milliseconds, and the page gets "Cancel".
 *
 * Everything else goes through unchanged, in both directions and in order. Behind the proxy a native dialog can be seen
 * but not decided (runtime fact 32).
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { WebSocket, WebSocketServer } from "@effect/platform-node/NodeWS"
import { Effect, type Scope } from "effect"

export interface DismissingProxy {
  /** WebSocket address for a client, with the path and query that it was made with */
  readonly webSocketUrl: string
  /** `http://127.0.0.1:port`; `/json/version` names the WebSocket address */
  readonly httpUrl: string
  /** native dialogs that were dismissed so far */
  readonly dismissed: () => number
  /** clients that are connected now */
  readonly clients: () => number
  /** addresses (path and query) that clients asked for, in order */
  readonly asked: ReadonlyArray<string>
  /** every command of every client, in order of arrival */
  readonly commands: ReadonlyArray<{
    readonly method: string
    readonly sessionId?: string
    readonly params?: Record<string, unknown>
  }>
  /** breaks all connections off, as a failing network does; the browser lives on */
  readonly cut: Effect.Effect<number>
  /** refuses the next so many clients, as a backend that is starting does */
  readonly refuseNext: (count: number) => void
}

export interface DismissingProxyOptions {
  /** ms between the opening of a dialog and its dismissal; default 5, 10 at the most to be like the real one */
  readonly delay?: number
  /** false: dialogs go through like everything else, so that it is a plain proxy */
  readonly dismisses?: boolean
  /** ms by which a command of a client is held up; the following ones wait behind it */
  readonly hold?: (method: string) => number
  /** path and query that a client has to ask for; default "/devtools/browser/proxied" */
  readonly path?: string
}

/** Ids of the proxy's own commands; clients count from 1 and never come here. */
const ownIds = 2 ** 30

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: Record<string, unknown>
}

const listening = (server: Server): Effect.Effect<AddressInfo> =>
  Effect.callback((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server.address() as AddressInfo)))
  })

/** Starts the proxy for the life of the scope; `upstream` is the WebSocket address of the browser itself. */
export const dismissingProxy = (
  upstream: string,
  options: DismissingProxyOptions = {}
): Effect.Effect<DismissingProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { delay = 5, dismisses = true, hold = () => 0, path = "/devtools/browser/proxied" } = options
    const commands: Array<Message & { readonly method: string }> = []
    const asked: Array<string> = []
    const connected = new Set<{ readonly client: WebSocket; readonly browser: WebSocket }>()
    let dismissed = 0
    let refusals = 0

    const relay = (client: WebSocket): void => {
      const browser = new WebSocket(upstream, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 })
      const pair = { client, browser }
      const waiting: Array<string> = []
      let lastId = ownIds
      connected.add(pair)

      const dismiss = (sessionId: string | undefined): void => {
        if (browser.readyState !== WebSocket.OPEN) return
        dismissed += 1
        lastId += 1
        browser.send(
          JSON.stringify({ id: lastId, method: "Page.handleJavaScriptDialog", params: { accept: false }, sessionId })
        )
      }

      const flush = (): void => {
        if (browser.readyState === WebSocket.OPEN) for (const text of waiting.splice(0)) browser.send(text)
      }

      client.on("message", (data) => {
        const text = data.toString()
        const message = JSON.parse(text) as Message & { readonly method: string }
        commands.push(message)
        const held = hold(message.method)
        if (held > 0 || waiting.length > 0 || browser.readyState !== WebSocket.OPEN) waiting.push(text)
        else browser.send(text)
        if (held > 0) setTimeout(flush, held)
      })
      browser.on("open", flush)
      browser.on("message", (data) => {
        const text = data.toString()
        // big replies are passed on without a look: what matters here is short
        const message = text.length > 100_000 ? undefined : (JSON.parse(text) as Message)
        if (message?.id !== undefined && message.id >= ownIds) return
        client.send(text)
        if (dismisses && message?.method === "Page.javascriptDialogOpening") {
          setTimeout(() => dismiss(message.sessionId), delay)
        }
      })
      const end = (): void => {
        connected.delete(pair)
        client.close()
        browser.close()
      }
      for (const socket of [client, browser]) socket.on("close", end).on("error", end)
    }

    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 })
    const server = createServer((request, response) => {
      if (!(request.url ?? "").startsWith("/json/version")) {
        response.writeHead(404).end()
        return
      }
      const { host } = request.headers
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ Browser: "Proxied/1", webSocketDebuggerUrl: `ws://${host}${path}` }))
    })
    server.on("upgrade", (request, socket, head) => {
      asked.push(request.url ?? "")
      if (refusals > 0) {
        refusals -= 1
        socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n")
        return
      }
      if (request.url !== path) {
        socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n")
        return
      }
      sockets.handleUpgrade(request, socket, head, relay)
    })

    const cut = Effect.sync(() => {
      const count = connected.size
      for (const { client, browser } of [...connected]) {
        client.terminate()
        browser.terminate()
      }
      return count
    })
    const { port } = yield* Effect.acquireRelease(listening(server), () =>
      Effect.andThen(
        cut,
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
      )
    )
    return {
      webSocketUrl: `ws://127.0.0.1:${port}${path}`,
      httpUrl: `http://127.0.0.1:${port}`,
      dismissed: () => dismissed,
      clients: () => connected.size,
      asked,
      commands,
      cut,
      refuseNext: (count) => {
        refusals = count
      }
    }
  })
