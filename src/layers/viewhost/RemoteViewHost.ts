/**
 * A view host of our own: an Electron process that is started at the first use, started anew when it is needed after
 * its end, and ends with us.
 */
import { mkdir } from "node:fs/promises"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FiberSet, FileSystem, Layer, type Scope } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import {
  type ElectronNotFound,
  HostDisposed,
  LaunchFailed,
  OperationTimeout,
  ProfileInUse
} from "../../schemas/errors.ts"
import { type HostSettings, hostSettingsVariable } from "../../schemas/HostProtocol.ts"
import { type RunningHost, type StartHostError, ViewHost } from "../../services/ViewHost.ts"
import { startWithin } from "../../services/Timeouts.ts"
import { makeShared } from "../cdp/SharedConnection.ts"
import { newTemporaryFolder, removeTemporaryFolder, temporaryFilesIn } from "../cdp/temporaryFolder.ts"
import { makeHostLine } from "./HostLine.ts"
import { listenForHost } from "./HostListener.ts"
import { startHostProcess } from "./HostProcess.ts"
import { hostProgram } from "./hostProgram.ts"
import { locateElectron } from "./locate.ts"
import { childEnvironment, childLanguage, requireDisplay, sandboxArguments } from "./surroundings.ts"

/** What is started, and how. */
export interface RemoteViewHostOptions {
  /** the Electron to use; looked for at each start */
  readonly electron: Effect.Effect<{ readonly executable: string }, ElectronNotFound>
  /** the host's program; absent: the one of this package */
  readonly program?: string
  /** profile folder; kept */
  readonly userData: string
  /** further arguments for Electron */
  readonly args: ReadonlyArray<string>
  readonly title: string
  /** of the window's content (px) */
  readonly window: { readonly width: number; readonly height: number }
  readonly launchTimeoutMs: number
  /** whether a host can be had, as far as it is known without looking */
  readonly available: () => boolean
}

/** The last line of what a process said, for an error. */
const lastLine = (words: string): string => {
  const line = words.trim().split("\n").at(-1)?.trim().slice(0, 300)
  return line === undefined || line === "" ? "" : `; it said: ${line}`
}

/** Time (ms) within which the end of a process is known after its connection has closed. */
const exitNotice = 1_000

/** Starts one host for the life of the scope. */
export const startHost = Effect.fn("ViewHost.start")(function* (
  options: RemoteViewHostOptions
): Effect.fn.Return<
  RunningHost,
  StartHostError,
  Scope.Scope | ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem
> {
  yield* requireDisplay()
  const run = yield* FiberSet.makeRuntime()
  const { executable } = yield* options.electron
  const cannotStart = (error: { readonly message: string }) => new LaunchFailed({ executable, reason: error.message })
  // the host makes it, so that there is no moment at which a killed parent leaves it behind
  const temporary = newTemporaryFolder("host-")
  const files = yield* FileSystem.FileSystem
  yield* Effect.addFinalizer(() =>
    Effect.provideService(removeTemporaryFolder(temporary), FileSystem.FileSystem, files)
  )
  yield* Effect.tryPromise({
    try: () => mkdir(options.userData, { recursive: true, mode: 0o700 }),
    catch: (error) => cannotStart(error as Error)
  })
  const listener = yield* listenForHost
  const settings: HostSettings = {
    port: listener.port,
    secret: listener.secret,
    userData: options.userData,
    temporary,
    title: options.title,
    window: options.window
  }
  // started after the listener, so that it is gone before: what it says at its end still arrives
  const process_ = yield* startHostProcess({
    executable,
    args: [...sandboxArguments(), options.program ?? hostProgram(), ...options.args],
    environment: {
      ...childLanguage(process.env),
      ...childEnvironment(process.env),
      ...temporaryFilesIn(temporary),
      [hostSettingsVariable]: JSON.stringify(settings)
    }
  }).pipe(Effect.mapError(cannotStart))

  const ended = Effect.flatMap(process_.exited, (how) =>
    Effect.flatMap(process_.lastWords, (words) =>
      Effect.fail(new LaunchFailed({ executable, reason: `${how}${lastLine(words)}` }))
    )
  )
  const wire = yield* listener.connected.pipe(
    Effect.raceFirst(ended),
    startWithin("starting the view host", options.launchTimeoutMs),
    Effect.catchTag("OperationTimeout", ({ budget, operation }) =>
      Effect.flatMap(process_.lastWords, (words) =>
        Effect.fail(new OperationTimeout({ operation, budget, detail: words.trim().slice(-400) || "it was silent" }))
      )
    )
  )
  if (wire.greeting.problem === "profileInUse") return yield* new ProfileInUse({ profile: options.userData })
  const { host } = yield* makeHostLine({
    ...wire,
    temporary,
    read: ({ line, lost }) =>
      wire.read({
        line,
        // the connection closes a moment before the end of the process is known, which says more
        lost: (reason) =>
          run(
            process_.exited.pipe(
              Effect.timeoutOrElse({ duration: exitNotice, orElse: () => Effect.succeed(reason) }),
              Effect.map(lost)
            )
          )
      })
  })
  return host
})

/** The host for the life of the scope. After that it is disposed of: it is not started again, and says so. */
export const makeRemoteViewHost = Effect.fnUntraced(function* (
  options: RemoteViewHostOptions
): Effect.fn.Return<ViewHost["Service"], never, Scope.Scope> {
  let disposed = false
  const start = startHost(options).pipe(Effect.provide(NodeServices.layer))
  const shared = yield* makeShared(start, {
    isClosed: (host) => host.isClosed(),
    ended: (host) => Effect.map(host.closed, ({ reason }) => reason),
    name: ({ pid }) => `view host (process ${pid})`
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      disposed = true
    })
  )
  return {
    available: () => !disposed && options.available(),
    running: Effect.suspend(() => (disposed ? Effect.fail(new HostDisposed({ operation: "starting it" })) : shared.get))
  }
})

/** The Electron that the package is made for, looked for where it may be. */
export const pinnedElectron: RemoteViewHostOptions["electron"] = locateElectron().pipe(
  Effect.provide(NodeServices.layer)
)

/** The service for the life of the layer; nothing is started before it is used. */
export const layer = (options: RemoteViewHostOptions): Layer.Layer<ViewHost> =>
  Layer.effect(ViewHost, makeRemoteViewHost(options))
