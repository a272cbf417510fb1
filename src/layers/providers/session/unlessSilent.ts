/** Closing what belongs to a browser that may not answer any more. */
import { Effect } from "effect"
import { SessionLost } from "../../../schemas/errors.ts"
import type { Silence } from "./CdpSessionOptions.ts"

/** Runs `closing`; the browser is asked meanwhile whether it answers at all, and if it does not, the session is lost. */
export const unlessSilent = <A, E>(
  silence: Silence | undefined,
  closing: Effect.Effect<A, E>
): Effect.Effect<A, E | SessionLost> => {
  if (silence === undefined) return closing
  const silent = Effect.flatMap(silence.endIfSilent, (why) =>
    why === undefined ? Effect.never : Effect.fail(new SessionLost({ reason: why }))
  )
  return Effect.mapError(Effect.raceFirst(closing, silent), (error) => {
    const why = silence.ended()
    return why === undefined ? error : new SessionLost({ reason: why })
  })
}
