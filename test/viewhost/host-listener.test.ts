import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { listenForHost } from "../../src/layers/viewhost/HostListener.ts"
import { hostLimits, hostProtocolVersion } from "../../src/schemas/HostProtocol.ts"

const greeting = (secret: string, change: object = {}) =>
  JSON.stringify({
    secret,
    protocol: hostProtocolVersion,
    pid: 1,
    chrome: "130",
    electron: "33",
    userAgent: "UA",
    ...change
  })

/** Somebody who connects; `ended` completes when the other side has hung up. */
const dial = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket, Error>((resume) => {
      const socket = connect({ host: "127.0.0.1", port })
      socket.on("error", (error) => resume(Effect.fail(error)))
      socket.on("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const ended = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    if (socket.destroyed) return resume(Effect.void)
    socket.once("close", () => resume(Effect.void))
    socket.resume()
  }).pipe(Effect.timeout("30 seconds"), Effect.orDie)

describe("the port on which a host is waited for", () => {
  it.live("hangs up on whoever does not know the secret, and goes on waiting for the one who does", () =>
    Effect.gen(function* () {
      const { connected, port, secret } = yield* listenForHost
      for (const line of [
        greeting("0".repeat(64)),
        greeting(""),
        greeting(`${secret}0`),
        "not JSON",
        `{"id":1,"op":"ping"}`
      ]) {
        const stranger = yield* dial(port)
        stranger.write(`${line}\n`)
        yield* ended(stranger)
      }
      const host = yield* dial(port)
      host.write(`${greeting(secret)}\n`)
      assert.strictEqual((yield* connected).greeting.pid, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is closed as soon as the host has connected, so that nobody else ever can", () =>
    Effect.gen(function* () {
      const { connected, port, secret } = yield* listenForHost
      // was there first, and keeps still
      const early = yield* dial(port)
      const host = yield* dial(port)
      host.write(`${greeting(secret)}\n`)
      yield* connected
      yield* ended(early)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(dial(port))))
    }).pipe(Effect.scoped)
  )

  it.live("hangs up on a stranger who sends more than a greeting can have, with or without an end", () =>
    Effect.gen(function* () {
      const { port } = yield* listenForHost
      const endless = yield* dial(port)
      endless.write("x".repeat(hostLimits.greeting + 1))
      yield* ended(endless)
    }).pipe(Effect.scoped)
  )

  it.live("lets no more than sixteen strangers wait", () =>
    Effect.gen(function* () {
      const { port } = yield* listenForHost
      const strangers = yield* Effect.forEach(Array.from({ length: 16 }), () => dial(port))
      yield* ended(yield* dial(port))
      assert.isTrue(strangers.every((socket) => !socket.destroyed))
    }).pipe(Effect.scoped)
  )

  it.live("refuses a host of another build, and says so", () =>
    Effect.gen(function* () {
      const { connected, port, secret } = yield* listenForHost
      const host = yield* dial(port)
      host.write(`${greeting(secret, { protocol: hostProtocolVersion + 1 })}\n`)
      const error = yield* Effect.flip(connected)
      assert.strictEqual(error._tag, "LaunchFailed")
      assert.include(error.message, "another build")
    }).pipe(Effect.scoped)
  )

  it.live("keeps what the host says before anybody reads it, and the end of the line too", () =>
    Effect.gen(function* () {
      const { connected, port, secret } = yield* listenForHost
      const host = yield* dial(port)
      host.write(`${greeting(secret)}\nearly\n`)
      const wire = yield* connected
      host.end("late\n")
      const seen: Array<string> = []
      const over = yield* Effect.callback<string>((resume) => {
        wire.read({ line: (text) => seen.push(text), lost: (reason) => resume(Effect.succeed(reason)) })
      }).pipe(Effect.forkChild({ startImmediately: true }))
      assert.include(yield* Fiber.join(over), "closed the connection")
      assert.deepStrictEqual(seen, ["early", "late"])
    }).pipe(Effect.scoped)
  )

  it.live("gives each host a secret of its own", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* listenForHost, yield* listenForHost]
      assert.match(one.secret, /^[0-9a-f]{64}$/)
      assert.notStrictEqual(one.secret, other.secret)
    }).pipe(Effect.scoped)
  )
})
