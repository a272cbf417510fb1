/** What happens to the browser when the process that owns it is ended from outside: real processes throughout. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Schema } from "effect"
import { unpackedFolder } from "../../src/layers/providers/chromium/embedded.ts"
import { embeddedPackage } from "../../src/layers/providers/chromium/embeddedPackage.ts"
import { TestSite } from "../support/TestSite.ts"
import { processesNaming, untilNothing } from "../support/browserProcesses.ts"

const script = fileURLToPath(new URL("../support/launchParent.ts", import.meta.url))
const downloading = fileURLToPath(new URL("../support/downloadParent.ts", import.meta.url))

const Report = Schema.fromJsonString(
  Schema.Struct({
    pid: Schema.optionalKey(Schema.Int),
    profile: Schema.optionalKey(Schema.String),
    starting: Schema.optionalKey(Schema.Int),
    downloads: Schema.optionalKey(Schema.Int)
  })
)

/** Starts a program that owns a browser, with `folder` as its temporary folder, and reads its first report. */
const startParent = (folder: string, config: object, ...more: ReadonlyArray<string>) =>
  startProgram(folder, [script, JSON.stringify(config), ...more])

const startProgram = Effect.fnUntraced(function* (folder: string, args: ReadonlyArray<string>) {
  const parent = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, args, {
        env: { ...process.env, TMPDIR: folder },
        stdio: ["ignore", "pipe", "ignore"],
        detached: true
      })
    ),
    (child) => Effect.sync(() => child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
  )
  const line = yield* Effect.callback<string>((resume) => {
    let text = ""
    parent.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      const end = text.indexOf("\n")
      if (end !== -1) resume(Effect.succeed(text.slice(0, end)))
    })
  }).pipe(Effect.timeout("30 seconds"))
  return { parent, report: yield* Schema.decodeEffect(Report)(line) }
})

const ended = (child: ChildProcess) =>
  Effect.callback<number | string | null>((resume) => {
    child.once("exit", (code, signal) => resume(Effect.succeed(code ?? signal)))
  }).pipe(Effect.timeout("20 seconds"))

const temporaryFolder = Effect.flatMap(FileSystem.FileSystem, (files) =>
  Effect.flatMap(files.makeTempDirectoryScoped({ prefix: "owner-" }), files.realPath)
).pipe(Effect.provide(NodeFileSystem.layer))

/** What is still there after so long (ms) is taken to stay. */
const goneMs = 60_000

const leftOf = (folder: string) => () => [...processesNaming(folder), ...readdirSync(folder)]

/** Kills the owner of a running browser by a signal and checks that nothing is left. */
const endBy = (signal: NodeJS.Signals, config: object) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { parent, report } = yield* startParent(folder, config)
    // The browser and its watcher, at least.
    assert.isAtLeast(processesNaming(report.profile ?? "?").length, 2)
    const end = yield* Effect.forkChild(ended(parent), { startImmediately: true })
    parent.kill(signal)
    const how = yield* Fiber.join(end)
    return { how, left: yield* untilNothing(leftOf(folder), signal === "SIGKILL" ? goneMs : 0) }
  })

describe.runIf(process.platform === "linux")("a browser whose owner is ended", { timeout: 300_000 }, () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it.live(`by ${signal} is closed, and nothing is left when the owner exits`, () =>
      Effect.gen(function* () {
        const { how, left } = yield* endBy(signal, {})
        assert.deepStrictEqual(left, [])
        assert.strictEqual(how, 130)
      })
    )
  }

  it.live("by SIGKILL is killed, and its temporary profile is removed", () =>
    Effect.gen(function* () {
      const { how, left } = yield* endBy("SIGKILL", {})
      assert.strictEqual(how, "SIGKILL")
      assert.deepStrictEqual(left, [])
    })
  )

  it.live("by SIGKILL is killed too when it is the embedded one, or hangs", () =>
    Effect.gen(function* () {
      const embedded = yield* embeddedPackage
      const folder = embedded === undefined ? undefined : yield* unpackedFolder(embedded)
      if (folder !== undefined) {
        const { left } = yield* endBy("SIGKILL", { executablePath: `${folder}/headless_shell` })
        assert.deepStrictEqual(left, [])
      }
      const temporary = yield* temporaryFolder
      const { parent, report } = yield* startParent(temporary, {})
      // It cannot notice the end of its pipe.
      process.kill(report.pid ?? 0, "SIGSTOP")
      parent.kill("SIGKILL")
      assert.deepStrictEqual(yield* untilNothing(leftOf(temporary), goneMs), [])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.live("by SIGKILL at any moment of the start leaves nothing", () =>
    Effect.gen(function* () {
      for (const ms of [0, 60, 120, 240]) {
        const folder = yield* temporaryFolder
        const { parent } = yield* startParent(folder, {}, "starting")
        yield* Effect.sleep(ms)
        parent.kill("SIGKILL")
        assert.deepStrictEqual(yield* untilNothing(leftOf(folder), goneMs), [], `killed after ${ms} ms`)
      }
    })
  )

  it.live("by SIGKILL in the middle of a download leaves nothing of that either", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const file = site.page("/endless", (_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream", "content-disposition": "attachment" })
        response.write("a".repeat(100_000))
      })
      const folder = yield* temporaryFolder
      const page = site.body(`<a href="${file}">Get</a>`)
      const { parent, report } = yield* startProgram(folder, [downloading, page])
      assert.strictEqual(report.downloads, 1)
      parent.kill("SIGKILL")
      assert.deepStrictEqual(yield* untilNothing(leftOf(folder), goneMs), [])
    }).pipe(Effect.provide(TestSite.layer))
  )

  it.live("by SIGKILL keeps a given profile, which can be used again", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const profile = `${folder}/given`
      mkdirSync(profile)
      const first = yield* startParent(folder, { profile })
      first.parent.kill("SIGKILL")
      assert.deepStrictEqual(yield* untilNothing(() => processesNaming(folder), goneMs), [])
      assert.include(readdirSync(profile), "Default")
      const second = yield* startParent(folder, { profile })
      assert.strictEqual(second.report.profile, profile)
      const end = yield* Effect.forkChild(ended(second.parent), { startImmediately: true })
      second.parent.kill("SIGTERM")
      yield* Fiber.join(end)
      assert.strictEqual(readdirSync(folder).join(), "given")
    })
  )
})
