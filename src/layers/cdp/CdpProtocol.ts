/**
 * The envelope of the Chrome DevTools Protocol: what a message is, before anyone looks at its contents.
 *
 * Decoding is lenient and total: browsers and proxies add fields, and whatever does not fit becomes `Garbage`.
 * Source: https://chromedevtools.github.io/devtools-protocol/ and `crdtp/dispatchable.cc` of Chromium.
 */
import { Option, Predicate, Schema } from "effect"
import { CdpSessionId } from "../../schemas/ids.ts"

/** The answer to the command with the same id. */
const ReplyEnvelope = Schema.Struct({
  id: Schema.Int,
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown)
})

/** Something that happened, in one session or (without a session id) in the browser itself. */
const EventEnvelope = Schema.Struct({
  method: Schema.String,
  params: Schema.optionalKey(Schema.Unknown),
  sessionId: Schema.optionalKey(CdpSessionId)
})

const ProtocolError = Schema.Struct({
  code: Schema.Int,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Unknown)
})

const SessionParams = Schema.Struct({ sessionId: CdpSessionId })

const decodeReply = Schema.decodeUnknownOption(ReplyEnvelope)
const decodeEvent = Schema.decodeUnknownOption(EventEnvelope)
const decodeProtocolError = Schema.decodeUnknownOption(ProtocolError)
const decodeSessionParams = Schema.decodeUnknownOption(SessionParams)

export interface CdpReply {
  readonly _tag: "Reply"
  readonly id: number
  /** absent when the browser refused */
  readonly result?: unknown
  readonly error?: unknown
}

export interface CdpRawEvent {
  readonly _tag: "Event"
  readonly method: string
  readonly params: unknown
  readonly sessionId: CdpSessionId | undefined
}

export interface CdpGarbage {
  readonly _tag: "Garbage"
  readonly reason: "not JSON" | "neither reply nor event"
}

export type CdpMessage = CdpReply | CdpRawEvent | CdpGarbage

const notJson: CdpGarbage = { _tag: "Garbage", reason: "not JSON" }
const notEnvelope: CdpGarbage = { _tag: "Garbage", reason: "neither reply nor event" }

const parse = (text: string): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

/** Decodes one message of the browser. Never throws. */
export const decodeMessage = (text: string): CdpMessage => {
  const json = parse(text)
  if (Option.isNone(json)) return notJson
  if (Predicate.hasProperty(json.value, "id")) {
    const reply = decodeReply(json.value)
    return Option.isNone(reply) ? notEnvelope : { _tag: "Reply", ...reply.value }
  }
  const event = decodeEvent(json.value)
  if (Option.isNone(event)) return notEnvelope
  const { method, params = {}, sessionId } = event.value
  return { _tag: "Event", method, params, sessionId }
}

/** Code and text of a refusal. A refusal in a shape of its own still counts as one (code -32603, internal error). */
export const readRefusal = (error: unknown): { readonly cdpCode: number; readonly reason: string } => {
  const decoded = decodeProtocolError(error)
  if (Option.isNone(decoded)) return { cdpCode: -32603, reason: "the browser gave no readable reason" }
  const { code, message, data } = decoded.value
  return { cdpCode: code, reason: typeof data === "string" && data !== "" ? `${message} (${data})` : message }
}

/** The `sessionId` inside the parameters of `Target.attachedToTarget` and `Target.detachedFromTarget`. */
export const sessionInParams = (params: unknown): CdpSessionId | undefined =>
  Option.getOrUndefined(decodeSessionParams(params))?.sessionId

/**
 * The id of a reply of which only the beginning is known. Chromium writes the id first
 * (`crdtp::CreateResponse`); undefined for an event or when the beginning does not tell.
 */
export const replyIdOfPrefix = (prefix: string): number | undefined => {
  const match = /^\s*\{\s*"id"\s*:\s*(\d{1,15})\s*[,}]/.exec(prefix)
  return match === null ? undefined : Number(match[1])
}

/**
 * The text of a command. Throws what `JSON.stringify` throws: parameters with cycles or BigInts are no JSON.
 */
export const encodeCommand = (
  id: number,
  method: string,
  params: object | undefined,
  sessionId: CdpSessionId | undefined
): string => JSON.stringify({ id, method, params, sessionId })
