/**
 * The provider "chromium": sessions in one browser that is started here at the first use.
 */
import { Effect, Fiber, Layer, Option, type Scope, Semaphore } from "effect"
import type { BrowserConfig, ChromiumConfig } from "../../../schemas/config.ts"
import type { DuplicateProvider } from "../../../schemas/errors.ts"
import { ProviderId } from "../../../schemas/ids.ts"
import { Browser, type BrowserProvider } from "../../../services/Browser.ts"
import type { Capabilities } from "../../../services/BrowserSession.ts"
import { makeTargets } from "../../page/Targets.ts"
import { acquireBrowserContext } from "../session/browserContext.ts"
import { makeSharedChromium } from "./Chromium.ts"
import { embeddedPackage, embeddedProblem } from "./embeddedPackage.ts"
import { browserKind } from "./flags.ts"
import { launchChromiumWith, launchPlatform, type RunningChromium } from "./launch.ts"
import { makeSilence } from "../session/silence.ts"
import { installedBrowsers, isPlainlyInstalled } from "./locate.ts"

/** Id under which the provider is registered. */
export const chromiumProviderId = ProviderId.make("chromium")

/**
 * Whether there is a browser to start. A path that the user named counts, also a wrong one: opening then says what is
 * wrong with it. The search for installed browsers runs other programs, so it comes last.
 */
const isAvailable = Effect.fnUntraced(function* (config: ChromiumConfig) {
  if (config.executablePath !== undefined) return true
  if ((process.env["CHROME_PATH"] ?? "") !== "") return true
  if (yield* isPlainlyInstalled) return true
  if (config.headless && (yield* embeddedProblem(yield* embeddedPackage)) === undefined) return true
  return (yield* installedBrowsers).length > 0
})

/**
 * A whole browser forgets the cookies of its session when its last window closes, and so would lose a login between one
 * task and the next. A blank window that nobody sees keeps them. It is opened once the first page is out of the way, or
 * when a session is about to close its windows.
 */
const makeBlankWindow = Effect.fnUntraced(function* (running: RunningChromium, headless: boolean) {
  // A person would see the window; and the headless shell forgets nothing.
  if (!headless || browserKind(running.executable) === "shell") return { open: Effect.void }
  const one = yield* Semaphore.make(1)
  let opened = false
  const open = Effect.suspend(() => {
    if (opened) return Effect.void
    return running.connection
      .command("Target.createTarget", { url: "about:blank", newWindow: true, background: true }, { timeout: 3_000 })
      .pipe(
        Effect.tap(() => Effect.sync(() => (opened = true))),
        Effect.ignore
      )
  }).pipe(one.withPermit)
  yield* Effect.forkScoped(Effect.andThen(Effect.sleep("2 seconds"), open))
  return { open }
})

/** Most of the code for pages; loaded while the browser starts, which takes longer. */
const loadSessions = Effect.promise(() => import("../session/CdpSession.ts"))

const silenceOf = ({ connection, exited, pid }: RunningChromium) =>
  makeSilence({
    pid,
    ask: connection.command("Browser.getVersion"),
    isGone: Effect.map(Effect.timeoutOption(exited, 0), Option.isSome),
    gone: connection.closed
  })

/** The browser with its pages watched; one watch serves all sessions. */
const launchWatched = Effect.fnUntraced(function* (config: ChromiumConfig, isolated: boolean) {
  // who starts it wants a page, in the default context unless told otherwise
  const { begun, running } = yield* launchChromiumWith(config, (connection, folder) =>
    Effect.gen(function* () {
      const targets = yield* makeTargets(connection, { ahead: !isolated, folder })
      return { targets, sessions: yield* Effect.forkScoped(loadSessions, { startImmediately: true }) }
    })
  )
  const { openCdpSession } = yield* Fiber.join(begun.sessions)
  const { targets } = begun
  const blankWindow = yield* makeBlankWindow(running, config.headless)
  return { ...running, targets, openCdpSession, blankWindow, silence: silenceOf(running) }
})

/**
 * The provider for the life of the scope, which owns its browser. Nothing is started before the first `open`; a
 * browser that died is replaced at the next one, and every session that it had says `SessionLost`.
 */
export const makeChromiumProvider = Effect.fnUntraced(function* (
  config: BrowserConfig
): Effect.fn.Return<BrowserProvider, never, Scope.Scope> {
  const available = yield* isAvailable(config.chromium).pipe(Effect.provide(launchPlatform))
  const shared = yield* makeSharedChromium(launchWatched(config.chromium, config.isolated))
  const capabilities: Capabilities = {
    dialogs: true,
    frames: true,
    cdp: true,
    nativeCapture: false,
    cookies: true,
    downloads: true,
    visibleToHuman: !config.chromium.headless
  }
  const provider: BrowserProvider = {
    id: chromiumProviderId,
    available: () => available,
    capabilities,
    open: Effect.fn("ChromiumProvider.open")(function* (options) {
      // one that answers nothing would keep every session from opening
      const before = shared.current()
      if (before !== undefined) yield* before.silence.endIfSilent
      const { connection, targets, blankWindow, openCdpSession, silence } = yield* shared.get
      const session = yield* openCdpSession({
        connection,
        targets,
        provider: chromiumProviderId,
        capabilities,
        config,
        browserContextId: (options.isolated ?? config.isolated) ? yield* acquireBrowserContext(connection) : undefined,
        // A person may resize the window, and then the page follows it.
        viewport: config.chromium.headless ? config.chromium.viewport : undefined,
        silence,
        dialogWay: "gate",
        gateOnceLoaded: true
      })
      // Runs before the session closes its windows.
      yield* Effect.addFinalizer(() => blankWindow.open)
      return session
    })
  }
  return provider
})

/** Registers the provider with the seam for the life of the layer. */
export const layer = (config: BrowserConfig): Layer.Layer<never, DuplicateProvider, Browser> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const browser = yield* Browser
      yield* browser.register(yield* makeChromiumProvider(config))
    })
  )
