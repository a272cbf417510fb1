/** What `effect-browser doctor` does. */
import { Console, Effect } from "effect"
import * as EffectBrowser from "../../EffectBrowser.ts"
import { inspectChromium } from "../../layers/providers/chromium/doctor.ts"
import { inspectElectron } from "../../layers/providers/electron/doctor.ts"
import type { BrowserConfig, CdpEndpointConfig } from "../../schemas/config.ts"
import type { Doctor } from "../../schemas/doctor.ts"
import { Browser } from "../../services/Browser.ts"
import { ExitWith } from "../ExitWith.ts"
import type { BrowserOptions } from "../browserFlags.ts"
import { doctorText, endpointText } from "../doctorText.ts"
import { exitCodes } from "../exitCodes.ts"
import { loadConfig } from "../settings.ts"
import { outputStyle } from "../style.ts"

const asJson = (facts: unknown) => JSON.stringify(facts, undefined, 2)

/** Looks at the browser that is attached to; yields whether it can be used. */
const examineEndpoint = Effect.fnUntraced(function* ({ url }: CdpEndpointConfig, json: boolean) {
  const { inspectEndpoint } = yield* Effect.promise(() => import("../../layers/providers/endpoint/doctor.ts"))
  const endpoint = yield* inspectEndpoint(url)
  yield* Console.log(json ? asJson({ endpoint }) : endpointText(endpoint, outputStyle()))
  return endpoint.ok
})

/** Looks at the browsers of this machine; yields whether the one that is to be used can be. */
const examineMachine = Effect.fnUntraced(function* (config: BrowserConfig, json: boolean) {
  const facts: Doctor = {
    ...(yield* inspectChromium(config.chromium)),
    electron: yield* inspectElectron(config.electron)
  }
  yield* Console.log(json ? asJson(facts) : doctorText(facts, outputStyle()))
  return config.provider === "electron"
    ? facts.electron.chosen !== undefined && facts.electron.display
    : facts.launch.ok
})

/** Fails if the configuration names a provider that is not there; what one lacks is for the report to say. */
const checkProvider = (config: BrowserConfig) =>
  Browser.use((browser) => browser.select).pipe(
    Effect.catchIf(
      (error) => error._tag !== "ProviderConfiguredMissing",
      () => Effect.void
    ),
    Effect.provide(EffectBrowser.layer(config))
  )

/** Prints what is known about the browser that is to be used; fails with the exit code for "no browser" if it cannot be. */
export const examine = Effect.fnUntraced(function* (options: BrowserOptions & { readonly json: boolean }) {
  const config = yield* loadConfig(options)
  const { cdpEndpoint, provider = "endpoint" } = config
  yield* checkProvider(config)
  const usable =
    cdpEndpoint !== undefined && provider === "endpoint"
      ? yield* examineEndpoint(cdpEndpoint, options.json)
      : yield* examineMachine(config, options.json)
  if (!usable) return yield* new ExitWith({ exitCode: exitCodes.noBrowser.code })
})
