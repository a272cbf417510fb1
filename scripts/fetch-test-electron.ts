/** Makes sure that the tests have an Electron, and prints the path of its executable. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer, Logger } from "effect"
import { ensureElectron } from "../test/support/electronArchive.ts"

ensureElectron.pipe(
  Effect.flatMap(({ executable }) => Console.log(executable)),
  Effect.provide(Layer.succeed(Logger.LogToStderr, true)),
  NodeRuntime.runMain
)
