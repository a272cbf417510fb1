/**
 * A program with a watcher, to be killed by a test. Arguments: kind of watcher, temporary folder, and what it
 * tells the watcher: "started", "exited" or "nothing". It prints the number of the process that stands for the browser.
 */
import { spawn } from "node:child_process"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { launchPlatform } from "../../src/layers/providers/chromium/launch.ts"
import { startWatcher, type WatcherKind } from "../../src/layers/providers/chromium/watcher.ts"

const [kind = "shell", folder = "", told = "started"] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const watcher = yield* startWatcher(folder, [kind as WatcherKind])
  const browser = spawn("sleep", ["600"], { detached: true, stdio: "ignore" })
  if (told !== "nothing") watcher.browserStarted(browser.pid ?? 0)
  if (told === "exited") watcher.browserExited()
  // The lines have been written once the process gets to read its input.
  yield* Effect.sleep("300 millis")
  yield* Console.log(browser.pid)
  return yield* Effect.never
})

program.pipe(Effect.scoped, Effect.provide(launchPlatform), NodeRuntime.runMain)
