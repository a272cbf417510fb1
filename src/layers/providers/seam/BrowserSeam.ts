/** The service `Browser`: providers register in it, sessions are opened through it. */
import { Effect, Layer } from "effect"
import type { BrowserConfig } from "../../../schemas/config.ts"
import { DuplicateProvider } from "../../../schemas/errors.ts"
import type { ProviderId } from "../../../schemas/ids.ts"
import type { BrowserProvider } from "../../../services/Browser.ts"
import { Browser } from "../../../services/Browser.ts"
import { selectProvider } from "./selection.ts"

/** A probe that throws says that the provider cannot be used. */
const isAvailable = (provider: BrowserProvider): boolean => {
  try {
    return provider.available()
  } catch {
    return false
  }
}

/**
 * The seam with nothing registered. `config.provider` names the provider to use.
 *
 * Selection is made anew at each open, so it follows what is registered and available at that moment; a session that
 * is open stays with the provider that opened it.
 */
export const layer = (config: Pick<BrowserConfig, "provider">): Layer.Layer<Browser> =>
  Layer.sync(Browser, () => {
    const registered = new Map<ProviderId, BrowserProvider>()

    const candidates = () =>
      Array.from(registered.values(), (provider) => ({ id: provider.id, available: isAvailable(provider), provider }))

    const register = (provider: BrowserProvider) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          if (registered.has(provider.id)) return Effect.fail(new DuplicateProvider({ provider: provider.id }))
          registered.set(provider.id, provider)
          return Effect.void
        }),
        () => Effect.sync(() => registered.delete(provider.id))
      )

    const select = Effect.suspend(() =>
      Effect.map(Effect.fromResult(selectProvider(config.provider, candidates())), ({ provider }) => provider)
    )

    return Browser.of({
      register,
      select,
      open: Effect.fn("Browser.open")(function* (options) {
        const provider = yield* select
        yield* Effect.annotateCurrentSpan({ provider: provider.id, task: options.task })
        return yield* provider.open(options)
      }),
      providers: () =>
        candidates()
          .map(({ id, available }) => ({ id, available }))
          .sort((a, b) => (a.id < b.id ? -1 : 1))
    })
  })
