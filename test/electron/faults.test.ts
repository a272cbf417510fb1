/** What goes wrong with a view host, with real processes throughout: nothing hangs, and nothing is left. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Schema } from "effect"
import { barHeight, strip } from "../../host/core/layout.ts"
import { startHost } from "../../src/layers/viewhost/RemoteViewHost.ts"
import { hostLimits, HostTaskId } from "../../src/schemas/HostProtocol.ts"
import type { RunningHost } from "../../src/services/ViewHost.ts"
import { groupMembers, untilNothing } from "../support/browserProcesses.ts"
import { testHostOptions, testSurroundings } from "../support/ElectronSession.ts"
import { fakeHostParent } from "../support/fakeHostParent.ts"
import { TestSite } from "../support/TestSite.ts"
import { withVariable } from "../support/variables.ts"

const start = { startImmediately: true } as const
const taskId = HostTaskId.make("task")

const host = Effect.flatMap(testHostOptions(), startHost)

/** A view that shows what the script makes of its blank document. */
const viewWith = Effect.fnUntraced(function* (running: RunningHost, script = "") {
  yield* running.call("openTask", { taskId, label: "Faults" })
  const { viewId } = yield* running.call("createView", { taskId, background: false })
  if (script !== "")
    yield* running.call("command", { viewId, method: "Runtime.evaluate", params: { expression: script } })
  return viewId
})

const evaluate = (running: RunningHost, viewId: Effect.Success<ReturnType<typeof viewWith>>, expression: string) =>
  running.call("command", {
    viewId,
    method: "Runtime.evaluate",
    params: { expression, awaitPromise: true, returnByValue: true }
  })

const Report = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, downloads: Schema.Int }))

const processesLeft = (pid: number) => untilNothing(() => groupMembers(pid), 5_000)

layer(testSurroundings, { excludeTestServices: true, timeout: "60 seconds" })("a view host", (it) => {
  it.effect("that is killed fails everything under way at once, with how it ended", () =>
    Effect.gen(function* () {
      const running = yield* host
      const viewId = yield* viewWith(running)
      const calls = yield* Effect.forEach(
        [
          evaluate(running, viewId, "new Promise(() => {})"),
          running.call("command", {
            viewId,
            method: "Page.navigate",
            params: { url: "http://127.0.0.1:9/" }
          }),
          running.call("capture", { viewId, format: "png", params: {} })
        ],
        (call) => Effect.forkChild(Effect.flip(call), start)
      )
      process.kill(running.pid, "SIGKILL")
      for (const call of calls.slice(0, 1)) {
        const error = yield* Fiber.join(call)
        assert.strictEqual(error._tag, "HostDead")
        assert.include(error.message, "SIGKILL")
      }
      yield* Effect.forEach(calls, Fiber.await)
      assert.strictEqual((yield* Effect.flip(running.call("ping", {})))._tag, "HostDead")
      assert.lengthOf(yield* processesLeft(running.pid), 0)
    })
  )

  it.effect("ends within 5 seconds when its parent is killed, with all its processes and temporary files", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const file = site.page("/endless", (_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream", "content-disposition": "attachment" })
        response.write("a".repeat(100_000))
      })
      const files = yield* FileSystem.FileSystem
      const temporary = yield* files.realPath(yield* files.makeTempDirectoryScoped({ prefix: "host-" }))
      const { electron, program, userData } = yield* testHostOptions()
      const { executable } = yield* electron
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(
            process.execPath,
            [
              fileURLToPath(new URL("../support/hostParent.ts", import.meta.url)),
              JSON.stringify({ executable, program, userData }),
              site.body(`<a href="${file}">Get</a>`)
            ],
            { stdio: ["ignore", "pipe", "ignore"], detached: true, env: { ...process.env, TMPDIR: temporary } }
          )
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const line = yield* Effect.callback<string>((resume) => {
        parent.stdout.setEncoding("utf8").once("data", (text: string) => resume(Effect.succeed(text)))
      }).pipe(Effect.timeout("40 seconds"))
      const { downloads, pid } = yield* Schema.decodeEffect(Report)(line)
      assert.strictEqual(downloads, 1)
      assert.isAbove(groupMembers(pid).length, 0)
      parent.kill("SIGKILL")
      assert.lengthOf(yield* processesLeft(pid), 0)
      assert.deepStrictEqual(yield* files.readDirectory(temporary), [])
    }).pipe(Effect.provide(TestSite.layer))
  )

  it.effect("ends when its scope does, and leaves nothing, also when it was killed before", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const temporary = yield* files.realPath(yield* files.makeTempDirectoryScoped({ prefix: "host-" }))
      const options = yield* testHostOptions()
      yield* withVariable("TMPDIR", temporary)
      for (const killed of [false, true]) {
        const pid = yield* Effect.scoped(
          Effect.gen(function* () {
            const running = yield* startHost(options)
            assert.lengthOf(yield* files.readDirectory(temporary), 1)
            if (killed) {
              process.kill(running.pid, "SIGKILL")
              yield* running.closed
            }
            return running.pid
          })
        )
        assert.lengthOf(yield* processesLeft(pid), 0)
        assert.deepStrictEqual(yield* files.readDirectory(temporary), [])
      }
    })
  )

  it.effect("is refused the profile of another one that runs, which goes on", () =>
    Effect.gen(function* () {
      const options = yield* testHostOptions()
      const first = yield* startHost(options)
      const error = yield* Effect.flip(Effect.scoped(startHost(options)))
      assert.deepInclude(error, { _tag: "ProfileInUse", profile: options.userData })
      yield* first.call("ping", {})
    })
  )

  it.effect("is not started without a display, and the error says so", () =>
    Effect.gen(function* () {
      yield* withVariable("DISPLAY", undefined)
      yield* withVariable("WAYLAND_DISPLAY", undefined)
      assert.strictEqual((yield* Effect.flip(host))._tag, "DisplayMissing")
    }).pipe(Effect.scoped)
  )

  it.effect("that cannot reach its display says what it lacks", () =>
    Effect.gen(function* () {
      yield* withVariable("DISPLAY", ":4711")
      const error = yield* Effect.flip(host)
      assert.strictEqual(error._tag, "LaunchFailed")
      assert.match(error.message, /display|X server|platform/i)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on when the renderer of one page crashes: the others answer, and that one can be loaded again", () =>
    Effect.gen(function* () {
      const running = yield* host
      const crashing = yield* viewWith(running)
      const { viewId: other } = yield* running.call("createView", { taskId, background: false })
      const crashed = yield* Effect.forkChild(
        Effect.callback<void>((resume) => {
          const listening = Effect.runFork(
            Effect.scoped(
              Effect.andThen(
                running.listen((event) => {
                  if (event.event === "cdp" && event.method === "Inspector.targetCrashed") resume(Effect.void)
                }),
                Effect.never
              )
            )
          )
          return Fiber.interrupt(listening)
        }),
        start
      )
      yield* running.call("command", { viewId: crashing, method: "Inspector.enable" })
      yield* Effect.forkChild(Effect.ignore(running.call("command", { viewId: crashing, method: "Page.crash" })), start)
      yield* Fiber.join(crashed).pipe(Effect.timeout("30 seconds"))
      assert.deepInclude(yield* evaluate(running, other, "6 * 7"), {
        result: { type: "number", value: 42, description: "42" }
      })
      yield* running.call("command", { viewId: crashing, method: "Page.navigate", params: { url: "about:blank" } })
      assert.deepInclude(yield* evaluate(running, crashing, "1 + 1"), {
        result: { type: "number", value: 2, description: "2" }
      })
    })
  )

  it.effect("goes on when its GPU process is gone: pages draw themselves again", () =>
    Effect.gen(function* () {
      const running = yield* host
      const viewId = yield* viewWith(running, "document.body.innerHTML = '<h1>here</h1>'")
      const gpu = yield* gpuProcess(running.pid)
      process.kill(gpu, "SIGKILL")
      const { data } = yield* running.call("capture", { viewId, format: "png", params: { format: "png" } })
      assert.isAbove(data.length, 1_000)
    })
  )

  it.effect("with a page that is busy for ever answers for the others, and takes the script's end", () =>
    Effect.gen(function* () {
      const running = yield* host
      const busy = yield* viewWith(running)
      const { viewId: other } = yield* running.call("createView", { taskId, background: false })
      const loop = yield* Effect.forkChild(Effect.exit(evaluate(running, busy, "while (true) {}")), start)
      assert.deepInclude(yield* evaluate(running, other, "1"), {
        result: { type: "number", value: 1, description: "1" }
      })
      yield* running.call("command", { viewId: busy, method: "Runtime.terminateExecution" })
      yield* Fiber.join(loop).pipe(Effect.timeout("30 seconds"))
    })
  )

  it.effect("has 64 views at once, and each one answers for itself", () =>
    Effect.gen(function* () {
      const running = yield* host
      yield* running.call("openTask", { taskId, label: "Many" })
      const views = yield* Effect.forEach(
        Array.from({ length: 64 }, (_, number) => number),
        (number) =>
          Effect.map(running.call("createView", { taskId, background: false }), ({ viewId }) => ({ number, viewId })),
        { concurrency: 8 }
      )
      const answers = yield* Effect.forEach(
        views,
        ({ number, viewId }) => evaluate(running, viewId, `document.title = "${number}"; ${number}`),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map((answer) => (answer as { readonly result: { readonly value: number } }).result.value),
        views.map(({ number }) => number)
      )
      const state = yield* running.call("window", {})
      assert.lengthOf(state.views, 64)
      assert.lengthOf(
        state.views.filter(({ visible }) => visible),
        1
      )
    })
  )

  it.effect("whose window is minimised or has no size goes on, with pages of the size that they had", () =>
    Effect.gen(function* () {
      const running = yield* host
      const viewId = yield* viewWith(running)
      const size = evaluate(running, viewId, "[innerWidth, innerHeight].join()")
      const before = yield* size
      yield* running.call("arrangeWindow", { action: "minimize" })
      assert.deepStrictEqual(yield* size, before)
      const { viewId: born } = yield* running.call("createView", { taskId, background: false })
      assert.deepStrictEqual(yield* evaluate(running, born, "[innerWidth, innerHeight].join()"), before)
      yield* running.call("arrangeWindow", { action: "restore" })
      yield* running.call("arrangeWindow", { action: "resize", size: { width: 1, height: 1 } })
      yield* running.call("ping", {})
      yield* running.call("arrangeWindow", { action: "resize", size: { width: 700, height: 500 + barHeight + strip } })
      const resized = yield* Effect.repeat(size, {
        until: (answer) => JSON.stringify(answer).includes("700,500")
      }).pipe(Effect.timeout("30 seconds"))
      assert.include(JSON.stringify(resized), "700,500")
    })
  )

  it.effect("drops lines that are no requests, refuses parameters that do not fit, and goes on", () =>
    Effect.gen(function* () {
      const { answers, socket } = yield* fakeHostParent
      socket.write(`garbage\n{"id":"x"}\n[]\n\n{"id":1,"op":"nothing"}\n`)
      socket.write(`${JSON.stringify({ id: 2, op: "createView", params: { taskId: 7 } })}\n`)
      socket.write(`${JSON.stringify({ id: 3, op: "showView", params: { viewId: "v1", more: 1 } })}\n`)
      socket.write(`${JSON.stringify({ id: 4, op: "ping", params: {} })}\n`)
      const four = yield* answers(4)
      assert.deepStrictEqual(four.get(4), { id: 4, ok: true, result: {} })
      for (const id of [2, 3]) {
        assert.deepInclude(four.get(id) as object, { ok: false })
        assert.include(JSON.stringify(four.get(id)), "BROWSER_HOST_REFUSED")
      }
      assert.isFalse(four.has(1))
    })
  )

  it.effect("ends when it is sent a line above the limit, and when its connection is cut", () =>
    Effect.gen(function* () {
      const long = yield* fakeHostParent
      const piece = "x".repeat(1024 * 1024)
      for (let sent = 0; sent <= hostLimits.line; sent += piece.length) long.socket.write(piece)
      long.socket.write("\n")
      assert.lengthOf(yield* untilNothing(() => groupMembers(long.pid), 15_000), 0)
      const cut = yield* fakeHostParent
      cut.socket.destroy()
      assert.lengthOf(yield* processesLeft(cut.pid), 0)
    })
  )
})

/** The process of a host that draws for all pages. */
const gpuProcess = (pid: number) =>
  Effect.sync(() => groupMembers(pid).find((one) => commandLine(one).includes("--type=gpu-process"))).pipe(
    Effect.flatMap((found) =>
      found === undefined ? Effect.die(new Error("there is no GPU process")) : Effect.succeed(found)
    )
  )

const commandLine = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}
