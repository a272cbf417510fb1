/**
 * What the page asks is dismissed before it is left.
 *
 * A whole Chromium does that by itself as soon as a navigation begins. The headless shell (153) does not: with the
 * dialog open it loads the new document half, and from then on neither takes an answer nor shows any page. Dismissed
 * beforehand, the dialog is the same to the page in every browser, and filed as closed by the agent, who left it.
 */
import { Clock, Effect } from "effect"
import type { Dialog } from "../../schemas/dialog.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Tab } from "./Tab.ts"
import { endedAfter } from "../../services/endings.ts"

/** Dialogs that are dismissed, one after the other, until a page is taken for one that never stops asking. */
const mostDialogs = 20

/** When the time is over, a page that has asked so often is taken for such a one, too. */
const manyDialogs = 3

/** Time (ms) for all of it, and for what a page's script does after its dialog: it may open the next one. */
const budgetMs = 2_000

/** Time (ms) for a machine that is too slow to see in that time whether a page ever stops asking. */
const slowMs = 8_000

/** Dialogs of the page itself that somebody can answer. Whether to leave, which it may ask too, is not ours to decide. */
const answerable = (tab: Tab): ReadonlyArray<Dialog> =>
  tab.dialogs
    .blocking(tab.id)
    .filter(({ remedy, tab_id, type }) => tab_id === tab.id && remedy === undefined && type !== "beforeunload")

const dismiss = (tab: Tab): Effect.Effect<void> =>
  Effect.suspend(() => tab.dialogs.letGo(answerable(tab).map(({ id }) => id)))

const asksAgain = (tab: Tab): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const stop = tab.dialogs.onBlocked(tab.id, () => resume(Effect.void))
    if (answerable(tab).length > 0) resume(Effect.void)
    return Effect.sync(stop)
  })

/**
 * Ends when the script that asked, in `frame` (absent: the main frame), has ended, or asks again; within `patience` (ms)
 * at the latest. A page that waits at the gate answers, too; but by its second answer the gate has told what it asks.
 */
export const goneOn = (tab: Tab, patience: number, frame?: FrameModel): Effect.Effect<void> => {
  const answers = tab.send("Runtime.evaluate", { expression: "0" }, frame)
  return Effect.raceFirst(asksAgain(tab), Effect.ignore(Effect.andThen(answers, answers))).pipe(
    endedAfter(patience, () => Effect.void)
  )
}

/**
 * Ends a page that never stops asking, as one that is stuck would be (`Liveness.end`). If a dialog is open then, the
 * headless shell lets no input through to the next page; so it is dismissed right before, which leaves the page no time to
 * open another.
 */
const endAsking = (tab: Tab): Effect.Effect<boolean> =>
  Effect.andThen(Effect.forkChild(dismiss(tab), { startImmediately: true }), tab.liveness.end)

/**
 * Dismisses the open dialogs of a page, and those that it opens then. One that never stops asking is ended; if it
 * may not be, it is left all the same: another process shows the new page, and
 * the dialog that opens meanwhile is told.
 *
 * @returns whether it was ended
 */
export const leave = (tab: Tab): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    if (answerable(tab).length === 0) return Effect.succeed(false)
    let turns = 0
    const rounds = Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + budgetMs
      while (answerable(tab).length > 0 && turns < mostDialogs) {
        turns++
        yield* Effect.andThen(dismiss(tab), goneOn(tab, budgetMs))
        if (turns > manyDialogs && (yield* Clock.currentTimeMillis) > until) return
      }
    })
    tab.leaving = true
    return rounds.pipe(
      endedAfter(slowMs, () => Effect.void),
      Effect.andThen(
        Effect.suspend(() =>
          answerable(tab).length > 0 && turns > manyDialogs ? endAsking(tab) : Effect.succeed(false)
        )
      ),
      Effect.ensuring(
        Effect.sync(() => {
          tab.leaving = false
        })
      ),
      // not awaited, so that the command to leave is on its way before the page asks once more
      Effect.tap((ended) => (ended ? Effect.void : Effect.forkChild(dismiss(tab), { startImmediately: true })))
    )
  })
