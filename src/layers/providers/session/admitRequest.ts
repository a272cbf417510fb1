/** Lets the request of a document through, or stops it before anything is sent. */
import type { Protocol } from "devtools-protocol"
import { Effect } from "effect"
import type { CdpSessionId } from "../../../schemas/ids.ts"
import type { Tab } from "../../page/Tab.ts"

/**
 * Answers a paused document request, by the rules of the tab. One that is stopped leaves its frame with the document
 * that it had. Never fails.
 */
export const admitRequest = (
  tab: Tab,
  sessionId: CdpSessionId,
  { requestId, request, frameId }: Protocol.Fetch.RequestPausedEvent
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const verdict = tab.admission.document(request.url)
    if (verdict.admitted) return tab.connection.command("Fetch.continueRequest", { requestId }, { sessionId })
    if (frameId === tab.model.mainFrameId) tab.model.refused(verdict.url, verdict.reason)
    return tab.connection.command("Fetch.failRequest", { requestId, errorReason: "Aborted" }, { sessionId })
  }).pipe(Effect.ignore)

/**
 * The first request of a popup may have been stopped before its events reached us, by whoever opened it for us; then the
 * error page in its place is the only sign of that.
 */
export const noteStopped = ({ admission, model }: Tab, { id, unreachableUrl = "" }: Protocol.Page.Frame): void => {
  if (unreachableUrl === "" || id !== model.mainFrameId || model.lastRefusal?.url === unreachableUrl) return
  const verdict = admission.document(unreachableUrl)
  if (!verdict.admitted) model.refused(verdict.url, verdict.reason)
}
