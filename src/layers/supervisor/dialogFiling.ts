/** How a dialog is shown, changed and, once, filed. */
import type { ClosedBy, Dialog, DialogRecord } from "../../schemas/dialog.ts"
import type { DialogId } from "../../schemas/ids.ts"
import {
  type GivenAnswer,
  type SupervisedDialog,
  type SupervisorState,
  supervisorLimits
} from "../../schemas/supervisor.ts"
import { type Draft, patch, ring } from "./draft.ts"

export const clip = (text: string): string =>
  text.length <= supervisorLimits.dialogText
    ? text
    : `${text.slice(0, supervisorLimits.dialogText)}… (${text.length - supervisorLimits.dialogText} more characters)`

/** A dialog as readers see it. */
export const publicDialog = (dialog: SupervisedDialog): Dialog => ({
  id: dialog.id,
  type: dialog.type,
  message: dialog.message,
  opened_at: dialog.openedAt / 1000,
  tab_id: dialog.tabId,
  ...(dialog.type === "prompt" ? { default_prompt: clip(dialog.defaultPrompt) } : {}),
  ...(dialog.frameId === undefined ? {} : { frame_id: dialog.frameId }),
  ...(dialog.phase._tag === "Unanswerable" ? { remedy: dialog.phase.remedy } : {})
})

export const setDialog = (draft: Draft, dialog: SupervisedDialog): void =>
  patch(draft, { dialogs: draft.state.dialogs.map((other) => (other.id === dialog.id ? dialog : other)) })

export const find = (state: SupervisorState, id: DialogId): SupervisedDialog | undefined =>
  state.dialogs.find((dialog) => dialog.id === id)

export const cancelWatchdog = (draft: Draft, dialog: SupervisedDialog): void => {
  if (dialog.phase._tag === "Open") draft.commands.push({ _tag: "CancelWatchdog", dialogId: dialog.id })
}

/** Files a dialog, as closed by somebody or by an answer of ours: the one way out of the state. */
export const file = (draft: Draft, dialog: SupervisedDialog, at: number, by: ClosedBy | GivenAnswer): void => {
  const record: DialogRecord = {
    id: dialog.id,
    type: dialog.type,
    message: dialog.message,
    opened_at: dialog.openedAt / 1000,
    tab_id: dialog.tabId,
    ...(dialog.frameId === undefined ? {} : { frame_id: dialog.frameId }),
    closed_at: at / 1000,
    ...(typeof by === "string" ? { closed_by: by } : { closed_by: by.by, ...(by.leaving ? { leaving: true } : {}) })
  }
  patch(draft, {
    dialogs: draft.state.dialogs.filter((other) => other.id !== dialog.id),
    recent: ring(draft.state.recent, record, supervisorLimits.recentDialogs)
  })
  cancelWatchdog(draft, dialog)
  draft.commands.push({ _tag: "DialogFiled", record })
}

/** True while an answer that may reach the dialog, or have reached it, is under way. */
export const isAnswerUnderWay = (state: SupervisorState, dialog: SupervisedDialog): boolean =>
  state.answers.some((answer) =>
    dialog.way._tag === "Native"
      ? answer.native && answer.sessionId === dialog.sessionId
      : answer.dialogId === dialog.id
  )

/** The dialog is closed. `result` is what the page got; undefined: the browser did not tell. */
export const noticeClosed = (draft: Draft, dialog: SupervisedDialog, at: number, result: boolean | undefined): void => {
  if (dialog.phase._tag === "Settling") return
  if (!isAnswerUnderWay(draft.state, dialog)) {
    file(draft, dialog, at, "remote")
    return
  }
  cancelWatchdog(draft, dialog)
  const others = draft.state.dialogs.filter((other) => other.id !== dialog.id)
  patch(draft, { dialogs: [...others, { ...dialog, phase: { _tag: "Settling", result } }] })
}
