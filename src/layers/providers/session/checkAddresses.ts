/** No browser is started for an address that it would not be allowed to load. */
import { Effect } from "effect"
import { makeAdmission } from "../../page/admission.ts"
import { admit } from "../../page/Navigation.ts"
import type { BrowserConfig } from "../../../schemas/config.ts"
import type { NavigationBlocked } from "../../../schemas/errors.ts"

/** Fails as opening the first of them that is not admitted would. */
export const checkAddresses = (
  config: BrowserConfig,
  addresses: ReadonlyArray<string>
): Effect.Effect<void, NavigationBlocked> => {
  const admission = makeAdmission(config)
  return Effect.forEach(addresses, (address) => admit(admission, address), { discard: true })
}
