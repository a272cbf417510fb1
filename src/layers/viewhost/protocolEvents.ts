/** What a view host tells, as the events of a browser; the directory is kept up with it. */
import type { CdpSessionId, TargetId } from "../../schemas/ids.ts"
import type { HostEvent } from "../../schemas/HostProtocol.ts"
import { targetInfo, type ViewDirectory, type ViewEntry } from "./ViewDirectory.ts"

export interface ProtocolEvent {
  readonly method: string
  readonly params: unknown
  /** undefined: of the browser itself */
  readonly sessionId?: CdpSessionId
}

/** A page is there, and is joined already. */
export const attachedEvent = (entry: ViewEntry): ProtocolEvent => ({
  method: "Target.attachedToTarget",
  params: { sessionId: entry.sessionId, targetInfo: targetInfo(entry), waitingForDebugger: false }
})

const opened = (directory: ViewDirectory, event: HostEvent & { readonly event: "viewOpened" }): ProtocolEvent => {
  const opener = directory.view(event.openerId)
  const entry = directory.add(
    {
      viewId: event.viewId,
      targetId: event.targetId as TargetId,
      taskId: event.taskId,
      openerId: opener?.targetId,
      canAccessOpener: event.hasOpener,
      background: opener?.background ?? false
    },
    event.url
  )
  return attachedEvent(entry)
}

/** The events of a browser for one of a host. Those of views that are not known (any more) are left out. */
export const protocolEvents = (directory: ViewDirectory, event: HostEvent): ReadonlyArray<ProtocolEvent> => {
  switch (event.event) {
    case "cdp": {
      const entry = directory.view(event.viewId)
      if (entry === undefined) return []
      const { method, params = {}, sessionId } = event
      directory.observe(entry, method, params)
      return [{ method, params, sessionId: sessionId === undefined ? entry.sessionId : (sessionId as CdpSessionId) }]
    }
    case "viewOpened":
      return [opened(directory, event)]
    case "viewClosed": {
      const entry = directory.remove(event.viewId)
      if (entry === undefined) return []
      const { sessionId, targetId } = entry
      return [
        { method: "Target.detachedFromTarget", params: { sessionId, targetId } },
        { method: "Target.targetDestroyed", params: { targetId } }
      ]
    }
    case "viewChanged": {
      const entry = directory.view(event.viewId)
      if (entry === undefined) return []
      entry.url = event.url
      entry.title = event.title
      return [{ method: "Target.targetInfoChanged", params: { targetInfo: targetInfo(entry) } }]
    }
    case "downloadBegan": {
      const entry = directory.view(event.viewId)
      if (entry === undefined) return []
      entry.downloads++
      // a page's main frame has the id of its target
      const { guid, suggestedName: suggestedFilename, url } = event
      return [
        { method: "Browser.downloadWillBegin", params: { frameId: entry.targetId, guid, url, suggestedFilename } }
      ]
    }
    case "downloadProgress": {
      const { guid, received: receivedBytes, state, total: totalBytes } = event
      return [{ method: "Browser.downloadProgress", params: { guid, totalBytes, receivedBytes, state } }]
    }
    case "ending":
    case "visibleTask":
    case "person":
    case "dialogAnswered":
      return []
  }
}
