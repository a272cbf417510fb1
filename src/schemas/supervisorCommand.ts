/** What a supervisor wants done. Commands are carried out in their order; none of them waits for another. */
import { Schema } from "effect"
import { ClosedBy, Dialog, DialogRecord } from "./dialog.ts"
import { DialogAmbiguous, DialogNone, DialogUnanswerable, DialogUnknown } from "./errors/dialog.ts"
import { SessionLost } from "./errors/session.ts"
import { OperationTimeout } from "./errors/time.ts"
import { CdpSessionId, DialogId, TabId, TargetId } from "./ids.ts"
import { DialogWay, SupervisedType } from "./supervisor.ts"

/** Why an answer was not given. */
export const AnswerRefusal = Schema.Union([
  DialogNone,
  DialogUnknown,
  DialogAmbiguous,
  DialogUnanswerable,
  SessionLost,
  OperationTimeout
])
export type AnswerRefusal = typeof AnswerRefusal.Type

export const SupervisorCommand = Schema.TaggedUnion({
  /** Yields `AnswerAcknowledged`, `AnswerRefused` or `AnswerUnheard`, exactly one of them. */
  Answer: {
    dialogId: DialogId,
    sessionId: CdpSessionId,
    way: DialogWay,
    by: ClosedBy,
    accept: Schema.Boolean,
    /** only for an accepted prompt */
    promptText: Schema.optional(Schema.String)
  },
  /** Yields `WatchdogFired` after `ms`, unless cancelled. */
  StartWatchdog: { dialogId: DialogId, ms: Schema.Finite },
  CancelWatchdog: { dialogId: DialogId },
  /** Yields `FrameTreeRead` or `FrameTreeUnread` with the same `read`. */
  ReadFrameTree: { sessionId: CdpSessionId, read: Schema.Int },
  /** A session came: set up what its kind of target needs. */
  SetUpSession: {
    sessionId: CdpSessionId,
    targetId: TargetId,
    type: SupervisedType,
    tabId: TabId,
    waitingForDebugger: Schema.Boolean
  },
  /** Tells the asker that the browser took the answer. */
  ReportAnswered: { asker: Schema.Int, dialog: Dialog },
  ReportRefused: { asker: Schema.Int, refusal: AnswerRefusal },
  /** A dialog waits for someone, or does so again after an answer that failed. Never for one that the policy answers. */
  DialogWaits: { dialog: Dialog },
  /** A dialog was filed. Exactly once for each dialog. */
  DialogFiled: { record: DialogRecord },
  Log: { level: Schema.Literals(["info", "warning"]), message: Schema.String },
  /** Yields `StopExpired` after `ms`. */
  StartStopTimer: { ms: Schema.Finite },
  /** Nothing is left to answer: whoever owns the connection may close it. */
  CloseConnection: {}
})
export type SupervisorCommand = typeof SupervisorCommand.Type
export type SupervisorCommandOf<Tag extends SupervisorCommand["_tag"]> = Extract<
  SupervisorCommand,
  { readonly _tag: Tag }
>
