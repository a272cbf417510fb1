/** The pages of a view host as a browser's targets: which view, target and protocol session belong together. */
import type { Protocol } from "devtools-protocol"
import { BrowserContextId, CdpSessionId, type TargetId } from "../../schemas/ids.ts"
import type { HostTaskId, ViewId } from "../../schemas/HostProtocol.ts"

export interface ViewEntry {
  readonly viewId: ViewId
  readonly targetId: TargetId
  readonly taskId: HostTaskId
  /** the view's own session, as it is called on this side */
  readonly sessionId: CdpSessionId
  readonly openerId: TargetId | undefined
  readonly canAccessOpener: boolean
  /** work in the background, which ends soon */
  readonly background: boolean
  url: string
  title: string
  /** how many it has begun */
  downloads: number
}

/** Where a command of a session goes. */
export interface Route {
  readonly entry: ViewEntry
  /** undefined: the view's own session */
  readonly inner: string | undefined
}

export const contextOf = (taskId: HostTaskId): BrowserContextId => BrowserContextId.make(taskId)

export class ViewDirectory {
  private readonly views = new Map<ViewId, ViewEntry>()
  private readonly targets = new Map<TargetId, ViewEntry>()
  private readonly sessions = new Map<CdpSessionId, Route>()
  /** frames with processes of their own and workers, by the sessions that they have below a view */
  private readonly below = new Map<CdpSessionId, Protocol.Target.TargetInfo>()

  add(view: Omit<ViewEntry, "sessionId" | "url" | "title" | "downloads">, url: string): ViewEntry {
    const sessionId = CdpSessionId.make(`view:${view.viewId}`)
    const entry: ViewEntry = { ...view, sessionId, url, title: "", downloads: 0 }
    this.views.set(entry.viewId, entry)
    this.targets.set(entry.targetId, entry)
    this.sessions.set(entry.sessionId, { entry, inner: undefined })
    return entry
  }

  remove(viewId: ViewId): ViewEntry | undefined {
    const entry = this.views.get(viewId)
    if (entry === undefined) return undefined
    this.views.delete(viewId)
    this.targets.delete(entry.targetId)
    for (const [id, route] of this.sessions) if (route.entry === entry) this.ended(id)
    return entry
  }

  view(viewId: ViewId): ViewEntry | undefined {
    return this.views.get(viewId)
  }

  target(targetId: unknown): ViewEntry | undefined {
    return this.targets.get(targetId as TargetId)
  }

  route(sessionId: CdpSessionId): Route | undefined {
    return this.sessions.get(sessionId)
  }

  all(): ReadonlyArray<ViewEntry> {
    return [...this.views.values()]
  }

  /** A page that has the storage of that task; undefined: any. One that stays is preferred. */
  anyOf(context: unknown): ViewEntry | undefined {
    const fitting = this.all().filter(({ taskId }) => context === undefined || taskId === context)
    return fitting.find(({ background }) => !background) ?? fitting[0]
  }

  /** All targets that a filter of the protocol lets through; the first entry that fits one decides. */
  described(filter: ReadonlyArray<Protocol.Target.FilterEntry> = [{}]): ReadonlyArray<Protocol.Target.TargetInfo> {
    // one that is attached anew has two sessions for a moment
    const known = new Map([...this.all().map(targetInfo), ...this.below.values()].map((info) => [info.targetId, info]))
    return [...known.values()].filter((info) => {
      const entry = filter.find(({ type }) => type === undefined || type === info.type)
      return entry !== undefined && entry.exclude !== true
    })
  }

  private ended(sessionId: CdpSessionId): void {
    this.sessions.delete(sessionId)
    this.below.delete(sessionId)
  }

  /** Follows the sessions below a view by its events. */
  observe(entry: ViewEntry, method: string, params: unknown): void {
    switch (method) {
      case "Target.attachedToTarget": {
        const { sessionId, targetInfo } = params as Protocol.Target.AttachedToTargetEvent
        const id = sessionId as CdpSessionId
        this.sessions.set(id, { entry, inner: id })
        this.below.set(id, { ...targetInfo, browserContextId: contextOf(entry.taskId) })
        return
      }
      case "Target.targetInfoChanged": {
        const { targetInfo } = params as Protocol.Target.TargetInfoChangedEvent
        for (const [id, info] of this.below) {
          if (info.targetId === targetInfo.targetId) this.below.set(id, { ...info, ...targetInfo })
        }
        return
      }
      case "Target.detachedFromTarget":
        this.ended((params as { readonly sessionId: CdpSessionId }).sessionId)
    }
  }
}

/** A page as the protocol describes it. */
export const targetInfo = (entry: ViewEntry): Protocol.Target.TargetInfo => ({
  targetId: entry.targetId,
  type: "page",
  title: entry.title,
  url: entry.url,
  attached: true,
  canAccessOpener: entry.canAccessOpener,
  browserContextId: contextOf(entry.taskId),
  ...(entry.openerId === undefined ? {} : { openerId: entry.openerId })
})
