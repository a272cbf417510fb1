/**
 * What carries protocol messages: a WebSocket, a pipe, the view host, or memory in tests.
 */
import type { Effect, Scope } from "effect"
import type { CdpSessionId } from "../../schemas/ids.ts"
import type { CdpRawEvent, CdpReply } from "./CdpProtocol.ts"

/** Whom a transport tells what arrives. Every function is synchronous and never throws; call them in order. */
export interface CdpReceiver {
  /** One whole message. */
  readonly message: (text: string) => void
  /** One that is no text any more: from a transport that has decoded it already. */
  readonly decoded: (message: CdpReply | CdpRawEvent) => void
  /**
   * A message above the limit was skipped; `prefix` is how it began, `size` its length in bytes. True: the connection
   * can go on (the message was a reply, and its command has been failed). False: it cannot, and has been closed.
   */
  readonly oversized: (prefix: string, size: number, limit: number) => boolean
  /** Nothing will arrive any more. `reason` is for people: a lower-case phrase without secrets. */
  readonly lost: (reason: string) => void
}

/** A command beside its text, for transports that send something else. */
export interface CdpCommand {
  readonly id: number
  readonly method: string
  readonly params: object | undefined
  readonly sessionId: CdpSessionId | undefined
}

export interface CdpTransport<E = never> {
  /** "pipe", or scheme and host: for logs and errors, without secrets. */
  readonly endpoint: string
  /** Takes the transport's secrets out of a text of the other side. Absent: there are none. */
  readonly redact?: (text: string) => string
  /**
   * Opens the transport for the life of the scope and gives the function that hands a message over. That function
   * returns at once and never throws; what was handed over after the end of the transport is dropped, since `lost`
   * has said so.
   */
  readonly open: (receiver: CdpReceiver) => Effect.Effect<(text: string, command: CdpCommand) => void, E, Scope.Scope>
  /** Nobody waits for the reply to that command any more. Absent: the transport cannot make use of it. */
  readonly forget?: (id: number) => void
}

/** Bytes that one message may have, by default. */
export const defaultMessageLimits = {
  incoming: 256 * 1024 * 1024,
  outgoing: 64 * 1024 * 1024
} as const
