/** What a long call tells its caller while it runs. */
import { Context, Effect } from "effect"

/**
 * Reports one line about the call under way ("opening https://..."). Never fails and hardly waits; where nobody
 * listens it does nothing.
 */
export const Progress = Context.Reference<(message: string) => Effect.Effect<void>>("effect-browser/Progress", {
  defaultValue: () => () => Effect.void
})

/** Reports one line to whoever listens. */
export const report = (message: string): Effect.Effect<void> => Effect.flatMap(Progress, (tell) => tell(message))
