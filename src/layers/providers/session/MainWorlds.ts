/**
 * The main worlds of frames: the execution contexts in which the scripts of a page run. Learnt from the events of the
 * Runtime domain, read without waiting.
 */
import { Effect, type Scope } from "effect"
import type { CdpSessionId, FrameId } from "../../../schemas/ids.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"

export interface MainWorlds {
  /** Unique id of the context of the document that the frame shows, in that session; undefined: it has none now. */
  readonly of: (frame: FrameId, sessionId: CdpSessionId) => string | undefined
}

/** Follows the contexts of the sessions that `ours` says yes to, until the scope closes. */
export const makeMainWorlds = (
  connection: CdpConnection["Service"],
  ours: (sessionId: CdpSessionId) => boolean
): Effect.Effect<MainWorlds, never, Scope.Scope> => {
  const sessions = new Map<CdpSessionId, Map<FrameId, string>>()
  const worlds: MainWorlds = { of: (frame, sessionId) => sessions.get(sessionId)?.get(frame) }
  const listening = connection.listen("all", (event) => {
    const { sessionId } = event
    switch (event.method) {
      case "Runtime.executionContextCreated": {
        const { auxData, uniqueId } = event.params.context
        // the context of a worker belongs to no frame
        if (sessionId === undefined || auxData?.["isDefault"] !== true || !ours(sessionId)) return
        const contexts = sessions.get(sessionId) ?? new Map<FrameId, string>()
        sessions.set(sessionId, contexts.set(auxData["frameId"] as FrameId, uniqueId))
        return
      }
      case "Runtime.executionContextDestroyed": {
        const contexts = sessionId === undefined ? undefined : sessions.get(sessionId)
        for (const [frame, uniqueId] of contexts ?? []) {
          // the document that came after it may be known already
          if (uniqueId === event.params.executionContextUniqueId) contexts?.delete(frame)
        }
        return
      }
      case "Runtime.executionContextsCleared":
        if (sessionId !== undefined) sessions.delete(sessionId)
        return
      case "Target.detachedFromTarget":
        sessions.delete(event.params.sessionId as CdpSessionId)
        return
    }
  })
  return Effect.as(listening, worlds)
}
