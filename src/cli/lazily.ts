/** Loads a handler when its command runs, so that the others do not pay for it. */
import { Effect } from "effect"

export const lazily = <Module>(load: () => Promise<Module>): Effect.Effect<Module> => Effect.promise(load)
