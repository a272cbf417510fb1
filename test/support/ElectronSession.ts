/** The provider "electron" over the Electron of the tests, on a display of its own, with a profile of its own. */
import { Effect, FileSystem, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { layerOverHost } from "../../src/layers/providers/electron/ElectronProvider.ts"
import * as RemoteViewHost from "../../src/layers/viewhost/RemoteViewHost.ts"
import type { BrowserConfig } from "../../src/schemas/config.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"
import { TestElectron } from "./TestElectron.ts"
import { VirtualDisplay } from "./VirtualDisplay.ts"

/** The host's program of the sources, as the run has built it. */
export const testProgram = (): string => process.env["EFFECT_BROWSER_TEST_HOST"] ?? "missing"

/** Options of a host for tests; without `userData` it has a temporary profile. */
export const testHostOptions = Effect.fnUntraced(function* (
  options: Partial<RemoteViewHost.RemoteViewHostOptions> = {}
) {
  const { executable } = yield* TestElectron
  const files = yield* FileSystem.FileSystem
  const userData = options.userData ?? (yield* files.makeTempDirectoryScoped({ prefix: "effect-browser-profile-" }))
  const full: RemoteViewHost.RemoteViewHostOptions = {
    electron: Effect.succeed({ executable }),
    program: testProgram(),
    args: ["--disable-gpu"],
    title: "effect-browser",
    // with its bar and its strip: pages have 1280 × 800
    window: { width: 1280, height: 842 },
    launchTimeoutMs: 30_000,
    available: () => true,
    ...options,
    userData
  }
  return full
})

/** What starting a host for tests needs. */
export const testSurroundings = Layer.mergeAll(TestElectron.layer, VirtualDisplay.layer, NodeServices.layer)

/** A view host that is started when it is used, and ends with the block of tests. */
export const testViewHost = (options: Partial<RemoteViewHost.RemoteViewHostOptions> = {}): Layer.Layer<ViewHost> =>
  Layer.effect(
    ViewHost,
    Effect.flatMap(Effect.orDie(testHostOptions(options)), RemoteViewHost.makeRemoteViewHost)
  ).pipe(Layer.provide(testSurroundings))

/** The provider, registered with the seam. */
export const electronProvider = (config: BrowserConfig, args: ReadonlyArray<string> = []) =>
  layerOverHost(config).pipe(Layer.provide(testViewHost({ args: ["--disable-gpu", ...args] })), Layer.orDie)
