/** What becomes of the events of a session's tabs, frames and workers. */
import type { Effect } from "effect"
import type { CdpSessionId, FrameId, TargetId } from "../../../schemas/ids.ts"
import type { CdpEvent } from "../../../services/CdpConnection.ts"
import { printBinding, titleBinding } from "../../page/Agent.ts"
import type { Page } from "../../page/Page.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import { admitRequest, noteStopped } from "./admitRequest.ts"
import { setUpFrame } from "./setUp.ts"
import type { Workers } from "./Workers.ts"

/** Why a download of an attached browser is not ours to keep. */
const notOurs = "what becomes of downloads is up to the owner of this browser; use browser_download"

/** A listener for all events of the connection; those of other sessions are passed over. */
export const tabEvents = (options: {
  /** the page of each session, its frames' included */
  readonly pages: Map<CdpSessionId, Page>
  readonly workers: Workers
  readonly supervisor: Supervisor
  /** runs what an event calls for, beside the reader */
  readonly react: (effect: Effect.Effect<void>) => unknown
  /** downloads are the owner's of the browser */
  readonly leavesDownloads: boolean
}): ((event: CdpEvent) => void) => {
  const { leavesDownloads, pages, react, supervisor, workers } = options

  const childAttached = (
    page: Page,
    parent: CdpSessionId,
    event: CdpEvent & { method: "Target.attachedToTarget" }
  ): void => {
    const { sessionId, targetInfo } = event.params
    if (workers.attached(page, parent, event.params) || targetInfo.type !== "iframe") return
    const child = sessionId as CdpSessionId
    const { tab } = page
    pages.set(child, page)
    tab.model.frameMoved(
      targetInfo.targetId as string as FrameId,
      child,
      targetInfo.parentFrameId as FrameId | undefined
    )
    supervisor.attach({
      sessionId: child,
      targetId: targetInfo.targetId as TargetId,
      type: "iframe",
      tabId: tab.id,
      parentSessionId: parent
    })
    react(setUpFrame(tab, child, supervisor.requests))
  }

  return (event) => {
    if (event.sessionId === undefined) return
    const worker = workers.ofSession(event.sessionId)
    if (worker !== undefined) {
      // what a worker does is not the page's doing: nobody waits for it
      if (event.method === "Target.attachedToTarget") workers.attached(worker.page, event.sessionId, event.params)
      else if (event.method === "Target.detachedFromTarget") workers.ended(event.params.sessionId as CdpSessionId)
      return
    }
    const page = pages.get(event.sessionId)
    if (page === undefined) return
    switch (event.method) {
      case "Target.attachedToTarget":
        childAttached(page, event.sessionId, event)
        return
      case "Runtime.bindingCalled":
        if (event.params.name === titleBinding && event.sessionId === page.tab.sessionId) {
          page.tab.setTitle(event.params.payload, true)
        } else if (event.params.name === printBinding) page.tab.model.prints()
        return
      case "Target.detachedFromTarget": {
        const gone = event.params.sessionId as CdpSessionId
        workers.ended(gone)
        if (!pages.delete(gone)) return
        page.tab.model.sessionEnded(gone)
        supervisor.detach(gone)
        return
      }
      case "Page.downloadWillBegin":
        // elsewhere the browser itself tells of it
        if (leavesDownloads) {
          const { suggestedFilename, url } = event.params
          page.tab.model.download({ url, suggestedName: suggestedFilename, state: "refused", reason: notOurs })
        }
        return
      case "Fetch.requestPaused":
        if (!supervisor.takes(event.params)) react(admitRequest(page.tab, event.sessionId, event.params))
        return
      case "Page.frameNavigated":
        noteStopped(page.tab, event.params.frame)
        page.apply(event)
        return
      default:
        page.apply(event)
    }
  }
}
