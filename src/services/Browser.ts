/** The seam: browser providers register here, and a session is opened with the one that is selected. */
import type { Effect, Scope } from "effect"
import { Context } from "effect"
import type * as E from "../schemas/errors.ts"
import type { ProviderId, TaskKey } from "../schemas/ids.ts"
import type { BrowserSession, Capabilities, PersonAct } from "./BrowserSession.ts"

/** Why no provider was selected. */
export type SelectionError =
  | E.ProviderConfiguredMissing
  | E.ProviderConfiguredUnavailable
  | E.ProviderAmbiguous
  | E.ProviderUnavailable

/** Why a session could not be opened. */
export type OpenSessionError =
  | E.BrowserNotFound
  | E.ElectronNotFound
  | E.DisplayMissing
  | E.HostDisposed
  | E.LaunchFailed
  | E.ProfileInUse
  | E.ConnectionLost
  | E.SessionLost
  | E.OperationTimeout
  | E.CdpFailed

export interface OpenSessionOptions {
  readonly task: TaskKey
  /** Cookies and storage of its own; otherwise those of the profile are shared with the other tasks. */
  readonly isolated?: boolean
  /** Told, synchronously, of what a person at the browser's own window does about the task. It must not wait. */
  readonly person?: (act: PersonAct) => void
}

/** A way to a browser. */
export interface BrowserProvider {
  readonly id: ProviderId
  /** Whether it can be used: from configuration and memory only, without I/O. What it throws counts as false. */
  readonly available: () => boolean
  readonly capabilities: Capabilities
  /** Opens a session that stays with this provider for its life; closing the scope closes its tabs. */
  readonly open: (options: OpenSessionOptions) => Effect.Effect<BrowserSession, OpenSessionError, Scope.Scope>
}

export class Browser extends Context.Service<
  Browser,
  {
    /** Registers a provider until the scope closes. Fails with `DuplicateProvider` if its id is taken. */
    readonly register: (provider: BrowserProvider) => Effect.Effect<void, E.DuplicateProvider, Scope.Scope>
    /** The provider that a session opened now would get; independent of the order of registration. */
    readonly select: Effect.Effect<BrowserProvider, SelectionError>
    /** Selects a provider and opens a session with it. */
    readonly open: (
      options: OpenSessionOptions
    ) => Effect.Effect<BrowserSession, SelectionError | OpenSessionError, Scope.Scope>
    /** What is registered, in the order of ids. */
    readonly providers: () => ReadonlyArray<{ readonly id: ProviderId; readonly available: boolean }>
  }
>()("effect-browser/Browser") {}
