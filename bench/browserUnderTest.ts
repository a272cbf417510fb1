/** The browser that both sides use: found, prepared and started with the arguments of the product. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { prepareEmbedded } from "../src/layers/providers/chromium/embedded.ts"
import { browserKind, chromiumArguments } from "../src/layers/providers/chromium/flags.ts"
import { locateBrowser } from "../src/layers/providers/chromium/locate.ts"
import { machineFacts, sandboxState } from "../src/layers/providers/chromium/machine.ts"
import { defaultBrowserConfig } from "../src/schemas/config.ts"

export interface BrowserUnderTest {
  readonly executable: string
  /** further environment variables */
  readonly environment: Readonly<Record<string, string>>
  /** path for the product's option; undefined: it finds the same one by itself (the embedded one) */
  readonly configured: string | undefined
  readonly viewport: { readonly width: number; readonly height: number }
  readonly argumentsFor: (profile: string) => ReadonlyArray<string>
}

/** Finds the browser as the product does. Fails as the product does if there is none. */
export const findBrowser = Effect.gen(function* () {
  const config = defaultBrowserConfig.chromium
  const located = yield* locateBrowser(config)
  const prepared =
    located.source === "embedded"
      ? yield* prepareEmbedded(located.embedded)
      : { executable: located.path, environment: {} }
  const machine = yield* machineFacts
  const found: BrowserUnderTest = {
    executable: prepared.executable,
    environment: prepared.environment,
    configured: located.source === "embedded" ? undefined : located.path,
    viewport: config.viewport,
    argumentsFor: (profile) =>
      chromiumArguments(config, {
        kind: browserKind(prepared.executable),
        profile,
        sandbox: sandboxState(machine).enabled,
        sharedMemory: machine.sharedMemory
      })
  }
  return found
}).pipe(Effect.provide(NodeServices.layer))
