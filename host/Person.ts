/** Hears what a person does in a page, as apart from what is dispatched there by protocol. */
import type { WebContents } from "electron"
import { type PageInput, type PersonDid, personInput } from "./core/personInput.ts"

/** Calls `told` for each input of a person. `dispatching`: whether the protocol dispatches input now. */
export const hearPerson = (
  contents: WebContents,
  options: { readonly told: (did: PersonDid) => void; readonly dispatching: () => boolean }
): void => {
  let touching = false
  contents.on("input-event", (_, input) => {
    const heard = personInput(input as PageInput, touching, options.dispatching())
    touching = heard.touching
    if (heard.did !== undefined) options.told(heard.did)
  })
}
