/** The connection against a real Chromium, over a WebSocket and over both kinds of pipe. */
import { type ChildProcess as NodeChild, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Queue, Redacted, Schedule, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { makeCdpPipe, makeCdpPipeFromStreams } from "../../src/layers/cdp/CdpPipe.ts"
import { connect, resolveEndpoint } from "../../src/layers/cdp/CdpWebSocket.ts"
import { temporaryFilesIn } from "../../src/layers/cdp/temporaryFolder.ts"
import { CdpSessionId } from "../../src/schemas/ids.ts"
import type { CdpConnection, CdpEvent, CdpEventName } from "../../src/services/CdpConnection.ts"

const start = { startImmediately: true } as const
const executable = process.env["EFFECT_BROWSER_TEST_CHROME"] ?? "chromium"

const argumentsFor = (profile: string, debugging: string) => [
  "--headless=new",
  debugging,
  "--no-first-run",
  "--disable-gpu",
  "--site-per-process",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  `--user-data-dir=${profile}`
]

const profile = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cdp-connection-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
)

const killGroup = (child: NodeChild) => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    process.kill(-child.pid, "SIGKILL")
  }
}

const spawned = (debugging: string, stdio: Array<"ignore" | "pipe">) =>
  Effect.flatMap(profile, (folder) =>
    Effect.acquireRelease(
      Effect.sync(() => ({
        folder,
        child: spawn(executable, argumentsFor(folder, debugging), {
          stdio,
          detached: true,
          env: { ...process.env, ...temporaryFilesIn(folder) }
        })
      })),
      ({ child }) =>
        Effect.callback<void>((resume) => {
          if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
          child.once("exit", () => resume(Effect.void))
          killGroup(child)
        })
    )
  )

interface Running {
  readonly connection: CdpConnection["Service"]
  /** SIGKILL to every process of the browser */
  readonly kill: Effect.Effect<unknown>
}

const overWebSocket = Effect.gen(function* () {
  const { child, folder } = yield* spawned("--remote-debugging-port=0", ["ignore", "ignore", "pipe"])
  child.stderr?.resume()
  // The one sign that the browser gives is that the file appears.
  const file = yield* Effect.tryPromise(() => readFile(join(folder, "DevToolsActivePort"), "utf8")).pipe(
    Effect.filterOrFail((text) => text.includes("/devtools/")),
    Effect.retry(Schedule.spaced("20 millis").pipe(Schedule.upTo({ times: 1_000 })))
  )
  const [port] = file.split("\n")
  const address = yield* resolveEndpoint(Redacted.make(`http://127.0.0.1:${port}`)).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  const connection = yield* connect(address)
  assert.strictEqual(connection.endpoint, `ws://127.0.0.1:${port}`)
  return { connection, kill: Effect.sync(() => killGroup(child)) }
})

const overStreams = Effect.gen(function* () {
  const { child } = yield* spawned("--remote-debugging-pipe", ["ignore", "ignore", "ignore", "pipe", "pipe"])
  const connection = yield* makeCdpPipeFromStreams({
    writable: child.stdio[3] as Writable,
    readable: child.stdio[4] as Readable
  })
  return { connection, kill: Effect.sync(() => killGroup(child)) }
})

const overChildProcess = Effect.gen(function* () {
  const outgoing = yield* Queue.unbounded<Uint8Array>()
  const folder = yield* profile
  const child = yield* ChildProcess.make(executable, argumentsFor(folder, "--remote-debugging-pipe"), {
    env: temporaryFilesIn(folder),
    extendEnv: true,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    forceKillAfter: "1 second",
    additionalFds: { fd3: { type: "input", stream: Stream.fromQueue(outgoing) }, fd4: { type: "output" } }
  })
  const connection = yield* makeCdpPipe({ input: child.getOutputFd(4), write: (bytes) => Queue.offer(outgoing, bytes) })
  return { connection, kill: Effect.exit(child.kill({ killSignal: "SIGKILL" })) }
}).pipe(Effect.provide(NodeServices.layer))

/** A new page and its session. */
const openPage = Effect.fnUntraced(function* (connection: CdpConnection["Service"]) {
  const { targetId } = yield* connection.command("Target.createTarget", { url: "about:blank", newWindow: true })
  const attached = yield* connection.command("Target.attachToTarget", { targetId, flatten: true })
  const sessionId = CdpSessionId.make(attached.sessionId)
  yield* connection.command("Page.enable", undefined, { sessionId })
  return { targetId, sessionId }
})

/** The next event of a name in a session; listening from now on. */
const nextEvent = Effect.fnUntraced(function* (
  connection: CdpConnection["Service"],
  sessionId: CdpSessionId,
  name: CdpEventName
) {
  const seen = yield* Deferred.make<CdpEvent>()
  yield* connection.listen(sessionId, (event) => {
    if (event.method === name) Deferred.doneUnsafe(seen, Exit.succeed(event))
  })
  return { arrives: Deferred.await(seen) }
})

const evaluate = (connection: CdpConnection["Service"], sessionId: CdpSessionId, expression: string) =>
  connection
    .command("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true }, { sessionId })
    .pipe(Effect.map(({ result }) => result.value as unknown))

const commandsAndEvents = Effect.fnUntraced(function* ({ connection }: Running) {
  const { sessionId } = yield* openPage(connection)
  const names: Array<string> = []
  yield* connection.listen(sessionId, ({ method }) => names.push(method))
  const loaded = yield* nextEvent(connection, sessionId, "Page.loadEventFired")
  yield* connection.command("Page.navigate", { url: "data:text/html;charset=utf-8,<title>é ☃</title>" }, { sessionId })
  yield* loaded.arrives
  assert.strictEqual(yield* evaluate(connection, sessionId, "document.title"), "é ☃")
  const order = names.filter((name) => /frameNavigated|domContentEventFired|loadEventFired/.test(name))
  assert.deepStrictEqual(order, ["Page.frameNavigated", "Page.domContentEventFired", "Page.loadEventFired"])

  const refused = yield* Effect.flip(connection.raw("Page.noSuchThing", {}, { sessionId }))
  assert.deepInclude(refused, { _tag: "CdpFailed", cdpCode: -32601 })
  const invalid = yield* Effect.flip(connection.raw("Page.navigate", { url: 7 }, { sessionId }))
  assert.deepInclude(invalid, { _tag: "CdpFailed", cdpCode: -32602 })

  const answers = yield* Effect.forEach(
    Array.from({ length: 1_000 }, (_, index) => index),
    (index) => evaluate(connection, sessionId, `${index} * 2`),
    { concurrency: "unbounded" }
  )
  assert.deepStrictEqual(
    answers,
    Array.from({ length: 1_000 }, (_, index) => index * 2)
  )
})

const largeMessages = Effect.fnUntraced(function* ({ connection }: Running) {
  const { sessionId } = yield* openPage(connection)
  const value = yield* evaluate(connection, sessionId, `"x".repeat(20_000_000) + "é"`)
  assert.isTrue(typeof value === "string" && value.length === 20_000_001 && value.endsWith("xé"))
  const length = yield* evaluate(connection, sessionId, `${JSON.stringify("x".repeat(5_000_000))}.length`)
  assert.strictEqual(length, 5_000_000)
})

const crashAndDetach = Effect.fnUntraced(function* ({ connection }: Running) {
  const { sessionId } = yield* openPage(connection)
  const hanging = yield* Effect.forkChild(evaluate(connection, sessionId, "new Promise(() => {})"), start)
  const crashed = yield* nextEvent(connection, sessionId, "Inspector.targetCrashed")
  yield* Effect.forkChild(connection.command("Page.navigate", { url: "chrome://crash" }, { sessionId }), start)
  yield* crashed.arrives
  assert.deepInclude(yield* Effect.flip(Fiber.join(hanging)), { _tag: "CdpFailed", reason: "target crashed" })
  assert.deepInclude(yield* Effect.flip(evaluate(connection, sessionId, "1")), { reason: "target crashed" })

  const reloaded = yield* nextEvent(connection, sessionId, "Inspector.targetReloadedAfterCrash")
  yield* connection.command("Page.navigate", { url: "about:blank" }, { sessionId })
  yield* reloaded.arrives
  assert.strictEqual(yield* evaluate(connection, sessionId, "1 + 1"), 2)

  const forgotten = yield* Effect.forkChild(evaluate(connection, sessionId, "new Promise(() => {})"), start)
  yield* connection.command("Target.detachFromTarget", { sessionId })
  assert.deepInclude(yield* Effect.flip(Fiber.join(forgotten)), { _tag: "CdpFailed", cdpCode: -32001 })
  assert.deepInclude(yield* Effect.flip(evaluate(connection, sessionId, "1")), { _tag: "CdpFailed", cdpCode: -32001 })
})

const killed = Effect.fnUntraced(function* ({ connection, kill }: Running) {
  const { sessionId } = yield* openPage(connection)
  const hanging = yield* Effect.forkChild(evaluate(connection, sessionId, "new Promise(() => {})"), start)
  yield* Effect.forkChild(kill, start)
  const error = yield* Effect.flip(Fiber.join(hanging)).pipe(Effect.timeout("30 seconds"))
  assert.strictEqual(error._tag, "ConnectionLost")
  assert.strictEqual((yield* connection.closed)._tag, "ConnectionLost")
  assert.strictEqual((yield* Effect.flip(connection.command("Browser.getVersion")))._tag, "ConnectionLost")
})

const suites = [
  ["a WebSocket", overWebSocket],
  ["a pipe of Node streams", overStreams],
  ["a pipe of Effect's ChildProcess", overChildProcess]
] as const

for (const [name, running] of suites) {
  describe(`over ${name}`, () => {
    it.live(
      "commands, events, large messages, a crash, a detached session and a killed browser end as promised",
      () =>
        Effect.gen(function* () {
          const browser: Running = yield* running
          yield* commandsAndEvents(browser).pipe(Effect.scoped)
          yield* largeMessages(browser).pipe(Effect.scoped)
          yield* crashAndDetach(browser).pipe(Effect.scoped)
          yield* killed(browser).pipe(Effect.scoped)
        }),
      { timeout: 120_000 }
    )
  })
}

it.live(
  "a reply of a real browser above the limit fails its own command only",
  () =>
    Effect.gen(function* () {
      const { child } = yield* spawned("--remote-debugging-pipe", ["ignore", "ignore", "ignore", "pipe", "pipe"])
      const connection = yield* makeCdpPipeFromStreams(
        { writable: child.stdio[3] as Writable, readable: child.stdio[4] as Readable },
        { maxIncomingBytes: 1_000_000 }
      )
      const { sessionId } = yield* openPage(connection)
      const error = yield* Effect.flip(evaluate(connection, sessionId, `"x".repeat(2_000_000)`))
      assert.deepInclude(error, { _tag: "MessageTooLarge", method: "Runtime.evaluate", limit: 1_000_000 })
      assert.strictEqual(yield* evaluate(connection, sessionId, "1 + 1"), 2)
    }),
  { timeout: 120_000 }
)
