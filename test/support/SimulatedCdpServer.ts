/**
 * A browser that does what a test says: the other end of a CDP connection, in memory, over a real WebSocket or over the
 * bytes of a pipe.
 *
 * ```ts
 * const { server, connection } = yield* makeSimulatedConnection()
 * server.answer("Browser.getVersion", () => ({ product: "Simulated/1" }))
 * const reading = yield* Effect.forkChild(connection.command("Page.getFrameTree"))
 * const asked = yield* server.next              // waits for the next command that nobody answered
 * server.event("Page.loadEventFired", { timestamp: 1 })
 * server.reply(asked, { frameTree: ... })
 * ```
 *
 * What it sends arrives before the function returns, in the order of the calls (in memory; a real socket takes its time).
 */
import { Effect, Queue, type Scope, Stream } from "effect"
import { WebSocketServer, type WebSocket } from "@effect/platform-node/NodeWS"
import {
  type CdpConnectionCore,
  type CdpConnectionOptions,
  makeCdpConnectionCore
} from "../../src/layers/cdp/CdpConnectionCore.ts"
import type { CdpReceiver, CdpTransport } from "../../src/layers/cdp/CdpTransport.ts"
import type { CdpEventName, CdpMethod } from "../../src/services/CdpConnection.ts"

/** A command as it arrived. */
export interface SimulatedCommand {
  readonly id: number
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly sessionId?: string
}

/** What a handler of `answer` returns to refuse; -32000 unless it says otherwise. */
export class Refusal {
  readonly message: string
  readonly code: number
  constructor(message: string, code = -32000) {
    this.message = message
    this.code = code
  }
}

type Handler = (command: SimulatedCommand) => object | Refusal | undefined

export interface SimulatedCdpServer {
  /** Every command so far, answered ones too, in order of arrival. */
  readonly received: ReadonlyArray<SimulatedCommand>
  /** Waits for the next command that no handler answered; each is given out once. */
  readonly next: Effect.Effect<SimulatedCommand>
  /** As `next`, for one method; the others stay for `next`. */
  readonly nextOf: (method: CdpMethod) => Effect.Effect<SimulatedCommand>
  /** Answers every later command of a method ("*": of any other one). A handler that gives undefined leaves it to `next`. */
  readonly answer: (method: CdpMethod | "*", handler: Handler) => void
  readonly reply: (to: SimulatedCommand | number, result?: object) => void
  readonly refuse: (to: SimulatedCommand | number, message: string, code?: number, data?: string) => void
  readonly event: (method: CdpEventName, params?: object, sessionId?: string) => void
  /** Sends a text as one message, whatever it is. */
  readonly text: (message: string) => void
  /** Sends the beginning of a message and breaks off: the connection closes in the middle of it. */
  readonly half: (beginning: string) => void
  /** Closes from the browser's side. */
  readonly close: (reason?: string) => void
  /** True from the client's closing, or ours, on. */
  readonly isClosed: () => boolean
}

interface Wire {
  readonly deliver: (text: string) => void
  readonly half: (beginning: string) => void
  readonly close: (reason: string) => void
}

interface Waiter {
  readonly method: string | undefined
  readonly resume: (command: SimulatedCommand) => void
}

/** The script's side, and what the wire calls. */
const makeServer = (wire: Wire) => {
  const received: Array<SimulatedCommand> = []
  const untaken: Array<SimulatedCommand> = []
  const waiters: Array<Waiter> = []
  const handlers = new Map<string, Handler>()
  let closed = false

  const send = (message: object) => wire.deliver(JSON.stringify(message))
  const idOf = (to: SimulatedCommand | number) => (typeof to === "number" ? to : to.id)

  const take = (method: string | undefined) =>
    Effect.callback<SimulatedCommand>((resume) => {
      const index = untaken.findIndex((command) => method === undefined || command.method === method)
      const [found] = index === -1 ? [] : untaken.splice(index, 1)
      if (found !== undefined) return resume(Effect.succeed(found))
      const waiter: Waiter = { method, resume: (command) => resume(Effect.succeed(command)) }
      waiters.push(waiter)
      return Effect.sync(() => {
        waiters.splice(waiters.indexOf(waiter), 1)
      })
    })

  const server: SimulatedCdpServer = {
    received,
    next: take(undefined),
    nextOf: take,
    answer: (method, handler) => {
      handlers.set(method, handler)
    },
    reply: (to, result = {}) => send({ id: idOf(to), result }),
    refuse: (to, message, code = -32000, data) => send({ id: idOf(to), error: { code, message, data } }),
    event: (method, params = {}, sessionId) => send({ method, params, sessionId }),
    text: wire.deliver,
    half: (beginning) => {
      closed = true
      wire.half(beginning)
    },
    close: (reason = "the simulated browser closed") => {
      closed = true
      wire.close(reason)
    },
    isClosed: () => closed
  }

  const arrived = (text: string) => {
    const command: SimulatedCommand = JSON.parse(text)
    received.push(command)
    const answer = (handlers.get(command.method) ?? handlers.get("*"))?.(command)
    if (answer instanceof Refusal) return server.refuse(command, answer.message, answer.code)
    if (answer !== undefined) return server.reply(command, answer)
    const index = waiters.findIndex(({ method }) => method === undefined || method === command.method)
    const [waiter] = index === -1 ? [] : waiters.splice(index, 1)
    if (waiter === undefined) untaken.push(command)
    else waiter.resume(command)
  }

  return {
    server,
    arrived,
    clientClosed: () => {
      closed = true
    }
  }
}

/** A server and the transport that leads to it, in memory. One connection at a time. */
export const makeSimulatedTransport = (options?: {
  readonly endpoint?: string
  readonly redact?: (text: string) => string
}): { readonly server: SimulatedCdpServer; readonly transport: CdpTransport } => {
  let receiver: CdpReceiver | undefined
  const { server, arrived, clientClosed } = makeServer({
    deliver: (text) => receiver?.message(text),
    half: (beginning) =>
      receiver?.lost(`it broke off in the middle of a message, after ${Buffer.byteLength(beginning)} bytes`),
    close: (reason) => receiver?.lost(reason)
  })
  return {
    server,
    transport: {
      endpoint: options?.endpoint ?? "memory",
      ...(options?.redact === undefined ? {} : { redact: options.redact }),
      open: (opened) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            receiver = opened
            return arrived
          }),
          () => Effect.sync(clientClosed)
        )
    }
  }
}

/** A server in memory with a connection to it, open until the scope closes. */
export const makeSimulatedConnection = (
  options?: CdpConnectionOptions
): Effect.Effect<CdpConnectionCore & { readonly server: SimulatedCdpServer }, never, Scope.Scope> => {
  const { server, transport } = makeSimulatedTransport()
  return Effect.map(makeCdpConnectionCore(transport, options), (core) => ({ ...core, server }))
}

/** The ends of a pipe with a server behind them. `chunk` sends bytes as they are, `ended` closes the browser's end. */
export const makeSimulatedPipe = Effect.gen(function* () {
  const output = yield* Queue.unbounded<Uint8Array, import("effect").Cause.Done>()
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  let rest = ""
  const put = (bytes: Uint8Array) => {
    Queue.offerUnsafe(output, bytes)
  }
  const { server, arrived } = makeServer({
    deliver: (text) => put(encoder.encode(`${text}\0`)),
    half: (beginning) => {
      put(encoder.encode(beginning))
      Queue.endUnsafe(output)
    },
    close: () => {
      Queue.endUnsafe(output)
    }
  })
  return {
    server,
    chunk: put,
    input: Stream.fromQueue(output),
    write: (bytes: Uint8Array) =>
      Effect.sync(() => {
        const texts = (rest + decoder.decode(bytes, { stream: true })).split("\0")
        rest = texts.pop() ?? ""
        for (const text of texts) arrived(text)
      })
  }
})

/**
 * A server on a real WebSocket at 127.0.0.1, until the scope closes. The script talks to the client that connected
 * last; `authorization` and `path` are those of its request.
 */
export const makeSimulatedWebSocket = Effect.gen(function* () {
  let client: WebSocket | undefined
  const request = { path: "", authorization: "" }
  const { server, arrived, clientClosed } = makeServer({
    deliver: (text) => client?.send(text),
    half: (beginning) => {
      client?.send(beginning, { fin: false }, () => client?.terminate())
    },
    close: (reason) => client?.close(1001, reason)
  })
  const listening = yield* Effect.acquireRelease(
    Effect.callback<WebSocketServer>((resume) => {
      const created: WebSocketServer = new WebSocketServer({ host: "127.0.0.1", port: 0, maxPayload: 2 ** 30 }, () =>
        resume(Effect.succeed(created))
      )
    }),
    (created) =>
      Effect.callback<void>((resume) => {
        for (const each of created.clients) each.terminate()
        created.close(() => resume(Effect.void))
      })
  )
  const connected = yield* Queue.unbounded<void>()
  listening.on("connection", (socket, { url = "", headers }) => {
    client = socket
    Object.assign(request, { path: url, authorization: headers.authorization ?? "" })
    socket.on("message", (data) => arrived(data.toString()))
    socket.on("close", clientClosed)
    Queue.offerUnsafe(connected, undefined)
  })
  const address = listening.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    server,
    port,
    url: `ws://127.0.0.1:${port}/devtools/browser/simulated`,
    request,
    connected: Queue.take(connected)
  }
})
