/**
 * The closed union of everything that can go wrong, in JSON and as classes.
 *
 * An operation's type names only what it can raise; adapters (MCP, DSH, command line, view host) carry the union.
 */
import { Schema } from "effect"
import * as selection from "./errors/selection.ts"
import * as session from "./errors/session.ts"
import * as time from "./errors/time.ts"
import * as navigation from "./errors/navigation.ts"
import * as page from "./errors/page.ts"
import * as reference from "./errors/reference.ts"
import * as target from "./errors/target.ts"
import * as dialog from "./errors/dialog.ts"
import * as files from "./errors/files.ts"
import * as control from "./errors/control.ts"

export * from "./errors/selection.ts"
export * from "./errors/session.ts"
export * from "./errors/time.ts"
export * from "./errors/navigation.ts"
export * from "./errors/page.ts"
export * from "./errors/reference.ts"
export * from "./errors/target.ts"
export * from "./errors/dialog.ts"
export * from "./errors/files.ts"
export * from "./errors/control.ts"

/** Every error that leaves this library. */
export const BrowserError = Schema.Union([
  selection.DuplicateProvider,
  selection.ProviderConfiguredMissing,
  selection.ProviderConfiguredUnavailable,
  selection.ProviderAmbiguous,
  selection.ProviderUnavailable,
  selection.BrowserNotFound,
  selection.ElectronNotFound,
  selection.DisplayMissing,
  selection.LaunchFailed,
  selection.ProfileInUse,
  session.SessionUnknown,
  session.SessionLost,
  session.ConnectionLost,
  session.TabUnknown,
  session.TabCrashed,
  session.CdpFailed,
  session.CdpRefused,
  session.MessageTooLarge,
  session.HostDead,
  session.HostRestarted,
  session.HostDisposed,
  session.HostRefused,
  session.ViewUnknown,
  session.ViewDestroyed,
  session.CapabilityMissing,
  time.OperationTimeout,
  time.ExecuteTimeout,
  time.WaitTimeout,
  time.Cancelled,
  navigation.NavigationBlocked,
  navigation.NavigationFailed,
  page.SnapshotFailed,
  page.ContentFailed,
  page.ExecuteFailed,
  page.ScrollFailed,
  page.ScreenshotFailed,
  page.PdfFailed,
  page.ChallengeDetectFailed,
  page.HighlightFailed,
  page.ScreenshotSaveFailed,
  page.HighlightInvalid,
  reference.SnapshotUnknown,
  reference.SnapshotStale,
  reference.RefUnknown,
  reference.RefResolveFailed,
  target.TargetMissing,
  target.TargetOffscreen,
  target.TargetNotFound,
  target.TargetAmbiguous,
  target.TargetFailed,
  target.TargetCovered,
  target.TargetHidden,
  target.TargetDisabled,
  target.TargetUnstable,
  target.NothingFocused,
  target.KeyUnknown,
  target.SelectorInvalid,
  target.WaitInvalid,
  target.FillFailed,
  dialog.DialogOpen,
  dialog.DialogNone,
  dialog.DialogUnknown,
  dialog.DialogAmbiguous,
  dialog.DialogUnanswerable,
  dialog.FrameUnknown,
  dialog.FrameInProcess,
  files.ReadPathDenied,
  files.WritePathDenied,
  files.UploadNoInput,
  files.UploadFailed,
  files.DownloadUnsupported,
  files.DownloadFailed,
  files.DownloadTooLarge,
  files.AuthUnsupported,
  files.AuthFileInvalid,
  files.AuthScopeMissing,
  control.InvalidArguments,
  control.ToolUnknown,
  control.ToolNotOffered,
  control.ConfigInvalid,
  control.QueueFull,
  control.HumanInControl,
  control.HandoffRefused,
  control.ToolRestricted,
  control.RestrictUnknown,
  control.SpaceUnsupported,
  control.HistoryUnknown,
  control.HistoryInvalid,
  control.HistoryTruncated,
  control.HistoryNotReplayable,
  control.ScrapeEmpty,
  control.ScrapeUnknown,
  control.Internal
])
export type BrowserError = typeof BrowserError.Type

/** The codes of {@link BrowserError}. */
export type BrowserErrorCode = BrowserError["code"]

/** True for an error of the union. */
export const isBrowserError: (value: unknown) => value is BrowserError = Schema.is(BrowserError)
