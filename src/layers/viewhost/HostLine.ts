/**
 * The parent's end of the line to a host: calls out, replies and events in. It decodes and hands over inside the
 * reader's callback and waits for nothing.
 */
import { readFile, rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Deferred, Duration, Effect, Exit, Option, Schema, type Scope } from "effect"
import { type BrowserError, HostDead, HostRefused, type OperationTimeout } from "../../schemas/errors.ts"
import {
  fromHostError,
  type Greeting,
  HostEvent,
  type HostOperation,
  hostOperations,
  HostReply
} from "../../schemas/HostProtocol.ts"
import type { HostCallError, RunningHost } from "../../services/ViewHost.ts"
import { Timeouts, within } from "../../services/Timeouts.ts"
import { isWorthALine, makeConnectionLog } from "../cdp/ConnectionLog.ts"
import { makeEventListeners } from "../cdp/EventListeners.ts"

/** What carries the lines. */
export interface HostWire {
  readonly greeting: Greeting
  /** folder of the host's temporary files, from which large results are read */
  readonly temporary: string
  /** Hands a line over; returns at once, never throws. */
  readonly write: (line: string) => void
  /** Hangs up; the host then ends by itself. */
  readonly close: () => void
  /** Gives whatever arrives from now on; `lost` once, at the end. */
  readonly read: (receiver: { readonly line: (text: string) => void; readonly lost: (reason: string) => void }) => void
}

export interface HostLine {
  readonly host: RunningHost
  /** Ends the line from this side: everything under way fails. */
  readonly end: (reason: string) => void
}

type Settle = (
  outcome: { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: HostCallError }
) => void

interface Call {
  readonly operation: HostOperation
  readonly settle: Settle
}

const decodeReply = Schema.decodeUnknownOption(HostReply)
const decodeEvent = Schema.decodeUnknownOption(HostEvent)
const decodeResult = Object.fromEntries(
  Object.entries(hostOperations).map(([name, { result }]) => [
    name,
    Schema.decodeUnknownOption(result as Schema.Decoder<unknown>)
  ])
) as { readonly [Op in HostOperation]: (input: unknown) => Option.Option<unknown> }

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line for the life of the scope; closing it fails what is under way. */
export const makeHostLine = Effect.fnUntraced(function* (
  wire: HostWire
): Effect.fn.Return<HostLine, never, Scope.Scope> {
  const log = yield* makeConnectionLog("view host")
  const closed = yield* Deferred.make<HostDead>()
  const calls = new Map<number, Call>()
  const listeners = makeEventListeners<HostEvent>((event, thrown) =>
    log.write(
      "Warn",
      `A listener failed on ${event.event}: ${thrown instanceof Error ? thrown.message : typeof thrown}`
    )
  )
  let death: HostDead | undefined
  let lastId = 0
  let garbage = 0
  let ending: string | undefined

  const end = (reason: string) => {
    if (death !== undefined) return
    const error = new HostDead({ reason: ending ?? reason })
    death = error
    Deferred.doneUnsafe(closed, Exit.succeed(error))
    const open = [...calls.values()]
    calls.clear()
    for (const { settle } of open) settle({ ok: false, error })
  }

  const refused = (operation: string, reason: string) => new HostRefused({ operation, reason })

  const deliver = ({ operation, settle }: Call, result: unknown) => {
    // the most frequent one is the protocol's own, taken at its word
    const decoded = operation === "command" ? Option.some(result) : decodeResult[operation](result)
    settle(
      Option.isSome(decoded)
        ? { ok: true, result: decoded.value }
        : { ok: false, error: refused(operation, "its answer has another form than it should") }
    )
  }

  const deliverFile = (call: Call, file: string) => {
    // the host is ours, but whoever speaks for it must not make us read anything else
    if (dirname(resolve(file)) !== resolve(wire.temporary)) {
      return call.settle({ ok: false, error: refused(call.operation, "its answer is in a file out of place") })
    }
    readFile(file, "utf8").then(
      (text) => {
        void rm(file, { force: true }).catch(() => {})
        deliver(call, parse(text))
      },
      () => call.settle({ ok: false, error: refused(call.operation, "its answer could not be read") })
    )
  }

  const onGarbage = (text: string) => {
    garbage += 1
    if (isWorthALine(garbage)) {
      log.write("Warn", `A line of the view host was dropped (${garbage} so far, ${text.length} characters)`)
    }
  }

  const onLine = (text: string) => {
    const json = parse(text)
    if (typeof json !== "object" || json === null) return onGarbage(text)
    if ("event" in json) {
      const event = decodeEvent(json)
      if (Option.isNone(event)) return onGarbage(text)
      if (event.value.event === "ending") ending = event.value.reason
      return listeners.dispatch(undefined, event.value)
    }
    const reply = decodeReply(json)
    if (Option.isNone(reply)) return onGarbage(text)
    const call = calls.get(reply.value.id)
    // a call that was given up may be answered all the same
    if (call === undefined) return
    calls.delete(reply.value.id)
    if (!reply.value.ok) return call.settle({ ok: false, error: fromHostError(reply.value.err, call.operation) })
    if ("file" in reply.value) return deliverFile(call, reply.value.file)
    deliver(call, reply.value.result ?? {})
  }

  const post: RunningHost["post"] = (operation, params, settle) => {
    if (death !== undefined) {
      settle({ ok: false, error: death })
      return () => {}
    }
    const id = ++lastId
    calls.set(id, { operation, settle: settle as Settle })
    wire.write(JSON.stringify({ id, op: operation, params }))
    return () => {
      if (calls.delete(id)) wire.write(JSON.stringify({ id: ++lastId, op: "cancel", params: { target: id } }))
    }
  }

  wire.read({
    line: (text) => {
      if (death === undefined) onLine(text)
    },
    lost: end
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      end("it was closed on this side")
      wire.close()
    })
  )

  const host: RunningHost = {
    chrome: wire.greeting.chrome,
    electron: wire.greeting.electron,
    userAgent: wire.greeting.userAgent,
    pid: wire.greeting.pid,
    temporary: wire.temporary,
    post,
    call: (operation, params, options) =>
      Effect.flatMap(Timeouts, (table) =>
        Effect.callback<never, BrowserError>((resume) => {
          const giveUp = post(operation, params, (outcome) =>
            resume(outcome.ok ? Effect.succeed(outcome.result as never) : Effect.fail(outcome.error))
          )
          return Effect.sync(giveUp)
        }).pipe(within(`the view host's ${operation}`, Duration.toMillis(options?.timeout ?? table.command)))
      ) as Effect.Effect<never, HostCallError | OperationTimeout>,
    listen: (listener) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(undefined, listener)),
          (remove) => Effect.sync(remove)
        )
      ),
    closed: Deferred.await(closed),
    isClosed: () => death !== undefined
  }
  return { host, end }
})
