/**
 * Dialogs: opened, answered by the agent, the policy, the watchdog or somebody else, closed.
 *
 * A dialog leaves `Open` before the command that answers it goes out, so that the closing event, which the browser
 * sends before the reply to our answer, finds who gave it. Only the reply tells whether it was our answer or another
 * client's that closed the dialog; until then it is `Settling`: neither pending nor filed.
 */
import { SessionLost } from "../../schemas/errors.ts"
import { DialogId } from "../../schemas/ids.ts"
import type { DialogWay, SupervisedDialog } from "../../schemas/supervisor.ts"
import type { SupervisorEventOf } from "../../schemas/supervisorEvent.ts"
import { give } from "./answering.ts"
import { chooseDialog, isSuperseded } from "./chooseDialog.ts"
import { cancelWatchdog, clip, find, noticeClosed } from "./dialogFiling.ts"
import { isForHuman, isForSomebody, startWatchdog, strand, wait } from "./dialogWaiting.ts"
import { type Draft, log, patch } from "./draft.ts"

/** What nobody asked for anew: the policy or the order to stop decides, or the dialog waits. */
const settleNew = (draft: Draft, dialog: SupervisedDialog): void => {
  const { status, rules } = draft.state
  if (status === "stopping") give(draft, dialog, { by: "watchdog", accept: false })
  else if (isForSomebody(draft.state, dialog.way)) wait(draft, dialog)
  else {
    const leaves = dialog.type === "beforeunload" && rules.leaves === true
    give(draft, dialog, { by: "auto_policy", accept: rules.policy === "auto_accept" || leaves })
  }
}

export const dialogOpened = (
  draft: Draft,
  event: SupervisorEventOf<"DialogOpening" | "BridgePaused" | "GatePaused">
): void => {
  const session = draft.state.sessions.get(event.sessionId)
  if (session === undefined) return
  const way: DialogWay =
    event._tag === "DialogOpening"
      ? { _tag: "Native" }
      : event._tag === "BridgePaused"
        ? { _tag: "Bridge", requestId: event.requestId }
        : { _tag: "Gate", callFrameId: event.callFrameId }
  // a frame shows one dialog at a time: a new one proves that the earlier one is closed, if both came the same way
  for (const other of draft.state.dialogs) {
    const isEarlier =
      other.sessionId === event.sessionId && other.frameId === event.frameId && other.way._tag === way._tag
    if (isEarlier && event.frameId !== undefined) noticeClosed(draft, other, event.at, undefined)
  }
  const number = draft.state.lastDialog + 1
  const dialog: SupervisedDialog = {
    id: DialogId.make(`d-${number}`),
    tabId: session.tabId,
    sessionId: event.sessionId,
    way,
    type: event.type,
    message: clip(event.message),
    defaultPrompt: event.defaultPrompt,
    frameId: event.frameId,
    openedAt: event.at,
    phase: { _tag: "Open" },
    suspect: false
  }
  patch(draft, { lastDialog: number, dialogs: [...draft.state.dialogs, dialog] })
  settleNew(draft, dialog)
}

/** A browser that tells no frame (Chrome 130) closes the latest dialog of the tab. */
export const dialogClosed = (draft: Draft, event: SupervisorEventOf<"DialogClosed">): void => {
  const open = draft.state.dialogs.filter(
    (dialog) => dialog.sessionId === event.sessionId && dialog.way._tag === "Native" && dialog.phase._tag !== "Settling"
  )
  const closed =
    event.frameId === undefined
      ? open.at(-1)
      : (open.findLast(({ frameId }) => frameId === event.frameId) ??
        open.findLast(({ frameId }) => frameId === undefined))
  if (closed !== undefined) noticeClosed(draft, closed, event.at, event.result)
}

export const gateResumed = (draft: Draft, event: SupervisorEventOf<"GateResumed">): void => {
  for (const dialog of draft.state.dialogs) {
    if (dialog.sessionId === event.sessionId && dialog.way._tag === "Gate") {
      noticeClosed(draft, dialog, event.at, undefined)
    }
  }
}

export const answerAsked = (draft: Draft, event: SupervisorEventOf<"AnswerAsked">): void => {
  const { action, asker, by = "agent", dialogId, leaving, promptText } = event
  const { status } = draft.state
  const chosen =
    status === "disconnected" || status === "stopped"
      ? { refusal: new SessionLost({ reason: "the connection to the browser is closed" }) }
      : chooseDialog(draft.state, dialogId)
  if ("refusal" in chosen) {
    draft.commands.push({ _tag: "ReportRefused", asker, refusal: chosen.refusal })
    return
  }
  cancelWatchdog(draft, chosen.dialog)
  const named = dialogId !== undefined
  give(draft, chosen.dialog, { by, accept: action === "accept", asker, named, leaving, promptText })
}

export const watchdogFired = (draft: Draft, event: SupervisorEventOf<"WatchdogFired">): void => {
  const dialog = find(draft.state, event.dialogId)
  if (dialog === undefined || dialog.phase._tag !== "Open" || isForHuman(draft.state, dialog.way)) return
  if (isSuperseded(draft.state, dialog)) {
    strand(draft, dialog)
    return
  }
  log(draft, "warning", `Nobody answered dialog ${dialog.id} (${dialog.type}) in time; it is dismissed.`)
  give(draft, dialog, { by: "watchdog", accept: false })
}

/** New rules hold for the dialogs that are open, too. */
export const rulesChanged = (draft: Draft, event: SupervisorEventOf<"RulesChanged">): void => {
  patch(draft, { rules: event.rules })
  for (const dialog of draft.state.dialogs) {
    if (dialog.phase._tag !== "Open") continue
    cancelWatchdog(draft, dialog)
    if (isSuperseded(draft.state, dialog) || isForSomebody(draft.state, dialog.way)) startWatchdog(draft, dialog)
    else settleNew(draft, dialog)
  }
}

/** An orderly stop: whatever still waits is dismissed (`beforeunload`: the page stays), so that no page is left blocked. */
export const dismissAll = (draft: Draft): void => {
  for (const dialog of draft.state.dialogs) {
    if (dialog.phase._tag !== "Open") continue
    if (isSuperseded(draft.state, dialog)) strand(draft, dialog)
    else {
      cancelWatchdog(draft, dialog)
      give(draft, dialog, { by: "watchdog", accept: false })
    }
  }
}
