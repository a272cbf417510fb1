/**
 * Answers on their way to the browser, and what its replies tell.
 *
 * `Page.handleJavaScriptDialog` names no dialog: the browser gives an answer to whichever native dialog of the tab is
 * open when it comes. If somebody else closed the one that was meant and the page opened another, the answer reaches
 * that one. The closing event of the dialog that it reached comes right before the reply, and replies come in the order
 * of the answers; so the order tells.
 */
import type { ClosedBy } from "../../schemas/dialog.ts"
import { DialogUnanswerable, OperationTimeout } from "../../schemas/errors.ts"
import type { GivenAnswer, SupervisedDialog } from "../../schemas/supervisor.ts"
import type { AnswerRefusal } from "../../schemas/supervisorCommand.ts"
import type { SupervisorEventOf } from "../../schemas/supervisorEvent.ts"
import { missingDialog } from "./chooseDialog.ts"
import { file, find, isAnswerUnderWay, publicDialog, setDialog } from "./dialogFiling.ts"
import { strand, unanswerableRemedy, wait } from "./dialogWaiting.ts"
import { type Draft, log, patch } from "./draft.ts"

/** An answer as it is given. Without an asker nobody waits for its outcome. */
interface Given {
  readonly by: ClosedBy
  readonly accept: boolean
  readonly asker?: number
  readonly named?: boolean
  readonly leaving?: boolean | undefined
  readonly promptText?: string | undefined
}

/** Sends an answer to a dialog. */
export const give = (draft: Draft, dialog: SupervisedDialog, given: Given): void => {
  const { accept, by, promptText } = given
  const answer: GivenAnswer = {
    dialogId: dialog.id,
    sessionId: dialog.sessionId,
    native: dialog.way._tag === "Native",
    by,
    accept,
    asker: given.asker,
    named: given.named ?? false,
    leaving: given.leaving ?? false
  }
  setDialog(draft, { ...dialog, phase: { _tag: "Answering" } })
  patch(draft, { answers: [...draft.state.answers, answer] })
  draft.commands.push({
    _tag: "Answer",
    dialogId: dialog.id,
    sessionId: dialog.sessionId,
    way: dialog.way,
    by,
    accept,
    // accepting without a text means what pressing OK means: the text that stands there
    ...(accept && dialog.type === "prompt" ? { promptText: promptText ?? dialog.defaultPrompt } : {})
  })
}

/** Tells the asker, if there is one, which dialog the answer reached. */
const reportAnswered = (draft: Draft, answer: GivenAnswer, dialog: SupervisedDialog): void => {
  if (answer.asker === undefined) return
  draft.commands.push({ _tag: "ReportAnswered", asker: answer.asker, dialog: publicDialog(dialog) })
}

/** Tells the asker, if there is one, that the answer reached no dialog. */
const reportRefused = (draft: Draft, answer: GivenAnswer, refusal?: AnswerRefusal): void => {
  if (answer.asker === undefined) return
  draft.commands.push({
    _tag: "ReportRefused",
    asker: answer.asker,
    refusal: refusal ?? missingDialog(draft.state, answer.named ? answer.dialogId : undefined)
  })
}

/** The dialogs of which a reply to the answer can tell, in the order of their closing. */
const closedFor = (draft: Draft, answer: GivenAnswer): ReadonlyArray<SupervisedDialog> =>
  draft.state.dialogs.filter(
    (dialog) =>
      dialog.phase._tag === "Settling" &&
      (answer.native
        ? dialog.way._tag === "Native" && dialog.sessionId === answer.sessionId
        : dialog.id === answer.dialogId)
  )

const taken = (draft: Draft, at: number, answer: GivenAnswer): void => {
  const closed = closedFor(draft, answer)
  const meant = find(draft.state, answer.dialogId)
  const isWaiting = meant?.phase._tag === "Answering"
  const reached = closed.at(-1) ?? (isWaiting ? meant : undefined)
  for (const dialog of closed) file(draft, dialog, at, dialog === reached ? answer : "remote")
  if (isWaiting && reached === meant) file(draft, meant, at, answer)
  else if (isWaiting) strand(draft, meant)
  if (reached === undefined) reportRefused(draft, answer)
  else reportAnswered(draft, answer, reached)
}

const refused = (draft: Draft, at: number, answer: GivenAnswer): void => {
  for (const dialog of closedFor(draft, answer)) file(draft, dialog, at, "remote")
  const meant = find(draft.state, answer.dialogId)
  if (meant?.phase._tag !== "Answering") reportRefused(draft, answer)
  else if (answer.native) {
    strand(draft, meant)
    reportRefused(draft, answer, new DialogUnanswerable({ remedy: unanswerableRemedy }))
  } else {
    // only a native dialog goes on blocking its page when its answer finds nothing
    file(draft, meant, at, "remote")
    reportRefused(draft, answer)
  }
}

/** Files a closed dialog whose answer got no reply: it was ours if the page got what we said. */
const settleUnheard = (draft: Draft, at: number, answer: GivenAnswer, meant: SupervisedDialog): void => {
  const isOurs = meant.phase._tag === "Settling" && meant.phase.result === answer.accept
  file(draft, meant, at, isOurs ? answer : "remote")
  if (isOurs) reportAnswered(draft, answer, meant)
  else reportRefused(draft, answer)
}

const unheard = (draft: Draft, answer: GivenAnswer, { at, budget }: SupervisorEventOf<"AnswerUnheard">): void => {
  const { dialogId } = answer
  log(draft, "warning", `The browser did not say within ${budget} ms whether it took the answer to ${dialogId}.`)
  const meant = find(draft.state, dialogId)
  if (meant?.phase._tag === "Settling") {
    settleUnheard(draft, at, answer, meant)
    return
  }
  if (meant?.phase._tag === "Answering") {
    if (draft.state.status === "stopping") file(draft, meant, at, "lost")
    else wait(draft, meant)
  }
  reportRefused(draft, answer, new OperationTimeout({ operation: "browser_dialog", budget }))
}

/** Closed dialogs for which no answer is under way any more were closed by somebody else. */
const releaseUnclaimed = (draft: Draft, at: number): void => {
  for (const dialog of draft.state.dialogs) {
    if (dialog.phase._tag === "Settling" && !isAnswerUnderWay(draft.state, dialog)) file(draft, dialog, at, "remote")
  }
}

export const answerSettled = (
  draft: Draft,
  event: SupervisorEventOf<"AnswerAcknowledged" | "AnswerRefused" | "AnswerUnheard">
): void => {
  const answer = draft.state.answers.find(({ dialogId }) => dialogId === event.dialogId)
  if (answer === undefined) return
  patch(draft, { answers: draft.state.answers.filter((other) => other !== answer) })
  if (event._tag === "AnswerAcknowledged") taken(draft, event.at, answer)
  else if (event._tag === "AnswerRefused") refused(draft, event.at, answer)
  else unheard(draft, answer, event)
  releaseUnclaimed(draft, event.at)
}

/** No reply will come to any answer. Closed dialogs are filed by what is known of them; the others are not touched. */
export const answersLost = (draft: Draft, at: number, refusal?: AnswerRefusal): void => {
  const { answers } = draft.state
  patch(draft, { answers: [] })
  for (const answer of answers) {
    const meant = find(draft.state, answer.dialogId)
    if (meant?.phase._tag === "Settling") settleUnheard(draft, at, answer, meant)
    else reportRefused(draft, answer, refusal)
  }
  releaseUnclaimed(draft, at)
}
