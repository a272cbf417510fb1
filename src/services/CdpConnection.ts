/**
 * The only door to a browser: commands and events of the Chrome DevTools Protocol (CDP).
 *
 * One connection serves many flattened sessions (`Target.attachToTarget` with `flatten: true`): a command or event
 * without a session id belongs to the browser itself.
 */
import type { Duration, Effect, Scope } from "effect"
import { Context } from "effect"
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.d.ts"
import type { CdpFailed, ConnectionLost, MessageTooLarge, OperationTimeout } from "../schemas/errors.ts"
import type { CdpSessionId } from "../schemas/ids.ts"

/** Name of a protocol command, "Page.navigate". */
export type CdpMethod = keyof ProtocolMapping.Commands

/** Parameters of a command. */
export type CdpParams<M extends CdpMethod> = ProtocolMapping.Commands[M]["paramsType"][0]

/** Result of a command. */
export type CdpResult<M extends CdpMethod> = ProtocolMapping.Commands[M]["returnType"]

/** Name of a protocol event, "Page.javascriptDialogOpening". */
export type CdpEventName = keyof ProtocolMapping.Events

/** An event as it arrived; `params` is the protocol's own shape. */
export type CdpEvent = {
  readonly [E in CdpEventName]: {
    readonly method: E
    readonly params: ProtocolMapping.Events[E][0]
    readonly sessionId?: CdpSessionId
  }
}[CdpEventName]

/** What a command can fail with. */
export type CdpError = CdpFailed | ConnectionLost | OperationTimeout | MessageTooLarge

export interface CdpCommandOptions {
  /** Session to send to; absent: the browser. */
  readonly sessionId?: CdpSessionId | undefined
  /** Deadline of this command; absent: the connection's default (30 s). */
  readonly timeout?: Duration.Input | undefined
}

export class CdpConnection extends Context.Service<
  CdpConnection,
  {
    /**
     * Sends a command and waits for its reply.
     *
     * The command is written when the effect starts. Interruption or the deadline forgets it: a late reply is dropped.
     *
     * Fails with `CdpFailed` when the browser refuses, `OperationTimeout` at the deadline, `MessageTooLarge` when the
     * message exceeds the connection's limit, `ConnectionLost` when the connection is or gets closed.
     */
    readonly command: <M extends CdpMethod>(
      method: M,
      params?: CdpParams<M>,
      options?: CdpCommandOptions
    ) => Effect.Effect<CdpResult<M>, CdpError>

    /** As `command`, for methods known at run time only. */
    readonly raw: (method: string, params?: object, options?: CdpCommandOptions) => Effect.Effect<unknown, CdpError>

    /**
     * Sends a command whose outcome nobody waits for: it is written at once, in order with all others. That it is refused,
     * or that the connection or the session is lost, is not told. Never fails.
     */
    readonly post: <M extends CdpMethod>(
      method: M,
      params?: CdpParams<M>,
      options?: Pick<CdpCommandOptions, "sessionId">
    ) => Effect.Effect<void>

    /**
     * Calls `listener` for every event of one session (`undefined`: events of the browser itself; "all": every one),
     * in the order of arrival, until the scope closes.
     *
     * The listener runs inside the reader: it must only record or hand over (update state, offer to a queue) and
     * never wait. What it throws is logged and does not stop the reader.
     */
    readonly listen: (
      session: CdpSessionId | undefined | "all",
      listener: (event: CdpEvent) => void
    ) => Effect.Effect<void, never, Scope.Scope>

    /** Waits until the connection is closed, however it happens, and tells why. Never fails. */
    readonly closed: Effect.Effect<ConnectionLost>

    /** True once closed; every further command fails at once. */
    readonly isClosed: () => boolean

    /** Where this connection leads, without secrets: "pipe", or scheme and host of the endpoint. For logs and errors. */
    readonly endpoint: string
  }
>()("effect-browser/CdpConnection") {}
