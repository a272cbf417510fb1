/**
 * What is known of one tab from the events of its sessions: frames with their documents, navigation, loading, requests
 * under way. Fed synchronously by the reader, read without waiting; `changed` is told after every change.
 */
import type { Protocol } from "devtools-protocol"
import type { CdpSessionId, FrameId } from "../../schemas/ids.ts"
import type { CdpEvent } from "../../services/CdpConnection.ts"
import { BegunDownloads, type DownloadModel } from "./BegunDownloads.ts"
import { type FrameModel, FrameTable } from "./FrameTable.ts"
import { bringsNoPage, holdsUp, Requests } from "./Requests.ts"
import { KeptAddresses } from "./KeptAddresses.ts"
import { OpenedWindows } from "./openedWindows.ts"
import { RecentDocuments } from "./recentDocuments.ts"
import { refusedBy, whyRefused } from "./refusedAddresses.ts"

/** A commit of the main frame. */
export interface Commit {
  readonly loaderId: string
  readonly url: string
  readonly sameDocument: boolean
  /** restored from the back/forward cache: complete at once, no load event follows */
  readonly restored: boolean
}

export class PageModel {
  private readonly table: FrameTable
  private readonly requests = new Requests()
  /** counts pieces of bodies that came */
  received = 0
  private readonly listeners = new Set<() => void>()
  /** grows with every event that could have been caused by an act */
  private sequence = 0
  /** the latest commit of the main frame, counted by `commits` */
  lastCommit: Commit | undefined
  commits = 0
  /** counts commits that brought another document */
  documents = 0
  domReady = true
  loaded = true
  /** the main frame has been asked to navigate and has neither committed nor given up */
  navigating = false
  crashed = false
  /** how often its renderer went away */
  crashes = 0
  /** navigations of the main frame that began so far: whether the page before lets itself be left is answered by then */
  navigationsBegun = 0
  /** the navigation of the main frame that began last */
  private begunLast: { readonly loaderId: string; readonly url: string } | undefined
  /** the present document came while the page before had begun to load another one, which comes next: its address */
  overtakenBy: string | undefined
  /** the address that the page asked to go to, when that is all that is known of the navigation */
  private requested: string | undefined
  /** it asks whether to leave it */
  private asking = false
  /** `sequence` when the present document came */
  private came = 0
  private readonly begun = new BegunDownloads()
  readonly windows = new OpenedWindows()
  /** navigations of the main frame that were not let through, counted by `refusals` */
  lastRefusal: { readonly url: string; readonly reason: string } | undefined
  refusals = 0
  readonly kept = new KeptAddresses()
  readonly recent = new RecentDocuments()
  /** the file chooser that opened last and was kept away; undefined: it got its files */
  chooser: { readonly seq: number; readonly wants: "file" | "files" | "picker" } | undefined
  /** `sequence` when the page printed itself last */
  printed = 0
  /** what the main frame was led to last has no page */
  ledNowhere = false
  readonly mainFrameId: FrameId
  readonly rootSession: CdpSessionId

  constructor(mainFrameId: FrameId, rootSession: CdpSessionId) {
    this.mainFrameId = mainFrameId
    this.rootSession = rootSession
    this.table = new FrameTable(mainFrameId, rootSession)
  }

  get frames(): ReadonlyMap<FrameId, FrameModel> {
    return this.table.frames
  }

  get main(): FrameModel {
    return this.table.main
  }

  /** Downloads that began in this tab, newest last, at most 20. */
  get downloads(): ReadonlyArray<DownloadModel> {
    return this.begun.all
  }

  /** A mark in time: what begins later was possibly caused by the act in between. */
  mark(): number {
    return this.sequence
  }

  /** Requests that began after the mark and hold up an answer. */
  requestsSince(mark: number): { readonly all: number; readonly unanswered: number } {
    return this.requests.since(mark)
  }

  /** The frames right below a frame. */
  childrenOf(parent: FrameId): ReadonlyArray<FrameModel> {
    return this.table.childrenOf(parent)
  }

  /** Calls `listener` after every change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Takes over what `Page.getFrameTree` of a session says; its root's `parentId` joins the trees of two processes. True
   * if the page was attached late and has its document already: nothing tells of that, nor how far it has been loaded,
   * so that `Page.setLifecycleEventsEnabled` has to be asked.
   */
  readTree(session: CdpSessionId, tree: Protocol.Page.FrameTree): boolean {
    this.table.read(session, tree)
    const { loaderId, url } = this.main
    const late = session === this.rootSession && this.commits === 0 && url !== "" && url !== "about:blank"
    if (late) {
      this.domReady = false
      this.loaded = false
      this.commit({ loaderId, url, sameDocument: false, restored: false })
    }
    this.tell()
    return late
  }

  /** A child process took over the frame. */
  frameMoved(id: FrameId, session: CdpSessionId, parentId: FrameId | undefined): void {
    this.table.moved(id, session, parentId)
    this.tell()
  }

  /** The session of a child process ended; its frames stay until their parent says that they are gone. */
  sessionEnded(session: CdpSessionId): void {
    this.table.sessionEnded(session)
    this.tell()
  }

  /** The IP address that a frame's document came from, as far as the browser told it. */
  addressOf(frame: FrameModel): string | undefined {
    return this.requests.answerOf(frame.loaderId)?.address
  }

  /** The HTTP status of the page, if it is one that says that this is not what was asked for. */
  get failedStatus(): number | undefined {
    const { loaderId, url } = this.main
    const status = this.requests.answerOf(loaderId)?.status
    // 304: what was asked for is what the browser has
    const told = status !== undefined && /^https?:/.test(url) && (status < 200 || status > 299) && status !== 304
    return told ? status : undefined
  }

  /** The HTTP status that was answered for a document, though it may not have come; as far as the browser told it. */
  statusOf(loaderId: string): number | undefined {
    return this.requests.answerOf(loaderId)?.status
  }

  /** Why the page could not be loaded, if what the tab shows is the browser's error page. */
  get failure(): string | undefined {
    const { failed, id, loaderId } = this.main
    return failed === true ? (this.requests.failureOf(loaderId, id) ?? "the browser has not said why") : undefined
  }

  /** The page is a PDF document: the browser shows it by itself, and there is nothing in it to be read. */
  get isPdf(): boolean {
    return this.requests.answerOf(this.main.loaderId)?.mimeType === "application/pdf"
  }

  /** A navigation of the main frame was not let through. */
  refused(url: string, reason: string): void {
    this.lastRefusal = { url, reason }
    this.refusals++
    this.sequence++
    this.tell()
  }

  /** A download began; the function tells what becomes of it. */
  download(begun: Omit<DownloadModel, "seq">): (change: Partial<Omit<DownloadModel, "seq">>) => void {
    const tell = this.begun.add({ ...begun, seq: ++this.sequence })
    this.tell()
    return (change) => {
      tell(change)
      this.tell()
    }
  }

  /** The page has called for being printed. */
  prints(): void {
    this.printed = ++this.sequence
    this.tell()
  }

  /** Downloads that the present document began after the mark, and that are not over. */
  downloadsSince(mark: number): number {
    return this.begun.runningSince(Math.max(mark, this.came))
  }

  apply(event: CdpEvent): void {
    const session = event.sessionId ?? this.rootSession
    const refused = refusedBy(event)
    if (refused !== undefined) this.keptFrom(refused, whyRefused(refused))
    switch (event.method) {
      case "Page.frameAttached":
        this.table.attached(event.params.frameId as FrameId, session, event.params.parentFrameId as FrameId)
        break
      case "Page.frameNavigated":
        this.navigated(session, event.params.frame, event.params.type === "BackForwardCacheRestore")
        break
      case "Page.navigatedWithinDocument": {
        const frame = this.table.renamed(event.params.frameId as FrameId, event.params.url)
        if (frame === undefined) return
        if (frame.id === this.mainFrameId) {
          this.commit({ loaderId: frame.loaderId, url: event.params.url, sameDocument: true, restored: false })
        }
        break
      }
      case "Page.frameDetached":
        // "swap": the frame only leaves this process; its new session has it (runtime fact 55)
        if (event.params.reason !== "swap") this.table.remove(event.params.frameId as FrameId)
        break
      case "Page.frameStartedNavigating":
        if (
          event.params.frameId === this.mainFrameId &&
          !event.params.navigationType.toLowerCase().includes("samedocument")
        ) {
          this.navigating = true
          this.ledNowhere = false
          this.requested = undefined
          this.navigationsBegun++
          this.begunLast = event.params
          this.sequence++
        }
        break
      case "Page.frameRequestedNavigation":
        if (event.params.frameId === this.mainFrameId && event.params.disposition === "currentTab") {
          this.requested = this.navigating ? undefined : event.params.url
          this.navigating = true
          this.sequence++
        }
        break
      case "Page.frameStartedLoading":
        if (event.params.frameId === this.mainFrameId) {
          this.navigating = true
          this.requested = undefined
          this.sequence++
        }
        break
      case "Page.frameStoppedLoading":
        this.requests.ended(this.frames.get(event.params.frameId as FrameId)?.loaderId ?? "")
        if (event.params.frameId === this.mainFrameId) {
          this.navigating = false
          this.domReady = true
          this.loaded = true
        }
        break
      case "Page.javascriptDialogOpening":
        if (event.params.type !== "beforeunload") return
        this.asking = true
        break
      case "Page.javascriptDialogClosed":
        if (!this.asking) return
        this.asking = false
        // it stays, and no other event says so
        if (!event.params.result) this.navigating = false
        break
      case "Page.fileChooserOpened":
        this.chooser = {
          seq: ++this.sequence,
          // a picker of the File System API belongs to no input, and is refused instead of opened
          wants:
            event.params.backendNodeId === undefined
              ? "picker"
              : event.params.mode === "selectMultiple"
                ? "files"
                : "file"
        }
        break
      case "Page.windowOpen":
        this.windows.add(event.params.url)
        this.sequence++
        break
      case "Page.lifecycleEvent":
        if (event.params.frameId !== this.mainFrameId || event.params.loaderId !== this.main.loaderId) return
        if (event.params.name === "load") this.loaded = true
        else if (event.params.name !== "DOMContentLoaded") return
        this.domReady = true
        break
      case "Page.domContentEventFired":
        if (session === this.rootSession) {
          this.domReady = true
          // it has come whole, whether or not the end of its request was told: Electron before 42 may leave that out
          this.requests.ended(this.main.loaderId)
        }
        break
      case "Page.loadEventFired":
        if (session === this.rootSession) {
          this.domReady = true
          this.loaded = true
        }
        break
      case "Network.requestWillBeSent":
        if (holdsUp(event.params)) this.sequence++
        // older browsers, that of Electron 33 among them, do not say that a navigation starts
        if (event.params.type === "Document" && event.params.frameId === this.mainFrameId) {
          this.requested = undefined
          this.navigationsBegun++
        }
        this.requests.sent(event.params, this.sequence)
        break
      case "Network.responseReceived":
        this.requests.answered(event.params)
        if (
          event.params.type === "Document" &&
          event.params.frameId === this.mainFrameId &&
          bringsNoPage(event.params.response.status)
        ) {
          const { status, url } = event.params.response
          this.ledNowhere = true
          this.keptFrom(url, `the server has answered that there is no page (HTTP status ${status})`)
        }
        break
      case "Log.entryAdded":
        if (refused === undefined) return
        break
      case "Network.dataReceived":
        this.received++
        break
      case "Network.loadingFinished":
        this.requests.ended(event.params.requestId)
        break
      case "Network.loadingFailed":
        this.requests.failed(event.params)
        break
      case "Inspector.targetCrashed":
        if (session === this.rootSession) {
          this.crashed = true
          this.crashes++
        }
        break
      case "Inspector.targetReloadedAfterCrash":
        if (session === this.rootSession) this.crashed = false
        break
      default:
        return
    }
    this.tell()
  }

  /** The page does not go to an address; a navigation that has not begun by then never does. */
  private keptFrom(url: string, reason: string): void {
    this.kept.add({ seq: ++this.sequence, url, reason })
    if (this.requested === url) this.dropRequested()
  }

  /** The page asked to go elsewhere, and has not begun to. */
  get isRequested(): boolean {
    return this.navigating && this.requested !== undefined && !this.asking
  }

  /** What the page asked for does not begin any more: a script of it kept it from that, and no event says so. */
  dropRequested(): void {
    if (!this.isRequested) return
    this.requested = undefined
    this.navigating = false
    this.tell()
  }

  private navigated(session: CdpSessionId, frame: Protocol.Page.Frame, restored: boolean): void {
    const { id, loaderId, url } = this.table.navigated(session, frame)
    if (id === this.mainFrameId) {
      this.requests.documentCame(loaderId)
      this.domReady = restored
      this.loaded = restored
      this.commit({ loaderId, url, sameDocument: false, restored })
    }
  }

  private commit(commit: Commit): void {
    this.lastCommit = commit
    this.commits++
    this.sequence++
    // from here on it is loading, which `loaded` tells
    this.navigating = false
    this.requested = undefined
    if (!commit.sameDocument) {
      const { begunLast } = this
      const overtaken = begunLast !== undefined && begunLast.loaderId !== commit.loaderId && !commit.restored
      this.overtakenBy = overtaken ? begunLast.url : undefined
      this.begunLast = undefined
      this.came = this.sequence
      this.ledNowhere = false
      this.crashed = false
      this.documents++
      this.recent.came(commit.loaderId)
    }
  }

  /** Tells everybody who waits. */
  tell(): void {
    for (const listener of [...this.listeners]) listener()
  }
}
