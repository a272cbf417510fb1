import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Redacted, Scope } from "effect"
import { connect } from "../../src/layers/cdp/CdpWebSocket.ts"
import { type CdpSessionId, TabId, type TargetId } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { makeSupervisor } from "../../src/layers/supervisor/SupervisorLive.ts"
import { chromium, session } from "../support/ChromiumSession.ts"
import { processesNaming } from "../support/browserProcesses.ts"
import { dismissingProxy } from "../support/DismissingProxy.ts"
import { endpointAt, endpointSession } from "../support/EndpointSession.ts"
import { portChromium } from "../support/PortChromium.ts"
import { dialogOpens } from "../support/SupervisedBrowser.ts"
import { TestSite } from "../support/TestSite.ts"

/** A page of the session has asked, and nobody has answered. */
const asking = Effect.fnUntraced(function* (browser: BrowserSession) {
  const site = yield* TestSite
  yield* browser.open({ url: site.body("<p>quay"), newTab: false })
  const { dialog } = yield* browser.execute({ script: `window.got = confirm("Leave the berth?")` })
  assert.strictEqual(dialog?.message, "Leave the berth?")
})

/** What a session says of its dialogs once its browser is gone. */
const isOver = Effect.fnUntraced(function* (browser: BrowserSession) {
  assert.strictEqual((yield* browser.lost)._tag, "SessionLost")
  while (browser.pendingDialogs().length > 0) yield* Effect.sleep(1)
  assert.deepInclude(browser.recentDialogs().at(-1), { message: "Leave the berth?", closed_by: "lost" })
  assert.strictEqual((yield* Effect.flip(browser.answerDialog({ action: "accept" })))._tag, "SessionLost")
})

for (const way of ["native", "gate", "bridge"] as const) {
  describe(`the end of what a dialog hangs on (${way})`, () => {
    it.live(
      "a browser that is killed while a dialog is open: it is filed as lost, its answer is refused at once",
      () =>
        Effect.gen(function* () {
          const running = yield* portChromium
          yield* Effect.gen(function* () {
            const browser = yield* endpointSession
            yield* asking(browser)
            yield* running.kill
            yield* isOver(browser)
          }).pipe(Effect.scoped, Effect.provide(endpointAt(running.webSocketUrl, { dialogWay: way })))
        }).pipe(Effect.scoped, Effect.provide(TestSite.layer)),
      60_000
    )

    it.live(
      "a socket that is cut while an answer is under way: who answered is told, and nothing is sent again",
      () =>
        Effect.gen(function* () {
          const running = yield* portChromium
          const answers = ["Page.handleJavaScriptDialog", "Debugger.evaluateOnCallFrame", "Fetch.fulfillRequest"]
          let held = false
          const proxy = yield* dismissingProxy(running.webSocketUrl, {
            dismisses: false,
            hold: (method) => (held && answers.includes(method) ? 60_000 : 0)
          })
          yield* Effect.gen(function* () {
            const browser = yield* endpointSession
            yield* asking(browser)
            held = true
            const sent = proxy.commands.length
            const answer = yield* Effect.forkChild(browser.answerDialog({ action: "accept" }), {
              startImmediately: true
            })
            while (proxy.commands.length === sent) yield* Effect.sleep(1)
            yield* proxy.cut
            assert.strictEqual((yield* Effect.flip(Fiber.join(answer)))._tag, "SessionLost")
            yield* isOver(browser)
            // another session, on the same address: the answer is not for it
            held = false
            const next = yield* endpointSession
            const { length } = proxy.commands
            assert.deepStrictEqual(next.pendingDialogs(), [])
            assert.strictEqual((yield* Effect.flip(next.answerDialog({ action: "accept" })))._tag, "DialogNone")
            assert.isFalse(proxy.commands.slice(length).some(({ method }) => answers.includes(method)))
          }).pipe(Effect.scoped, Effect.provide(endpointAt(proxy.webSocketUrl, { dialogWay: way })))
        }).pipe(Effect.scoped, Effect.provide(TestSite.layer)),
      60_000
    )

    it.live(
      "a supervisor that is stopped with a dialog open leaves a page that the next client can use",
      () =>
        Effect.gen(function* () {
          const running = yield* portChromium
          const scope = yield* Scope.make()
          const targetId = yield* Effect.gen(function* () {
            const connection = yield* connect(Redacted.make(running.webSocketUrl))
            const supervisor = yield* makeSupervisor({
              connection,
              policy: "must_respond",
              dialogTimeoutMs: 60_000,
              gate: way === "gate",
              bridge: way === "bridge"
            })
            const { targetId } = yield* connection.command("Target.createTarget", { url: "about:blank" })
            const attached = yield* connection.command("Target.attachToTarget", { targetId, flatten: true })
            const sessionId = attached.sessionId as CdpSessionId
            supervisor.attach({
              sessionId,
              targetId: targetId as TargetId,
              type: "page",
              tabId: TabId.make("t1")
            })
            const send = { sessionId }
            yield* connection.command("Page.enable", undefined, send)
            yield* connection.command("Runtime.enable", undefined, send)
            const patterns = [...supervisor.requests]
            if (patterns.length > 0) yield* connection.command("Fetch.enable", { patterns }, send)
            const expression = `setTimeout(() => { window.got = confirm("Still there?") })`
            yield* connection.command("Runtime.evaluate", { expression }, send)
            yield* dialogOpens(supervisor, "Still there?")
            return targetId
          }).pipe(Scope.provide(scope))
          yield* Scope.close(scope, Exit.void)

          const next = yield* connect(Redacted.make(running.webSocketUrl))
          const attached = yield* next.command("Target.attachToTarget", { targetId, flatten: true })
          const send = { sessionId: attached.sessionId as CdpSessionId }
          yield* next.command("Page.enable", undefined, send)
          const { result } = yield* next.command("Runtime.evaluate", { expression: "window.got" }, send)
          assert.strictEqual(result.value, false)
          const asked = yield* Deferred.make<string>()
          yield* next.listen("all", (event) => {
            if (event.method === "Page.javascriptDialogOpening") {
              Deferred.doneUnsafe(asked, Effect.succeed(event.params.message))
            }
          })
          const expression = `setTimeout(() => { window.got = confirm("And now?") })`
          yield* next.command("Runtime.evaluate", { expression }, send)
          assert.strictEqual(yield* Deferred.await(asked), "And now?")
          yield* next.command("Page.handleJavaScriptDialog", { accept: true }, send)
          const later = yield* next.command("Runtime.evaluate", { expression: "window.got" }, send)
          assert.strictEqual(later.result.value, true)
        }).pipe(Effect.scoped),
      60_000
    )
  })
}

/** An argument by which the processes of the test's own browser are known. */
const mark = `--mark-of-the-test=${process.pid}-${Date.now()}`

describe("our own Chromium", () => {
  it.live(
    "that is killed while a dialog is open ends its sessions, and the next one has a browser again",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const browser = yield* session
        yield* asking(browser)
        for (const pid of processesNaming(mark)) process.kill(pid, "SIGKILL")
        yield* isOver(browser)
        const next = yield* session
        const seen = yield* next.open({ url: site.body("<p>quay", "again"), newTab: false })
        assert.strictEqual(seen.title, "again")
        assert.deepStrictEqual(next.recentDialogs(), [])
      }).pipe(Effect.scoped, Effect.provide(chromium({ chromium: { args: [mark] } }))),
    60_000
  )
})
