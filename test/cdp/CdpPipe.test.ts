import { Buffer } from "node:buffer"
import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema, Scope, Stream } from "effect"
import { makeCdpPipe, makeCdpPipeFromStreams } from "../../src/layers/cdp/CdpPipe.ts"
import { makeMessageSplitter } from "../../src/layers/cdp/MessageSplitter.ts"
import type { CdpEvent } from "../../src/services/CdpConnection.ts"
import { makeSimulatedPipe } from "../support/SimulatedCdpServer.ts"

const start = { startImmediately: true } as const

const collect = (limit: number) => {
  const texts: Array<string> = []
  const tooLarge: Array<{ readonly prefix: string; readonly size: number }> = []
  const splitter = makeMessageSplitter(limit, {
    message: (text) => texts.push(text),
    oversized: (prefix, size) => tooLarge.push({ prefix, size })
  })
  return { splitter, texts, tooLarge }
}

describe("the splitter", () => {
  it.prop(
    "gives back the messages, wherever their bytes are cut",
    {
      messages: Schema.Array(Schema.String).check(Schema.isMaxLength(8)),
      cuts: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))).check(Schema.isMinLength(1))
    },
    ({ messages, cuts }) => {
      const sent = messages.map((text) => text.replaceAll("\0", "0").toWellFormed())
      const bytes = Buffer.from(sent.map((text) => `${text}\0`).join(""), "utf8")
      const { splitter, texts } = collect(1_000_000)
      for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
        const length = cuts[cut % cuts.length] ?? 1
        splitter.push(bytes.subarray(at, at + length))
        at += length
      }
      assert.deepStrictEqual(texts, sent)
      assert.strictEqual(splitter.unfinished(), 0)
    },
    { arbitrary: { runs: 300 } }
  )

  it("skips a message above the limit, keeps its beginning, and goes on with the next", () => {
    const { splitter, texts, tooLarge } = collect(10)
    splitter.push(Buffer.from(`ten bytes!\0{"id":7,`))
    splitter.push(Buffer.from("x".repeat(1_000)))
    splitter.push(Buffer.from(`}\0next\0`))
    assert.deepStrictEqual(texts, ["ten bytes!", "next"])
    assert.lengthOf(tooLarge, 1)
    assert.strictEqual(tooLarge[0]?.size, 1_009)
    assert.include(tooLarge[0]?.prefix ?? "", `{"id":7,`)
  })

  it("joins 100,000 chunks of one message in time that grows with its size only", () => {
    const { splitter, texts } = collect(10_000_000)
    const chunk = Buffer.from("y".repeat(64))
    const began = performance.now()
    for (let count = 0; count < 100_000; count += 1) splitter.push(chunk)
    splitter.push(Buffer.from([0]))
    // Joining at each chunk would copy 320 GB; a generous bound keeps a busy machine out of the verdict.
    assert.isBelow(performance.now() - began, 30_000)
    assert.strictEqual(texts[0]?.length, 6_400_000)
  })
})

describe("a connection over a pipe", () => {
  it.effect("commands and replies pass, one by one and many in one chunk", () =>
    Effect.gen(function* () {
      const { server, ...ends } = yield* makeSimulatedPipe
      const connection = yield* makeCdpPipe(ends)
      const asked = yield* Effect.forkChild(
        Effect.all([connection.raw("A.a"), connection.raw("B.b")], { concurrency: "unbounded" }),
        start
      )
      yield* server.next
      yield* server.next
      ends.chunk(
        Buffer.from(`{"id":2,"result":{"b":2}}\0{"method":"Target.targetCreated"}\0{"id":1,"result":{"a":1}}\0`)
      )
      assert.deepStrictEqual(yield* Fiber.join(asked), [{ a: 1 }, { b: 2 }])
      assert.strictEqual(connection.endpoint, "pipe")
    })
  )

  it.effect("characters of several bytes survive both ways, also when a chunk ends inside one", () =>
    Effect.gen(function* () {
      const { server, ...ends } = yield* makeSimulatedPipe
      const connection = yield* makeCdpPipe(ends)
      const asked = yield* Effect.forkChild(connection.raw("A.a", { text: "snow ☃ 🏔" }), start)
      const command = yield* server.next
      assert.deepStrictEqual(command.params, { text: "snow ☃ 🏔" })
      const bytes = Buffer.from(`{"id":1,"result":{"text":"🏔"}}\0`)
      for (const byte of bytes) ends.chunk(Uint8Array.of(byte))
      assert.deepStrictEqual(yield* Fiber.join(asked), { text: "🏔" })
    })
  )

  it.effect("a reply above the limit fails its own command, and the connection goes on", () =>
    Effect.gen(function* () {
      const { server, ...ends } = yield* makeSimulatedPipe
      const connection = yield* makeCdpPipe(ends, { maxIncomingBytes: 1_000 })
      const large = yield* Effect.forkChild(connection.raw("Page.printToPDF"), start)
      const small = yield* Effect.forkChild(connection.raw("Page.enable"), start)
      const first = yield* server.next
      server.reply(first, { data: "x".repeat(5_000) })
      server.reply(yield* server.next, { fine: true })
      assert.deepInclude(yield* Effect.flip(Fiber.join(large)), {
        _tag: "MessageTooLarge",
        method: "Page.printToPDF",
        limit: 1_000
      })
      assert.deepStrictEqual(yield* Fiber.join(small), { fine: true })
      assert.isFalse(connection.isClosed())
    })
  )

  it.effect("an event above the limit ends the connection, which says why", () =>
    Effect.gen(function* () {
      const { server, ...ends } = yield* makeSimulatedPipe
      const connection = yield* makeCdpPipe(ends, { maxIncomingBytes: 1_000 })
      const asked = yield* Effect.forkChild(connection.raw("Page.enable"), start)
      server.event("Runtime.consoleAPICalled", { text: "x".repeat(5_000) })
      const error = yield* Effect.flip(Fiber.join(asked))
      assert.strictEqual(error._tag, "ConnectionLost")
      assert.match(error.message, /a message of 5\d{3} bytes arrived .* the limit is 1000/)
    })
  )

  it.effect("half a message and the end: what is in flight fails, and the reason says so", () =>
    Effect.gen(function* () {
      const { server, ...ends } = yield* makeSimulatedPipe
      const connection = yield* makeCdpPipe(ends)
      const asked = yield* Effect.forkChild(connection.raw("Page.enable"), start)
      server.half(`{"id":1,"res`)
      assert.deepInclude(yield* Effect.flip(Fiber.join(asked)), {
        _tag: "ConnectionLost",
        reason: "the browser closed the pipe in the middle of a message, after 12 bytes"
      })
    })
  )

  it.effect("a failing read and a failing write end the connection", () =>
    Effect.gen(function* () {
      const { server: _, ...ends } = yield* makeSimulatedPipe
      const unreadable = yield* makeCdpPipe({ ...ends, input: Stream.fail("EIO") })
      assert.include((yield* unreadable.closed).reason, "the pipe broke")
      const unwritable = yield* makeCdpPipe({ ...ends, write: () => Effect.fail("EPIPE") })
      assert.strictEqual((yield* Effect.flip(unwritable.raw("Page.enable")))._tag, "ConnectionLost")
    })
  )
})

describe("a connection over Node streams", () => {
  const makeStreams = () => ({ readable: new PassThrough(), writable: new PassThrough() })

  it.live("commands, events and the end pass", () =>
    Effect.gen(function* () {
      const streams = makeStreams()
      const connection = yield* makeCdpPipeFromStreams(streams)
      const events: Array<CdpEvent> = []
      yield* connection.listen("all", (event) => events.push(event))
      const asked = yield* Effect.forkChild(connection.raw("Page.enable", { a: 1 }), start)
      assert.strictEqual(String(streams.writable.read()), `{"id":1,"method":"Page.enable","params":{"a":1}}\0`)
      streams.readable.write(`{"method":"Target.targetCreated","params":{}}\0{"id":1,"result":{}}\0`)
      assert.deepStrictEqual(yield* Fiber.join(asked), {})
      assert.lengthOf(events, 1)
      const waiting = yield* Effect.forkChild(connection.raw("Page.enable"), start)
      streams.readable.end()
      assert.deepInclude(yield* Effect.flip(Fiber.join(waiting)), { reason: "the browser closed the pipe" })
    })
  )

  it.live("an error of a stream ends the connection and is nobody's uncaught exception", () =>
    Effect.gen(function* () {
      const streams = makeStreams()
      const connection = yield* makeCdpPipeFromStreams(streams)
      streams.writable.destroy(new Error("EPIPE"))
      assert.strictEqual((yield* connection.closed).reason, "the pipe broke")
      streams.readable.destroy(new Error("EIO"))
      assert.strictEqual((yield* Effect.flip(connection.raw("Page.enable")))._tag, "ConnectionLost")
    })
  )

  it.live("closing the scope destroys both streams", () =>
    Effect.gen(function* () {
      const streams = makeStreams()
      const scope = yield* Scope.make()
      yield* makeCdpPipeFromStreams(streams).pipe(Scope.provide(scope))
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(streams.readable.destroyed)
      assert.isTrue(streams.writable.destroyed)
    })
  )
})
