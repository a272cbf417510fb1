/**
 * A {@link CdpConnection} over any transport.
 *
 * The reader runs inside the transport's own callback: it decodes, settles the command or calls the listeners, and
 * returns. Nothing in it waits, so a reaction that needs a reply gets it (`seed-systems` lesson 11). A reply resumes the
 * waiting fiber directly, without a Deferred or a fiber in between.
 */
import { Buffer } from "node:buffer"
import { Clock, Deferred, Duration, Effect, Exit, Queue, Scope } from "effect"
import type { CdpSessionId } from "../../schemas/ids.ts"
import { CdpFailed, ConnectionLost, MessageTooLarge, OperationTimeout } from "../../schemas/errors.ts"
import type { CdpCommandOptions, CdpConnection, CdpError, CdpEvent } from "../../services/CdpConnection.ts"
import { CurrentDeadline, Timeouts } from "../../services/Timeouts.ts"
import { decodeMessage, encodeCommand, readRefusal, replyIdOfPrefix } from "./CdpProtocol.ts"
import type { CdpMessage, CdpRawEvent, CdpReply } from "./CdpProtocol.ts"
import { type CdpReceiver, type CdpTransport, defaultMessageLimits } from "./CdpTransport.ts"
import { isWorthALine, makeConnectionLog } from "./ConnectionLog.ts"
import { makeEventListeners } from "./EventListeners.ts"
import { makePendingCommands, type PendingCommand } from "./PendingCommands.ts"
import { makeSessionFates } from "./SessionFates.ts"

/** Counters of a connection, for tests and diagnosis. */
export interface CdpStatistics {
  /** commands that wait for a reply */
  readonly inFlight: number
  /** messages that were neither reply nor event */
  readonly garbage: number
  /** replies to ids that were never sent */
  readonly unknownReplies: number
  /** replies that came after their command had been given up */
  readonly lateReplies: number
}

export interface CdpConnectionCore {
  readonly connection: CdpConnection["Service"]
  readonly statistics: () => CdpStatistics
}

export interface CdpConnectionOptions {
  /** bytes that one command may have; default 64 MiB */
  readonly maxOutgoingBytes?: number | undefined
}

/** Characters of a foreign text that are shown in a log line or an error. */
const shownCharacters = 300

/** A text of the other side for people: without the transport's secrets, of bounded length, on one line. */
const showForeign = (redact: (text: string) => string, text: string): string => {
  // Redacted before it is cut: a cut could leave the first half of a secret standing. What is too long to be searched
  // is not shown at all.
  if (text.length > 65_536) return `(${text.length} characters)`
  const clean = redact(text).replace(/\s+/g, " ")
  return clean.length > shownCharacters ? `${clean.slice(0, shownCharacters)}...` : clean
}

/** Bytes of the text in UTF-8 if they exceed the limit, else undefined. Counts only where the length leaves a doubt. */
const excess = (text: string, limit: number): number | undefined => {
  if (text.length * 3 <= limit) return undefined
  const size = Buffer.byteLength(text)
  return size > limit ? size : undefined
}

/**
 * Builds the connection, with its counters, and opens the transport for the life of the scope.
 *
 * - Deadline of a command: `options.timeout`; else `Timeouts.command`, counted from the end of the surrounding budget if
 *   there is one. So the budget interrupts its commands itself, while commands of finalizers, which no budget can
 *   interrupt, end as well.
 * - When the connection ends, by whichever side, the transport is released at once, not only with the scope.
 * - An incoming message above the transport's limit fails its command with `MessageTooLarge` if the transport can still
 *   tell which one that is (pipes can); otherwise the connection ends and says so.
 * - Sessions that crashed or were detached fail their commands, see `SessionFates.ts`.
 *
 * Fails as the transport's `open` fails.
 */
export const makeCdpConnectionCore = Effect.fnUntraced(function* <E>(
  transport: CdpTransport<E>,
  options?: CdpConnectionOptions
): Effect.fn.Return<CdpConnectionCore, E, Scope.Scope> {
  const limit = options?.maxOutgoingBytes ?? defaultMessageLimits.outgoing
  const redact = transport.redact ?? ((text: string) => text)
  const log = yield* makeConnectionLog(transport.endpoint)
  const pending = makePendingCommands()
  const fates = makeSessionFates()
  const closed = yield* Deferred.make<ConnectionLost>()
  const earlierDeadline = yield* Queue.sliding<void>(1)

  let loss: ConnectionLost | undefined
  let lastId = 0
  let garbage = 0
  let unknownReplies = 0
  let lateReplies = 0
  /** the deadline that the watch sleeps for; Infinity while it has none */
  let watched = Number.POSITIVE_INFINITY

  const listeners = makeEventListeners<CdpEvent>((event, thrown) => {
    // Not String(thrown): what a stranger throws may throw again when it is read.
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `a ${typeof thrown} was thrown`
    log.write("Warn", `A listener failed on ${event.method}: ${showForeign(redact, text)}`)
  })

  const fail = (commands: ReadonlyArray<PendingCommand>, error: (command: PendingCommand) => CdpError) => {
    for (const command of commands) command.settle(Effect.fail(error(command)))
  }

  const end = (reason: string) => {
    if (loss !== undefined) return
    const error = new ConnectionLost({ reason })
    loss = error
    Deferred.doneUnsafe(closed, Exit.succeed(error))
    fail(
      pending.takeWhere(() => true),
      () => error
    )
  }

  const onReply = (reply: CdpReply) => {
    const command = pending.take(reply.id)
    if (command !== undefined) {
      if (reply.error === undefined) return command.settle(Exit.succeed(reply.result ?? {}))
      const { cdpCode, reason } = readRefusal(reply.error)
      const { method } = command
      return command.settle(Effect.fail(new CdpFailed({ method, cdpCode, reason: showForeign(redact, reason) })))
    }
    // Ids are handed out in order: one that was given is late, any other was never ours.
    if (reply.id > 0 && reply.id <= lastId) {
      lateReplies += 1
      return
    }
    unknownReplies += 1
    if (isWorthALine(unknownReplies)) {
      log.write("Debug", `A reply to the unknown id ${reply.id} was dropped (${unknownReplies} so far)`)
    }
  }

  const onEvent = (raw: CdpRawEvent) => {
    const { method, params, sessionId } = raw
    const over = fates.observe(raw)
    const ended = over === undefined ? [] : pending.takeWhere(over.concerns)
    // The one place where the protocol's own types are taken at their word: see CdpEvent.
    const event = (sessionId === undefined ? { method, params } : { method, params, sessionId }) as CdpEvent
    // Listeners first: who handles the failure of a command finds the state that explains it.
    listeners.dispatch(sessionId, event)
    if (over !== undefined) fail(ended, over.error)
  }

  const onMessage = (text: string) => {
    const message: CdpMessage = decodeMessage(text)
    if (message._tag === "Reply") return onReply(message)
    if (message._tag === "Event") return onEvent(message)
    garbage += 1
    if (isWorthALine(garbage)) {
      log.write("Warn", `A message was dropped (${message.reason}, ${garbage} so far): ${showForeign(redact, text)}`)
    }
  }

  const receiver: CdpReceiver = {
    message: (text) => {
      if (loss === undefined) onMessage(text)
    },
    decoded: (message) => {
      if (loss !== undefined) return
      if (message._tag === "Reply") onReply(message)
      else onEvent(message)
    },
    oversized: (prefix, size, incomingLimit) => {
      const id = replyIdOfPrefix(prefix)
      if (id === undefined) {
        end(`a message of ${size} bytes arrived that belongs to no command; the limit is ${incomingLimit}`)
        return false
      }
      const command = pending.take(id)
      if (command === undefined) lateReplies += 1
      else fail([command], ({ method }) => new MessageTooLarge({ method, size, limit: incomingLimit }))
      return true
    },
    lost: end
  }

  const transportScope = yield* Scope.fork(yield* Effect.scope)
  const send = yield* transport.open(receiver).pipe(Scope.provide(transportScope))
  yield* Deferred.await(closed).pipe(
    Effect.andThen(Effect.uninterruptible(Scope.close(transportScope, Exit.void))),
    Effect.forkScoped
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => end("it was closed on this side")))

  /** Sleeps until the earliest deadline, or until a still earlier one is announced; then fails what has expired. */
  const watchDeadlines = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    for (;;) {
      watched = pending.nextDeadline()
      const rest = watched - clock.currentTimeMillisUnsafe()
      if (rest > 0) {
        const announced = Queue.take(earlierDeadline)
        yield* Number.isFinite(rest) ? Effect.timeoutOption(announced, rest) : announced
      }
      const now = clock.currentTimeMillisUnsafe()
      const expired = pending.takeWhere((command) => command.deadline <= now)
      fail(expired, ({ method, budget }) => new OperationTimeout({ operation: method, budget }))
      for (const { id } of expired) transport.forget?.(id)
    }
  })
  yield* Effect.forkScoped(watchDeadlines)

  /** Sends a command and gives its id; or settles it at once, and gives nothing. */
  const begin = (
    method: string,
    params: object | undefined,
    sessionId: CdpSessionId | undefined,
    time: { readonly budget: number; readonly deadline: number },
    settle: PendingCommand["settle"]
  ): number | undefined => {
    const refuse = (error: CdpError) => void settle(Effect.fail(error))
    if (loss !== undefined) return refuse(loss)
    const refusal = fates.refusal({ method, sessionId })
    if (refusal !== undefined) return refuse(refusal)
    const id = lastId + 1
    let text: string
    try {
      text = encodeCommand(id, method, params, sessionId)
    } catch {
      return refuse(new CdpFailed({ method, cdpCode: -32602, reason: "the parameters are not JSON" }))
    }
    const size = excess(text, limit)
    if (size !== undefined) return refuse(new MessageTooLarge({ method, size, limit }))
    lastId = id
    pending.add({ id, method, sessionId, ...time, settle })
    if (time.deadline < watched) {
      watched = time.deadline
      Queue.offerUnsafe(earlierDeadline, undefined)
    }
    send(text, { id, method, params, sessionId })
    return id
  }

  const startCommand = (
    method: string,
    params: object | undefined,
    { sessionId }: CdpCommandOptions,
    budget: number,
    now: number
  ): Effect.Effect<unknown, CdpError> =>
    Effect.callback((settle) => {
      const id = begin(method, params, sessionId, { budget, deadline: now + budget }, settle)
      if (id === undefined) return
      return Effect.sync(() => {
        if (pending.take(id) !== undefined) transport.forget?.(id)
      })
    })

  /** Nobody waits, so that nothing is late. */
  const endless = { budget: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY }

  const raw = (
    method: string,
    params?: object,
    commandOptions: CdpCommandOptions = {}
  ): Effect.Effect<unknown, CdpError> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      if (commandOptions.timeout !== undefined) {
        return startCommand(method, params, commandOptions, Duration.toMillis(commandOptions.timeout), now)
      }
      const surrounding = fiber.getRef(CurrentDeadline)
      const start = surrounding === undefined ? now : Math.max(now, surrounding)
      return startCommand(method, params, commandOptions, start - now + fiber.getRef(Timeouts).command, now)
    })

  const connection: CdpConnection["Service"] = {
    // Results are the protocol's own types, taken at their word like the events.
    command: (method, params, commandOptions) => raw(method, params, commandOptions) as Effect.Effect<never, CdpError>,
    raw,
    post: (method, params, { sessionId } = {}) =>
      Effect.sync(() => void begin(method, params, sessionId, endless, () => {})),
    listen: (session, listener) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(session, listener)),
          (remove) => Effect.sync(remove)
        )
      ),
    closed: Deferred.await(closed),
    isClosed: () => loss !== undefined,
    endpoint: transport.endpoint
  }
  return {
    connection,
    statistics: () => ({ inFlight: pending.size(), garbage, unknownReplies, lateReplies })
  }
})

/** As {@link makeCdpConnectionCore}, without the counters. */
export const makeCdpConnection = <E>(
  transport: CdpTransport<E>,
  options?: CdpConnectionOptions
): Effect.Effect<CdpConnection["Service"], E, Scope.Scope> =>
  Effect.map(makeCdpConnectionCore(transport, options), ({ connection }) => connection)
