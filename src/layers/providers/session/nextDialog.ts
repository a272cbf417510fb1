/** Pages that ask one thing after the other: between two dialogs there is a moment without any. */
import { Clock, Effect } from "effect"
import type { Dialog } from "../../../schemas/dialog.ts"
import { goneOn } from "../../page/leaving.ts"
import type { Page } from "../../page/Page.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import { endedAfter } from "../../../services/endings.ts"

/** A dialog that was closed so long ago (ms) at the most may have another behind it. */
const lately = 2_000

/** The next one is waited for so long (ms). */
const patience = 500

/** What a page's script does after its dialog is waited for so long (ms): it may open the next one. */
const answerMs = 300

/** If a dialog was closed just now, waits a moment for the next one; yields whether one is open. */
export const nextDialog = (supervisor: Supervisor): Effect.Effect<boolean> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const closed = supervisor.recentDialogs().at(-1)?.closed_at
    if (closed === undefined || now - closed * 1_000 > lately) return Effect.succeed(false)
    return Effect.callback<boolean>((resume) => {
      const stop = supervisor.onDialog(() => resume(Effect.succeed(true)))
      if (supervisor.pendingDialogs().length > 0) resume(Effect.succeed(true))
      return Effect.sync(stop)
    }).pipe(endedAfter(patience, () => Effect.succeed(false)))
  })

/**
 * The dialog that blocks the page once it has gone on from an answered one: what its script asks next, or what was open
 * beside it.
 */
export const following = (page: Page, { frame_id, type }: Dialog): Effect.Effect<Dialog | undefined> => {
  const { tab } = page
  const frame = frame_id === undefined ? undefined : tab.model.frames.get(frame_id)
  // what is left, or stays as it is, runs no script that would ask more
  const gone = type === "beforeunload" || tab.closed ? Effect.void : goneOn(tab, answerMs, frame)
  return Effect.map(gone, () => tab.dialogs.blocking(tab.id)[0])
}
