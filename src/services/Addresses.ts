/** Which addresses may be opened: asked before anything is started for one. */
import type { Effect } from "effect"
import { Context } from "effect"
import type { NavigationBlocked } from "../schemas/errors.ts"

export class Addresses extends Context.Service<
  Addresses,
  {
    /** Fails as opening the address would, if it may not be opened; nothing is sent to it. */
    readonly admit: (address: string) => Effect.Effect<void, NavigationBlocked>
  }
>()("effect-browser/Addresses") {}
