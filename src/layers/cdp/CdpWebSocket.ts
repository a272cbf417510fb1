/**
 * CDP over a WebSocket: to a browser that listens on a port, here or far away.
 *
 * Built on `ws` itself rather than on Effect's `Socket`: its messages come in whole, one callback each, and reach the
 * connection without a queue or a fiber in between.
 */
import { Buffer } from "node:buffer"
import { type RawData, WebSocket } from "@effect/platform-node/NodeWS"
import { Duration, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { ConnectionLost } from "../../schemas/errors.ts"
import { CdpConnection } from "../../services/CdpConnection.ts"
import { type CdpConnectionOptions, makeCdpConnection } from "./CdpConnectionCore.ts"
import { type CdpReceiver, type CdpTransport, defaultMessageLimits } from "./CdpTransport.ts"
import { type Endpoint, parseEndpoint, reachable } from "./Endpoint.ts"

export interface CdpWebSocketOptions extends CdpConnectionOptions {
  /** bytes that one incoming message may have; default 256 MiB. A larger one ends the connection. */
  readonly maxIncomingBytes?: number | undefined
  /** how long connecting may take; default 10 s */
  readonly connectTimeout?: Duration.Input | undefined
}

const defaultConnectTimeout: Duration.Input = "10 seconds"

/** What an error of the socket or TLS library may show: its code. Its text can hold the whole address. */
const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{0,60}$/.test(code) ? code : "no code"
}

const failed = (reason: string) => new ConnectionLost({ reason })

/** The address as it is asked for: user info goes into a header, a fragment is never sent (and an error to `ws`). */
const asSent = (url: URL): URL => {
  const bare = new URL(url)
  bare.username = ""
  bare.password = ""
  bare.hash = ""
  return bare
}

const basicAuthorization = ({ username, password }: { readonly username: string; readonly password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`

/** Dials; the socket reports to `receiver` from its first message on. */
const dial = (
  url: URL,
  { label, redact, credentials }: Endpoint,
  receiver: CdpReceiver,
  maxPayload: number
): Effect.Effect<WebSocket, ConnectionLost> =>
  Effect.callback((resume) => {
    let problem: string | undefined
    const socket = new WebSocket(asSent(url), {
      perMessageDeflate: false,
      maxPayload,
      headers: credentials === undefined ? {} : { authorization: basicAuthorization(credentials) }
    })
    socket.on("open", () => resume(Effect.succeed(socket)))
    socket.on("upgrade", ({ socket: tcp }) => {
      // The system then notices within minutes that the other side is gone without a word.
      tcp.setKeepAlive(true, 30_000)
    })
    socket.on("unexpected-response", (request, { statusCode }) => {
      request.destroy()
      resume(Effect.fail(failed(`${label} answered ${statusCode ?? "nothing"} instead of opening a WebSocket`)))
    })
    socket.on("error", (error) => {
      const code = codeOf(error)
      problem =
        code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH"
          ? `a message larger than ${maxPayload} bytes arrived`
          : `the WebSocket failed (${code})`
      resume(Effect.fail(failed(`${label} cannot be reached (${code})`)))
    })
    socket.on("message", (data: RawData) => receiver.message(data.toString()))
    socket.on("close", (code, reason) => {
      const given = redact(reason.toString()).trim()
      receiver.lost(problem ?? `the WebSocket was closed with code ${code}${given === "" ? "" : `: ${given}`}`)
      resume(Effect.fail(failed(`${label} closed the connection at once`)))
    })
    return Effect.sync(() => socket.terminate())
  })

const hangUp = (socket: WebSocket): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (socket.readyState === WebSocket.CLOSED) return resume(Effect.void)
    socket.once("close", () => resume(Effect.void))
    socket.close(1000)
  }).pipe(Effect.timeoutOption("1 second"), Effect.andThen(Effect.sync(() => socket.terminate())))

const transportTo = (
  address: Redacted.Redacted<string>,
  options: CdpWebSocketOptions | undefined
): CdpTransport<ConnectionLost> => {
  const endpoint = parseEndpoint(address)
  const { label, redact, url } = endpoint
  const timeout = options?.connectTimeout ?? defaultConnectTimeout
  return {
    endpoint: label,
    redact,
    open: (receiver) => {
      if (url === undefined || !/^wss?:$/.test(url.protocol)) {
        return Effect.fail(failed(`${label} is not a WebSocket address (ws: or wss:)`))
      }
      const maxPayload = options?.maxIncomingBytes ?? defaultMessageLimits.incoming
      const dialled = dial(url, endpoint, receiver, maxPayload).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(failed(`${label} did not answer within ${Duration.toMillis(timeout)} ms`))
        })
      )
      return Effect.acquireRelease(dialled, hangUp, { interruptible: true }).pipe(
        Effect.map((socket) => (text: string) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text)
        })
      )
    }
  }
}

/**
 * Connects to the WebSocket endpoint of a browser or of one page ("ws://127.0.0.1:9222/devtools/browser/...") and keeps
 * the connection until the scope closes.
 *
 * Fails with `ConnectionLost` when the address is no WebSocket address, cannot be reached, refuses or does not answer
 * in time. Neither that error nor any later one or a log line holds more of the address than scheme and host.
 *
 * An incoming message above the limit ends the connection: `ws` rejects it before it can be told to which command it
 * belongs.
 */
export const connect = (
  address: Redacted.Redacted<string>,
  options?: CdpWebSocketOptions
): Effect.Effect<CdpConnection["Service"], ConnectionLost, Scope.Scope> =>
  makeCdpConnection(transportTo(address, options), options)

const VersionAnswer = Schema.Struct({ webSocketDebuggerUrl: Schema.String })

/**
 * The WebSocket address of a browser: `ws:` and `wss:` addresses as they are; behind `http:` and `https:` the browser is
 * asked (`/json/version`, below the given path and with the given query), user info goes along as basic
 * authentication.
 *
 * Fails with `ConnectionLost` when the address is of another kind, nobody answers within 10 s, or the answer names no
 * WebSocket address.
 */
export const resolveEndpoint = Effect.fn("CdpWebSocket.resolveEndpoint")(function* (
  address: Redacted.Redacted<string>
): Effect.fn.Return<Redacted.Redacted<string>, ConnectionLost, HttpClient.HttpClient> {
  const { label, url, credentials } = parseEndpoint(address)
  if (url !== undefined && /^wss?:$/.test(url.protocol)) return address
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return yield* failed(`${label} is not an address of a browser (ws:, wss:, http: or https:)`)
  }
  const client = yield* HttpClient.HttpClient
  const question = asSent(url)
  question.pathname = `${url.pathname.replace(/\/+$/, "")}/json/version`
  const request = HttpClientRequest.get(question).pipe(
    credentials === undefined
      ? (plain) => plain
      : HttpClientRequest.basicAuth(credentials.username, credentials.password)
  )
  const answer = yield* client.execute(request).pipe(
    Effect.flatMap(HttpClientResponse.filterStatusOk),
    Effect.flatMap(HttpClientResponse.schemaBodyJson(VersionAnswer)),
    // A span of the client would carry the address, and a header of it would reach the browser.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.catchTags({
      HttpClientError: ({ reason }) =>
        Effect.fail(
          failed(
            reason._tag === "StatusCodeError"
              ? `${label} answered ${reason.response.status} when asked for the browser's address`
              : `${label} cannot be asked for the browser's address (${reason._tag})`
          )
        ),
      SchemaError: () => Effect.fail(failed(`${label} does not name a WebSocket address`))
    }),
    Effect.timeoutOrElse({
      duration: defaultConnectTimeout,
      orElse: () => Effect.fail(failed(`${label} did not say its WebSocket address within 10 s`))
    })
  )
  if (!URL.canParse(answer.webSocketDebuggerUrl)) return yield* failed(`${label} does not name a WebSocket address`)
  return Redacted.make(reachable(url, new URL(answer.webSocketDebuggerUrl)).href)
})

/** The connection to an address as {@link resolveEndpoint} takes it, open as long as the layer. */
export const layer = (
  address: Redacted.Redacted<string>,
  options?: CdpWebSocketOptions
): Layer.Layer<CdpConnection, ConnectionLost, HttpClient.HttpClient> =>
  Layer.effect(
    CdpConnection,
    Effect.flatMap(resolveEndpoint(address), (resolved) => connect(resolved, options))
  )
