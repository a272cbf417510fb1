/** Which dialog an answer is for. */
import { DialogAmbiguous, DialogNone, DialogUnanswerable, DialogUnknown } from "../../schemas/errors.ts"
import type { SupervisedDialog, SupervisorState } from "../../schemas/supervisor.ts"
import type { AnswerRefusal } from "../../schemas/supervisorCommand.ts"

type Choice =
  | { readonly _tag: "Chosen"; readonly dialog: SupervisedDialog }
  | { readonly _tag: "Refused"; readonly refusal: AnswerRefusal }

/** True while the dialog waits for someone: it is open and nobody's answer is on its way. */
export const isPending = (dialog: SupervisedDialog): boolean =>
  dialog.phase._tag === "Open" || dialog.phase._tag === "Unanswerable"

/**
 * Of several native dialogs of one tab the browser answers the latest only (a second process of the tab opened it), so
 * an answer meant for an earlier one would hit the wrong dialog.
 */
export const isSuperseded = (state: SupervisorState, dialog: SupervisedDialog): boolean => {
  if (dialog.way._tag !== "Native") return false
  const latest = state.dialogs.findLast(
    (other) => other.sessionId === dialog.sessionId && other.way._tag === "Native" && other.phase._tag !== "Settling"
  )
  return latest !== undefined && latest.id !== dialog.id
}

/** The refusal of an answer whose dialog is not there (any more). */
export const missingDialog = (state: SupervisorState, dialogId: string | undefined): DialogNone | DialogUnknown =>
  dialogId === undefined
    ? new DialogNone({})
    : new DialogUnknown({ dialogId, known: state.dialogs.filter(isPending).map((dialog) => dialog.id) })

const whyUnanswerable = (state: SupervisorState, dialog: SupervisedDialog): DialogUnanswerable | undefined =>
  dialog.phase._tag === "Unanswerable"
    ? new DialogUnanswerable({ remedy: dialog.phase.remedy })
    : isSuperseded(state, dialog)
      ? new DialogUnanswerable({
          remedy: "Another frame opened a dialog over it: answer that one first, then call browser_reload."
        })
      : undefined

/** The dialog with the id; without an id the only one that can be answered. */
export const chooseDialog = (state: SupervisorState, dialogId: string | undefined): Choice => {
  const pending = state.dialogs.filter(isPending)
  const meant = dialogId === undefined ? pending : pending.filter((dialog) => dialog.id === dialogId)
  const [first] = meant
  if (first === undefined) return { _tag: "Refused", refusal: missingDialog(state, dialogId) }
  const answerable = meant.filter((dialog) => whyUnanswerable(state, dialog) === undefined)
  const [only] = answerable
  if (only === undefined) {
    return { _tag: "Refused", refusal: whyUnanswerable(state, meant.at(-1) ?? first) ?? new DialogNone({}) }
  }
  if (answerable.length > 1) {
    return { _tag: "Refused", refusal: new DialogAmbiguous({ candidates: answerable.map((dialog) => dialog.id) }) }
  }
  return { _tag: "Chosen", dialog: only }
}
