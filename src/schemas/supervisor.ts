/**
 * What the supervisor of a task knows: its sessions, tabs, frames and dialogs. Plain immutable data; readers get it as
 * it is, without waiting.
 */
import { Schema } from "effect"
import { ConsoleEntry, NetworkEntry } from "./diagnostics.ts"
import { ClosedBy, DialogPolicy, DialogRecord, DialogType } from "./dialog.ts"
import { CdpSessionId, DialogId, FrameId, TabId, TargetId } from "./ids.ts"

/** Kind of a target. Only pages and iframes have frames; `other` are workers of every kind and the rest. */
export const SupervisedType = Schema.Literals(["page", "iframe", "worker", "service_worker", "shared_worker", "other"])
export type SupervisedType = typeof SupervisedType.Type

/** The reading of a session's frame tree; `read` numbers the readings of the session. */
export const TreeReading = Schema.Struct({
  read: Schema.Int,
  state: Schema.Literals(["idle", "asked"]),
  /** read (again) as soon as nothing is under way and no dialog blocks the session */
  wanted: Schema.Boolean
})
export type TreeReading = typeof TreeReading.Type

/** A protocol session. */
export const SupervisedSession = Schema.Struct({
  id: CdpSessionId,
  targetId: TargetId,
  type: SupervisedType,
  tabId: TabId,
  /** session through which this one was attached */
  parentId: Schema.UndefinedOr(CdpSessionId),
  opener: Schema.UndefinedOr(TargetId),
  tree: TreeReading
})
export type SupervisedSession = typeof SupervisedSession.Type

/** A frame of a tab. */
export const SupervisedFrame = Schema.Struct({
  id: FrameId,
  /** undefined for the top frame, and for an out-of-process frame whose place is not known yet */
  parentId: Schema.UndefinedOr(FrameId),
  url: Schema.String,
  origin: Schema.String,
  name: Schema.UndefinedOr(Schema.String),
  /** session that reports the frame; undefined between a detach and what follows it */
  sessionId: Schema.UndefinedOr(CdpSessionId),
  /** it is the root of a process of its own (out-of-process iframe) */
  oopif: Schema.Boolean
})
export type SupervisedFrame = typeof SupervisedFrame.Type

/** A request, with the protocol's id by which its answer finds it. */
export const SupervisedRequest = Schema.Struct({ requestId: Schema.String, entry: NetworkEntry })
export type SupervisedRequest = typeof SupervisedRequest.Type

/** A tab: frames in the order in which they were first seen, and its rings, oldest first. */
export const SupervisedTab = Schema.Struct({
  id: TabId,
  rootSession: Schema.UndefinedOr(CdpSessionId),
  topFrame: Schema.UndefinedOr(FrameId),
  url: Schema.String,
  title: Schema.String,
  frames: Schema.ReadonlyMap(FrameId, SupervisedFrame),
  console: Schema.Array(ConsoleEntry),
  network: Schema.Array(SupervisedRequest)
})
export type SupervisedTab = typeof SupervisedTab.Type

/** The way a dialog reached us, and so the way its answer goes. */
export const DialogWay = Schema.TaggedUnion({
  /** `Page.javascriptDialogOpening`, answered by `Page.handleJavaScriptDialog` */
  Native: {},
  /** a synchronous request held by the Fetch domain */
  Bridge: { requestId: Schema.String },
  /** a frame paused at the gate's own `debugger` statement; the page stays readable */
  Gate: { callFrameId: Schema.String }
})
export type DialogWay = typeof DialogWay.Type

/** An answer on its way to the browser: who gave it, what it says, and who waits for the outcome. */
export const GivenAnswer = Schema.Struct({
  /** the dialog that was meant */
  dialogId: DialogId,
  sessionId: CdpSessionId,
  /** the browser gives it to whichever native dialog of the tab is open when it comes */
  native: Schema.Boolean,
  by: ClosedBy,
  accept: Schema.Boolean,
  asker: Schema.UndefinedOr(Schema.Int),
  /** the asker named the dialog */
  named: Schema.Boolean,
  /** nobody decided on it: its page is left */
  leaving: Schema.Boolean
})
export type GivenAnswer = typeof GivenAnswer.Type

/** What an open dialog waits for. */
export const DialogPhase = Schema.TaggedUnion({
  /** for an answer */
  Open: {},
  /** for its answer to arrive */
  Answering: {},
  /** it is closed; the reply to an answer under way tells whether that closed it. `result`: what the page got, if known */
  Settling: { result: Schema.UndefinedOr(Schema.Boolean) },
  /** for the page to go away: the browser lets nobody answer it */
  Unanswerable: { remedy: Schema.String }
})
export type DialogPhase = typeof DialogPhase.Type

/** A dialog that has not been filed yet. */
export const SupervisedDialog = Schema.Struct({
  id: DialogId,
  tabId: TabId,
  sessionId: CdpSessionId,
  way: DialogWay,
  type: DialogType,
  message: Schema.String,
  defaultPrompt: Schema.String,
  frameId: Schema.UndefinedOr(FrameId),
  /** ms since 1970 */
  openedAt: Schema.Finite,
  phase: DialogPhase,
  /** its frame has a new document since, so it may be gone: reading the frame tree tells */
  suspect: Schema.Boolean
})
export type SupervisedDialog = typeof SupervisedDialog.Type

/** What is done with dialogs. */
export const DialogRules = Schema.Struct({
  policy: DialogPolicy,
  /** a policy that answers by itself lets pages be left, whatever it answers to other dialogs */
  leaves: Schema.optionalKey(Schema.Boolean),
  /** ms until an unanswered dialog is dismissed */
  timeoutMs: Schema.Finite,
  /** a person is in control: native dialogs are theirs, neither policy nor watchdog touches them */
  humanControl: Schema.Boolean,
  /** dialogs of every way are shown to the person, who can answer them: in control, all are theirs. Default: false */
  shown: Schema.optionalKey(Schema.Boolean)
})
export type DialogRules = typeof DialogRules.Type

export const SupervisorStatus = Schema.Literals(["active", "disconnected", "stopping", "stopped"])
export type SupervisorStatus = typeof SupervisorStatus.Type

/** Everything. */
export const SupervisorState = Schema.Struct({
  status: SupervisorStatus,
  /** number of the connection, from 1 */
  generation: Schema.Int,
  rules: DialogRules,
  sessions: Schema.ReadonlyMap(CdpSessionId, SupervisedSession),
  tabs: Schema.ReadonlyMap(TabId, SupervisedTab),
  /** dialogs that are not filed yet: oldest first, then those that are closed in the order of their closing */
  dialogs: Schema.Array(SupervisedDialog),
  /** answers whose outcome is not known yet, in the order in which they were given */
  answers: Schema.Array(GivenAnswer),
  /** the latest 20 dialogs that were closed, oldest first */
  recent: Schema.Array(DialogRecord),
  /** number of the latest dialog */
  lastDialog: Schema.Int
})
export type SupervisorState = typeof SupervisorState.Type

/** Bounds of what is kept. */
export const supervisorLimits = {
  recentDialogs: 20,
  console: 200,
  /** console lines of level warning, error and exception that a page snapshot shows */
  consoleShown: 50,
  network: 200,
  frameTree: 30,
  /** out-of-process frames nested deeper are left out of a capped tree */
  oopifDepth: 2,
  /** characters kept of a dialog's message or default text */
  dialogText: 10_000
} as const
