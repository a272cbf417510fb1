/**
 * When a session's frame tree is read: one reading at a time, never while a dialog blocks the session (the browser
 * would not answer), and again if something happened meanwhile that makes the reading old.
 */
import type { CdpSessionId, FrameId, TabId } from "../../schemas/ids.ts"
import type { SupervisorState } from "../../schemas/supervisor.ts"
import { type Draft, sessionOfFrame, setSession } from "./draft.ts"

/** True while a dialog keeps the session's page from answering. A page paused at the gate answers. */
export const isBlocked = (state: SupervisorState, sessionId: CdpSessionId): boolean =>
  state.dialogs.some(
    (dialog) =>
      dialog.way._tag !== "Gate" &&
      dialog.phase._tag !== "Settling" &&
      !dialog.suspect &&
      sessionOfFrame(state, dialog.tabId, dialog.frameId) === sessionId
  )

/** Asks for a reading that begins after this moment. */
export const wantTree = (draft: Draft, sessionId: CdpSessionId | undefined): void => {
  const session = sessionId === undefined ? undefined : draft.state.sessions.get(sessionId)
  if (session === undefined || (session.type !== "page" && session.type !== "iframe")) return
  setSession(draft, { ...session, tree: { ...session.tree, wanted: true } })
}

/** Asks whether the page of a frame answers. */
export const probeFrame = (draft: Draft, tabId: TabId, frameId: FrameId | undefined): void =>
  wantTree(draft, sessionOfFrame(draft.state, tabId, frameId))

/** Begins the readings that are wanted and possible. */
export const readTrees = (draft: Draft): void => {
  for (const session of draft.state.sessions.values()) {
    const { wanted, state, read } = session.tree
    if (!wanted || state === "asked" || isBlocked(draft.state, session.id)) continue
    setSession(draft, { ...session, tree: { read: read + 1, state: "asked", wanted: false } })
    draft.commands.push({ _tag: "ReadFrameTree", sessionId: session.id, read: read + 1 })
  }
}
