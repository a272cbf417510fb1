/**
 * A program that owns a view host, to be killed by a test: starts one with the options of its argument (JSON), opens the
 * page of its second argument in it, begins a download there, prints one line of JSON, and waits for its end.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Logger, Schema } from "effect"
import { makeElectronProvider } from "../../src/layers/providers/electron/ElectronProvider.ts"
import { startHost } from "../../src/layers/viewhost/RemoteViewHost.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"

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
  const provider = yield* makeElectronProvider(defaultBrowserConfig).pipe(
    Effect.provideService(ViewHost, { available: () => true, running: Effect.succeed(host) })
  )
  const session = yield* provider.open({ task: TaskKey.make("killed") })
  yield* session.open({ url: process.argv[3] ?? "", newTab: false })
  const { downloads } = yield* session.click({ text: "Get", button: "left" })
  yield* Console.log(JSON.stringify({ pid: host.pid, downloads: downloads?.length ?? 0 }))
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain
)
