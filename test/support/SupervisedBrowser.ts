/** A Chromium with a supervisor on its connection and the barest owner of targets beside it. */
import { Effect, Layer, type Scope } from "effect"
import { launchChromium, launchPlatform } from "../../src/layers/providers/chromium/launch.ts"
import { makeSupervisor, type Supervisor, type SupervisorOptions } from "../../src/layers/supervisor/SupervisorLive.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import type { Dialog, DialogRecord } from "../../src/schemas/dialog.ts"
import { type CdpSessionId, TabId, type TargetId } from "../../src/schemas/ids.ts"
import { CdpConnection, type CdpMethod, type CdpParams, type CdpResult } from "../../src/services/CdpConnection.ts"

/** The browser of a block of tests: each site has a process of its own. */
export const supervisedChromium = Layer.effect(
  CdpConnection,
  Effect.gen(function* () {
    const embedded = process.env["EFFECT_BROWSER_TEST_ENGINE"] === "embedded"
    const config = yield* decodeBrowserConfig({ chromium: { embedded, args: ["--site-per-process"] } })
    const { connection } = yield* launchChromium(config.chromium)
    return connection
  })
).pipe(Layer.provide(launchPlatform), Layer.orDie)

export interface SupervisedTab {
  readonly id: TabId
  readonly targetId: TargetId
  readonly sessionId: CdpSessionId
  readonly send: <M extends CdpMethod>(method: M, params?: CdpParams<M>) => Effect.Effect<CdpResult<M>>
  /** evaluates without waiting for the outcome: it may open a dialog */
  readonly start: (expression: string) => Effect.Effect<void>
  readonly evaluate: (expression: string) => Effect.Effect<unknown>
  /** opens a page and waits for its load event */
  readonly open: (url: string) => Effect.Effect<void, never, Scope.Scope>
}

let tabs = 0

/** A supervisor and the means to open tabs under it. Popups and frames of other processes are attached as they come. */
export const supervised = Effect.fnUntraced(function* (options: Partial<SupervisorOptions> = {}) {
  const connection = yield* CdpConnection
  const supervisor = yield* makeSupervisor({ connection, policy: "must_respond", dialogTimeoutMs: 60_000, ...options })
  const context = yield* Effect.context<never>()
  const run = (effect: Effect.Effect<unknown, unknown>) => Effect.runForkWith(context)(Effect.ignore(effect))
  const mine = new Map<string, TabId>()
  const targets = new Map<string, TabId>()

  const setUp = (sessionId: CdpSessionId) => {
    const to = { sessionId }
    run(connection.command("Page.enable", {}, to))
    run(connection.command("Runtime.enable", undefined, to))
    run(
      connection.command("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, to)
    )
    run(connection.command("Runtime.runIfWaitingForDebugger", undefined, to))
  }

  yield* connection.listen("all", (event) => {
    if (event.method === "Target.attachedToTarget") {
      const { sessionId, targetInfo } = event.params
      const parent = event.sessionId
      const tabId = parent === undefined ? targets.get(targetInfo.openerId ?? "") : mine.get(parent)
      if (tabId === undefined) return
      const own = targetInfo.type === "page" ? TabId.make(`t${++tabs}`) : tabId
      mine.set(sessionId, own)
      if (targetInfo.type === "page") targets.set(targetInfo.targetId, own)
      supervisor.attach({
        sessionId: sessionId as CdpSessionId,
        targetId: targetInfo.targetId as TargetId,
        type: targetInfo.type === "page" ? "page" : targetInfo.type === "iframe" ? "iframe" : "worker",
        tabId: own,
        ...(parent === undefined ? {} : { parentSessionId: parent })
      })
      setUp(sessionId as CdpSessionId)
    } else if (event.method === "Target.detachedFromTarget") {
      supervisor.detach(event.params.sessionId as CdpSessionId)
    }
  })

  const newTab = Effect.fnUntraced(function* () {
    const id = TabId.make(`t${++tabs}`)
    const { targetId } = yield* connection.command("Target.createTarget", { url: "about:blank", newWindow: true })
    yield* Effect.addFinalizer(() => Effect.ignore(connection.command("Target.closeTarget", { targetId })))
    targets.set(targetId, id)
    const { sessionId } = yield* connection.command("Target.attachToTarget", { targetId, flatten: true })
    const session = sessionId as CdpSessionId
    mine.set(session, id)
    supervisor.attach({ sessionId: session, targetId: targetId as TargetId, type: "page", tabId: id })
    setUp(session)
    const send = <M extends CdpMethod>(method: M, params?: CdpParams<M>) =>
      Effect.orDie(connection.command(method, params, { sessionId: session, timeout: "20 seconds" }))
    yield* send("Page.setLifecycleEventsEnabled", { enabled: true })
    const start = (expression: string) =>
      Effect.sync(() => {
        run(connection.command("Runtime.evaluate", { expression, userGesture: true }, { sessionId: session }))
      })
    return {
      id,
      targetId: targetId as TargetId,
      sessionId: session,
      send,
      start,
      evaluate: (expression) =>
        Effect.map(
          send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true }),
          ({ result }) => result.value as unknown
        ),
      open: Effect.fnUntraced(function* (url) {
        const loaded = yield* eventOf(connection, session, "Page.loadEventFired")
        yield* send("Page.navigate", { url })
        yield* loaded.arrived
      })
    } satisfies SupervisedTab as SupervisedTab
  })

  return { supervisor, newTab }
})

/** Begins to listen; `arrived` waits for the event. */
export const eventOf = Effect.fnUntraced(function* (
  connection: CdpConnection["Service"],
  sessionId: CdpSessionId,
  method: string
) {
  let came = false
  let wake = () => {}
  yield* connection.listen(sessionId, (event) => {
    if (event.method !== method) return
    came = true
    wake()
  })
  const arrived = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
    if (came) resume(Effect.void)
  }).pipe(Effect.timeout("20 seconds"), Effect.orDie)
  return { arrived }
})

const until = <A>(subscribe: (listener: (value: A) => void) => () => void, find: () => A | undefined, what: string) =>
  Effect.callback<A>((resume) => {
    const stop = subscribe((value) => {
      stop()
      resume(Effect.succeed(value))
    })
    const there = find()
    if (there !== undefined) {
      stop()
      resume(Effect.succeed(there))
    }
    return Effect.sync(stop)
  }).pipe(
    Effect.timeoutOrElse({ duration: "20 seconds", orElse: () => Effect.die(new Error(`waited in vain for ${what}`)) })
  )

/** Waits until a dialog waits for someone. */
export const dialogOpens = (supervisor: Supervisor, message?: string): Effect.Effect<Dialog> =>
  until(
    (listener) =>
      supervisor.onDialog((dialog) => (message === undefined || dialog.message === message) && listener(dialog)),
    () => supervisor.pendingDialogs().find((dialog) => message === undefined || dialog.message === message),
    `the dialog ${message ?? ""}`
  )

/** Waits until a dialog is filed. */
export const dialogCloses = (supervisor: Supervisor, id: string): Effect.Effect<DialogRecord> =>
  until(
    (listener) => supervisor.onDialogClosed((record) => record.id === id && listener(record)),
    () => supervisor.recentDialogs().find((record) => record.id === id),
    `the end of ${id}`
  )
