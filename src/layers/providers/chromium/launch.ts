/**
 * Starts a Chromium of our own and speaks CDP with it over a pipe.
 */
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Fiber, type FileSystem, Layer, type PlatformError, type Scope } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import type { ChromiumConfig } from "../../../schemas/config.ts"
import {
  type BrowserNotFound,
  type CdpFailed,
  LaunchFailed,
  type MessageTooLarge,
  OperationTimeout,
  ProfileInUse
} from "../../../schemas/errors.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { startWithin } from "../../../services/Timeouts.ts"
import { makeCdpPipe } from "../../cdp/CdpPipe.ts"
import { acquireTemporaryFolder, newTemporaryFolder, temporaryFilesIn } from "../../cdp/temporaryFolder.ts"
import { type BrowserExit, type BrowserProcess, startBrowserProcess } from "./browserProcess.ts"
import { type PreparedBrowser, prepareEmbedded } from "./embedded.ts"
import { browserKind, chromiumArguments, refusedArgument } from "./flags.ts"
import { launchProblem } from "./launchProblem.ts"
import { type BrowserSource, type LocatedBrowser, locateBrowser } from "./locate.ts"
import { machineFacts, sandboxState } from "./machine.ts"
import { acquireGivenProfile } from "./profile.ts"
import { noOtherPrograms } from "./programStandIn.ts"
import { checkSingleton } from "./singleton.ts"
import { startWatcher } from "./watcher.ts"

/** What a launch can fail with. */
export type LaunchError = BrowserNotFound | LaunchFailed | ProfileInUse | OperationTimeout

export interface BrowserVersion {
  /** "Chrome/156.0.8078.114" */
  readonly product: string
  /** version of the protocol, "1.3" */
  readonly protocol: string
  readonly userAgent: string
}

/** A browser that runs, for the life of the scope in which it was launched. */
export interface RunningChromium {
  readonly connection: CdpConnection["Service"]
  readonly version: BrowserVersion
  readonly source: BrowserSource
  readonly executable: string
  /** profile folder */
  readonly profile: string
  /** number of the main process, and of the process group of the whole browser */
  readonly pid: number
  /** Waits for the end of the main process, however it comes. Never fails. */
  readonly exited: Effect.Effect<BrowserExit>
}

/** What launching needs of the platform. */
export const launchPlatform: Layer.Layer<ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem> =
  NodeChildProcessSpawner.layer.pipe(Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer)))

/** How long (ms) a browser may take to end after it was asked to. */
const closePatience = 3_000

/** How long (ms) its other processes may then take to write what they have. */
const helperPatience = 1_000

const reasonOf = (error: PlatformError.PlatformError): string =>
  error.cause instanceof Error ? error.cause.message : error.message

const prepare = (browser: LocatedBrowser) =>
  browser.source === "embedded"
    ? prepareEmbedded(browser.embedded)
    : Effect.succeed<PreparedBrowser>({ executable: browser.path, environment: {} })

/** Why the browser ended at its start, as an error. */
const explain = Effect.fnUntraced(function* (
  exit: BrowserExit,
  browser: { readonly process: BrowserProcess; readonly executable: string; readonly profile: string },
  givenProfile: boolean
) {
  const problem = launchProblem({
    exit,
    words: yield* browser.process.lastWords,
    givenProfile,
    held: givenProfile && (yield* checkSingleton(browser.profile))
  })
  return problem.kind === "profileInUse"
    ? new ProfileInUse({ profile: browser.profile })
    : new LaunchFailed({ executable: browser.executable, reason: problem.reason })
})

const refusal = (executable: string) => (error: CdpFailed | MessageTooLarge) =>
  Effect.fail(new LaunchFailed({ executable, reason: error.message }))

/** Asks the browser to end, and ends it. */
const close = (connection: CdpConnection["Service"], browser: BrowserProcess) =>
  Effect.gen(function* () {
    // The browser often ends before it answers.
    const asked = Effect.andThen(Effect.ignore(connection.command("Browser.close")), browser.exited)
    const ended = yield* Effect.timeoutOption(connection.isClosed() ? browser.exited : asked, closePatience)
    yield* browser.endGroup(ended._tag === "Some" ? helperPatience : 0)
  }).pipe(Effect.ignoreCause)

const launch = Effect.fn("Chromium.launch")(function* <A>(
  config: ChromiumConfig,
  begin: (connection: CdpConnection["Service"], temporary: string) => Effect.Effect<A, never, Scope.Scope>
) {
  const [located, machine] = yield* Effect.all([locateBrowser(config), machineFacts], { concurrency: "unbounded" })
  const refused = refusedArgument(config.args)
  if (refused !== undefined) {
    return yield* new LaunchFailed({
      executable: located.path,
      reason: `the argument ${refused.argument} is not accepted; use the setting ${refused.instead}.`
    })
  }
  const { executable, environment } = yield* prepare(located)
  const cannotStart = (error: PlatformError.PlatformError) => new LaunchFailed({ executable, reason: reasonOf(error) })
  const sandbox = sandboxState(machine)

  // The watcher knows the folder before it exists, so there is no moment at which a killed parent leaves it behind.
  const temporary = newTemporaryFolder()
  const watcher = yield* startWatcher(temporary)
  const profile = yield* acquireTemporaryFolder(temporary).pipe(
    Effect.flatMap((folder) =>
      config.profile === undefined ? Effect.succeed(folder) : acquireGivenProfile(config.profile)
    ),
    Effect.catchTag("PlatformError", (error) => Effect.fail(cannotStart(error)))
  )

  const kind = browserKind(executable)
  // a shell asks nothing
  const programs =
    kind === "shell" ? {} : yield* noOtherPrograms(temporary).pipe(Effect.mapError((error) => cannotStart(error)))
  const args = chromiumArguments(config, {
    kind,
    profile,
    sandbox: sandbox.enabled,
    sharedMemory: machine.sharedMemory
  })
  const process = yield* startBrowserProcess({
    executable,
    args,
    environment: { ...environment, ...programs, ...temporaryFilesIn(temporary) }
  }).pipe(Effect.mapError(cannotStart))
  watcher.browserStarted(process.pid)
  // only now, while the browser starts anyway
  if (!sandbox.enabled) yield* Effect.logWarning(`${sandbox.reason} (--no-sandbox)`)
  yield* process.exited.pipe(
    Effect.andThen(Effect.sync(watcher.browserExited)),
    Effect.forkScoped({ startImmediately: true })
  )
  const connection = yield* makeCdpPipe({ input: process.output, write: process.write })
  const ended = Effect.flatMap(process.exited, (exit) =>
    Effect.flatMap(explain(exit, { process, executable, profile }, config.profile !== undefined), Effect.fail)
  )
  // first of all, for a browser that makes its first window answers nothing meanwhile
  const asked = yield* connection
    .command("Browser.getVersion", undefined, { timeout: config.launchTimeoutMs })
    .pipe(Effect.forkScoped({ startImmediately: true }))
  const begun = yield* begin(connection, temporary)

  const version = yield* Fiber.join(asked).pipe(
    Effect.catchTags({
      // The pipe closes a moment before the end of the process is known.
      ConnectionLost: () => ended,
      CdpFailed: refusal(executable),
      MessageTooLarge: refusal(executable)
    }),
    Effect.raceFirst(ended),
    startWithin("starting the browser", config.launchTimeoutMs),
    Effect.catchTag("OperationTimeout", ({ budget, operation }) =>
      Effect.flatMap(process.lastWords, (words) =>
        Effect.fail(new OperationTimeout({ operation, budget, detail: words.trim().slice(-400) || "it was silent" }))
      )
    )
  )
  yield* Effect.addFinalizer(() => close(connection, process))
  const running: RunningChromium = {
    connection,
    version: { product: version.product, protocol: version.protocolVersion, userAgent: version.userAgent },
    source: located.source,
    executable,
    profile,
    pid: process.pid,
    exited: process.exited
  }
  return { running, begun }
})

/**
 * Starts the browser that the settings lead to, for the life of the scope.
 *
 * It gets a temporary profile unless one is configured. Closing the scope asks it to end, kills what is left of its
 * process group, waits until that is gone, and removes the temporary profile. The same happens when the launch is
 * interrupted, and, by way of a watcher process, when this process is killed.
 *
 * Fails with
 * - `BrowserNotFound`: no browser, or a configured path that cannot be executed;
 * - `ProfileInUse`: a living browser holds the configured profile;
 * - `LaunchFailed`: it ended at its start, or could not be unpacked or started;
 * - `OperationTimeout`: it did not answer within `launchTimeoutMs`.
 */
export const launchChromium = (config: ChromiumConfig): Effect.Effect<RunningChromium, LaunchError, Scope.Scope> =>
  Effect.map(
    launchChromiumWith(config, () => Effect.void),
    ({ running }) => running
  )

/**
 * As {@link launchChromium}. `begin` is given the connection before the browser has said its first word: what it sends
 * is answered as soon as the browser can. It must not wait for an answer. `temporary`: a folder that is removed with the
 * browser, also when this process is killed.
 */
export const launchChromiumWith = <A>(
  config: ChromiumConfig,
  begin: (connection: CdpConnection["Service"], temporary: string) => Effect.Effect<A, never, Scope.Scope>
): Effect.Effect<{ readonly running: RunningChromium; readonly begun: A }, LaunchError, Scope.Scope> =>
  launch(config, begin).pipe(Effect.provide(launchPlatform))
