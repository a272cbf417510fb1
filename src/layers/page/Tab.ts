/** One tab: its model, its commands, and what every operation on it is raced against. */
import { Deferred, Effect } from "effect"
import type { Dialog } from "../../schemas/dialog.ts"
import {
  CdpFailed,
  type ConnectionLost,
  DialogOpen,
  DialogUnanswerable,
  NavigationBlocked,
  OperationTimeout,
  SessionLost,
  TabCrashed,
  TabUnknown
} from "../../schemas/errors.ts"
import type { CdpSessionId, TabId, TargetId } from "../../schemas/ids.ts"
import type { Emulation } from "../../schemas/tools/page.ts"
import type { PageError } from "../../services/BrowserSession.ts"
import type { CdpConnection, CdpError, CdpMethod, CdpParams, CdpResult } from "../../services/CdpConnection.ts"
import { endedAfter, type Watch } from "../../services/endings.ts"
import type { OperationName } from "../../services/Timeouts.ts"
import type { Admission, Verdict } from "./admission.ts"
import type { FrameModel } from "./FrameTable.ts"
import { Liveness } from "./Liveness.ts"
import { isPdfViewer } from "./pdf.ts"
import { explained, withRoom } from "./outOfTime.ts"
import { PageModel } from "./PageModel.ts"

/** A dialog of another window that still keeps a page from being left after so long (ms) is dismissed, too. */
const stuckMs = 300

/** The browser's word that a tab closed is waited for so long (ms) once it has refused a command for that. */
const closingMs = 1_000

/** A page gets so long (ms) to say whether it closes: it has answered just now. */
const askedMs = 200

const isClosing = (error: unknown): boolean => error instanceof CdpFailed && error.reason.startsWith("target closed")

/** What the page driver needs to know of dialogs; the supervisor implements it. */
export interface DialogWatch {
  /** dialogs that block this tab, oldest first */
  readonly blocking: (tab: TabId) => ReadonlyArray<Dialog>
  /** true if the page answers past the dialogs that block it: everything but input, and nothing that it would await */
  readonly readable: (tab: TabId) => boolean
  /** calls the listener when a dialog opens that blocks this tab, until the returned function is called */
  readonly onBlocked: (tab: TabId, listener: (dialog: Dialog) => void) => () => void
  /** dismisses dialogs that keep a page from being left, and ends once they are closed; never fails */
  readonly letGo: (ids: ReadonlyArray<string>) => Effect.Effect<void>
}

export interface TabOptions {
  readonly id: TabId
  readonly targetId: TargetId
  readonly sessionId: CdpSessionId
  readonly opener: TabId | undefined
  /** it can reach its opener by script, so both are rendered by one process */
  readonly sharesProcess: boolean
  readonly connection: CdpConnection["Service"]
  readonly dialogs: DialogWatch
  readonly admission: Admission
  /** ids of the open tabs, for errors */
  readonly openTabs: () => ReadonlyArray<TabId>
  /** the tab that keeps this one from answering, itself or one of the same process: see `Tab.isSilent` */
  readonly silencedBy: () => TabId | undefined
  /** no other tab is rendered by its process, as far as is known */
  readonly isAlone: () => boolean
}

export class Tab {
  readonly id: TabId
  readonly targetId: TargetId
  readonly sessionId: CdpSessionId
  readonly opener: TabId | undefined
  readonly sharesProcess: boolean
  readonly connection: CdpConnection["Service"]
  readonly dialogs: DialogWatch
  readonly admission: Admission
  /** what it seems to be shown on */
  emulation: Emulation = {}
  readonly model: PageModel
  readonly openTabs: () => ReadonlyArray<TabId>
  private readonly silencedBy: () => TabId | undefined
  readonly liveness: Liveness
  /** whether it has answered since it was attached; undefined: it is not known yet */
  answered: boolean | undefined
  private knownTitle: { readonly loaderId: string; readonly text: string; readonly watched: boolean } | undefined
  /** how often the title of the present document has changed, as far as it was told */
  titleChanges = 0
  closed = false
  /** its dialogs are being dismissed, since the page is about to be left: see `leave` */
  leaving = false
  /** an agent has turned the scripts of its pages off */
  scriptsDisabled = false
  /** how often somebody had its loading stopped */
  stops = 0
  /** done once the tab is set up, or could not be */
  readonly ready = Deferred.makeUnsafe<void>()

  constructor(options: TabOptions) {
    this.id = options.id
    this.targetId = options.targetId
    this.sessionId = options.sessionId
    this.opener = options.opener
    this.sharesProcess = options.sharesProcess
    this.connection = options.connection
    this.dialogs = options.dialogs
    this.admission = options.admission
    this.openTabs = options.openTabs
    this.silencedBy = options.silencedBy
    this.liveness = new Liveness({
      connection: options.connection,
      send: (method, params, frame) => this.send(method, params, frame),
      frames: () => {
        const processes = new Map([...this.model.frames.values()].map((frame) => [frame.sessionId, frame]))
        processes.delete(this.sessionId)
        return [...processes.values()]
      },
      isExcused: () =>
        this.closed ||
        this.model.crashed ||
        this.dialogs.blocking(this.id).length > 0 ||
        this.silencedBy() !== undefined,
      isAlone: options.isAlone,
      documents: () => this.model.documents,
      crashes: () => this.model.crashes,
      crash: Effect.suspend(() => Effect.asVoid(this.until(({ crashed }) => (crashed ? true : undefined))))
    })
    this.model = new PageModel(options.targetId as string as FrameModel["id"], options.sessionId)
  }

  /** The title of the present document; undefined while nobody has told it. */
  get title(): string | undefined {
    return this.knownTitle?.loaderId === this.model.main.loaderId ? this.knownTitle.text : undefined
  }

  /** True if the page tells its changes of title by itself. */
  get titleIsWatched(): boolean {
    const { loaderId, url } = this.model.main
    return url === "" || url === "about:blank" || (this.knownTitle?.loaderId === loaderId && this.knownTitle.watched)
  }

  setTitle(text: string, watched: boolean): void {
    const title = text.slice(0, 300)
    const before = this.title
    this.titleChanges = before === undefined ? 0 : this.titleChanges + (before === title ? 0 : 1)
    this.knownTitle = { loaderId: this.model.main.loaderId, text: title, watched }
  }

  /**
   * It was attached when something was under way already that keeps it from answering, most likely a dialog: of that
   * nobody will hear, and nobody can answer it (runtime fact 14). A new document ends it.
   */
  get isSilent(): boolean {
    return this.answered === false && this.model.commits === 0
  }

  private silence(): DialogUnanswerable | undefined {
    const by = this.silencedBy()
    return by === undefined
      ? undefined
      : new DialogUnanswerable({
          remedy: `Call browser_close_tab with tabId "${by}", which opened before it could be watched; or open another page in it.`
        })
  }

  /** Sends a command to the process that renders `frame` (absent: the main frame). */
  send<M extends CdpMethod>(
    method: M,
    params?: CdpParams<M>,
    frame?: FrameModel
  ): Effect.Effect<CdpResult<M>, CdpError> {
    return this.connection.command(method, params, { sessionId: frame?.sessionId ?? this.sessionId })
  }

  /** Why the tab may not be used, if what it shows may not be read. */
  readonly refusal = (): Extract<Verdict, { readonly admitted: false }> | undefined => {
    // an error page holds nothing of the address that it stands for
    const of = (frame: FrameModel): Verdict =>
      this.admission.document(frame.failed === true ? "" : frame.url, this.model.addressOf(frame))
    const main = of(this.model.main)
    if (!main.admitted) return main
    if (!this.admission.watched) return undefined
    for (const frame of this.model.frames.values()) {
      if (isPdfViewer(frame.url)) continue
      const verdict = of(frame)
      if (!verdict.admitted) return { ...verdict, reason: `the page shows it in a frame, and ${verdict.reason}` }
    }
    return undefined
  }

  /** What the tab shows may be read. */
  private readonly readable = Effect.suspend((): Effect.Effect<void, NavigationBlocked> => {
    const refusal = this.refusal()
    return refusal === undefined
      ? Effect.void
      : Effect.fail(new NavigationBlocked({ url: refusal.url, reason: refusal.reason }))
  })

  /** Waits by events until `check` gives something other than undefined. Never fails; bound it from outside. */
  until<A>(check: (model: PageModel) => A | undefined): Effect.Effect<A> {
    return Effect.callback<A>((resume) => {
      const look = (): boolean => {
        const value = check(this.model)
        if (value === undefined) return false
        stop()
        resume(Effect.succeed(value))
        return true
      }
      const stop = this.model.onChange(look)
      look()
      return Effect.sync(stop)
    })
  }

  /** Ends an operation as soon as nothing more can be expected of the page: a dialog, a crash, tab or connection gone. */
  private hopeless(operation: string, looksPast: boolean, escapes: boolean): Watch<never, PageError> {
    return (end) => {
      // navigation is what revives a crashed page
      let crashed = this.model.crashed
      const fail = (error: PageError): void => end(Effect.fail(error))
      const stopChanges = this.model.onChange(() => {
        if (this.closed) fail(this.gone())
        else if (this.model.crashed && !crashed && !this.liveness.ending)
          fail(new TabCrashed({ tabId: this.id, what: "page" }))
        else {
          const silence = escapes ? undefined : this.silence()
          if (silence !== undefined) fail(silence)
        }
        crashed = this.model.crashed
      })
      const stopDialogs = this.dialogs.onBlocked(this.id, (dialog) => {
        if (this.leaving && dialog.type !== "beforeunload") return
        if (!(looksPast && this.dialogs.readable(this.id))) fail(new DialogOpen({ dialog, operation }))
      })
      return () => {
        stopChanges()
        stopDialogs()
      }
    }
  }

  /**
   * A dialog in another window of the same process keeps the new document from coming, unless that gets a process of its
   * own. The page's own dialogs are dismissed before it is left.
   */
  private freeing<A, E>(body: Effect.Effect<A, E>): Effect.Effect<A, E> {
    const open = this.dialogs.blocking(this.id).map(({ id }) => id)
    if (open.length === 0) return body
    return Effect.raceFirst(
      body,
      Effect.sleep(stuckMs).pipe(Effect.andThen(this.dialogs.letGo(open)), Effect.andThen(Effect.never))
    )
  }

  /**
   * What is sent to a page on its way elsewhere waits in the browser, and is done after all when the page stays, however
   * long its sender has given up. So nothing is sent before the page answers.
   */
  private readonly answering: Effect.Effect<void> = Effect.suspend(() =>
    this.model.navigating
      ? Effect.raceFirst(
          this.until(({ navigating }) => (navigating ? undefined : true)),
          Effect.ignore(this.send("Runtime.evaluate", { expression: "0" }))
        )
      : Effect.void
  ).pipe(Effect.asVoid)

  /** Takes a navigation that has not begun for one that never does, if the page answers within so long (ms). */
  abandoned(atMost: number): Effect.Effect<void> {
    return this.send("Runtime.evaluate", { expression: "0" }).pipe(
      Effect.andThen(Effect.sync(() => this.model.dropRequested())),
      Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.void }),
      Effect.ignore
    )
  }

  /** Waits until the tab is closed, if a script of its page has begun that; a page that does not answer is not asked. */
  readonly closesItself: Effect.Effect<void> = Effect.suspend(() => {
    if (this.closed || this.model.crashed || this.model.navigating) return Effect.void
    const gone = this.until(() => (this.closed ? true : undefined)).pipe(endedAfter(closingMs, () => Effect.void))
    return this.send("Runtime.evaluate", { expression: "window.closed" }).pipe(
      Effect.map(({ result }) => result.value === true),
      Effect.catch((error) => Effect.succeed(isClosing(error))),
      endedAfter(askedMs, () => Effect.succeed(false)),
      Effect.flatMap((closes) => (closes ? gone : Effect.void))
    )
  }).pipe(Effect.asVoid)

  gone(): TabUnknown {
    return new TabUnknown({ tabId: this.id, known: this.openTabs() })
  }

  /** Turns what a command can fail with into what an operation on a page can fail with. */
  readonly pageError = <E>(error: E): Exclude<E, ConnectionLost> | PageError => {
    const tagged = error as unknown as { readonly _tag: string; readonly reason: string; readonly cdpCode: number }
    if (tagged._tag === "ConnectionLost") return new SessionLost({ reason: tagged.reason })
    if (tagged._tag === "CdpFailed") {
      if (this.closed || tagged.cdpCode === -32001 || isClosing(error)) return this.gone()
      if (tagged.reason.includes("crashed")) return new TabCrashed({ tabId: this.id, what: "page" })
    }
    return error as Exclude<E, ConnectionLost>
  }

  /**
   * Runs an operation on the page within its budget. It is refused at once while a dialog blocks the page, and ended
   * when one opens, when the page crashes or the tab closes. `carried` may turn a dialog that opened meanwhile into a
   * result (the act was dispatched before); without it the operation fails with `DialogOpen`. It fails with
   * `NavigationBlocked` if the page may not be read, before or afterwards.
   *
   * `past` is for what a page can answer while its dialog waits (`DialogWatch.readable`): "looks" is neither refused nor
   * ended by such a dialog, "runs" is not refused.
   */
  operate<A, E>(
    options: {
      readonly operation: string
      readonly budget: OperationName
      /** allowed on a crashed page, on one that may not be read and while a dialog is open (navigation frees the page) */
      readonly escapes?: boolean
      readonly past?: "looks" | "runs"
      readonly carried?: (dialog: Dialog) => A | undefined
      /** what to say if the time runs out while the page itself answers */
      readonly late?: () => string | undefined
      /** what had been done when the time ran out: whoever repeats the operation might do it twice */
      readonly done?: () => string | undefined
      /** turns the end of the tab into a result: what was dispatched before may well have closed it */
      readonly closed?: () => Effect.Effect<A | undefined>
    },
    body: Effect.Effect<A, E>
  ): Effect.Effect<A, Exclude<E, ConnectionLost> | PageError | OperationTimeout> {
    const { operation, budget, closed, escapes = false, past, carried, late, done } = options
    return Effect.suspend(() => {
      if (this.closed) return Effect.fail(this.gone())
      // whether to leave is asked already, and going elsewhere would only ask it again
      const leaving = this.dialogs.blocking(this.id).find(({ type }) => type === "beforeunload")
      if (leaving !== undefined && budget !== "stop") return Effect.fail(new DialogOpen({ dialog: leaving, operation }))
      if (!escapes) {
        if (this.model.crashed) return Effect.fail(new TabCrashed({ tabId: this.id, what: "page" }))
        const dialog = this.dialogs.blocking(this.id)[0]
        const refused = dialog !== undefined && !(past !== undefined && this.dialogs.readable(this.id))
        if (refused) return Effect.fail(new DialogOpen({ dialog, operation }))
        const silence = this.silence()
        if (silence !== undefined) return Effect.fail(silence)
      }
      let begun = escapes
      const checked = Effect.tap(body, () => this.readable)
      const begin = Effect.andThen(
        this.answering,
        Effect.suspend(() => {
          begun = true
          return Effect.andThen(this.readable, checked)
        })
      )
      return (escapes ? this.freeing(checked) : begin).pipe(
        withRoom(operation, budget, this.hopeless(operation, past === "looks", escapes)),
        Effect.catchIf(
          (error): error is OperationTimeout => (error as unknown) instanceof OperationTimeout,
          (error) =>
            // a page that waits for the next one answers nothing meanwhile, and nothing runs in it
            explained(error, this.liveness, {
              leaves: !escapes && this.model.navigating,
              begun,
              late: late?.(),
              done: done?.()
            })
        ),
        Effect.onInterrupt(() => (this.model.navigating ? Effect.void : this.liveness.letGo)),
        // the word that it closed may come after the refusal of what was asked of it
        Effect.tapError((error) =>
          isClosing(error) && !this.closed
            ? this.until(() => (this.closed ? true : undefined)).pipe(endedAfter(closingMs, () => Effect.void))
            : Effect.void
        ),
        Effect.mapError(this.pageError),
        Effect.catchIf(
          (error): error is DialogOpen => error instanceof DialogOpen,
          (error) => {
            const value = carried?.(error.dialog)
            return value === undefined ? Effect.fail(error) : Effect.succeed(value)
          }
        ),
        Effect.catchIf(
          (error): error is TabUnknown => error instanceof TabUnknown,
          ({ known, tabId }) =>
            Effect.flatMap(closed?.() ?? Effect.succeed(undefined), (value) => {
              const was = done?.()
              return value !== undefined
                ? Effect.succeed(value)
                : Effect.fail(new TabUnknown({ tabId, known, ...(was === undefined ? {} : { done: was }) }))
            })
        )
      )
    }) as Effect.Effect<A, Exclude<E, ConnectionLost> | PageError | OperationTimeout>
  }
}
