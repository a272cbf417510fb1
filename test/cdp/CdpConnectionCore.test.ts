import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Logger, Queue, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeCdpConnectionCore } from "../../src/layers/cdp/CdpConnectionCore.ts"
import { CdpSessionId } from "../../src/schemas/ids.ts"
import type { CdpEvent } from "../../src/services/CdpConnection.ts"
import { Timeouts, within } from "../../src/services/Timeouts.ts"
import { makeSimulatedConnection, makeSimulatedTransport, Refusal } from "../support/SimulatedCdpServer.ts"

const start = { startImmediately: true } as const
const page = CdpSessionId.make("PAGE")
const frame = CdpSessionId.make("FRAME")

describe("commands", () => {
  it.effect("a command is sent with its session and resolves to its result", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      server.answer("Page.navigate", () => ({ frameId: "F" }))
      const result = yield* connection.command("Page.navigate", { url: "about:blank" }, { sessionId: page })
      assert.deepStrictEqual(result, { frameId: "F" } as typeof result)
      assert.deepStrictEqual(server.received, [
        { id: 1, method: "Page.navigate", params: { url: "about:blank" }, sessionId: "PAGE" }
      ])
    })
  )

  it.effect("a command is written when its effect starts, before anything is awaited", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const described = connection.command("Page.enable")
      assert.lengthOf(server.received, 0)
      yield* Effect.forkChild(described, start)
      assert.lengthOf(server.received, 1)
    })
  )

  it.effect("a refusal is CdpFailed with the browser's code and text", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      server.answer("Page.enable", () => new Refusal("'Page.enable' wasn't found", -32601))
      const error = yield* Effect.flip(connection.command("Page.enable"))
      assert.deepInclude(error, { _tag: "CdpFailed", method: "Page.enable", cdpCode: -32601 })
      assert.include(error.message, "'Page.enable' wasn't found")
    })
  )

  it.effect("a refusal in a shape of its own fails its command all the same", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const asked = yield* Effect.forkChild(connection.command("Page.enable"), start)
      server.text(`{"id":1,"error":"no"}`)
      assert.deepInclude(yield* Effect.flip(Fiber.join(asked)), { _tag: "CdpFailed", cdpCode: -32603 })
    })
  )

  it.effect("parameters that are no JSON fail the command and send nothing", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const error = yield* Effect.flip(connection.raw("Runtime.evaluate", { big: 1n }))
      assert.deepInclude(error, { _tag: "CdpFailed", cdpCode: -32602 })
      assert.lengthOf(server.received, 0)
    })
  )

  it.effect("10,000 commands in flight, answered in reverse, all get their own result", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      const all = yield* Effect.forEach(
        Array.from({ length: 10_000 }, (_, index) => index),
        (index) => connection.raw("Runtime.evaluate", { index }),
        { concurrency: "unbounded" }
      ).pipe(Effect.forkChild(start))
      yield* Effect.yieldNow
      while (server.received.length < 10_000) yield* Effect.yieldNow
      assert.strictEqual(statistics().inFlight, 10_000)
      for (const command of [...server.received].reverse()) server.reply(command, command.params)
      const results = yield* Fiber.join(all)
      assert.deepStrictEqual(
        results,
        Array.from({ length: 10_000 }, (_, index) => ({ index }))
      )
      assert.strictEqual(statistics().inFlight, 0)
    })
  )

  it.effect("an interrupted command leaves nothing behind, and its late reply is dropped without a word", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      const asked = yield* Effect.forkChild(connection.command("Page.enable"), start)
      const command = yield* server.next
      assert.strictEqual(statistics().inFlight, 1)
      yield* Fiber.interrupt(asked)
      assert.strictEqual(statistics().inFlight, 0)
      server.reply(command)
      assert.deepStrictEqual(statistics(), { inFlight: 0, garbage: 0, unknownReplies: 0, lateReplies: 1 })
    })
  )

  it.effect("a posted command is written in order with the others; its reply, a refusal too, is nobody's", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      yield* connection.post("Page.enable", undefined, { sessionId: page })
      const asked = yield* Effect.forkChild(connection.command("Runtime.enable"), start)
      yield* connection.post("Log.enable")
      assert.deepStrictEqual(
        server.received.map(({ method, sessionId }) => [method, sessionId]),
        [
          ["Page.enable", "PAGE"],
          ["Runtime.enable", undefined],
          ["Log.enable", undefined]
        ]
      )
      const [posted, waited, last] = server.received
      server.refuse(posted!, "no")
      server.reply(waited!)
      yield* Fiber.join(asked)
      assert.strictEqual(statistics().inFlight, 1)
      // it has no deadline
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(statistics().inFlight, 1)
      server.reply(last!)
      assert.deepStrictEqual(statistics(), { inFlight: 0, garbage: 0, unknownReplies: 0, lateReplies: 0 })
    })
  )

  it.effect("a posted command never fails, and does not outlive its session or the connection", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection({ maxOutgoingBytes: 200 })
      yield* connection.post("Page.navigate", { url: "u".repeat(500) })
      assert.lengthOf(server.received, 0)
      yield* connection.post("Page.enable", undefined, { sessionId: page })
      yield* connection.post("Page.enable", undefined, { sessionId: frame })
      server.event("Target.detachedFromTarget", { sessionId: "PAGE" })
      assert.strictEqual(statistics().inFlight, 1)
      server.close("it is gone")
      assert.strictEqual(statistics().inFlight, 0)
      yield* connection.post("Page.enable")
      assert.lengthOf(server.received, 2)
    })
  )

  it.effect("an outgoing command above the limit fails alone with its size", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection({ maxOutgoingBytes: 200 })
      server.answer("*", () => ({}))
      // 80 characters of three bytes each: the limit counts bytes.
      const error = yield* Effect.flip(connection.raw("Input.insertText", { text: "€".repeat(80) }))
      assert.deepInclude(error, { _tag: "MessageTooLarge", method: "Input.insertText", limit: 200, size: 297 })
      yield* connection.raw("Input.insertText", { text: "e".repeat(80) })
      assert.lengthOf(server.received, 1)
    })
  )
})

describe("deadlines", () => {
  it.effect("a command fails with OperationTimeout at its own deadline and leaves nothing behind", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      const asked = yield* Effect.forkChild(
        connection.command("Page.enable", undefined, { timeout: "2 seconds" }),
        start
      )
      yield* TestClock.adjust(1_999)
      assert.strictEqual(statistics().inFlight, 1)
      yield* TestClock.adjust(1)
      const error = yield* Effect.flip(Fiber.join(asked))
      assert.deepInclude(error, { _tag: "OperationTimeout", operation: "Page.enable", budget: 2_000 })
      assert.strictEqual(statistics().inFlight, 0)
      server.reply(1)
      assert.strictEqual(statistics().lateReplies, 1)
    })
  )

  it.effect("without a deadline of its own a command has that of the table of budgets", () =>
    Effect.gen(function* () {
      const { connection } = yield* makeSimulatedConnection()
      const table = yield* Timeouts
      const usual = yield* Effect.forkChild(connection.command("Page.enable"), start)
      const changed = yield* connection
        .command("DOM.enable")
        .pipe(Effect.provideService(Timeouts, { ...table, command: 5 }), Effect.forkChild(start))
      yield* TestClock.adjust(5)
      assert.deepInclude(yield* Effect.flip(Fiber.join(changed)), { budget: 5 })
      yield* TestClock.adjust(29_994)
      assert.isUndefined(usual.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepInclude(yield* Effect.flip(Fiber.join(usual)), { _tag: "OperationTimeout", budget: 30_000 })
    })
  )

  it.effect("a shorter deadline that comes later is kept before a longer one that came first", () =>
    Effect.gen(function* () {
      const { connection, statistics } = yield* makeSimulatedConnection()
      const ask = (timeout: number) =>
        connection.command("Page.enable", undefined, { timeout }).pipe(Effect.exit, Effect.forkChild(start))
      yield* ask(100)
      yield* Effect.yieldNow
      yield* ask(10)
      yield* ask(50)
      yield* TestClock.adjust(10)
      assert.strictEqual(statistics().inFlight, 2)
      yield* TestClock.adjust(40)
      assert.strictEqual(statistics().inFlight, 1)
      yield* TestClock.adjust(50)
      assert.strictEqual(statistics().inFlight, 0)
    })
  )

  it.effect("inside a budget the budget ends the command, and the error names the operation", () =>
    Effect.gen(function* () {
      const { connection, statistics } = yield* makeSimulatedConnection()
      const asked = yield* connection
        .command("Page.enable")
        .pipe(within("browser_open", 45_000), Effect.forkChild(start))
      yield* TestClock.adjust(44_999)
      assert.strictEqual(statistics().inFlight, 1)
      yield* TestClock.adjust(1)
      assert.deepInclude(yield* Effect.flip(Fiber.join(asked)), { operation: "browser_open", budget: 45_000 })
      assert.strictEqual(statistics().inFlight, 0)
    })
  )

  it.effect("a command of a finalizer ends as well, although no budget can interrupt it", () =>
    Effect.gen(function* () {
      const { connection, statistics } = yield* makeSimulatedConnection()
      const asked = yield* Effect.scoped(
        Effect.andThen(
          Effect.addFinalizer(() => Effect.exit(connection.command("Target.closeTarget", { targetId: "T" }))),
          Effect.never
        )
      ).pipe(within("browser_open", 1_000), Effect.forkChild(start))
      yield* TestClock.adjust(1_000)
      assert.strictEqual(statistics().inFlight, 1)
      yield* TestClock.adjust(30_000)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(asked)))
      assert.strictEqual(statistics().inFlight, 0)
    })
  )
})

describe("the end of a connection", () => {
  it.effect("closing from the other side fails what is in flight and every later command at once", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      const waiting = yield* Effect.forkChild(connection.closed, start)
      const asked = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(connection.command("Page.enable"), start))
      assert.isFalse(connection.isClosed())
      server.close("the browser went away")
      for (const fiber of asked) {
        assert.deepInclude(yield* Effect.flip(Fiber.join(fiber)), {
          _tag: "ConnectionLost",
          reason: "the browser went away"
        })
      }
      assert.isTrue(connection.isClosed())
      assert.deepInclude(yield* Effect.flip(connection.command("Page.enable")), { _tag: "ConnectionLost" })
      assert.lengthOf(server.received, 3)
      assert.deepInclude(yield* Fiber.join(waiting), { reason: "the browser went away" })
      assert.strictEqual(statistics().inFlight, 0)
    })
  )

  it.effect("closing the scope fails what is in flight, completes closed and closes the transport", () =>
    Effect.gen(function* () {
      const { server, transport } = makeSimulatedTransport()
      const scope = yield* Scope.make()
      const { connection } = yield* makeCdpConnectionCore(transport).pipe(Scope.provide(scope))
      const asked = yield* Effect.forkChild(connection.command("Page.enable"), start)
      yield* Scope.close(scope, Exit.void)
      assert.deepInclude(yield* Effect.flip(Fiber.join(asked)), { _tag: "ConnectionLost" })
      assert.include((yield* connection.closed).reason, "closed on this side")
      assert.isTrue(server.isClosed())
    })
  )

  it.effect("messages after the end change nothing", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      const events: Array<CdpEvent> = []
      yield* connection.listen("all", (event) => events.push(event))
      server.close()
      server.event("Page.loadEventFired")
      server.text("garbage")
      assert.lengthOf(events, 0)
      assert.strictEqual(statistics().garbage, 0)
    })
  )
})

describe("events", () => {
  it.effect("listeners get the events of their session in order, and those of the browser apart", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const log: Array<string> = []
      const note = (who: string) => (event: CdpEvent) => log.push(`${who} ${event.method}`)
      yield* connection.listen(page, note("page"))
      yield* connection.listen(undefined, note("browser"))
      yield* connection.listen("all", note("all"))
      server.event("Page.frameAttached", {}, "PAGE")
      server.event("Target.targetCreated")
      server.event("Page.frameDetached", {}, "FRAME")
      assert.deepStrictEqual(log, [
        "page Page.frameAttached",
        "all Page.frameAttached",
        "browser Target.targetCreated",
        "all Target.targetCreated",
        "all Page.frameDetached"
      ])
    })
  )

  it.effect("a listener is gone with its scope, also in the middle of an event", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const runSync = Effect.runSyncWith(yield* Effect.context())
      const log: Array<string> = []
      const scope = yield* Scope.make()
      yield* connection.listen(undefined, () => {
        log.push("first")
        runSync(Scope.close(scope, Exit.void))
      })
      yield* connection.listen(undefined, () => log.push("second")).pipe(Scope.provide(scope))
      server.event("Target.targetCreated")
      server.event("Target.targetCreated")
      assert.deepStrictEqual(log, ["first", "first"])
    })
  )

  it.effect("a listener added while an event is handed out gets the next one", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const runSync = Effect.runSyncWith(yield* Effect.context())
      const scope = yield* Effect.scope
      const log: Array<string> = []
      yield* connection.listen(undefined, (event) => {
        log.push(`old ${event.method}`)
        if (log.length === 1) {
          runSync(connection.listen(undefined, (later) => log.push(`new ${later.method}`)).pipe(Scope.provide(scope)))
        }
      })
      server.event("Target.targetCreated")
      server.event("Target.targetDestroyed")
      assert.deepStrictEqual(log, [
        "old Target.targetCreated",
        "old Target.targetDestroyed",
        "new Target.targetDestroyed"
      ])
    })
  )

  it.effect("a listener that throws is logged, and the others and the reader go on", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logged = yield* Deferred.make<void>()
      const logger = Logger.make<unknown, void>(({ message }) => {
        lines.push(String(message))
        Deferred.doneUnsafe(logged, Exit.void)
      })
      const seen: Array<string> = []
      yield* Effect.gen(function* () {
        const { connection, server } = yield* makeSimulatedConnection()
        yield* connection.listen(undefined, () => {
          throw new Error("broken listener")
        })
        yield* connection.listen(undefined, ({ method }) => seen.push(method))
        server.event("Target.targetCreated")
        server.event("Target.targetDestroyed")
        yield* Deferred.await(logged)
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
      assert.deepStrictEqual(seen, ["Target.targetCreated", "Target.targetDestroyed"])
      assert.include(lines.join("\n"), "broken listener")
    })
  )

  it.effect("a reaction that needs a reply gets it, and the next event is read meanwhile (L11)", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const events = yield* Queue.unbounded<CdpEvent>()
      yield* connection.listen("all", (event) => Queue.offerUnsafe(events, event))
      const reaction = yield* Queue.take(events).pipe(
        Effect.andThen(connection.command("Page.getFrameTree")),
        Effect.forkChild(start)
      )
      server.event("Target.attachedToTarget", { sessionId: "PAGE" })
      const asked = yield* server.next
      server.event("Target.targetInfoChanged")
      assert.strictEqual((yield* Queue.take(events)).method, "Target.targetInfoChanged")
      assert.isUndefined(reaction.pollUnsafe())
      server.reply(asked, { frameTree: "tree" })
      assert.deepStrictEqual(yield* Fiber.join(reaction), { frameTree: "tree" } as never)
    })
  )

  it.effect("garbage and unknown ids are counted and never fatal", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      for (const text of ["", "{", "null", "7", "[]", `{"id":"1"}`, `{"id":1.5}`, `{"method":3}`, `{}`]) {
        server.text(text)
      }
      server.reply(99)
      server.reply(-1)
      assert.deepStrictEqual(statistics(), { inFlight: 0, garbage: 9, unknownReplies: 2, lateReplies: 0 })
      server.answer("Page.enable", () => ({}))
      yield* connection.command("Page.enable")
    })
  )
})

describe("sessions that can no longer answer", () => {
  it.effect("a detached session fails its commands, and those of the sessions below it, with -32001", () =>
    Effect.gen(function* () {
      const { connection, server, statistics } = yield* makeSimulatedConnection()
      server.event("Target.attachedToTarget", { sessionId: "PAGE" })
      server.event("Target.attachedToTarget", { sessionId: "FRAME" }, "PAGE")
      const ask = (sessionId: CdpSessionId | undefined) =>
        Effect.forkChild(connection.command("DOM.getDocument", undefined, { sessionId }), start)
      const lost = yield* Effect.forEach([page, frame], ask)
      yield* Effect.forEach([undefined, CdpSessionId.make("OTHER")], ask)
      server.event("Target.detachedFromTarget", { sessionId: "PAGE" })
      for (const fiber of lost) {
        assert.deepInclude(yield* Effect.flip(Fiber.join(fiber)), {
          _tag: "CdpFailed",
          cdpCode: -32001,
          reason: "session closed"
        })
      }
      assert.strictEqual(statistics().inFlight, 2)
    })
  )

  it.effect("a crash fails what only the dead process could answer, in that session alone", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      const ask = (method: string, sessionId: CdpSessionId) =>
        Effect.forkChild(connection.raw(method, {}, { sessionId }), start)
      const lost = yield* ask("Runtime.evaluate", page)
      const kept = [
        yield* ask("Page.navigate", page),
        yield* ask("Page.reload", page),
        yield* ask("Target.setAutoAttach", page),
        yield* ask("Runtime.evaluate", frame)
      ]
      server.event("Inspector.targetCrashed", {}, "PAGE")
      assert.deepInclude(yield* Effect.flip(Fiber.join(lost)), { _tag: "CdpFailed", reason: "target crashed" })
      for (const fiber of kept) assert.isUndefined(fiber.pollUnsafe())
    })
  )

  it.effect("until the page is loaded again, a crashed session is only asked what can help", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      server.answer("*", () => ({}))
      server.event("Inspector.targetCrashed", {}, "PAGE")
      const error = yield* Effect.flip(connection.raw("Runtime.evaluate", {}, { sessionId: page }))
      assert.deepInclude(error, { _tag: "CdpFailed", reason: "target crashed" })
      assert.lengthOf(server.received, 0)
      const helping = ["Page.navigate", "Page.reload", "Page.enable", "Target.setAutoAttach", "Browser.getVersion"]
      for (const method of helping) yield* connection.raw(method, {}, { sessionId: page })
      yield* connection.raw("Runtime.evaluate", {}, { sessionId: frame })
      server.event("Inspector.targetReloadedAfterCrash", {}, "PAGE")
      yield* connection.raw("Runtime.evaluate", {}, { sessionId: page })
      assert.lengthOf(server.received, helping.length + 2)
    })
  )

  it.effect("who handles the failure of a command finds the event already recorded", () =>
    Effect.gen(function* () {
      const { connection, server } = yield* makeSimulatedConnection()
      let crashed = false
      yield* connection.listen(page, () => {
        crashed = true
      })
      const asked = yield* connection.raw("Runtime.evaluate", {}, { sessionId: page }).pipe(
        Effect.catch(() => Effect.sync(() => crashed)),
        Effect.forkChild(start)
      )
      server.event("Inspector.targetCrashed", {}, "PAGE")
      assert.isTrue(yield* Fiber.join(asked))
    })
  )
})
