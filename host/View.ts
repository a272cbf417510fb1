/** One view: its page, its debugger, and what they tell. */
import type { WebContents, WebContentsView } from "electron"
import type { HostEvent, ViewId } from "../src/schemas/HostProtocol.ts"
import { CdpFailed } from "../src/schemas/errors.ts"
import { emulatedAfter } from "./core/capture.ts"
import {
  answeredFirst,
  byRequest,
  leaves,
  type Leaving,
  nothingAsked,
  type Unload,
  unloadAfter
} from "./core/unload.ts"
import {
  followed,
  type FrameTree,
  nothingTracked,
  type PageTrack,
  untoldFrames,
  withPlainAddresses
} from "./core/pageTrack.ts"
import { refusalCode } from "./core/cdpRefusal.ts"
import { printingSource } from "../src/generated/printingSource.ts"

/** Printing must not open a dialog that keeps the page: nobody may be there to close it. */
const withoutPrintDialog = { source: `(() => { ${printingSource}; __entry.install() })()`, runImmediately: true }

/** `Target.attachedToTarget` of the protocol, as far as it is needed here. */
interface AttachedChild {
  readonly sessionId: string
  readonly targetInfo: { readonly type: string }
}

/** Time (ms) for a page to answer that was told to stay, and is to be left after all. */
const hearingMs = 1_000

export class View {
  readonly id: ViewId
  readonly view: WebContentsView
  readonly webContents: WebContents
  readonly partition: string | undefined
  /** it seems to have another size than it has */
  emulated = false
  /** a page opened it, and it has not shown a document yet */
  isNew = false
  /** documents that it is sent to are saved as files */
  saves = false
  /** the next question whether it may be left is answered with yes */
  leaves = false
  targetId = ""
  /** input that is being dispatched by protocol */
  private dispatched = 0
  private readonly tell: (event: HostEvent) => void
  private track: PageTrack = nothingTracked
  private reading = false
  private unload: Unload = nothingAsked
  /** lets the navigation that asked go on when the question has been answered */
  private answered: ((leave: boolean) => void) | undefined
  /** the answer for which the request that leaves the page waits */
  private door: { readonly answer: Promise<boolean>; readonly open: (leave: boolean) => void } | undefined
  /** events wait until the parent has heard of the view */
  private held: Array<HostEvent> | undefined = []
  private readonly afterwards: Array<() => void> = []

  constructor(options: {
    readonly id: ViewId
    readonly view: WebContentsView
    readonly partition: string | undefined
    readonly tell: (event: HostEvent) => void
  }) {
    this.id = options.id
    this.view = options.view
    this.webContents = options.view.webContents
    this.partition = options.partition
    this.tell = options.tell
  }

  /** Joins the page; from now on its events are kept. */
  attach(): void {
    const { debugger: bugger } = this.webContents
    bugger.attach("1.3")
    bugger.on("message", (_, method, params, sessionId) => {
      const session = sessionId === undefined || sessionId === "" ? undefined : sessionId
      if (method === "Target.attachedToTarget") this.childAttached(params as AttachedChild)
      if (session !== undefined) return this.tellProtocol(method, params, session)
      const unload = unloadAfter(this.unload, method, params)
      if (unload.state.open === byRequest && this.unload.open !== byRequest) this.shutDoor()
      this.unload = unload.state
      if (unload.tell) this.tellProtocol(method, params)
      this.makeUp(method, params)
    })
    this.quietPrinting()
  }

  private childAttached({ sessionId, targetInfo }: AttachedChild): void {
    if (targetInfo.type === "iframe") this.quietPrinting(sessionId)
  }

  /** For the documents of a session, before their first scripts. */
  private quietPrinting(sessionId?: string): void {
    void this.command("Page.addScriptToEvaluateOnNewDocument", withoutPrintDialog, sessionId).catch(() => {})
  }

  private tellProtocol(method: string, params: unknown, sessionId?: string) {
    this.emit({ event: "cdp", viewId: this.id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })
  }

  /**
   * Electron before 42 joins the page anew whenever a frame comes (its `Debugger::RenderFrameHostChanged`). It then does
   * not tell of frames that came meanwhile, nor of the end of requests for documents that went to another process. Both
   * are made up for.
   */
  private makeUp(method: string, params: unknown) {
    const { told, track } = followed(this.track, method, params)
    this.track = track
    for (const event of told) this.tellProtocol(event.method, event.params)
    if (method !== "Runtime.executionContextsCleared" || this.reading) return
    this.reading = true
    const read = this.command("Page.getFrameTree").then((result) => {
      this.reading = false
      const { frameTree } = result as { readonly frameTree: FrameTree }
      for (const event of untoldFrames(this.track, frameTree)) {
        this.track = followed(this.track, event.method, event.params).track
        this.tellProtocol(event.method, event.params)
      }
    })
    read.catch(() => {
      this.reading = false
    })
  }

  /** Lets the events out that were kept, and all that follow. */
  release(): void {
    for (const event of this.held ?? []) this.tell(event)
    this.held = undefined
    for (const act of this.afterwards.splice(0)) act()
  }

  /** Runs once the parent has heard of the view. */
  onceTold(act: () => void): void {
    if (this.held === undefined) act()
    else this.afterwards.push(act)
  }

  emit(event: HostEvent): void {
    if (this.held === undefined) this.tell(event)
    else this.held.push(event)
  }

  get isGone(): boolean {
    return this.webContents.isDestroyed()
  }

  /** Sends a protocol command. Rejects with `CdpFailed` if it is refused. */
  async send(method: string, params?: unknown, sessionId?: string): Promise<unknown> {
    if (sessionId !== undefined) return this.command(method, params, sessionId)
    this.emulated = emulatedAfter(method, this.emulated)
    if (method === "Page.handleJavaScriptDialog" && this.unload.open !== undefined) {
      return this.answerUnload((params as { readonly accept?: boolean }).accept === true)
    }
    return leaves(method) ? this.leave({ method, params: params ?? {} }) : this.command(method, params)
  }

  /** Whether input is being dispatched by protocol. */
  get isDispatching(): boolean {
    return this.dispatched > 0
  }

  private async command(method: string, params?: unknown, sessionId?: string): Promise<unknown> {
    const isInput = method.startsWith("Input.")
    if (isInput) this.dispatched++
    try {
      const result: unknown = await this.webContents.debugger.sendCommand(method, params ?? {}, sessionId)
      if (method !== "Page.getFrameTree") return result
      return { frameTree: withPlainAddresses((result as { readonly frameTree: FrameTree }).frameTree) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CdpFailed({ method, cdpCode: refusalCode(reason), reason })
    } finally {
      if (isInput) this.dispatched--
    }
  }

  /** Leaves the page; if it objects, not before somebody has answered its question. */
  private async leave(leaving: Leaving): Promise<unknown> {
    this.unload = { ...this.unload, asked: leaving }
    const result = await this.command(leaving.method, leaving.params)
    if (this.unload.open !== leaving) {
      if (this.unload.asked === leaving && !answeredFirst(leaving.method)) {
        this.unload = { ...this.unload, asked: undefined }
      }
      return result
    }
    const leave = await new Promise<boolean>((resolve) => {
      this.answered = resolve
    })
    return leave ? this.goOn(leaving) : result
  }

  /**
   * Leaves after all. Not before the page itself has heard that it stays: a browser that still waits for its word takes
   * the one for the other, and gives up both.
   */
  private async goOn({ method, params }: Leaving): Promise<unknown> {
    const heard = this.command("Runtime.evaluate", { expression: "0" }).catch(() => {})
    await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, hearingMs))])
    return this.command(method, params)
  }

  /** Whether the page may begin to leave although its question is open: its request waits for the answer. */
  get leavesByRequest(): boolean {
    return this.unload.open === byRequest
  }

  /** The answer for which a request for a new document has to wait; undefined: for none. */
  get heldBy(): Promise<boolean> | undefined {
    return this.door?.answer
  }

  private shutDoor() {
    let open = (_: boolean): void => {}
    const answer = new Promise<boolean>((resolve) => {
      open = resolve
    })
    this.door = { answer, open }
    // a worker of the page would answer the request before it could be held
    this.bypassWorkers(true)
  }

  private bypassWorkers(bypass: boolean) {
    void this.command("Network.setBypassServiceWorker", { bypass }).catch(() => {})
  }

  private openDoor(leave: boolean): object {
    const { door } = this
    this.door = undefined
    this.unload = nothingAsked
    this.tellProtocol("Page.javascriptDialogClosed", { result: leave, userInput: "" })
    // ended first: a request that is refused would put an error in the place of the page
    if (!leave && !this.isGone) this.webContents.stop()
    door?.open(leave)
    this.bypassWorkers(false)
    return {}
  }

  private answerUnload(leave: boolean): object {
    const { open } = this.unload
    if (open === byRequest) return this.openDoor(leave)
    this.unload = { ...nothingAsked, agreed: leave }
    this.leaves = leave
    this.tellProtocol("Page.javascriptDialogClosed", { result: leave, userInput: "" })
    const waiting = this.answered
    this.answered = undefined
    if (waiting !== undefined) waiting(leave)
    else if (leave && open !== undefined) void this.goOn(open).catch(() => {})
    return {}
  }
}
