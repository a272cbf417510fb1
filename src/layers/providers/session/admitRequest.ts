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
