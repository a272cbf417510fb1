/** Dialogs that end with their frame, document, session or connection. */
import type { ClosedBy } from "../../schemas/dialog.ts"
import type { CdpSessionId, FrameId } from "../../schemas/ids.ts"
import type { GivenAnswer, SupervisedDialog } from "../../schemas/supervisor.ts"
import { file, noticeClosed, setDialog } from "./dialogFiling.ts"
import { type Draft, sessionOfFrame } from "./draft.ts"

/** Dialogs whose frame went away are closed, whoever did it. */
export const dialogsOfFramesGone = (draft: Draft, at: number, gone: ReadonlySet<FrameId>): void => {
  for (const dialog of draft.state.dialogs) {
    if (dialog.frameId !== undefined && gone.has(dialog.frameId)) noticeClosed(draft, dialog, at, undefined)
  }
}

/**
 * A frame has a new document. A gate of the old one is gone (its events come in the order of the frame's own); others
 * may be of either document, since the browser process tells of them on its own.
 */
export const dialogsOfNewDocument = (
  draft: Draft,
  at: number,
  concerns: (dialog: SupervisedDialog) => boolean
): void => {
  for (const dialog of draft.state.dialogs) {
    if (!concerns(dialog)) continue
    if (dialog.way._tag === "Gate") noticeClosed(draft, dialog, at, undefined)
    else if (!dialog.suspect) setDialog(draft, { ...dialog, suspect: true })
  }
}

/** The session's page answered, so no suspect blocks it; or it did not answer, so they do. */
export const suspectsTried = (draft: Draft, at: number, sessionId: CdpSessionId, isFree: boolean): void => {
  for (const dialog of draft.state.dialogs) {
    if (!dialog.suspect || sessionOfFrame(draft.state, dialog.tabId, dialog.frameId) !== sessionId) continue
    if (!isFree) setDialog(draft, { ...dialog, suspect: false })
    else if (dialog.phase._tag === "Open" || dialog.phase._tag === "Unanswerable") {
      file(draft, dialog, at, "remote")
    }
  }
}

/** Dialogs whose way to the page is gone. The replies to their answers still come, as refusals. */
export const dialogsLost = (draft: Draft, at: number, concerns: (dialog: SupervisedDialog) => boolean): void => {
  for (const dialog of draft.state.dialogs) {
    if (concerns(dialog)) file(draft, dialog, at, dialog.phase._tag === "Settling" ? closerOf(draft, dialog) : "lost")
  }
}

/** Who closed a dialog whose session is gone, by what is known: its answer, if the page got what that says. */
const closerOf = (draft: Draft, { id, phase }: SupervisedDialog): ClosedBy | GivenAnswer => {
  const answer = draft.state.answers.find(({ dialogId }) => dialogId === id)
  return answer !== undefined && phase._tag === "Settling" && phase.result === answer.accept ? answer : "remote"
}

/** A stop waits for no dialog that cannot be answered. */
export const giveUpStranded = (draft: Draft, at: number): void => {
  for (const dialog of draft.state.dialogs) {
    if (dialog.phase._tag === "Unanswerable") file(draft, dialog, at, "lost")
  }
}
