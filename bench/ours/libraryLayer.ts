/** The library as a program of its own embeds it. */
import { Layer, Logger } from "effect"
import * as EffectBrowser from "../../src/EffectBrowser.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"

/** The whole library, with the browser at `executable` if one is named. */
export const libraryLayer = (executable: string | undefined) => {
  const { chromium, ...config } = defaultBrowserConfig
  return EffectBrowser.layer({
    ...config,
    chromium: { ...chromium, ...(executable === undefined ? {} : { executablePath: executable }) }
  }).pipe(Layer.provideMerge(Layer.succeed(Logger.LogToStderr, true)))
}
