/** Dialogs that wait: for an answer, with a watchdog, or for nothing that could come. */
import type { DialogWay, SupervisedDialog, SupervisorState } from "../../schemas/supervisor.ts"
import { cancelWatchdog, publicDialog, setDialog } from "./dialogFiling.ts"
import { type Draft, log } from "./draft.ts"
import { probeFrame } from "./treeReading.ts"

export const unanswerableRemedy =
  "Call browser_reload; if the page stays blocked, call browser_open with the URL of another site, or browser_close_tab."

/** True if policy and watchdog must leave the dialog to the person in control. */
export const isForHuman = (state: SupervisorState, way: DialogWay): boolean =>
  state.rules.humanControl && (way._tag === "Native" || state.rules.shown === true)

export const isForSomebody = (state: SupervisorState, way: DialogWay): boolean =>
  state.rules.policy === "must_respond" || isForHuman(state, way)

export const startWatchdog = (draft: Draft, dialog: SupervisedDialog): void => {
  if (isForHuman(draft.state, dialog.way)) return
  draft.commands.push({ _tag: "StartWatchdog", dialogId: dialog.id, ms: draft.state.rules.timeoutMs })
}

export const wait = (draft: Draft, dialog: SupervisedDialog): void => {
  const open: SupervisedDialog = { ...dialog, phase: { _tag: "Open" } }
  setDialog(draft, open)
  startWatchdog(draft, open)
  draft.commands.push({ _tag: "DialogWaits", dialog: publicDialog(open) })
}

/** Nobody can answer the dialog. It is tried whether its page is blocked at all. */
export const strand = (draft: Draft, dialog: SupervisedDialog): void => {
  cancelWatchdog(draft, dialog)
  const stranded: SupervisedDialog = {
    ...dialog,
    phase: { _tag: "Unanswerable", remedy: unanswerableRemedy },
    // of a dialog without a frame it is not known which process would have to be tried
    suspect: dialog.suspect || dialog.frameId !== undefined
  }
  setDialog(draft, stranded)
  log(draft, "warning", `Dialog ${dialog.id} blocks its page and the browser lets nobody answer it.`)
  draft.commands.push({ _tag: "DialogWaits", dialog: publicDialog(stranded) })
  if (stranded.suspect) probeFrame(draft, dialog.tabId, dialog.frameId)
}
