/** Groups of errors that several tools can meet. A row lists its errors; the types check that none is missing. */
import * as E from "../schemas/errors.ts"
import type { ErrorClass } from "./ToolRow.ts"

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

/** The groups that a tool can have, by the names that people read. */
const groups: ReadonlyArray<{ readonly name: string; readonly members: ReadonlyArray<ErrorClass> }> = [
  { name: "page", members: pageErrors },
  { name: "reference", members: referenceErrors },
  { name: "target", members: targetErrors }
]

/** The errors of a tool: groups that it has whole, and the others. `anything`: it calls any other tool. */
export const errorsOf = (errors: ReadonlyArray<ErrorClass>) => {
  const whole = groups.filter(({ members }) => members.every((member) => errors.includes(member)))
  const grouped = new Set(whole.flatMap(({ members }) => members))
  return {
    anything: errors.length === E.BrowserError.members.length,
    groups: whole,
    own: errors.filter((error) => !grouped.has(error))
  }
}
