/** The supervisor by itself: how soon it sees a dialog, how fast it is read, how much it can take. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, type Scope } from "effect"
import type { Protocol } from "devtools-protocol"
import { launchChromium, launchPlatform } from "../../src/layers/providers/chromium/launch.ts"
import { makeSupervisor, type Supervisor } from "../../src/layers/supervisor/SupervisorLive.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import { type CdpSessionId, TabId, type TargetId } from "../../src/schemas/ids.ts"
import type { CdpConnection } from "../../src/services/CdpConnection.ts"
import { makeSimulatedConnection } from "../../test/support/SimulatedCdpServer.ts"
import type { Bench, Check, Row, Step } from "../Bench.ts"
import { RawPage } from "../raw/RawPage.ts"
import { median } from "../statistics.ts"

/** The page asks, with the time at which it does as its question. */
const question = `setTimeout(() => alert(String(performance.timeOrigin + performance.now())))`

/** ms between the question and now */
const since = (message: string): number => performance.timeOrigin + performance.now() - Number(message)

const options = { policy: "must_respond", dialogTimeoutMs: 60_000 } as const
const tabId = TabId.make("t1")

const supervise = (
  connection: CdpConnection["Service"],
  gate: boolean
): Effect.Effect<{ readonly supervisor: Supervisor; readonly sessionId: CdpSessionId }, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const supervisor = yield* makeSupervisor({ ...options, connection, gate })
    const { targetId } = yield* connection.command("Target.createTarget", { url: "about:blank", newWindow: true })
    const attached = yield* connection.command("Target.attachToTarget", { targetId, flatten: true })
    const sessionId = attached.sessionId as CdpSessionId
    supervisor.attach({ sessionId, targetId: targetId as TargetId, type: "page", tabId })
    yield* connection.command("Page.enable", undefined, { sessionId })
    yield* connection.command("Runtime.enable", undefined, { sessionId })
    return { supervisor, sessionId }
  })

/** ms from the question until the supervisor's state has it, of each round. */
const ours = ({ browser, options: { rounds } }: Bench, gate: boolean) =>
  Effect.gen(function* () {
    const config = yield* decodeBrowserConfig({ chromium: { executablePath: browser.executable } })
    const { connection } = yield* launchChromium(config.chromium)
    const { sessionId, supervisor } = yield* supervise(connection, gate)
    const times: Array<number> = []
    for (let round = -2; round < rounds; round++) {
      const seen = Effect.callback<number>((resume) => {
        const stop = supervisor.onDialog(() => {
          const [dialog] = supervisor.pendingDialogs()
          stop()
          resume(Effect.succeed(since(dialog?.message ?? "")))
        })
      })
      const ask = connection.command("Runtime.evaluate", { expression: question }, { sessionId })
      const [ms] = yield* Effect.all([seen, ask], { concurrency: 2 })
      if (round >= 0) times.push(ms)
      yield* supervisor.answer({ action: "accept" })
    }
    return times
  }).pipe(Effect.scoped, Effect.provide(launchPlatform), Effect.orDie, Effect.runPromise)

const raw = async ({ browser, options: { rounds }, rawBrowser }: Bench): Promise<ReadonlyArray<number>> => {
  const page = await RawPage.open(rawBrowser, browser)
  const times: Array<number> = []
  for (let round = -2; round < rounds; round++) {
    const opened = page.once("Page.javascriptDialogOpening")
    await page.send("Runtime.evaluate", { expression: question })
    const ms = since(((await opened) as unknown as Protocol.Page.JavascriptDialogOpeningEvent).message)
    if (round >= 0) times.push(ms)
    await page.send("Page.handleJavaScriptDialog", { accept: true })
  }
  return times
}

/** Frames that come, load and go, with a line in the console now and then: one event for each call. */
const churn = (
  send: (method: "Page.frameAttached" | "Page.frameNavigated" | "Page.frameDetached", params: object) => void
) => {
  let count = 0
  const frame = (id: string) => ({
    id,
    parentId: "top",
    loaderId: id,
    url: `http://site.test/${id}`,
    securityOrigin: "http://site.test",
    mimeType: "text/html"
  })
  return () => {
    const id = `frame-${Math.floor(count / 3)}`
    const step = count++ % 3
    if (step === 0) send("Page.frameAttached", { frameId: id, parentFrameId: "top" })
    else if (step === 1) send("Page.frameNavigated", { frame: frame(id), type: "Navigation" })
    else send("Page.frameDetached", { frameId: id, reason: "remove" })
  }
}

const frames = 40
const reads = 20_000
const perSecond = 10_000
const soak = 100_000

/** A supervisor of a page with frames, in memory. */
const inMemory = Effect.gen(function* () {
  const { connection, server } = yield* makeSimulatedConnection()
  server.answer("*", () => ({}))
  const supervisor = yield* makeSupervisor({ ...options, connection })
  const session = "s1" as CdpSessionId
  supervisor.attach({ sessionId: session, targetId: "top" as TargetId, type: "page", tabId })
  const send = (method: Parameters<typeof server.event>[0], params: object) => server.event(method, params, session)
  const top = {
    id: "top",
    loaderId: "l",
    url: "http://site.test/",
    securityOrigin: "http://site.test",
    mimeType: "text/html"
  }
  send("Page.frameNavigated", { frame: top, type: "Navigation" })
  for (let index = 0; index < frames; index++) {
    send("Page.frameAttached", { frameId: `kept-${index}`, parentFrameId: "top" })
  }

  const read = () =>
    supervisor.pendingDialogs().length + supervisor.recentDialogs().length + supervisor.frameTree(tabId).children.length
  for (let turn = 0; turn < reads; turn++) read()
  let start = performance.now()
  for (let turn = 0; turn < reads; turn++) read()
  const reading = ((performance.now() - start) * 1_000) / reads

  const next = churn(send)
  for (let turn = 0; turn < 3_000; turn++) next()
  start = performance.now()
  for (let turn = 0; turn < perSecond; turn++) next()
  const absorbing = performance.now() - start
  // one more than whole rounds: the last frame is there, so nothing is left unread
  const behind =
    supervisor.state().tabs.get(tabId)?.frames.size === frames + 1 + ((3_000 + perSecond) % 3 > 0 ? 1 : 0) ? 0 : 1

  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  for (let turn = 0; turn < soak; turn++) {
    next()
    if (turn % 10 === 0) {
      send("Runtime.consoleAPICalled", {
        type: "log",
        args: [{ type: "string", value: `line ${turn}` }],
        timestamp: turn,
        executionContextId: 1
      })
    }
  }
  yield* Effect.yieldNow
  collect()
  const growth = (process.memoryUsage().heapUsed - before) / 1e6
  return [
    { name: `reading dialogs and tree (${frames} frames)`, value: reading, limit: 20, unit: "µs" },
    { name: `${perSecond.toLocaleString("en")} frame events`, value: absorbing, limit: 1_000, unit: "ms" },
    { name: "readers that were behind after them", value: behind, limit: 0, unit: "" },
    { name: `heap growth over ${soak.toLocaleString("en")} events`, value: growth, limit: 5, unit: "MB" }
  ] satisfies ReadonlyArray<Check>
}).pipe(Effect.scoped)

export const supervisor: Step = {
  id: "supervisor",
  quick: true,
  play: async (bench) => {
    const rawTimes = await raw(bench)
    const row = (name: string, times: ReadonlyArray<number>): Row => ({
      name,
      target: 1,
      allowance: 5,
      ours: times,
      raw: rawTimes,
      right: times.length,
      calls: 0,
      characters: 0,
      cpu: undefined
    })
    const native = await ours(bench, false)
    const gated = await ours(bench, true)
    return {
      rows: [
        row("a dialog to the supervisor's state, native", native),
        row("a dialog to the supervisor's state, gate", gated)
      ],
      checks: await Effect.runPromise(inMemory),
      notes: [
        `From the question of the page to the state, medians: raw ${median(rawTimes).toFixed(1)} ms, native ${median(native).toFixed(1)} ms, gate ${median(gated).toFixed(1)} ms.`
      ]
    }
  }
}
