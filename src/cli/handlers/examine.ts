/** What `effect-browser doctor` does. */
import { Console, Effect } from "effect"
import { inspectChromium } from "../../layers/providers/chromium/doctor.ts"
import { inspectElectron } from "../../layers/providers/electron/doctor.ts"
import type { Doctor } from "../../schemas/doctor.ts"
import { ExitWith } from "../ExitWith.ts"
import type { BrowserOptions } from "../browserFlags.ts"
import { doctorText } from "../doctorText.ts"
import { exitCodes } from "../exitCodes.ts"
import { loadConfig } from "../settings.ts"
import { outputStyle } from "../style.ts"

/**
 * Prints what is known about the browsers of this machine; fails with the exit code for "no browser" if the one that is
 * to be used cannot be.
 */
export const examine = Effect.fnUntraced(function* (options: BrowserOptions & { readonly json: boolean }) {
  const config = yield* loadConfig(options)
  const facts: Doctor = {
    ...(yield* inspectChromium(config.chromium)),
    electron: yield* inspectElectron(config.electron)
  }
  yield* Console.log(options.json ? JSON.stringify(facts, undefined, 2) : doctorText(facts, outputStyle()))
  const usable =
    config.provider === "electron" ? facts.electron.chosen !== undefined && facts.electron.display : facts.launch.ok
  if (!usable) return yield* new ExitWith({ exitCode: exitCodes.noBrowser.code })
})
