/**
 * Waits on a loopback port for the host that was started, and for nobody else: the first line must hold the secret that
 * only that process was given. Then the port is closed.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type Server, type Socket } from "node:net"
import { Deferred, Effect, Option, Schema, type Scope } from "effect"
import { LaunchFailed } from "../../schemas/errors.ts"
import { Greeting, hostLimits, hostProtocolVersion } from "../../schemas/HostProtocol.ts"
import { makeMessageSplitter } from "../cdp/MessageSplitter.ts"
import type { HostWire } from "./HostLine.ts"

/** Strangers at one time at the most; further ones are hung up on. */
const maxStrangers = 16

/** Time (ms) that somebody who connects has to say the secret. */
const greetingTime = 5_000

const newline = 0x0a

export interface HostListener {
  readonly port: number
  /** 64 hexadecimal digits */
  readonly secret: string
  /** Completes when the host has connected and proved itself. */
  readonly connected: Effect.Effect<Omit<HostWire, "temporary">, LaunchFailed>
}

const decodeGreeting = Schema.decodeUnknownOption(Schema.fromJsonString(Greeting))

const isSecret = (given: string, secret: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A line that is open to its other end, and can be handed over together with what has come on it already. */
const wireOf = (
  socket: Socket,
  greeting: Greeting
): {
  readonly wire: Omit<HostWire, "temporary">
  readonly line: (text: string) => void
  readonly lost: (reason: string) => void
} => {
  let early: Array<string> | undefined = []
  let over: string | undefined
  let receiver: Parameters<HostWire["read"]>[0] | undefined
  return {
    line: (text) => {
      if (receiver !== undefined) receiver.line(text)
      else early?.push(text)
    },
    lost: (reason) => {
      if (over !== undefined) return
      over = reason
      receiver?.lost(reason)
    },
    wire: {
      greeting,
      write: (line) => {
        if (socket.writable) socket.write(`${line}\n`)
      },
      close: () => {
        socket.end()
      },
      read: (own) => {
        receiver = own
        for (const text of early ?? []) own.line(text)
        early = undefined
        if (over !== undefined) own.lost(over)
      }
    }
  }
}

/** Opens the port for the life of the scope, with a secret of its own; the connection that proved itself goes with it. */
export const listenForHost: Effect.Effect<HostListener, LaunchFailed, Scope.Scope> = Effect.gen(function* () {
  const secret = randomBytes(32).toString("hex")
  const connected = yield* Deferred.make<Omit<HostWire, "temporary">, LaunchFailed>()
  const sockets = new Set<Socket>()
  let proved = false

  const failed = (reason: string) => new LaunchFailed({ executable: "Electron", reason })

  const receive = (socket: Socket, server: Server): void => {
    if (proved || sockets.size >= maxStrangers) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.setNoDelay(true)
    let own: ReturnType<typeof wireOf> | undefined
    const timer = setTimeout(() => socket.destroy(), greetingTime)
    const greet = (text: string): void => {
      const greeting = Option.getOrUndefined(decodeGreeting(text))
      if (greeting === undefined || proved || !isSecret(greeting.secret, secret)) {
        socket.destroy()
        return
      }
      clearTimeout(timer)
      proved = true
      server.close()
      for (const other of sockets) if (other !== socket) other.destroy()
      if (greeting.protocol !== hostProtocolVersion) {
        Deferred.doneUnsafe(connected, Effect.fail(failed("its host is of another build than this library")))
        return
      }
      own = wireOf(socket, greeting)
      Deferred.doneUnsafe(connected, Effect.succeed(own.wire))
    }
    const lines = makeMessageSplitter(
      hostLimits.line,
      {
        message: (text) => (own === undefined ? greet(text) : own.line(text)),
        oversized: (_, size) => {
          own?.lost(`it sent a line of ${size} bytes`)
          socket.destroy()
        }
      },
      newline
    )
    socket.on("data", (chunk) => {
      lines.push(chunk)
      if (own === undefined && lines.unfinished() > hostLimits.greeting) socket.destroy()
      // a line without an end is not waited for
      if (lines.unfinished() > hostLimits.line) {
        own?.lost("it sent a line without an end")
        socket.destroy()
      }
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      clearTimeout(timer)
      sockets.delete(socket)
      own?.lost("it closed the connection")
    })
  }

  const server = yield* Effect.acquireRelease(
    Effect.callback<Server, LaunchFailed>((resume) => {
      const created = createServer()
      created.on("connection", (socket) => receive(socket, created))
      created.on("error", (error) => resume(Effect.fail(failed(`no port could be opened for it (${error.message})`))))
      created.listen({ host: "127.0.0.1", port: 0, backlog: maxStrangers }, () => resume(Effect.succeed(created)))
    }),
    (created) =>
      Effect.sync(() => {
        created.close()
        for (const socket of sockets) socket.destroy()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { port, secret, connected: Deferred.await(connected) }
})
