/**
 * A program that owns a view host, to be killed by a test: starts one with the options of its argument (JSON), opens a
 * page in it, prints one line of JSON, and waits for its end.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Logger, Schema } from "effect"
import { startHost } from "../../src/layers/viewhost/RemoteViewHost.ts"
import { HostTaskId } from "../../src/schemas/HostProtocol.ts"

const Options = Schema.fromJsonString(
  Schema.Struct({ executable: Schema.String, program: Schema.String, userData: Schema.String })
)

const program = Effect.gen(function* () {
  const { executable, ...options } = yield* Schema.decodeEffect(Options)(process.argv[2] ?? "{}")
  const host = yield* startHost({
    ...options,
    electron: Effect.succeed({ executable }),
    args: ["--disable-gpu"],
    title: "killed",
    window: { width: 400, height: 300 },
    launchTimeoutMs: 30_000,
    available: () => true
  })
  const taskId = HostTaskId.make("task")
  yield* host.call("openTask", { taskId, label: "killed" })
  yield* host.call("createView", { taskId, background: false })
  yield* Console.log(JSON.stringify({ pid: host.pid }))
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain
)
