/** Pages that ask one thing after the other: between two dialogs there is a moment without any. */
import { Clock, Effect } from "effect"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"

/** A dialog that was closed so long ago (ms) at the most may have another behind it. */
const lately = 2_000

/** The next one is waited for so long (ms). */
const patience = 500

/** If a dialog was closed just now, waits a moment for the next one; yields whether one is open. */
export const nextDialog = (supervisor: Supervisor): Effect.Effect<boolean> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const closed = supervisor.recentDialogs().at(-1)?.closed_at
    if (closed === undefined || now - closed * 1_000 > lately) return Effect.succeed(false)
    return Effect.callback<boolean>((resume) => {
      const stop = supervisor.onDialog(() => resume(Effect.succeed(true)))
      if (supervisor.pendingDialogs().length > 0) resume(Effect.succeed(true))
      return Effect.sync(stop)
    }).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }))
  })
