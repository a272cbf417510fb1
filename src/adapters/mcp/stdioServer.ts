/** The MCP server over standard input and output: one process, one client, one task. */
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Stdio, Stream } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import type { Tools } from "../../services/Tools.ts"
import { version } from "../../version.ts"
import { instructions } from "../../tools/instructions.ts"
import type { ToolRegistrations } from "./registrations.ts"
import { registrations } from "./registrations.ts"
import { refusalOf } from "./refusedCalls.ts"
import { wholeMessages } from "./wholeMessages.ts"

/** Time for calls that are under way when the client closes its end. A client that waits for nothing sends a signal. */
const lastCalls = "5 seconds"

const protocols = [
  // the first one answers a client that asks for an unknown version
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2024_11_05
] as const

/**
 * Serves until standard input ends; calls under way then have five seconds to finish. Nothing but protocol messages
 * goes to standard output. Fails with nothing: what goes wrong in a call is an answer, what goes wrong in the server
 * is a defect.
 */
export const serveStdio = Effect.fn("McpServer.serveStdio")(function* (options: ToolRegistrations) {
  const stdio = wholeMessages(yield* Stdio.Stdio, refusalOf(options))
  const ended = yield* Deferred.make<void>()
  const watched = Stdio.make({ ...stdio, stdin: Stream.ensuring(stdio.stdin, Deferred.succeed(ended, undefined)) })
  const server: Layer.Layer<never, Cause.IllegalArgumentError, Tools> = McpServer.layerStdio({
    name: "effect-browser",
    version,
    instructions,
    protocols,
    registrations: registrations(options)
  }).pipe(Layer.provide(Layer.succeed(Stdio.Stdio, watched)))
  const fiber = yield* Effect.forkChild(Layer.launch(server))
  yield* Effect.raceFirst(Fiber.await(fiber), Effect.andThen(Deferred.await(ended), Effect.sleep(lastCalls)))
  yield* Fiber.interrupt(fiber)
  const exit = yield* Fiber.await(fiber)
  // the server ends by interrupting itself once its input is over and its last answer is written
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.orDie(exit)
})
