/**
 * The workers of a session's tabs: set up before their first script, so that nothing they say is missed, and reached by
 * raw commands under the ids of their targets.
 */
import type { Protocol } from "devtools-protocol"
import type { Effect } from "effect"
import type { CdpSessionId, TargetId } from "../../../schemas/ids.ts"
import type { SupervisedType } from "../../../schemas/supervisor.ts"
import type { Page } from "../../page/Page.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import { setUpWorker } from "./setUp.ts"

export interface Worker {
  readonly sessionId: CdpSessionId
  readonly targetId: TargetId
  readonly page: Page
  /** session through which it was attached; absent: the browser's */
  readonly parent: CdpSessionId | undefined
}

export interface Workers {
  /** Takes a worker over for a page and starts it; false if the target is no worker. */
  readonly attached: (
    page: Page,
    parent: CdpSessionId | undefined,
    event: Protocol.Target.AttachedToTargetEvent
  ) => boolean
  readonly ofSession: (sessionId: CdpSessionId) => Worker | undefined
  readonly ofTarget: (targetId: string) => Worker | undefined
  /** The session is gone, and those below it. */
  readonly ended: (sessionId: CdpSessionId) => void
  /** The page is gone. */
  readonly leave: (page: Page) => void
}

const isWorker = (type: string): type is Extract<SupervisedType, `${string}worker`> =>
  type === "worker" || type === "shared_worker" || type === "service_worker"

/** `react` runs what a worker needs; it lives as long as the session. */
export const makeWorkers = (supervisor: Supervisor, react: (effect: Effect.Effect<void>) => void): Workers => {
  const workers = new Map<CdpSessionId, Worker>()

  const ended = (sessionId: CdpSessionId): void => {
    for (const worker of [...workers.values()]) if (worker.parent === sessionId) ended(worker.sessionId)
    if (workers.delete(sessionId)) supervisor.detach(sessionId)
  }

  return {
    attached: (page, parent, { sessionId, targetInfo }) => {
      const { type } = targetInfo
      if (!isWorker(type)) return false
      const worker = {
        sessionId: sessionId as CdpSessionId,
        targetId: targetInfo.targetId as TargetId,
        page,
        parent
      }
      workers.set(worker.sessionId, worker)
      supervisor.attach({
        sessionId: worker.sessionId,
        targetId: worker.targetId,
        type,
        tabId: page.tab.id,
        url: targetInfo.url,
        ...(parent === undefined ? {} : { parentSessionId: parent })
      })
      react(setUpWorker(page.tab, worker.sessionId))
      return true
    },
    ofSession: (sessionId) => workers.get(sessionId),
    ofTarget: (targetId) => [...workers.values()].find((worker) => worker.targetId === targetId),
    ended,
    leave: (page) => {
      for (const worker of [...workers.values()]) if (worker.page === page) ended(worker.sessionId)
    }
  }
}
