/** Which provider a new session gets: a function of the configured id and of what is registered, and of nothing else. */
import { Result } from "effect"
import {
  ProviderAmbiguous,
  ProviderConfiguredMissing,
  ProviderConfiguredUnavailable,
  ProviderUnavailable
} from "../../../schemas/errors.ts"
import type { ProviderId } from "../../../schemas/ids.ts"
import type { SelectionError } from "../../../services/Browser.ts"

/** A registered provider, as far as selection is concerned. */
export interface Candidate {
  readonly id: ProviderId
  readonly available: boolean
}

const sorted = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<ProviderId> =>
  candidates.map((candidate) => candidate.id).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/**
 * Selects a provider. The order of `candidates` does not matter; ids in errors are sorted.
 *
 * With a configured id: that provider, `ProviderConfiguredMissing` if it is not registered,
 * `ProviderConfiguredUnavailable` if it is not available. Without one: the only available provider,
 * `ProviderAmbiguous` if there are several, `ProviderUnavailable` if there is none.
 */
export const selectProvider = <C extends Candidate>(
  configured: ProviderId | undefined,
  candidates: ReadonlyArray<C>
): Result.Result<C, SelectionError> => {
  if (configured !== undefined) {
    const named = candidates.find((candidate) => candidate.id === configured)
    if (named === undefined) {
      return Result.fail(new ProviderConfiguredMissing({ provider: configured, registered: sorted(candidates) }))
    }
    return named.available
      ? Result.succeed(named)
      : Result.fail(new ProviderConfiguredUnavailable({ provider: configured }))
  }
  const usable = candidates.filter((candidate) => candidate.available)
  const [first, ...others] = usable
  if (first === undefined) return Result.fail(new ProviderUnavailable({ registered: sorted(candidates) }))
  if (others.length > 0) return Result.fail(new ProviderAmbiguous({ available: sorted(usable) }))
  return Result.succeed(first)
}
