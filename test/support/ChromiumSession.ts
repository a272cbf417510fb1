/** A real browser for a block of tests, and a fresh session for each. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as ChromiumProvider from "../../src/layers/providers/chromium/ChromiumProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { type BrowserConfig, decodeBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { Snapshot, SnapshotElement } from "../../src/schemas/snapshot.ts"
import { Browser } from "../../src/services/Browser.ts"
import { electronProvider } from "./ElectronSession.ts"
import { TestSite } from "./TestSite.ts"

/**
 * `EFFECT_BROWSER_TEST_ENGINE=embedded` runs the suites on the browser that comes with the package, `=electron` on the
 * view host.
 */
export const engine = process.env["EFFECT_BROWSER_TEST_ENGINE"] ?? "chromium"
const embedded = engine === "embedded"

const provider = (config: BrowserConfig) =>
  engine === "electron" ? electronProvider(config, config.chromium.args) : Layer.orDie(ChromiumProvider.layer(config))

/** The seam with a Chromium behind it, and pages to open. */
export const chromium = (settings: { readonly chromium?: object; readonly [setting: string]: unknown } = {}) =>
  Layer.unwrap(
    Effect.map(
      Effect.orDie(decodeBrowserConfig({ ...settings, chromium: { embedded, ...settings.chromium } })),
      (config: BrowserConfig) =>
        Layer.merge(
          provider(config).pipe(Layer.provideMerge(BrowserSeam.layer(config)), Layer.provide(NodeServices.layer)),
          TestSite.layer
        )
    )
  )

let tasks = 0

/** A session of its own, closed with the test. */
export const session = Effect.flatMap(Browser, (browser) =>
  browser.open({ task: TaskKey.make(`test-${++tasks}`), isolated: true })
)

/** Opens an address with the parameters that a tool call would have. */
export const at = (url: string) =>
  Effect.flatMap(session, (open) =>
    Effect.map(open.open({ url, newTab: false }), (first) => ({ browser: open, first }))
  )

/** The one element of that kind and label. */
export const element = (snapshot: Pick<Snapshot, "elements">, kind: string, label: string): SnapshotElement => {
  const found = snapshot.elements.filter((one) => one.kind === kind && one.label === label)
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(
      `${found.length} elements are a ${kind} "${label}": ${snapshot.elements.map((one) => `${one.kind} "${one.label}"`).join(", ")}`
    )
  }
  return found[0]
}

export const whole = { interactive: false, wholeFrameTree: false } as const
