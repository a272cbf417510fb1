/**
 * Which sessions can still answer.
 *
 * A browser never rejects what it will not answer: after a crash and after a detach the commands in flight hang for
 * ever (measured: Chromium 156, Electron 33). So the connection watches the events that tell, and fails them itself.
 */
import type { CdpSessionId } from "../../schemas/ids.ts"
import { CdpFailed } from "../../schemas/errors.ts"
import { type CdpRawEvent, sessionInParams } from "./CdpProtocol.ts"

interface Command {
  readonly method: string
  readonly sessionId: CdpSessionId | undefined
}

/** Answered by the browser process, so that a dead renderer does not matter; navigating also revives it. */
const ofTheBrowser: ReadonlySet<string> = new Set([
  "Page.navigate",
  "Page.reload",
  "Page.getNavigationHistory",
  "Page.navigateToHistoryEntry"
])
const survivesCrash = (method: string): boolean => ofTheBrowser.has(method) || method.startsWith("Target.")

/** What a crashed session is still asked: what survives, and what takes effect when a page is loaded again. */
const sentAfterCrash = (method: string): boolean =>
  survivesCrash(method) || method === "Page.enable" || method.startsWith("Browser.")

/** `kSessionNotFound` of Chromium, as it answers commands for a session that has been detached. */
const sessionClosed = ({ method }: Command) => new CdpFailed({ method, cdpCode: -32001, reason: "session closed" })

/** -32000, server error: what Chromium uses for everything that is not a fault of the message itself. */
const targetCrashed = ({ method }: Command) => new CdpFailed({ method, cdpCode: -32000, reason: "target crashed" })

/** The end of commands in flight: which ones, and what they fail with. */
export interface SessionEnd {
  readonly concerns: (command: Command) => boolean
  readonly error: (command: Command) => CdpFailed
}

export interface SessionFates {
  /** Takes note of an event; tells whether it is the end of commands in flight. */
  readonly observe: (event: CdpRawEvent) => SessionEnd | undefined
  /** Why a command must not be sent now; undefined: it may. */
  readonly refusal: (command: Command) => CdpFailed | undefined
}

export const makeSessionFates = (): SessionFates => {
  /** undefined stands for the target of the endpoint itself, as on a connection made straight to one page */
  const crashed = new Set<CdpSessionId | undefined>()
  const parents = new Map<CdpSessionId, CdpSessionId | undefined>()

  const withDescendants = (session: CdpSessionId): ReadonlySet<CdpSessionId | undefined> => {
    const family = new Set<CdpSessionId | undefined>([session])
    // Parents attach before their children, so one pass in order of insertion finds every generation.
    for (const [child, parent] of parents) {
      if (parent !== undefined && family.has(parent)) family.add(child)
    }
    return family
  }

  const onDetached = (session: CdpSessionId): SessionEnd => {
    const gone = withDescendants(session)
    for (const member of gone) {
      crashed.delete(member)
      if (member !== undefined) parents.delete(member)
    }
    return { concerns: ({ sessionId }) => gone.has(sessionId), error: sessionClosed }
  }

  return {
    observe: (event) => {
      switch (event.method) {
        case "Target.attachedToTarget": {
          const session = sessionInParams(event.params)
          if (session !== undefined) parents.set(session, event.sessionId)
          return undefined
        }
        case "Target.detachedFromTarget": {
          const session = sessionInParams(event.params)
          return session === undefined ? undefined : onDetached(session)
        }
        case "Inspector.targetCrashed": {
          crashed.add(event.sessionId)
          return {
            concerns: ({ sessionId, method }) => sessionId === event.sessionId && !survivesCrash(method),
            error: targetCrashed
          }
        }
        case "Inspector.targetReloadedAfterCrash": {
          crashed.delete(event.sessionId)
          return undefined
        }
        default:
          return undefined
      }
    },
    refusal: (command) =>
      crashed.size > 0 && crashed.has(command.sessionId) && !sentAfterCrash(command.method)
        ? targetCrashed(command)
        : undefined
  }
}
