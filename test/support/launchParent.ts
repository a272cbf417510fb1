/**
 * A program that owns a browser, to be killed by a test: launches with the settings of its argument (JSON), prints one
 * line of JSON when the browser runs, and waits for its end. With "starting" as second argument it prints the line
 * before the launch instead.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Logger, Schema } from "effect"
import { launchChromium } from "../../src/layers/providers/chromium/launch.ts"
import { ChromiumConfig } from "../../src/schemas/config.ts"

const program = Effect.gen(function* () {
  const config = yield* Schema.decodeEffect(Schema.fromJsonString(ChromiumConfig))(process.argv[2] ?? "{}")
  if (process.argv[3] === "starting") yield* Console.log(JSON.stringify({ starting: process.pid }))
  const { executable, pid, profile } = yield* launchChromium(config)
  yield* Console.log(JSON.stringify({ pid, profile, executable }))
  return yield* Effect.never
})

program.pipe(Effect.scoped, Effect.provideService(Logger.LogToStderr, true), NodeRuntime.runMain)
