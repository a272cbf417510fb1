/** The watcher, with a process that stands for the browser and a parent that is killed. */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import type { WatcherKind } from "../../src/layers/providers/chromium/watcher.ts"
import { processesNaming, untilNothing } from "../support/browserProcesses.ts"

const script = fileURLToPath(new URL("../support/watcherParent.ts", import.meta.url))

/** Starts the parent, ends it by `signal`, and yields what is left once its watcher is gone. */
const endParent = Effect.fnUntraced(function* (options: {
  readonly kind: WatcherKind
  readonly told: "started" | "exited" | "nothing"
  readonly signal: NodeJS.Signals
}) {
  const files = yield* FileSystem.FileSystem
  const profile = `${yield* files.makeTempDirectoryScoped()}/it's a profile`
  mkdirSync(`${profile}/Default`, { recursive: true })
  writeFileSync(`${profile}/Default/file`, "x")
  const parent = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [script, options.kind, profile, options.told], { stdio: ["ignore", "pipe", "ignore"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const browser = yield* Effect.callback<number>((resume) => {
    parent.stdout?.once("data", (text: Buffer) => resume(Effect.succeed(Number(text.toString()))))
  })
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.try(() => process.kill(browser, "SIGKILL"))))
  // The parent and the watcher, which both name the profile.
  assert.lengthOf(processesNaming(profile), 2)
  parent.kill(options.signal)
  assert.deepStrictEqual(yield* untilNothing(() => processesNaming(profile), 15_000), [])
  return { browserRuns: isRunning(browser), profileExists: existsSync(profile) }
}, Effect.scoped)

const isRunning = (pid: number) => processesNaming("sleep 600").includes(pid)

describe.runIf(process.platform === "linux")("the watcher", () => {
  for (const kind of ["shell", "node"] as const) {
    it.live(`(${kind}) kills the browser and removes the temporary profile when its parent is killed`, () =>
      Effect.gen(function* () {
        const left = yield* endParent({ kind, told: "started", signal: "SIGKILL" })
        assert.deepStrictEqual(left, { browserRuns: false, profileExists: false })
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )

    it.live(`(${kind}) kills nothing once the browser has exited: the number may be another's`, () =>
      Effect.gen(function* () {
        const left = yield* endParent({ kind, told: "exited", signal: "SIGKILL" })
        assert.deepStrictEqual(left, { browserRuns: true, profileExists: false })
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )

    it.live(`(${kind}) does nothing when its parent ends in order`, () =>
      Effect.gen(function* () {
        const left = yield* endParent({ kind, told: "started", signal: "SIGTERM" })
        assert.deepStrictEqual(left, { browserRuns: true, profileExists: true })
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )
  }
})
