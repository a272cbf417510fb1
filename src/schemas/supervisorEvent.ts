/** What can happen to a supervisor. `at` is the moment in ms since 1970. */
import { Schema } from "effect"
import { ConsoleEntry, NetworkEntry } from "./diagnostics.ts"
import { DialogType } from "./dialog.ts"
import { CdpSessionId, DialogId, FrameId, TabId, TargetId } from "./ids.ts"
import { DialogRules, SupervisedType } from "./supervisor.ts"

const at = Schema.Finite
const sessionId = CdpSessionId
const dialogId = DialogId

/** A frame as the browser tells it. */
export const ReportedFrame = Schema.Struct({
  id: FrameId,
  parentId: Schema.optional(FrameId),
  url: Schema.String,
  origin: Schema.String,
  name: Schema.optional(Schema.String)
})
export type ReportedFrame = typeof ReportedFrame.Type

/** A dialog as the page opened it. */
const opened = {
  at,
  sessionId,
  type: DialogType,
  message: Schema.String,
  defaultPrompt: Schema.String,
  /** absent in browsers that do not tell (Chrome 130) */
  frameId: Schema.optional(FrameId)
} as const

/** A step of a request. */
export const NetworkChange = Schema.TaggedUnion({
  Sent: { entry: NetworkEntry },
  Answered: { status: Schema.Int, mimeType: Schema.String },
  Failed: { failure: Schema.String }
})
export type NetworkChange = typeof NetworkChange.Type

export const SupervisorEvent = Schema.TaggedUnion({
  SessionAttached: {
    at,
    sessionId,
    targetId: TargetId,
    type: SupervisedType,
    tabId: TabId,
    url: Schema.optional(Schema.String),
    title: Schema.optional(Schema.String),
    opener: Schema.optional(TargetId),
    parentSessionId: Schema.optional(CdpSessionId),
    /** frame of an iframe target; absent: the target's id */
    frameId: Schema.optional(FrameId),
    parentFrameId: Schema.optional(FrameId),
    waitingForDebugger: Schema.Boolean
  },
  SessionDetached: { at, sessionId },
  /** the process behind the session died; the session may go on with a new one */
  SessionCrashed: { at, sessionId },
  FrameAttached: { at, sessionId, frameId: FrameId, parentFrameId: FrameId },
  /** a frame has a new document; `restored`: one that was kept in memory (back/forward cache), with frames of its own */
  FrameNavigated: { at, sessionId, frame: ReportedFrame, restored: Schema.Boolean },
  /** a frame begins to load another document */
  FrameLeaving: { at, sessionId, frameId: FrameId },
  FrameNavigatedWithinDocument: { at, sessionId, frameId: FrameId, url: Schema.String },
  /** reason `swap`: the frame goes on in another process */
  FrameDetached: { at, sessionId, frameId: FrameId, reason: Schema.Literals(["remove", "swap"]) },
  TargetInfoChanged: { at, targetId: TargetId, url: Schema.String, title: Schema.String },
  /** frames of one session, parents first; the first is the session's root */
  FrameTreeRead: { at, sessionId, read: Schema.Int, frames: Schema.Array(ReportedFrame) },
  FrameTreeUnread: { at, sessionId, read: Schema.Int, reason: Schema.String },
  DialogOpening: opened,
  /** `result`: what the page got */
  DialogClosed: { at, sessionId, frameId: Schema.optional(FrameId), result: Schema.Boolean },
  BridgePaused: { ...opened, requestId: Schema.String },
  GatePaused: { ...opened, callFrameId: Schema.String },
  /** the page goes on: whatever waited at the gate does not wait any more */
  GateResumed: { at, sessionId },
  AnswerAsked: {
    at,
    /** number by which the outcome finds the one who asked */
    asker: Schema.Int,
    action: Schema.Literals(["accept", "dismiss"]),
    promptText: Schema.optional(Schema.String),
    dialogId: Schema.optional(Schema.String),
    /** who gives the answer; absent: the agent */
    by: Schema.optional(Schema.Literals(["agent", "remote"])),
    /** it is given because the page is left */
    leaving: Schema.optional(Schema.Boolean)
  },
  /** the browser took our answer */
  AnswerAcknowledged: { at, dialogId },
  /** the browser did not take it ("No dialog is showing") */
  AnswerRefused: { at, dialogId, reason: Schema.String },
  /** the browser did not say */
  AnswerUnheard: { at, dialogId, budget: Schema.Finite },
  WatchdogFired: { at, dialogId },
  ConsoleWritten: { at, sessionId, entry: ConsoleEntry },
  NetworkSeen: { at, sessionId, requestId: Schema.String, change: NetworkChange },
  ConnectionLost: { at, reason: Schema.String },
  ConnectionRestored: { at },
  RulesChanged: { at, rules: DialogRules },
  StopAsked: { at },
  /** time is up for the answers of an orderly stop */
  StopExpired: { at }
})
export type SupervisorEvent = typeof SupervisorEvent.Type
export type SupervisorEventOf<Tag extends SupervisorEvent["_tag"]> = Extract<SupervisorEvent, { readonly _tag: Tag }>
