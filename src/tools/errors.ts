/** Groups of errors that several tools can meet. A row lists its errors; the types check that none is missing. */
import * as E from "../schemas/errors.ts"

/** What any tool that needs a session can meet before its work begins. */
export const taskErrors = [
  E.ProviderConfiguredMissing,
  E.ProviderConfiguredUnavailable,
  E.ProviderAmbiguous,
  E.ProviderUnavailable,
  E.BrowserNotFound,
  E.ElectronNotFound,
  E.DisplayMissing,
  E.HostDisposed,
  E.LaunchFailed,
  E.ProfileInUse,
  E.ConnectionLost,
  E.SessionUnknown,
  E.SessionLost,
  E.OperationTimeout,
  E.QueueFull,
  E.HumanInControl,
  E.CapabilityMissing,
  E.CdpFailed
] as const

/** What any work in a page can meet. */
export const pageErrors = [
  E.SessionLost,
  E.TabUnknown,
  E.TabCrashed,
  E.DialogOpen,
  E.DialogUnanswerable,
  E.NavigationBlocked,
  E.OperationTimeout,
  E.CdpFailed,
  E.MessageTooLarge
] as const

/** What using a reference of a snapshot can meet. */
export const referenceErrors = [E.SnapshotUnknown, E.SnapshotStale, E.RefUnknown, E.RefResolveFailed] as const

/** What acting on an element or a point can meet. */
export const targetErrors = [
  E.TargetMissing,
  E.TargetOffscreen,
  E.TargetNotFound,
  E.TargetAmbiguous,
  E.TargetFailed,
  E.TargetCovered,
  E.TargetHidden,
  E.TargetDisabled,
  E.TargetUnstable,
  E.SelectorInvalid
] as const
