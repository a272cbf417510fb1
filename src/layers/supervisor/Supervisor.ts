/** The supervisor of one task, as the rest of its session sees it. */
import type { Protocol } from "devtools-protocol"
import type { Effect } from "effect"
import type { ConsoleEntry, NetworkEntry } from "../../schemas/diagnostics.ts"
import type { Dialog, DialogPolicy, DialogRecord } from "../../schemas/dialog.ts"
import type { CdpSessionId, FrameId, TabId, TargetId } from "../../schemas/ids.ts"
import type { FrameTree } from "../../schemas/snapshot.ts"
import type { DialogRules, SupervisedFrame, SupervisedType, SupervisorState } from "../../schemas/supervisor.ts"
import type { AnswerRefusal } from "../../schemas/supervisorCommand.ts"
import type { CdpConnection } from "../../services/CdpConnection.ts"

export interface SupervisorOptions {
  readonly connection: CdpConnection["Service"]
  readonly policy: DialogPolicy
  /** ms until an unanswered dialog is dismissed */
  readonly dialogTimeoutMs: number
  /** A policy that answers by itself lets pages be left, whatever it answers to other dialogs. Default: false. */
  readonly leaves?: boolean | undefined
  /**
   * Stop dialogs at a gate of our own, so that their page stays readable (`DialogGate`). Sends `Debugger.enable` and a
   * script to each page and iframe as it is attached. "loaded": half a second after a document is
   * loaded, because debugging slows loading down; dialogs are native until then. Default: false.
   */
  readonly gate?: boolean | "loaded" | undefined
  /**
   * Let pages ask by requests that are intercepted (`DialogBridge`), below the gate if there is one. Sends a script to
   * each page and iframe as it is attached; its owner enables `Fetch` there with `requests`. Default: false.
   */
  readonly bridge?: boolean | undefined
  /**
   * Dialogs of every way are shown to the person who watches (by whoever calls `onDialog`), so that they stay as they are
   * while that person is in control. Default: only the browser's own are, and no others are made meanwhile.
   */
  readonly shown?: boolean | undefined
}

/** A session that came, as whoever attached it knows it. */
export interface AttachedSession {
  readonly sessionId: CdpSessionId
  readonly targetId: TargetId
  readonly type: SupervisedType
  readonly tabId: TabId
  readonly url?: string | undefined
  readonly title?: string | undefined
  readonly opener?: TargetId | undefined
  /** session through which it was attached; absent for pages */
  readonly parentSessionId?: CdpSessionId | undefined
  /** frame of an iframe; absent: the target's id, as Chromium has it */
  readonly frameId?: FrameId | undefined
  readonly parentFrameId?: FrameId | undefined
  readonly waitingForDebugger?: boolean | undefined
}

/** Answer to a dialog. Accepting a prompt without a text gives the text that stands in it. */
export interface AnswerParams {
  readonly action: "accept" | "dismiss"
  readonly prompt_text?: string | undefined
  /** absent: the only one that can be answered */
  readonly dialog_id?: string | undefined
}

export interface Supervisor {
  /** Takes a session under supervision. What it tells from now on is heard. */
  readonly attach: (session: AttachedSession) => void
  /** Forgets a session and those attached through it. */
  readonly detach: (sessionId: CdpSessionId) => void
  /** Everything, as it is now. It never changes. */
  readonly state: () => SupervisorState
  /** Dialogs that wait for someone, oldest first. */
  readonly pendingDialogs: (tabId?: TabId) => ReadonlyArray<Dialog>
  /** False while a dialog keeps the tab's pages from answering anything; one that waits at the gate does not. */
  readonly isReadable: (tabId: TabId) => boolean
  /** The latest 20 dialogs that were closed, oldest first. */
  readonly recentDialogs: (tabId?: TabId) => ReadonlyArray<DialogRecord>
  readonly frameTree: (tabId: TabId, options?: { readonly whole?: boolean }) => FrameTree
  /** A frame of any tab, with the session that reaches it. */
  readonly frame: (frameId: FrameId) => { readonly tabId: TabId; readonly frame: SupervisedFrame } | undefined
  /** The latest 200 console lines of a tab, oldest first. */
  readonly console: (tabId: TabId) => ReadonlyArray<ConsoleEntry>
  /** The last 50 warnings, errors and exceptions of a tab, oldest first. */
  readonly trouble: (tabId: TabId) => ReadonlyArray<ConsoleEntry>
  /** The latest 200 requests of a tab, oldest first; only where the Network domain is on. */
  readonly network: (tabId: TabId) => ReadonlyArray<NetworkEntry>
  /**
   * Answers a dialog and yields the one that the browser gave the answer to.
   *
   * Fails with `DialogNone`, `DialogUnknown` or `DialogAmbiguous` when it is not clear which one is meant,
   * `DialogUnanswerable` when the browser lets nobody answer it, `SessionLost` without a connection, `OperationTimeout`
   * when the browser does not say. `by`: who gives it; default: the agent.
   */
  readonly answer: (params: AnswerParams, by?: "agent" | "remote") => Effect.Effect<Dialog, AnswerRefusal>
  /**
   * Calls the listener, synchronously, when a dialog begins to wait for someone (and again if an answer to it failed),
   * until the returned function is called.
   */
  readonly onDialog: (listener: (dialog: Dialog) => void) => () => void
  /** As `onDialog`, when a dialog is filed as closed. */
  readonly onDialogClosed: (listener: (record: DialogRecord) => void) => () => void
  /** Requests for which whoever attaches a session enables `Fetch` there; the supervisor answers them. */
  readonly requests: ReadonlyArray<Protocol.Fetch.RequestPattern>
  /** True if a request that the browser holds is one of those. */
  readonly takes: (request: Protocol.Fetch.RequestPausedEvent) => boolean
  /**
   * Dismisses dialogs since the agent leaves their page: its answer, as `answer` gives it. Ends once they are closed, or
   * cannot be; never fails.
   */
  readonly letGo: (ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** Changes policy, timeout or who is in control; holds for open dialogs, too. */
  readonly setRules: (change: Partial<DialogRules>) => void
  /** Dismisses what still waits, so that no page stays blocked, and hears nothing more. Takes 2 s at most. */
  readonly stop: Effect.Effect<void>
}
