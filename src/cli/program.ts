/** The program of the command line. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Logger, Runtime } from "effect"
import { Command } from "effect/cli"
import { version } from "../version.ts"
import { exitCodes } from "./exitCodes.ts"
import { failure } from "./failure.ts"
import { presenting } from "./presenting.ts"
import { root } from "./root.ts"

/** Runs the command that the arguments name; ends the process. */
export const runProgram = (): void =>
  Command.run(root, { version }).pipe(
    Effect.as(exitCodes.ok.code as number),
    Effect.catch(failure),
    // standard output belongs to results and to the protocol
    Effect.provide(Layer.mergeAll(NodeServices.layer, Layer.succeed(Logger.LogToStderr, true), presenting)),
    NodeRuntime.runMain({
      teardown: (exit, end) => (Exit.isSuccess(exit) ? end(Number(exit.value)) : Runtime.defaultTeardown(exit, end))
    })
  )
