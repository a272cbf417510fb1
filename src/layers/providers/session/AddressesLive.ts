/** No browser is started for an address that it would not be allowed to load. */
import { Effect, Layer } from "effect"
import { type AdmissionRules, admit, makeAdmission } from "../../page/admission.ts"
import type { NavigationBlocked } from "../../../schemas/errors.ts"
import { Addresses } from "../../../services/Addresses.ts"

/** Fails as opening the first of them that is not admitted would. */
export const checkAddresses = (
  rules: AdmissionRules,
  addresses: ReadonlyArray<string>
): Effect.Effect<void, NavigationBlocked> => {
  const admission = makeAdmission(rules)
  return Effect.forEach(addresses, (address) => admit(admission, address), { discard: true })
}

/** The rules of a configuration. */
export const layer = (rules: AdmissionRules): Layer.Layer<Addresses> =>
  Layer.sync(Addresses, () => {
    const admission = makeAdmission(rules)
    return Addresses.of({ admit: (address) => Effect.asVoid(admit(admission, address)) })
  })
