/** A program to be killed by a test: opens the page of its argument, begins a download there, prints one line of JSON, and waits. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Logger } from "effect"
import { layer } from "../../src/EffectBrowser.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"

const program = Effect.gen(function* () {
  const browser = yield* Browser
  const session = yield* browser.open({ task: TaskKey.make("killed") })
  yield* session.open({ url: process.argv[2] ?? "", newTab: false })
  const { downloads } = yield* session.click({ text: "Get", button: "left" })
  yield* Console.log(JSON.stringify({ starting: process.pid, downloads: downloads?.length ?? 0 }))
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  Effect.provide(layer()),
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain
)
