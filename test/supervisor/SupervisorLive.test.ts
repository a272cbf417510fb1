import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit, Fiber, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeSupervisor } from "../../src/layers/supervisor/SupervisorLive.ts"
import type { DialogPolicy } from "../../src/schemas/dialog.ts"
import { CdpSessionId, FrameId, TabId, TargetId } from "../../src/schemas/ids.ts"
import { makeSimulatedConnection, Refusal } from "../support/SimulatedCdpServer.ts"

const page = CdpSessionId.make("page")
const tab = TabId.make("t1")
const root = { id: "top", loaderId: "l", url: "http://a.test/", securityOrigin: "http://a.test", mimeType: "text/html" }

/** A supervisor over a simulated browser with one page. */
const start = Effect.fnUntraced(function* (policy: DialogPolicy = "must_respond") {
  const { connection, server } = yield* makeSimulatedConnection()
  const scope = yield* Scope.fork(yield* Effect.scope)
  const supervisor = yield* makeSupervisor({ connection, policy, dialogTimeoutMs: 1_000 }).pipe(Scope.provide(scope))
  server.answer("Page.getFrameTree", ({ sessionId }) =>
    sessionId === page
      ? { frameTree: { frame: root } }
      : { frameTree: { frame: { ...root, id: "inner", parentId: "top" } } }
  )
  supervisor.attach({ sessionId: page, targetId: TargetId.make("top"), type: "page", tabId: tab })
  const open = (message: string, frameId = "top") =>
    server.event(
      "Page.javascriptDialogOpening",
      { url: root.url, message, type: "confirm", hasBrowserHandler: true, frameId },
      page
    )
  const close = (result: boolean, frameId = "top") =>
    server.event("Page.javascriptDialogClosed", { result, userInput: "", frameId }, page)
  return { connection, server, supervisor, open, close, end: Scope.close(scope, Exit.void) }
})

/** Lets fibers that the supervisor started run. */
const settle = Effect.forEach([1, 2, 3, 4, 5], () => Effect.yieldNow, { discard: true })

it.effect("attaching sends nothing but the reading of the frame tree", () =>
  Effect.gen(function* () {
    const { server, supervisor } = yield* start()
    yield* settle
    assert.deepStrictEqual(
      server.received.map(({ method, sessionId }) => [method, sessionId]),
      [["Page.getFrameTree", "page"]]
    )
    assert.strictEqual(supervisor.frameTree(tab).top?.url, root.url)
  })
)

it.effect("a dialog is known, and its listeners called, before the function that sent its event returns", () =>
  Effect.gen(function* () {
    const { open, server, supervisor } = yield* start()
    server.answer("Page.handleJavaScriptDialog", () => ({}))
    const heard: Array<string> = []
    const stop = supervisor.onDialog(({ message }) => heard.push(message))
    open("Sure?")
    assert.deepStrictEqual(heard, ["Sure?"])
    assert.strictEqual(supervisor.pendingDialogs(tab)[0]?.message, "Sure?")
    stop()
    open("Again?", "other")
    assert.deepStrictEqual(heard, ["Sure?"])
  })
)

it.effect("an answer is filed under the agent although the browser's closing event comes before its reply", () =>
  Effect.gen(function* () {
    const { close, open, server, supervisor } = yield* start()
    open("Sure?")
    const answering = yield* Effect.forkChild(supervisor.answer({ action: "accept" }), { startImmediately: true })
    const asked = yield* server.nextOf("Page.handleJavaScriptDialog")
    assert.deepStrictEqual(asked.params, { accept: true })
    assert.deepStrictEqual(supervisor.pendingDialogs(), [])
    close(true)
    server.reply(asked)
    assert.strictEqual((yield* Fiber.join(answering)).message, "Sure?")
    assert.strictEqual(supervisor.recentDialogs()[0]?.closed_by, "agent")
  })
)

it.effect(
  "a dialog that the browser lets nobody answer is said to be so, stays pending with its remedy and goes with its document",
  () =>
    Effect.gen(function* () {
      const { open, server, supervisor } = yield* start()
      yield* settle
      server.answer("Page.getFrameTree", () => undefined)
      server.answer("Page.handleJavaScriptDialog", () => new Refusal("No dialog is showing", -32602))
      open("Stuck")
      const refusal = yield* Effect.flip(supervisor.answer({ action: "accept" }))
      assert.strictEqual(refusal._tag, "DialogUnanswerable")
      assert.isDefined(supervisor.pendingDialogs()[0]?.remedy)
      assert.strictEqual((yield* Effect.flip(supervisor.answer({ action: "accept" })))._tag, "DialogUnanswerable")
      yield* TestClock.adjust("6 seconds")
      assert.lengthOf(supervisor.pendingDialogs(), 1)
      server.answer("Page.getFrameTree", () => ({ frameTree: { frame: root } }))
      server.event("Page.frameNavigated", { frame: root, type: "Navigation" }, page)
      yield* TestClock.adjust("1 milli")
      assert.deepStrictEqual(supervisor.pendingDialogs(), [])
      assert.strictEqual(supervisor.recentDialogs()[0]?.closed_by, "remote")
    })
)

it.effect("an answer that the browser is silent about fails in time, and the dialog can be answered again", () =>
  Effect.gen(function* () {
    const { close, open, server, supervisor } = yield* start()
    open("Slow")
    const first = yield* Effect.forkChild(Effect.flip(supervisor.answer({ action: "accept" })), {
      startImmediately: true
    })
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual((yield* Fiber.join(first))._tag, "OperationTimeout")
    assert.lengthOf(supervisor.pendingDialogs(), 1)
    server.answer("Page.handleJavaScriptDialog", () => {
      close(false)
      return {}
    })
    assert.strictEqual((yield* supervisor.answer({ action: "dismiss" })).id, "d-1")
  })
)

it.effect("the watchdog dismisses after its time, not before, and not what was answered", () =>
  Effect.gen(function* () {
    const { close, open, server, supervisor } = yield* start()
    server.answer("Page.handleJavaScriptDialog", ({ params }) => {
      close(params?.["accept"] === true)
      return {}
    })
    open("First")
    yield* supervisor.answer({ action: "accept" })
    open("Second")
    yield* TestClock.adjust("999 millis")
    assert.lengthOf(supervisor.pendingDialogs(), 1)
    yield* TestClock.adjust("1 milli")
    assert.deepStrictEqual(
      supervisor.recentDialogs().map(({ closed_by }) => closed_by),
      ["agent", "watchdog"]
    )
    assert.lengthOf(
      server.received.filter(({ method }) => method === "Page.handleJavaScriptDialog"),
      2
    )
  })
)

it.effect(
  "a connection that is lost fails the answer under way, files the dialog as lost and refuses later answers",
  () =>
    Effect.gen(function* () {
      const { open, server, supervisor } = yield* start()
      open("Sure?")
      const answering = yield* Effect.forkChild(Effect.flip(supervisor.answer({ action: "accept" })), {
        startImmediately: true
      })
      yield* server.nextOf("Page.handleJavaScriptDialog")
      server.close("gone")
      assert.strictEqual((yield* Fiber.join(answering))._tag, "SessionLost")
      assert.strictEqual(supervisor.recentDialogs()[0]?.closed_by, "lost")
      assert.strictEqual((yield* Effect.flip(supervisor.answer({ action: "accept" })))._tag, "SessionLost")
      yield* supervisor.stop
    })
)

it.effect("an answer whose asker was interrupted is still given, once", () =>
  Effect.gen(function* () {
    const { close, open, server, supervisor } = yield* start()
    open("Sure?")
    const answering = yield* Effect.forkChild(supervisor.answer({ action: "accept" }), { startImmediately: true })
    const asked = yield* server.nextOf("Page.handleJavaScriptDialog")
    yield* Fiber.interrupt(answering)
    close(true)
    server.reply(asked)
    assert.strictEqual(supervisor.recentDialogs()[0]?.closed_by, "agent")
  })
)

it.effect("closing the scope answers what is open before anything else ends, beforeunload by staying", () =>
  Effect.gen(function* () {
    const { close, end, server } = yield* start()
    server.event(
      "Page.javascriptDialogOpening",
      { url: root.url, message: "", type: "beforeunload", hasBrowserHandler: true, frameId: "top" },
      page
    )
    const ending = yield* Effect.forkChild(end, { startImmediately: true })
    const asked = yield* server.nextOf("Page.handleJavaScriptDialog")
    assert.deepStrictEqual(asked.params, { accept: false })
    close(false)
    server.reply(asked)
    yield* Fiber.join(ending)
  })
)

it.effect("a stop that the browser does not answer ends after two seconds", () =>
  Effect.gen(function* () {
    const { open, supervisor } = yield* start()
    open("Silent")
    const stopping = yield* Effect.forkChild(supervisor.stop, { startImmediately: true })
    yield* TestClock.adjust("1999 millis")
    assert.isUndefined(stopping.pollUnsafe())
    yield* TestClock.adjust("1 milli")
    yield* Fiber.join(stopping)
    assert.strictEqual(supervisor.recentDialogs()[0]?.closed_by, "lost")
  })
)

it.effect("the frame tree is not read while a dialog blocks the page, and is once it is closed", () =>
  Effect.gen(function* () {
    const { close, open, server, supervisor } = yield* start()
    yield* settle
    const reads = () => server.received.filter(({ method }) => method === "Page.getFrameTree").length
    assert.strictEqual(reads(), 1)
    open("Blocks")
    // the end of a frame's own process asks for its parent's tree
    const child = CdpSessionId.make("child")
    supervisor.attach({
      sessionId: child,
      targetId: TargetId.make("inner"),
      type: "iframe",
      tabId: tab,
      parentSessionId: page,
      parentFrameId: FrameId.make("top")
    })
    yield* settle
    assert.strictEqual(reads(), 2, "another process can be asked")
    supervisor.detach(child)
    yield* settle
    assert.strictEqual(reads(), 2)
    close(false)
    yield* settle
    assert.strictEqual(reads(), 3)
  })
)

const Script = Schema.Struct({
  asks: Schema.Array(Schema.Literals(["accept", "dismiss", "remote", "both"])).check(Schema.isMaxLength(8)),
  policy: Schema.Literals(["must_respond", "auto_accept", "auto_dismiss"])
})

it.effect.prop(
  "whoever answers, each dialog is filed once under the one whose answer the browser took, and every asker is told",
  { script: Arbitrary.schema(Script) },
  ({ script }) =>
    Effect.gen(function* () {
      const { close, open, server, supervisor } = yield* start(script.policy)
      let isOpen = false
      const truth: Array<string> = []
      const remote = () => {
        if (!isOpen) return
        isOpen = false
        truth.push("remote")
        close(false)
      }
      let remoteFirst = false
      server.answer("Page.handleJavaScriptDialog", ({ params }) => {
        if (remoteFirst) remote()
        if (!isOpen) return new Refusal("No dialog is showing", -32602)
        isOpen = false
        truth.push(script.policy === "must_respond" ? "agent" : "auto_policy")
        close(params?.["accept"] === true)
        return {}
      })
      for (const [index, ask] of script.asks.entries()) {
        isOpen = true
        remoteFirst = ask === "both"
        open(`dialog ${index}`)
        if (ask === "remote") remote()
        const outcome = yield* Effect.result(supervisor.answer({ action: ask === "dismiss" ? "dismiss" : "accept" }))
        assert.strictEqual(outcome._tag, truth.at(-1) === "agent" ? "Success" : "Failure", `${truth.at(-1)} closed it`)
      }
      assert.deepStrictEqual(
        supervisor.recentDialogs().map(({ closed_by }) => closed_by as string),
        truth
      )
      assert.deepStrictEqual(supervisor.state().dialogs, [])
      assert.deepStrictEqual(supervisor.state().answers, [])
    }).pipe(Effect.scoped),
  { arbitrary: { runs: 100 } }
)

it.live("absorbs 100,000 frame and console events within bounded memory, at less than 100 µs of CPU each", () =>
  Effect.gen(function* () {
    const { server, supervisor } = yield* start()
    yield* settle
    for (let index = 0; index < 60; index++) {
      server.event("Page.frameAttached", { frameId: `f${index}`, parentFrameId: "top" }, page)
    }
    const before = process.cpuUsage()
    for (let index = 0; index < 100_000; index++) {
      const id = `f${index % 60}`
      if (index % 2 === 0) {
        const frame = { ...root, id, parentId: "top", url: `http://a.test/${index}` }
        server.event("Page.frameNavigated", { frame, type: "Navigation" }, page)
      } else {
        const args = [{ type: "string", value: `line ${index}` }]
        server.event("Runtime.consoleAPICalled", { type: "log", args, executionContextId: 1, timestamp: index }, page)
      }
    }
    const { system, user } = process.cpuUsage(before)
    assert.isBelow((user + system) / 100_000, 100)
    assert.lengthOf(supervisor.console(tab), 200)
    assert.lengthOf(supervisor.frameTree(tab, { whole: true }).children, 60)
    assert.strictEqual(supervisor.state().tabs.get(tab)?.frames.size, 61)
  })
)
