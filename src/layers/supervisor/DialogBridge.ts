/**
 * The bridge: dialogs as synchronous requests of the page, which we intercept and answer.
 *
 * For endpoints that answer native dialogs themselves and cannot be debugged, or where the gate is taken down. The page
 * waits for its request as for a native dialog, so it cannot be looked at meanwhile. Where it cannot ask (a
 * Content-Security-Policy or `sync-xhr` in the way) its native dialog opens as ever. The address is one of https, which
 * pages of both schemes may ask (runtime fact 35), below `.invalid`, which no name server knows: without us the request
 * fails at once.
 */
import { Buffer } from "node:buffer"
import type { Protocol } from "devtools-protocol"
import { Effect, Schema } from "effect"
import { dialogBridgeSource } from "../../generated/dialogBridgeSource.ts"
import { DialogType } from "../../schemas/dialog.ts"
import type { CdpSessionId, FrameId } from "../../schemas/ids.ts"
import type { SupervisorCommandOf } from "../../schemas/supervisorCommand.ts"
import type { CdpError, CdpEvent } from "../../services/CdpConnection.ts"
import { secretName } from "../cdp/secretName.ts"
import type { DialogGateOptions } from "./DialogGate.ts"

const Question = Schema.fromJsonString(
  Schema.Struct({
    type: DialogType,
    message: Schema.String,
    defaultPrompt: Schema.String,
    nonce: Schema.String.check(Schema.isMaxLength(100))
  })
)
const decodeQuestion = Schema.decodeUnknownEffect(Question)

const commandBudget = 5_000

export interface BridgeAnswer extends Pick<SupervisorCommandOf<"Answer">, "accept" | "promptText" | "sessionId"> {
  readonly requestId: string
}

export interface DialogBridge {
  /** Requests that have to be intercepted in every session: whoever enables `Fetch` there adds them. */
  readonly requests: Protocol.Fetch.RequestPattern
  /** True for a request that the bridge answers. */
  readonly takes: (url: string) => boolean
  /** Lays the bridge in a session; written at once, so before whatever its owner sends afterwards. */
  readonly setUp: (session: Pick<SupervisorCommandOf<"SetUpSession">, "sessionId" | "type">) => void
  /** Hears an event of a session. */
  readonly hear: (event: CdpEvent, sessionId: CdpSessionId) => void
  /** Gives the answer, with which the page goes on. Fails when its request is gone. */
  readonly answer: (answer: BridgeAnswer) => Effect.Effect<void, CdpError>
  /** Lets dialogs pass to their native form, or takes them again. */
  readonly setOpen: (lets: boolean) => void
  /** Lets every dialog pass from now on, since nobody listens any more. */
  readonly takeDown: () => void
}

/** `DialogGateOptions` as for the gate. */
export const makeDialogBridge = ({
  connection,
  feed,
  now,
  run
}: Omit<DialogGateOptions, "fromStart">): DialogBridge => {
  const name = `dialog-${secretName()}`
  const url = `https://${name}.invalid/`
  const source = `(() => { ${dialogBridgeSource}; __entry.install(${JSON.stringify(name)}, ${JSON.stringify(url)}) })()`
  /** what each held request wants to hear again */
  const nonces = new Map<string, string>()
  let open = false

  const pass = (requestId: string, sessionId: CdpSessionId) =>
    Effect.ignore(
      connection.command(
        "Fetch.failRequest",
        { requestId, errorReason: "Aborted" },
        { sessionId, timeout: commandBudget }
      )
    )

  const asked = ({ frameId, request, requestId }: Protocol.Fetch.RequestPausedEvent, sessionId: CdpSessionId) =>
    decodeQuestion(request.postData).pipe(
      Effect.matchEffect({
        onSuccess: ({ nonce, ...question }) =>
          Effect.sync(() => {
            nonces.set(requestId, nonce)
            feed({ _tag: "BridgePaused", ...now(), sessionId, requestId, frameId: frameId as FrameId, ...question })
          }),
        onFailure: () => pass(requestId, sessionId)
      })
    )

  return {
    takes: (asked) => asked.startsWith(url),
    requests: { urlPattern: `${url}*`, requestStage: "Request" },
    setUp: ({ sessionId, type }) => {
      if (type !== "page" && type !== "iframe") return
      const script = { source, runImmediately: true }
      run(
        Effect.ignore(
          connection.command("Page.addScriptToEvaluateOnNewDocument", script, { sessionId, timeout: commandBudget })
        )
      )
    },
    hear: (event, sessionId) => {
      if (event.method !== "Fetch.requestPaused" || !event.params.request.url.startsWith(url)) return
      run(open ? pass(event.params.requestId, sessionId) : asked(event.params, sessionId))
    },
    answer: ({ accept, promptText, requestId, sessionId }) => {
      const nonce = nonces.get(requestId)
      nonces.delete(requestId)
      const body = Buffer.from(JSON.stringify({ nonce, accept, text: promptText ?? "" })).toString("base64")
      const responseHeaders = [
        { name: "Access-Control-Allow-Origin", value: "*" },
        { name: "Content-Type", value: "application/json" },
        { name: "Cache-Control", value: "no-store" }
      ]
      return Effect.asVoid(
        connection.command(
          "Fetch.fulfillRequest",
          { requestId, responseCode: 200, responseHeaders, body },
          { sessionId, timeout: commandBudget }
        )
      )
    },
    setOpen: (lets) => {
      open = lets
    },
    takeDown: () => {
      open = true
    }
  }
}
