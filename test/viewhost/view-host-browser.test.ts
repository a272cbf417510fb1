import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeViewHostBrowser } from "../../src/layers/viewhost/ViewHostBrowser.ts"
import { CdpFailed, HostDead, ViewUnknown } from "../../src/schemas/errors.ts"
import { type HostEvent, HostTaskId, ViewId } from "../../src/schemas/HostProtocol.ts"
import { BrowserContextId, CdpSessionId } from "../../src/schemas/ids.ts"
import type { TaskOwner, TaskPresentation, TaskStatus } from "../../src/schemas/tasks.ts"
import type { CdpEvent } from "../../src/services/CdpConnection.ts"
import type { HostCallError, RunningHost } from "../../src/services/ViewHost.ts"

const start = { startImmediately: true } as const
const context = BrowserContextId.make("task-x")
const view = ViewId.make("v1")

interface Call {
  readonly operation: string
  readonly params: object
  readonly answer: (result: unknown) => void
  readonly refuse: (error: HostCallError) => void
  givenUp: boolean
}

/** A host that answers what the test wants, and the browser over it. */
const make = Effect.gen(function* () {
  const calls: Array<Call> = []
  const listeners = new Set<(event: HostEvent) => void>()
  const died = yield* Deferred.make<HostDead>()
  const post: RunningHost["post"] = (operation, params, settle) => {
    const call: Call = {
      operation,
      params,
      answer: (result) => settle({ ok: true, result: result as never }),
      refuse: (error) => settle({ ok: false, error }),
      givenUp: false
    }
    calls.push(call)
    return () => {
      call.givenUp = true
    }
  }
  const host: RunningHost = {
    chrome: "130.0.1.2",
    electron: "33.2.1",
    userAgent: "UA",
    pid: 1,
    post,
    call: () => Effect.void as Effect.Effect<never>,
    listen: (listener) =>
      Effect.sync(() => {
        listeners.add(listener)
      }),
    closed: Deferred.await(died),
    isClosed: () => false
  }
  const browser = yield* makeViewHostBrowser(host)
  const events: Array<CdpEvent> = []
  yield* browser.connection.listen("all", (event) => {
    events.push(event)
  })
  const tell = (event: HostEvent) => {
    for (const listener of listeners) listener(event)
  }
  const { command } = browser.connection
  const newPage = Effect.gen(function* () {
    const made = yield* Effect.forkChild(
      command("Target.createTarget", { url: "about:blank", browserContextId: context }),
      start
    )
    calls.at(-1)?.answer({ viewId: view, targetId: "T1" })
    yield* Fiber.join(made)
    const attached = events.find((event) => event.method === "Target.attachedToTarget")
    return CdpSessionId.make((attached!.params as { readonly sessionId: string }).sessionId)
  })
  return { browser, calls, command, died, events, newPage, tell }
})

describe("a view host as a browser", () => {
  it.effect("a page that is created is a view of its task; it attaches before the reply", () =>
    Effect.gen(function* () {
      const { calls, events, newPage } = yield* make
      const sessionId = yield* newPage
      assert.deepStrictEqual(calls[0]?.params, { taskId: HostTaskId.make("task-x"), background: false })
      assert.deepInclude(events[0]?.params, { sessionId, waitingForDebugger: false })
    })
  )

  it.effect("commands go to the view of their session, or to the session below it", () =>
    Effect.gen(function* () {
      const { calls, command, newPage, tell } = yield* make
      const sessionId = yield* newPage
      tell({
        event: "cdp",
        viewId: view,
        method: "Target.attachedToTarget",
        params: { sessionId: "FRAME", targetInfo: { type: "iframe" } }
      })
      yield* Effect.forkChild(command("Page.enable", undefined, { sessionId }), start)
      yield* Effect.forkChild(command("Page.enable", undefined, { sessionId: CdpSessionId.make("FRAME") }), start)
      assert.deepStrictEqual(
        calls.slice(1).map(({ params }) => params),
        [
          { viewId: view, method: "Page.enable", params: {} },
          { viewId: view, method: "Page.enable", params: {}, sessionId: "FRAME" }
        ]
      )
      const stranger = yield* Effect.flip(command("Page.enable", undefined, { sessionId: CdpSessionId.make("GONE") }))
      assert.deepInclude(stranger, { _tag: "CdpFailed", cdpCode: -32_001 })
    })
  )

  it.effect("events have the session of their view, or that below it", () =>
    Effect.gen(function* () {
      const { events, newPage, tell } = yield* make
      const sessionId = yield* newPage
      tell({ event: "cdp", viewId: view, method: "Page.loadEventFired", params: { timestamp: 1 } })
      tell({ event: "cdp", viewId: view, method: "Page.loadEventFired", params: { timestamp: 2 }, sessionId: "FRAME" })
      tell({ event: "cdp", viewId: ViewId.make("v9"), method: "Page.loadEventFired", params: { timestamp: 3 } })
      assert.deepStrictEqual(
        events.filter(({ method }) => method === "Page.loadEventFired").map((event) => event.sessionId),
        [sessionId, CdpSessionId.make("FRAME")]
      )
    })
  )

  it.effect("a refusal keeps the code of the protocol; of a view that is gone it says so", () =>
    Effect.gen(function* () {
      const { calls, command, newPage } = yield* make
      const sessionId = yield* newPage
      for (const [error, expected] of [
        [new CdpFailed({ method: "Page.enable", cdpCode: -32_601, reason: "wasn't found" }), -32_601],
        [new ViewUnknown({ viewId: "v1" }), -32_001]
      ] as const) {
        const asked = yield* Effect.forkChild(command("Page.enable", undefined, { sessionId }), start)
        calls.at(-1)?.refuse(error)
        assert.deepInclude(yield* Effect.flip(Fiber.join(asked)), { _tag: "CdpFailed", cdpCode: expected })
      }
    })
  )

  it.effect("a command that is interrupted is given up in the host", () =>
    Effect.gen(function* () {
      const { calls, command, newPage } = yield* make
      const sessionId = yield* newPage
      const asked = yield* Effect.forkChild(command("Page.enable", undefined, { sessionId }), start)
      yield* Fiber.interrupt(asked)
      assert.isTrue(calls.at(-1)?.givenUp)
    })
  )

  it.effect("pictures are taken by the host, with the parameters of the command", () =>
    Effect.gen(function* () {
      const { calls, command, newPage } = yield* make
      const sessionId = yield* newPage
      const asked = yield* Effect.forkChild(
        command("Page.captureScreenshot", { format: "jpeg", quality: 70 }, { sessionId }),
        start
      )
      assert.strictEqual(calls.at(-1)?.operation, "capture")
      assert.deepInclude(calls.at(-1)?.params, { viewId: view, format: "jpeg", quality: 70 })
      calls.at(-1)?.answer({ data: "AA==", way: "native" })
      assert.deepStrictEqual(yield* Fiber.join(asked), { data: "AA==" })
    })
  )

  it.effect("a navigation that became a download says so, also if the download is told of a little later", () =>
    Effect.gen(function* () {
      const { calls, command, newPage, tell } = yield* make
      const sessionId = yield* newPage
      const aborted = { frameId: "T1", errorText: "net::ERR_ABORTED" }
      const navigate = Effect.forkChild(command("Page.navigate", { url: "http://a/file" }, { sessionId }), start)
      const plain = yield* navigate
      calls.at(-1)?.answer(aborted)
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))
      assert.deepStrictEqual(yield* Fiber.join(plain), aborted)
      const late = yield* navigate
      calls.at(-1)?.answer(aborted)
      tell({ event: "downloadBegan", viewId: view, guid: "g", url: "http://a/file", suggestedName: "file" })
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))
      assert.deepStrictEqual(yield* Fiber.join(late), { ...aborted, isDownload: true } as never)
    })
  )

  it.effect("a page that another one opened attaches with its opener; one that closes is detached", () =>
    Effect.gen(function* () {
      const { command, events, newPage, tell } = yield* make
      yield* newPage
      tell({
        event: "viewOpened",
        viewId: ViewId.make("v2"),
        targetId: "T2",
        taskId: HostTaskId.make("task-x"),
        openerId: view,
        hasOpener: true,
        url: "http://a/"
      })
      const popup = events.at(-1)
      assert.deepInclude((popup!.params as { readonly targetInfo: object }).targetInfo, {
        targetId: "T2",
        openerId: "T1",
        canAccessOpener: true
      })
      tell({ event: "viewChanged", viewId: ViewId.make("v2"), url: "http://a/b", title: "Popup" })
      const { targetInfos } = yield* command("Target.getTargets")
      assert.deepStrictEqual(
        targetInfos.map(({ title, url }) => [title, url]),
        [
          ["", "about:blank"],
          ["Popup", "http://a/b"]
        ]
      )
      tell({ event: "viewClosed", viewId: ViewId.make("v2") })
      assert.deepInclude(events.find(({ method }) => method === "Target.detachedFromTarget")?.params, {
        targetId: "T2"
      })
      assert.lengthOf((yield* command("Target.getTargets")).targetInfos, 1)
    })
  )

  it.effect("cookies are asked of a page of that storage, and written to disk when they were changed", () =>
    Effect.gen(function* () {
      const { calls, command, newPage } = yield* make
      assert.strictEqual(
        (yield* Effect.flip(command("Storage.getCookies", { browserContextId: context })))._tag,
        "CdpFailed"
      )
      yield* newPage
      yield* Effect.forkChild(command("Storage.setCookies", { browserContextId: context, cookies: [] }), start)
      assert.deepStrictEqual(
        calls.slice(1).map(({ operation, params }) => [operation, params]),
        [
          ["command", { viewId: view, method: "Network.setCookies", params: { cookies: [] } }],
          ["flushCookies", { taskId: "task-x" }]
        ]
      )
    })
  )

  it.effect("what the agent does is shown once it lasts; who has control, and who waits, at once", () =>
    Effect.gen(function* () {
      const { browser, calls } = yield* make
      const { present } = yield* browser.openTask({ label: "x", isolated: false })
      const stands = (status: TaskStatus, waiting = 0, control: TaskOwner = "agent") =>
        present({ label: "x", control, status, waiting })
      const shown = () =>
        calls.flatMap(({ operation, params }) =>
          operation === "presentTask" ? [(params as TaskPresentation).status] : []
        )
      stands("idle")
      assert.deepStrictEqual(shown(), ["idle"])
      for (let step = 0; step < 10; step++) {
        stands("running")
        yield* TestClock.adjust(5)
        stands("idle")
        yield* TestClock.adjust(4)
      }
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(shown(), ["idle"])
      stands("running")
      yield* TestClock.adjust(99)
      assert.deepStrictEqual(shown(), ["idle"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(shown(), ["idle", "running"])
      stands("waiting-user", 0, "human")
      stands("waiting-user", 1, "human")
      assert.deepStrictEqual(shown(), ["idle", "running", "waiting-user", "waiting-user"])
    }).pipe(Effect.scoped)
  )

  it.effect("is lost with its host, for everything under way", () =>
    Effect.gen(function* () {
      const { browser, command, died, newPage } = yield* make
      const sessionId = yield* newPage
      const asked = yield* Effect.forkChild(Effect.exit(command("Page.enable", undefined, { sessionId })), start)
      yield* Deferred.succeed(died, new HostDead({ reason: "it was ended by SIGKILL" }))
      assert.include((yield* browser.connection.closed).reason, "SIGKILL")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(asked)))
    })
  )
})
