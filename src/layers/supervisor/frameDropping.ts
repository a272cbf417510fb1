/** Frames and sessions that go, with all that hangs on them; and the questions about frames that come before. */
import type { CdpSessionId, FrameId, TabId } from "../../schemas/ids.ts"
import type { SupervisedFrame, SupervisedSession, SupervisedTab } from "../../schemas/supervisor.ts"
import { dialogsLost, dialogsOfFramesGone } from "./dialogEndings.ts"
import { type Draft, patch, setTab, withoutKeys } from "./draft.ts"

type Frames = ReadonlyMap<FrameId, SupervisedFrame>

/** Origin of a URL as the browser writes it; "null" for one that has none. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "null")

const hasChild = (frames: Frames, id: FrameId): boolean => {
  for (const frame of frames.values()) if (frame.parentId === id) return true
  return false
}

export const descendantsOf = (frames: Frames, id: FrameId): Set<FrameId> => {
  if (!hasChild(frames, id)) return new Set()
  const children = new Map<FrameId, Array<FrameId>>()
  for (const frame of frames.values()) {
    if (frame.parentId === undefined) continue
    const siblings = children.get(frame.parentId)
    if (siblings === undefined) children.set(frame.parentId, [frame.id])
    else siblings.push(frame.id)
  }
  const found = new Set<FrameId>()
  const queue = [...(children.get(id) ?? [])]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === id || found.has(next)) continue
    found.add(next)
    queue.push(...(children.get(next) ?? []))
  }
  return found
}

/** The parent, unless that would close a circle. */
export const soundParent = (frames: Frames, id: FrameId, parentId: FrameId | undefined): FrameId | undefined => {
  for (let above = parentId; above !== undefined; above = frames.get(above)?.parentId) {
    if (above === id) return undefined
  }
  return parentId
}

/** The session of an out-of-process frame, while it lives. */
export const ownSession = (draft: Draft, tab: SupervisedTab, id: FrameId): CdpSessionId | undefined => {
  const frame = tab.frames.get(id)
  return frame?.oopif && frame.sessionId !== undefined && draft.state.sessions.has(frame.sessionId)
    ? frame.sessionId
    : undefined
}

/** Sessions that were attached through one of these; the browser does not tell of their end. */
export const withNested = (draft: Draft, sessions: Iterable<CdpSessionId>): Set<CdpSessionId> => {
  const found = new Set(sessions)
  for (let grown = true; grown; ) {
    grown = false
    for (const session of draft.state.sessions.values()) {
      if (session.parentId !== undefined && found.has(session.parentId) && !found.has(session.id)) {
        found.add(session.id)
        grown = true
      }
    }
  }
  return found
}

export const dropSessions = (draft: Draft, at: number, gone: ReadonlySet<CdpSessionId>): void => {
  if (gone.size === 0) return
  patch(draft, { sessions: withoutKeys(draft.state.sessions, gone) })
  dialogsLost(draft, at, (dialog) => gone.has(dialog.sessionId))
}

/** Takes frames out of a tab, with their sessions and dialogs. */
export const dropFrames = (draft: Draft, at: number, tabId: TabId, gone: ReadonlySet<FrameId>): void => {
  const tab = draft.state.tabs.get(tabId)
  if (tab === undefined || gone.size === 0) return
  const own = [...gone].flatMap((id) => ownSession(draft, tab, id) ?? [])
  dialogsOfFramesGone(draft, at, gone)
  setTab(draft, { ...tab, frames: withoutKeys(tab.frames, gone) })
  dropSessions(draft, at, withNested(draft, own))
}

export const dropBelow = (draft: Draft, at: number, tabId: TabId, id: FrameId): void => {
  const tab = draft.state.tabs.get(tabId)
  if (tab !== undefined) dropFrames(draft, at, tabId, descendantsOf(tab.frames, id))
}

export const tabOf = (
  draft: Draft,
  sessionId: CdpSessionId
): { session: SupervisedSession; tab: SupervisedTab } | undefined => {
  const session = draft.state.sessions.get(sessionId)
  const tab = session === undefined ? undefined : draft.state.tabs.get(session.tabId)
  return session === undefined || tab === undefined ? undefined : { session, tab }
}
