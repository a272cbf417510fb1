/**
 * One session of one provider: the tabs of a task and everything that can be done with them.
 *
 * Page operations act on the active tab. Parameters and results are those of the tools (`src/schemas/tools`), so a
 * provider without CDP can implement the same contract. Every operation ends within its budget and can be interrupted.
 */
import type { Effect, Scope } from "effect"
import type { Cookie, CookieFilter, CookieOutcome } from "../schemas/cookies.ts"
import type { Dialog, DialogRecord } from "../schemas/dialog.ts"
import type * as E from "../schemas/errors.ts"
import type { ProviderId, SessionId, SnapshotId, TabId } from "../schemas/ids.ts"
import type { ChallengeState } from "../schemas/page.ts"
import type { Snapshot, TabInfo } from "../schemas/snapshot.ts"
import type { TaskPresentation } from "../schemas/tasks.ts"
import type * as Acting from "../schemas/tools/acting.ts"
import type { Target } from "../schemas/tools/acting.ts"
import type { Outcome } from "../schemas/tools/common.ts"
import type * as Diagnostics from "../schemas/tools/diagnostics.ts"
import type * as Navigation from "../schemas/tools/navigation.ts"
import type * as PageTools from "../schemas/tools/page.ts"
import type * as Reading from "../schemas/tools/reading.ts"
import type { ReadablePath } from "./FileAccess.ts"

/** What a provider's sessions can do. */
export interface Capabilities {
  /** JavaScript dialogs are seen and can be answered */
  readonly dialogs: boolean
  /** frames are seen, also those of other processes */
  readonly frames: boolean
  /** raw protocol commands */
  readonly cdp: boolean
  readonly nativeCapture: boolean
  readonly cookies: boolean
  readonly downloads: boolean
  readonly visibleToHuman: boolean
}

/** What a person at the browser's own window does: takes over, hands back, or shows that they are still there. */
export type PersonAct = "tookOver" | "handedBack" | "seen"

/** What any operation on a page can meet. */
export type PageError =
  | E.SessionLost
  | E.TabUnknown
  | E.TabCrashed
  | E.DialogOpen
  | E.DialogUnanswerable
  | E.NavigationBlocked
  | E.OperationTimeout
  | E.CdpFailed
  | E.MessageTooLarge

/** What using a reference of a snapshot can meet. */
export type ReferenceError = E.SnapshotUnknown | E.SnapshotStale | E.RefUnknown | E.RefResolveFailed

/** What acting on an element or a point can meet. */
export type TargetError =
  | E.TargetMissing
  | E.TargetOffscreen
  | E.TargetNotFound
  | E.TargetAmbiguous
  | E.TargetFailed
  | E.TargetCovered
  | E.TargetHidden
  | E.TargetDisabled
  | E.TargetUnstable
  | E.SelectorInvalid

/** What a raw protocol command can meet. */
export type CdpCommandError = PageError | E.CdpRefused | E.FrameUnknown | E.FrameInProcess | E.NavigationBlocked

/** What access to the session's storage can meet. */
export type StorageError = E.SessionLost | E.OperationTimeout | E.CdpFailed | E.MessageTooLarge

/** Files to give to a page, and what is to take them: a reference, or a selector. */
export interface FileUpload {
  /** at least one; they exist */
  readonly files: ReadonlyArray<ReadablePath>
  readonly selector: string
  readonly snapshotId?: SnapshotId
  readonly ref?: number
}

/** A file that was fetched; it is there as long as the scope in which it was fetched is open. */
export interface DownloadedFile {
  /** absolute path; whoever wants to keep it moves it away */
  readonly file: string
  /** as the server proposes it */
  readonly name: string
  readonly bytes: number
  /** after redirects */
  readonly url: string
  readonly mimeType?: string
}

type Params<S extends { readonly Type: unknown }> = Omit<S["Type"], "timeoutMs" | "space">
type Op<P, A, Err> = (params: P) => Effect.Effect<A, Err>

/** A tab that nobody looks at. */
export interface BackgroundTab {
  /** Loads an address and waits for its document; windows that the page before opened are closed. */
  readonly visit: (url: string) => Effect.Effect<void, PageError | E.NavigationFailed>
  /** Address of the page that it shows; empty if there is none. Read without waiting. */
  readonly shown: () => string
  /** HTTP status of that page, if it is one that says that this is not what was asked for. Read without waiting. */
  readonly failedStatus: () => number | undefined
  readonly waitFor: BrowserSession["waitFor"]
  readonly execute: BrowserSession["execute"]
}

export interface BrowserSession {
  readonly id: SessionId
  readonly provider: ProviderId
  readonly capabilities: Capabilities

  /** Completes with the reason once the session is gone (browser died, connection lost). Never fails. */
  readonly lost: Effect.Effect<E.SessionLost>

  /** Tabs in the order of opening, from what is known without asking any page. */
  readonly tabs: Effect.Effect<ReadonlyArray<TabInfo>, E.SessionLost>
  readonly switchTab: (id: TabId) => Effect.Effect<TabInfo, E.SessionLost | E.TabUnknown>
  /** Closes a tab; the last one is replaced by a blank one. Yields the tab that is active now. */
  readonly closeTab: (id: TabId) => Effect.Effect<TabId, PageError>
  /** Closes all tabs and opens one blank. */
  readonly reset: Effect.Effect<void, PageError>
  /**
   * Ends the browser if it answers nothing any more, for the sake of a session that is to be closed; yields why it was
   * ended, undefined if it was not. Absent: the browser is not ours to end.
   */
  readonly endIfSilent?: Effect.Effect<string | undefined>

  /** Loads a URL in the active tab, or in a new one, and takes a snapshot of what came. */
  readonly open: Op<Params<typeof Navigation.OpenParams>, Snapshot, PageError | E.NavigationFailed | E.SnapshotFailed>
  readonly back: Effect.Effect<typeof Navigation.HistoryMoveResult.Type, PageError | E.NavigationFailed>
  readonly forward: Effect.Effect<typeof Navigation.HistoryMoveResult.Type, PageError | E.NavigationFailed>
  readonly reload: Effect.Effect<typeof Navigation.ReloadResult.Type, PageError | E.NavigationFailed>
  readonly stop: Effect.Effect<void, PageError>

  readonly snapshot: Op<
    Reading.SnapshotParams,
    Snapshot,
    PageError | ReferenceError | E.InvalidArguments | E.SnapshotFailed | E.SelectorInvalid | E.TargetNotFound
  >
  readonly find: Op<typeof Reading.FindParams.Type, typeof Reading.FindResult.Type, PageError | E.SnapshotFailed>
  readonly content: Op<
    Params<typeof Reading.ContentParams>,
    typeof Reading.ContentResult.Type,
    PageError | E.ContentFailed | E.SelectorInvalid
  >
  readonly execute: Op<
    Params<typeof Reading.ExecuteParams>,
    typeof Reading.ExecuteResult.Type,
    PageError | E.ExecuteFailed | E.ExecuteTimeout
  >
  /** Takes a picture; the bytes are in memory, writing them is the tool's business. */
  readonly screenshot: Op<
    Omit<Params<typeof Reading.ScreenshotParams>, "savePath" | "format"> & {
      readonly format: typeof Reading.PictureFormat.Type
    },
    {
      readonly data: Uint8Array
      readonly mimeType: string
      readonly width: number
      readonly height: number
      readonly scale: number
      readonly truncated?: boolean
      readonly note?: string
    },
    PageError | ReferenceError | E.ScreenshotFailed
  >
  readonly waitFor: Op<
    Reading.WaitParams,
    typeof Reading.WaitResult.Type,
    PageError | E.WaitTimeout | E.WaitInvalid | E.SelectorInvalid
  >

  readonly clickRef: Op<
    Params<typeof Acting.ClickRefParams>,
    Acting.ClickResult,
    PageError | ReferenceError | TargetError
  >
  readonly click: Op<
    Params<typeof Acting.ClickParams> & { readonly count?: 1 | 2 },
    Acting.ClickResult,
    PageError | TargetError
  >
  readonly hover: Op<Target, typeof Acting.HoverResult.Type, PageError | TargetError>
  readonly drag: Op<Params<typeof Acting.DragParams>, typeof Acting.DragResult.Type, PageError | TargetError>
  readonly scroll: Op<
    Params<typeof Acting.ScrollParams>,
    typeof Acting.ScrollResult.Type,
    PageError | E.ScrollFailed | E.TargetOffscreen
  >
  readonly scrollIntoView: Op<
    Params<typeof Acting.ScrollIntoViewParams>,
    typeof Acting.ScrollIntoViewResult.Type,
    PageError | ReferenceError | E.ScrollFailed
  >
  readonly type: Op<{ readonly text: string }, typeof Acting.TypeResult.Type, PageError | E.NothingFocused>
  readonly pressKey: Op<
    Params<typeof Acting.PressKeyParams>,
    typeof Acting.PressKeyResult.Type,
    PageError | E.KeyUnknown | E.NothingFocused
  >
  readonly fill: Op<Params<typeof Acting.FillParams>, Acting.FillResult, PageError | E.FillFailed>

  /** Gives files to a file input, or to the file chooser that an element opens when it is pressed. */
  readonly uploadFiles: Op<
    FileUpload,
    { readonly target: string } & Outcome,
    PageError | ReferenceError | TargetError | E.UploadNoInput | E.UploadFailed
  >

  /**
   * Fetches a file with the session's cookies; the page does not notice. The address and those of its redirects must be
   * admitted. Progress is reported. Ending early, by error or interruption, leaves nothing behind.
   */
  readonly download: (params: {
    readonly url: string
    readonly maxBytes: number
  }) => Effect.Effect<DownloadedFile, PageError | E.DownloadFailed | E.DownloadTooLarge, Scope.Scope>

  /** The cookies of the session's storage. Needs no page, as the two operations after it. */
  readonly cookies: Effect.Effect<ReadonlyArray<Cookie>, StorageError>
  /** Sets cookies, each by itself; the outcomes are in the order of the cookies. */
  readonly setCookies: Op<ReadonlyArray<Cookie>, ReadonlyArray<CookieOutcome>, StorageError>
  /** Removes the cookies that fit, and yields those that are gone. */
  readonly clearCookies: Op<CookieFilter, ReadonlyArray<Cookie>, StorageError>

  /** Looks for a bot check, and whether it stands in the way. */
  readonly challenge: Effect.Effect<ChallengeState, PageError | E.ChallengeDetectFailed>
  /** Changes what the active tab seems to be, for its present document and all that follow. */
  readonly emulate: Op<Params<typeof PageTools.EmulateParams>, typeof PageTools.EmulateResult.Type, PageError>
  /** Prints the page to a file that is there as long as the scope is open. */
  readonly pdf: (
    params: Omit<Params<typeof PageTools.PdfParams>, "savePath">
  ) => Effect.Effect<{ readonly file: string; readonly bytes: number }, PageError | E.PdfFailed, Scope.Scope>
  /** Marks an element for whoever watches the browser, or takes the mark away. */
  readonly highlight: Op<
    Params<typeof PageTools.HighlightParams>,
    typeof PageTools.HighlightResult.Type,
    PageError | ReferenceError | E.HighlightFailed | E.HighlightInvalid | E.SelectorInvalid
  >

  /**
   * Opens a tab for work in the background, with the session's cookies: it is never the active one, is not listed, and
   * closes with the scope. Everything on it fails with `SessionLost` once the session has ended.
   */
  readonly background: Effect.Effect<BackgroundTab, PageError, Scope.Scope>

  /** A person is in control, or not any more: native dialogs are theirs meanwhile, and snapshots say so. Never fails. */
  readonly setHumanControl: (human: boolean) => Effect.Effect<void>

  /** How the task stands, for a person who watches: shown where the browser has a window. Never waits, never fails. */
  readonly present: (task: TaskPresentation) => void

  /** Dialogs that are open, oldest first. Read without waiting. */
  readonly pendingDialogs: () => ReadonlyArray<Dialog>
  /** The dialog that keeps the active tab from being looked at, or acted on. Read without waiting. */
  readonly blockedBy: (use: "look" | "act") => Dialog | undefined
  /** The latest 20 dialogs that were closed. Read without waiting. */
  readonly recentDialogs: () => ReadonlyArray<DialogRecord>
  /**
   * Answers a dialog; outside every lane. Without an id the only open one is meant. Yields it, what its page did then,
   * and the one that is open after it, if its page goes on to ask something else.
   */
  readonly answerDialog: Op<
    typeof Acting.DialogParams.Type,
    Omit<Acting.DialogResult, "success" | "action">,
    | E.SessionLost
    | E.DialogNone
    | E.DialogUnknown
    | E.DialogAmbiguous
    | E.DialogUnanswerable
    | E.CapabilityMissing
    | E.OperationTimeout
  >

  /**
   * Sends a protocol command as it is; outside every lane. While a dialog is open it answers for what the browser
   * answers then. Fails with `CdpRefused` for a command that would break the session, `FrameUnknown`, `FrameInProcess`
   * for a frame that scripts can reach and this command cannot.
   */
  readonly cdp: Op<
    Omit<Diagnostics.CdpParams, "timeout" | "timeoutMs"> & { readonly timeoutMs: number },
    Diagnostics.CdpResult,
    CdpCommandError
  >
  /** What a tab wrote to its console, from what is known without asking the page. */
  readonly console: Op<
    Diagnostics.ConsoleParams,
    Diagnostics.ConsoleResult,
    E.SessionLost | E.TabUnknown | E.NavigationBlocked
  >
  /** What a tab requested, from what is known without asking the page. */
  readonly network: Op<Diagnostics.NetworkParams, Diagnostics.NetworkResult, E.SessionLost | E.TabUnknown>
}
