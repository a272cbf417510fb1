/** What a session over CDP is opened with. */
import type { Effect, Scope } from "effect"
import type { BrowserConfig, DialogWay } from "../../../schemas/config.ts"
import type { BrowserContextId, DialogId, ProviderId, TargetId } from "../../../schemas/ids.ts"
import type { Capabilities } from "../../../services/BrowserSession.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import type { TaskPresentation } from "../../../schemas/tasks.ts"
import type { ShownDialog } from "../../../schemas/HostProtocol.ts"
import type { Place, Targets } from "../../page/Targets.ts"

/** An answer that a person gives to a dialog. */
export interface PersonAnswer {
  readonly dialogId: DialogId
  readonly accept: boolean
  readonly text?: string | undefined
}

/** A window in which a person watches a session's pages. Nothing in it waits. */
export interface SessionWindow {
  /** shows how the task stands */
  readonly present: (task: TaskPresentation) => void
  /** shows the dialogs that wait in a page, oldest first, instead of those before */
  readonly showDialogs: (targetId: TargetId, dialogs: ReadonlyArray<ShownDialog>) => void
  /** Calls the listener, synchronously, when the person answers a dialog, until the scope closes. */
  readonly onAnswer: (listener: (answer: PersonAnswer) => void) => Effect.Effect<void, never, Scope.Scope>
}

/** What is done about a browser that answers nothing any more. */
export interface Silence {
  /** Ends the browser if it answers nothing, and waits until that is known; yields why, undefined if it answers. */
  readonly endIfSilent: Effect.Effect<string | undefined>
  /** why it was ended; undefined if it was not */
  readonly ended: () => string | undefined
}

export interface CdpSessionOptions {
  readonly connection: CdpConnection["Service"]
  readonly targets: Targets
  readonly provider: ProviderId
  readonly capabilities: Capabilities
  readonly config: BrowserConfig
  /** cookies and storage of its own; absent: those of the profile */
  readonly browserContextId: BrowserContextId | undefined
  /** size of each tab (CSS px); undefined: that of its window */
  readonly viewport: { readonly width: number; readonly height: number } | undefined
  /** where its tabs stand; default each in a window of its own */
  readonly place?: Place
  /** Told of each page that becomes the active one. Must not wait. Absent: nobody sees which it is. */
  readonly activated?: (targetId: TargetId) => void
  /** where a person sees, and can answer, its dialogs; absent: nowhere but in the browser itself */
  readonly window?: SessionWindow
  /** absent: the browser is not ours to end */
  readonly silence?: Silence
  /** other people use the browser, too: nothing is set that holds for the whole of it; default false */
  readonly shared?: boolean
  /**
   * how dialogs reach us unless the configuration says it; default "native". "gate": they wait in the page, which can be
   * looked at meanwhile. "both": the endpoint answers native dialogs itself, so what misses the gate takes the bridge
   */
  readonly dialogWay?: DialogWay
  /** the gate, where nobody asked for it, is put up once a document is loaded, so that it makes none slower; default false */
  readonly gateOnceLoaded?: boolean
}
