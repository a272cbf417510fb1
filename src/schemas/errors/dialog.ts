/**
 * A JavaScript dialog or a frame stands in the way.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { Dialog } from "../dialog.ts"
import { errorCode, excerpt, list } from "./code.ts"

/** A JavaScript dialog blocks the page; `dialog` is the one to answer. */
export class DialogOpen extends Schema.TaggedError<DialogOpen>()("DialogOpen", {
  code: errorCode("BROWSER_DIALOG_OPEN"),
  dialog: Dialog,
  operation: Schema.String
}) {
  override get message() {
    return `${this.operation} cannot go on: the page shows ${this.dialog.type === "beforeunload" ? "the question whether to leave it (beforeunload)" : `the ${this.dialog.type} "${excerpt(this.dialog.message)}"`} (dialog ${this.dialog.id}).`
  }
  get next() {
    return `Call browser_dialog with action accept or dismiss.`
  }
}

/** No dialog is open. */
export class DialogNone extends Schema.TaggedError<DialogNone>()("DialogNone", {
  code: errorCode("BROWSER_DIALOG_NONE")
}) {
  override get message() {
    return `No dialog is open.`
  }
  get next() {
    return `Go on with the page.`
  }
}

/** No open dialog has that id. */
export class DialogUnknown extends Schema.TaggedError<DialogUnknown>()("DialogUnknown", {
  code: errorCode("BROWSER_DIALOG_UNKNOWN"),
  dialogId: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  override get message() {
    return `No open dialog has the id "${this.dialogId}" (open: ${list(this.known)}).`
  }
  get next() {
    return `Use one of the open ids.`
  }
}

/** Several dialogs are open and none was named. */
export class DialogAmbiguous extends Schema.TaggedError<DialogAmbiguous>()("DialogAmbiguous", {
  code: errorCode("BROWSER_DIALOG_AMBIGUOUS"),
  candidates: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Several dialogs are open: ${list(this.candidates)}.`
  }
  get next() {
    return `Pass dialog_id.`
  }
}

/** The page is blocked by a dialog that nobody can answer any more. */
export class DialogUnanswerable extends Schema.TaggedError<DialogUnanswerable>()("DialogUnanswerable", {
  code: errorCode("BROWSER_DIALOG_UNANSWERABLE"),
  remedy: Schema.NonEmptyString
}) {
  override get message() {
    return `The page is blocked by a dialog that the browser no longer lets anyone answer.`
  }
  get next() {
    return `${this.remedy}`
  }
}

/** No frame has that id. */
export class FrameUnknown extends Schema.TaggedError<FrameUnknown>()("FrameUnknown", {
  code: errorCode("BROWSER_FRAME_UNKNOWN"),
  frameId: Schema.String
}) {
  override get message() {
    return `There is no frame "${this.frameId}".`
  }
  get next() {
    return `Take a fresh snapshot and use an id of its frame_tree.`
  }
}

/** The frame shares its parent's process and has no session of its own. */
export class FrameInProcess extends Schema.TaggedError<FrameInProcess>()("FrameInProcess", {
  code: errorCode("BROWSER_FRAME_IN_PROCESS"),
  frameId: Schema.String
}) {
  override get message() {
    return `The frame "${this.frameId}" has no session of its own.`
  }
  get next() {
    return `Use Runtime.evaluate or Runtime.callFunctionOn, which run inside it, or reach it from its parent document through contentDocument or contentWindow.`
  }
}
