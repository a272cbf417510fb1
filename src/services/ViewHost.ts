/**
 * The view host: one window in which a person watches, and can use, the pages that agents drive. It runs as a child of
 * its own, or is part of a desktop application that embeds us.
 */
import type { Duration, Effect, Scope } from "effect"
import { Context } from "effect"
import type * as E from "../schemas/errors.ts"
import type { HostEvent, HostOperation, HostParams, HostResult } from "../schemas/HostProtocol.ts"

/** What a call of the host can fail with: that the host is gone, or what it refused. */
export type HostCallError = E.BrowserError

/** Why there is no host. */
export type StartHostError =
  | E.ElectronNotFound
  | E.DisplayMissing
  | E.LaunchFailed
  | E.ProfileInUse
  | E.OperationTimeout
  | E.HostDisposed

/** A host that runs. */
export interface RunningHost {
  /** "130.0.6723.137" */
  readonly chrome: string
  readonly electron: string
  readonly userAgent: string
  readonly pid: number
  /** a folder that is removed with it, also when this process is killed */
  readonly temporary?: string
  /**
   * Asks for an operation and waits for its result. Interruption or the deadline gives it up, in the host too.
   *
   * Fails with `HostDead` when the host is or gets lost (what was under way may have taken effect, and is not repeated),
   * `OperationTimeout` at the deadline, and with what the host refused.
   */
  readonly call: <Op extends HostOperation>(
    operation: Op,
    params: HostParams<Op>,
    options?: { readonly timeout?: Duration.Input }
  ) => Effect.Effect<HostResult<Op>, HostCallError>
  /**
   * Asks at once and without a fiber, `settle` is called once, unless the returned function was called before: it gives
   * the call up. Calls reach the host in the order in which they were made.
   */
  readonly post: <Op extends HostOperation>(
    operation: Op,
    params: HostParams<Op>,
    settle: (
      outcome:
        | { readonly ok: true; readonly result: HostResult<Op> }
        | { readonly ok: false; readonly error: HostCallError }
    ) => void
  ) => () => void
  /** Calls the listener for everything that the host tells, in order, until the scope closes. It must not wait. */
  readonly listen: (listener: (event: HostEvent) => void) => Effect.Effect<void, never, Scope.Scope>
  /** Waits for its end, however it comes. Never fails. */
  readonly closed: Effect.Effect<E.HostDead>
  readonly isClosed: () => boolean
}

export class ViewHost extends Context.Service<
  ViewHost,
  {
    /** Whether there is one to be had: from configuration and memory only, without I/O. */
    readonly available: () => boolean
    /** The running host. It is started if there is none, once for all who wait, and anew after its end. */
    readonly running: Effect.Effect<RunningHost, StartHostError>
  }
>()("effect-browser/ViewHost") {}
