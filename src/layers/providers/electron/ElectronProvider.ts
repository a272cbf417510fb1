/**
 * The provider "electron": sessions in the one window of a view host, where a person watches the pages that agents
 * drive, and can use them.
 */
import { Effect, Layer, type Scope } from "effect"
import type { BrowserConfig } from "../../../schemas/config.ts"
import { type DuplicateProvider, LaunchFailed } from "../../../schemas/errors.ts"
import { ProviderId } from "../../../schemas/ids.ts"
import { Browser, type BrowserProvider, type OpenSessionError } from "../../../services/Browser.ts"
import type { Capabilities } from "../../../services/BrowserSession.ts"
import { type RunningHost, ViewHost } from "../../../services/ViewHost.ts"
import { makeShared } from "../../cdp/SharedConnection.ts"
import { makeTargets } from "../../page/Targets.ts"
import * as RemoteViewHost from "../../viewhost/RemoteViewHost.ts"
import { profileFolder } from "../../viewhost/surroundings.ts"
import { makeViewHostBrowser } from "../../viewhost/ViewHostBrowser.ts"
import { openCdpSession } from "../session/CdpSession.ts"
import { makeSilence } from "../session/silence.ts"

/** Id under which the provider is registered. */
export const electronProviderId = ProviderId.make("electron")

const capabilities: Capabilities = {
  dialogs: true,
  frames: true,
  cdp: true,
  nativeCapture: true,
  cookies: true,
  downloads: true,
  visibleToHuman: true
}

/** Who uses a page has taken it over. */
const personActs = { takeOver: "tookOver", acted: "tookOver", handBack: "handedBack", seen: "seen" } as const

/** The host with its pages watched; one watch serves all sessions. */
const watched = Effect.fnUntraced(function* (host: RunningHost) {
  const browser = yield* makeViewHostBrowser(host)
  const targets = yield* makeTargets(browser.connection, host.temporary === undefined ? {} : { folder: host.temporary })
  const silence = makeSilence({
    pid: host.pid,
    ask: host.call("ping", {}),
    isGone: Effect.sync(host.isClosed),
    gone: host.closed
  })
  // one that is part of another program is not ours to end
  return { host, browser, targets, ...(host.temporary === undefined ? {} : { silence }) }
})

/** The provider over whatever view host there is, for the life of the scope. */
export const makeElectronProvider = Effect.fnUntraced(function* (
  config: BrowserConfig
): Effect.fn.Return<BrowserProvider, never, Scope.Scope | ViewHost> {
  const viewHost = yield* ViewHost
  // one watch for each host that runs, replaced with it
  const shared = yield* makeShared(Effect.flatMap(viewHost.running, watched), {
    isClosed: ({ host }) => host.isClosed(),
    ended: ({ host }) => Effect.map(host.closed, ({ reason }) => reason),
    name: () => "watch over the view host's pages"
  })
  const provider: BrowserProvider = {
    id: electronProviderId,
    available: viewHost.available,
    capabilities,
    open: Effect.fn("ElectronProvider.open")(function* (options) {
      // one that answers nothing would keep every session from opening
      yield* shared.current()?.silence?.endIfSilent ?? Effect.void
      const { browser, silence, targets } = yield* shared.get
      const { context, onPerson, present, showDialogs } = yield* browser
        .openTask({
          label: options.task,
          isolated: options.isolated ?? config.isolated,
          rules: {
            ...(config.allowedHosts === undefined ? {} : { allowedHosts: config.allowedHosts }),
            deniedHosts: config.deniedHosts,
            privateNetwork: config.privateNetwork
          }
        })
        .pipe(
          Effect.mapError(
            (error): OpenSessionError => new LaunchFailed({ executable: "Electron", reason: error.message })
          )
        )
      const { person } = options
      if (person !== undefined) {
        yield* onPerson(({ did }) => {
          if (did !== "answered") person(personActs[did])
        })
      }
      return yield* openCdpSession({
        connection: browser.connection,
        targets,
        provider: electronProviderId,
        capabilities,
        config,
        browserContextId: context,
        // a person may resize the window, and then the page follows it
        viewport: undefined,
        ...(silence === undefined ? {} : { silence }),
        activated: browser.show,
        window: {
          present,
          showDialogs,
          onAnswer: (listener) =>
            onPerson((event) => {
              if (event.did === "answered") listener(event)
            })
        },
        // native prompts do not exist here, and a page that waits at the gate can be looked at
        dialogWay: "gate"
      })
    })
  }
  return provider
})

/** Registers the provider with the seam for the life of the layer, over a view host that the program provides. */
export const layerOverHost = (config: BrowserConfig): Layer.Layer<never, DuplicateProvider, Browser | ViewHost> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const browser = yield* Browser
      yield* browser.register(yield* makeElectronProvider(config))
    })
  )

/** The same over a view host of our own. */
export const layer = (config: BrowserConfig): Layer.Layer<never, DuplicateProvider, Browser> =>
  layerOverHost(config).pipe(
    Layer.provide(
      RemoteViewHost.layer({
        electron: RemoteViewHost.pinnedElectron,
        userData: profileFolder(config.electron.profile),
        args: config.electron.args,
        title: "effect-browser",
        window: config.electron.window,
        launchTimeoutMs: config.electron.launchTimeoutMs,
        available: () => true
      })
    )
  )
