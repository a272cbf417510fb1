import { join } from "node:path"
import { Effect } from "effect"
import { prepareEmbedded } from "../src/layers/providers/chromium/embedded.ts"
import { launchPlatform } from "../src/layers/providers/chromium/launch.ts"
import { locateBrowser } from "../src/layers/providers/chromium/locate.ts"
import { electronMissing } from "../test/support/electronHere.ts"
import { buildDemoPages } from "./build-demo-pages.ts"
import { buildHost } from "./build-host.ts"
import { buildInPage } from "./build-in-page.ts"
import { buildToolList } from "./build-tool-list.ts"

/** The browser for tests that start one by themselves, with the variables that it needs on a machine without libraries. */
const testBrowser = Effect.gen(function* () {
  const embedded = process.env["EFFECT_BROWSER_TEST_ENGINE"] === "embedded"
  const browser = yield* locateBrowser({ headless: true, embedded })
  return browser.source === "embedded"
    ? yield* prepareEmbedded(browser.embedded)
    : { executable: browser.path, environment: {} }
}).pipe(Effect.provide(launchPlatform))

/**
 * Tests always run against the page programs, the demo pages and the view host of the sources, never against an old bundle; on a machine
 * without any browser they use the one that comes with the package. What the run leaves out is said after it.
 */
export default async function setup(): Promise<() => void> {
  await buildInPage()
  buildDemoPages()
  process.env["EFFECT_BROWSER_TEST_HOST"] = await buildHost(
    join(import.meta.dirname, "../node_modules/.cache/effect-browser-test-host")
  )
  await buildToolList()
  const { environment, executable } = await Effect.runPromise(testBrowser)
  Object.assign(process.env, environment, { EFFECT_BROWSER_TEST_CHROME: executable })
  const missing = electronMissing()
  return () => {
    if (missing !== undefined) console.error(`Left out: the tests of the Electron host (test/electron): ${missing}.`)
  }
}
