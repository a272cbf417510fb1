/**
 * CDP over the two pipes of a browser that was started with `--remote-debugging-pipe`: it reads commands from its file
 * descriptor 3 and writes to 4, each message as JSON with a NUL byte behind it. No port is open to other processes, and
 * the browser ends by itself when the pipe closes.
 */
import type { Readable, Writable } from "node:stream"
import { Cause, Effect, Exit, FiberSet, type Scope, Stream } from "effect"
import type { CdpConnection } from "../../services/CdpConnection.ts"
import { type CdpConnectionOptions, makeCdpConnection } from "./CdpConnectionCore.ts"
import { type CdpReceiver, type CdpTransport, defaultMessageLimits } from "./CdpTransport.ts"
import { makeMessageSplitter } from "./MessageSplitter.ts"

export interface CdpPipeOptions extends CdpConnectionOptions {
  /** bytes that one incoming message may have; default 256 MiB. A larger reply fails its own command only. */
  readonly maxIncomingBytes?: number | undefined
}

const brokeOff = "the pipe broke"
const closedByBrowser = "the browser closed the pipe"

/** Feeds the receiver from chunks of bytes. `push` gives false once the connection has ended. */
const makeIntake = (receiver: CdpReceiver, options: CdpPipeOptions | undefined) => {
  const limit = options?.maxIncomingBytes ?? defaultMessageLimits.incoming
  let open = true
  const lost = (reason: string) => {
    if (!open) return
    open = false
    const rest = splitter.unfinished()
    receiver.lost(rest === 0 ? reason : `${reason} in the middle of a message, after ${rest} bytes`)
  }
  const splitter = makeMessageSplitter(limit, {
    message: (text) => {
      if (open) receiver.message(text)
    },
    oversized: (prefix, size) => {
      if (open) open = receiver.oversized(prefix, size, limit)
    }
  })
  return {
    push: (chunk: Uint8Array): boolean => {
      if (open) splitter.push(chunk)
      return open
    },
    lost
  }
}

export interface CdpPipeEnds<E1, E2> {
  /** what the browser writes (its file descriptor 4) */
  readonly input: Stream.Stream<Uint8Array, E1>
  /**
   * takes bytes for the browser (its file descriptor 3), in the order in which it is called: it may be called again
   * before it has ended; a failure ends the connection
   */
  readonly write: (bytes: Uint8Array) => Effect.Effect<unknown, E2>
}

const transportOfEnds = <E1, E2>(ends: CdpPipeEnds<E1, E2>, options?: CdpPipeOptions): CdpTransport => ({
  endpoint: "pipe",
  open: Effect.fnUntraced(function* (receiver) {
    const intake = makeIntake(receiver, options)
    const encoder = new TextEncoder()
    yield* ends.input.pipe(
      Stream.runForEachWhile((chunk) => Effect.sync(() => intake.push(chunk))),
      Effect.onExit((exit) => Effect.sync(() => intake.lost(Exit.isSuccess(exit) ? closedByBrowser : brokeOff))),
      Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logDebug("CDP pipe", cause))),
      Effect.forkScoped
    )
    const fibers = yield* FiberSet.make<void>()
    const run = yield* FiberSet.runtime(fibers)()
    let outgoing: Array<string> = []
    /** What is sent in one go is written in one go. */
    const flush = () => {
      const bytes = encoder.encode(`${outgoing.join("\0")}\0`)
      outgoing = []
      run(
        Effect.catchCause(ends.write(bytes), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.void
            : Effect.andThen(
                Effect.logDebug("CDP pipe", cause),
                Effect.sync(() => intake.lost(brokeOff))
              )
        )
      )
    }
    return (text: string) => {
      if (outgoing.push(text) === 1) queueMicrotask(flush)
    }
  })
})

/**
 * A connection over the ends of a pipe as Effect's `ChildProcess` gives them (`additionalFds`: fd 3 fed from a queue,
 * fd 4 read by `getOutputFd(4)`). It ends with `ConnectionLost` when `input` ends or fails or `write` fails; the pipe
 * itself is closed by whoever opened it.
 */
export const makeCdpPipe = <E1, E2>(
  ends: CdpPipeEnds<E1, E2>,
  options?: CdpPipeOptions
): Effect.Effect<CdpConnection["Service"], never, Scope.Scope> =>
  makeCdpConnection(transportOfEnds(ends, options), options)

export interface CdpPipeStreams {
  /** what the browser writes: `child.stdio[4]` */
  readonly readable: Readable
  /** what the browser reads: `child.stdio[3]` */
  readonly writable: Writable
}

/** The transport of {@link makeCdpPipeFromStreams}. */
export const transportOfStreams = ({ readable, writable }: CdpPipeStreams, options?: CdpPipeOptions): CdpTransport => ({
  endpoint: "pipe",
  open: (receiver) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const intake = makeIntake(receiver, options)
        const onData = (chunk: Uint8Array) => {
          intake.push(chunk)
        }
        const onEnd = () => intake.lost(closedByBrowser)
        const onError = () => intake.lost(brokeOff)
        readable.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onError)
        writable.on("close", onEnd).on("error", onError)
        return { onData }
      }),
      // The other listeners stay: a stream that is destroyed may still emit an error, which nobody else would take.
      ({ onData }) =>
        Effect.sync(() => {
          readable.off("data", onData)
          readable.destroy()
          writable.destroy()
        })
    ).pipe(
      Effect.as((text: string) => {
        if (writable.writable) writable.write(`${text}\0`)
      })
    )
})

/**
 * As {@link makeCdpPipe}, over the Node streams of a child process. No queue and no fiber lies between the streams and
 * the connection. The streams are destroyed with the connection, upon which the browser ends by itself.
 */
export const makeCdpPipeFromStreams = (
  streams: CdpPipeStreams,
  options?: CdpPipeOptions
): Effect.Effect<CdpConnection["Service"], never, Scope.Scope> =>
  makeCdpConnection(transportOfStreams(streams, options), options)
