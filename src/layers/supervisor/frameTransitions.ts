/**
 * Frames of every process of a tab, joined into one tree.
 *
 * A frame's id survives its moves between processes. Each process tells of its own frames only: a session that shows
 * the parent of an out-of-process frame says "detached (swap)" or nothing, and the frame's own session goes on. After a
 * new document nobody tells of the frames that the old one had, so they are dropped here.
 */
import type { FrameId, TabId } from "../../schemas/ids.ts"
import type { SupervisedFrame, SupervisedSession, SupervisedTab } from "../../schemas/supervisor.ts"
import type { ReportedFrame, SupervisorEventOf } from "../../schemas/supervisorEvent.ts"
import { give } from "./answering.ts"
import { dialogsOfNewDocument, suspectsTried } from "./dialogEndings.ts"
import { cancelWatchdog } from "./dialogFiling.ts"
import { type Draft, setFrame, setSession, setTab } from "./draft.ts"
import { descendantsOf, dropBelow, dropFrames, originOf, ownSession, soundParent, tabOf } from "./frameDropping.ts"
import { isBlocked, wantTree } from "./treeReading.ts"

export const frameAttached = (draft: Draft, event: SupervisorEventOf<"FrameAttached">): void => {
  const found = tabOf(draft, event.sessionId)
  if (found === undefined || event.frameId === found.tab.topFrame) return
  const { tab } = found
  const known = tab.frames.get(event.frameId)
  const parentId = soundParent(tab.frames, event.frameId, event.parentFrameId) ?? known?.parentId
  // its own process goes on telling of it: this event came late
  if (known !== undefined && ownSession(draft, tab, event.frameId) !== undefined) {
    setFrame(draft, tab.id, { ...known, parentId })
    return
  }
  setFrame(draft, tab.id, {
    id: event.frameId,
    parentId,
    url: known?.url ?? "",
    origin: known?.origin ?? "",
    name: known?.name,
    sessionId: event.sessionId,
    oopif: false
  })
}

/** True if the frame is the root of what the session tells of. */
const isLocalRoot = (session: SupervisedSession, tab: SupervisedTab, frame: ReportedFrame): boolean =>
  session.type === "iframe"
    ? tab.frames.get(frame.id)?.sessionId === session.id && tab.frames.get(frame.id)?.oopif === true
    : frame.parentId === undefined

const adopt = (draft: Draft, session: SupervisedSession, tabId: TabId, frame: ReportedFrame): void => {
  const tab = draft.state.tabs.get(tabId)
  if (tab === undefined) return
  const own = ownSession(draft, tab, frame.id)
  if (own !== undefined && own !== session.id) return
  if (session.type !== "page" && frame.id === tab.topFrame) return
  const known = tab.frames.get(frame.id)
  const isTop = session.type === "page" && frame.parentId === undefined
  setFrame(draft, tabId, {
    id: frame.id,
    parentId: isTop ? undefined : (soundParent(tab.frames, frame.id, frame.parentId) ?? known?.parentId),
    url: frame.url,
    origin: frame.origin,
    name: frame.name ?? known?.name,
    sessionId: session.id,
    oopif: own === session.id
  })
  if (isTop) setTop(draft, tabId, frame)
}

const setTop = (draft: Draft, tabId: TabId, frame: ReportedFrame): void => {
  const tab = draft.state.tabs.get(tabId)
  if (tab !== undefined) setTab(draft, { ...tab, topFrame: frame.id, url: frame.url })
}

/**
 * A new document. Of the old one's frames nobody tells, so they go. Only a document that is restored brings frames along:
 * those of other processes are attached before it is told of (and the old ones' sessions have ended by then), those of
 * its own process are told of by reading alone (measured: Chromium 156).
 */
export const frameNavigated = (draft: Draft, event: SupervisorEventOf<"FrameNavigated">): void => {
  const found = tabOf(draft, event.sessionId)
  if (found === undefined) return
  const { session, tab } = found
  const { frame, at } = event
  const own = ownSession(draft, tab, frame.id)
  if (own !== undefined && own !== session.id) return
  const isTop = session.type === "page" && frame.parentId === undefined
  if (isTop) {
    const others = [...tab.frames.values()].filter((other) => other.id !== frame.id)
    const isKept = (other: SupervisedFrame): boolean =>
      event.restored && other.sessionId !== undefined && other.sessionId !== session.id
    dropFrames(draft, at, tab.id, new Set(others.filter((other) => !isKept(other)).map(({ id }) => id)))
  } else dropBelow(draft, at, tab.id, frame.id)
  adopt(draft, session, tab.id, frame)
  const known = draft.state.tabs.get(tab.id)?.frames
  dialogsOfNewDocument(draft, at, (dialog) =>
    dialog.tabId !== tab.id
      ? false
      : dialog.frameId === frame.id || (isTop && (dialog.frameId === undefined || known?.has(dialog.frameId) !== true))
  )
  if (isLocalRoot(session, draft.state.tabs.get(tab.id) ?? tab, frame)) wantTree(draft, session.id)
  else if (draft.state.dialogs.some((dialog) => dialog.suspect && dialog.frameId === frame.id)) {
    wantTree(draft, session.id)
  }
}

/**
 * Dialogs that wait at the gate in a document that is being left, or inside it, are dismissed, as the browser closes
 * native ones. Most often it has let the page go on already; then the answer is refused, and that files the dialog.
 */
export const frameLeaving = (draft: Draft, event: SupervisorEventOf<"FrameLeaving">): void => {
  const found = tabOf(draft, event.sessionId)
  if (found === undefined) return
  const { tab } = found
  const left = descendantsOf(tab.frames, event.frameId).add(event.frameId)
  for (const dialog of draft.state.dialogs) {
    const isLeft = dialog.tabId === tab.id && (dialog.frameId === undefined || left.has(dialog.frameId))
    if (!isLeft || dialog.way._tag !== "Gate" || dialog.phase._tag !== "Open") continue
    cancelWatchdog(draft, dialog)
    give(draft, dialog, { by: "remote", accept: false })
  }
}

export const frameNavigatedWithinDocument = (
  draft: Draft,
  event: SupervisorEventOf<"FrameNavigatedWithinDocument">
): void => {
  const found = tabOf(draft, event.sessionId)
  const frame = found?.tab.frames.get(event.frameId)
  if (found === undefined || frame?.sessionId !== event.sessionId) return
  setFrame(draft, found.tab.id, { ...frame, url: event.url })
  const tab = draft.state.tabs.get(found.tab.id)
  if (tab?.topFrame === event.frameId) setTab(draft, { ...tab, url: event.url })
}

export const frameDetached = (draft: Draft, event: SupervisorEventOf<"FrameDetached">): void => {
  const found = tabOf(draft, event.sessionId)
  if (found === undefined || event.reason === "swap" || event.frameId === found.tab.topFrame) return
  const gone = descendantsOf(found.tab.frames, event.frameId)
  gone.add(event.frameId)
  dropFrames(draft, event.at, found.tab.id, gone)
}

export const targetInfoChanged = (draft: Draft, event: SupervisorEventOf<"TargetInfoChanged">): void => {
  for (const session of draft.state.sessions.values()) {
    if (session.targetId !== event.targetId) continue
    const tab = draft.state.tabs.get(session.tabId)
    if (tab === undefined) continue
    if (session.type === "page") setTab(draft, { ...tab, title: event.title })
    if (session.type !== "iframe" || event.url === "") continue
    const frame = [...tab.frames.values()].find((each) => each.oopif && each.sessionId === session.id)
    if (frame === undefined || frame.url === event.url) continue
    setFrame(draft, tab.id, { ...frame, url: event.url, origin: originOf(event.url) })
  }
}

export const frameTreeRead = (draft: Draft, event: SupervisorEventOf<"FrameTreeRead">): void => {
  const found = tabOf(draft, event.sessionId)
  if (found === undefined || found.session.tree.read !== event.read || found.session.tree.state !== "asked") return
  const { session, tab } = found
  setSession(draft, { ...session, tree: { ...session.tree, state: "idle" } })
  // something happened since it was asked for: the next reading counts
  if (session.tree.wanted) return
  const listed = new Set(event.frames.map((frame) => frame.id))
  const gone = new Set<FrameId>()
  for (const frame of tab.frames.values()) {
    if (frame.sessionId !== session.id || listed.has(frame.id) || (frame.oopif && session.type === "iframe")) continue
    gone.add(frame.id)
    for (const below of descendantsOf(tab.frames, frame.id)) gone.add(below)
  }
  dropFrames(draft, event.at, tab.id, gone)
  for (const frame of event.frames) adopt(draft, session, tab.id, frame)
  suspectsTried(draft, event.at, session.id, true)
}

export const frameTreeUnread = (draft: Draft, event: SupervisorEventOf<"FrameTreeUnread">): void => {
  const session = draft.state.sessions.get(event.sessionId)
  if (session === undefined || session.tree.read !== event.read || session.tree.state !== "asked") return
  setSession(draft, { ...session, tree: { ...session.tree, state: "idle" } })
  // it says nothing of what happened since it was asked for
  if (session.tree.wanted) return
  // a dialog that is surely open explains the silence; without one, a suspect does
  if (isBlocked(draft.state, session.id)) wantTree(draft, session.id)
  else suspectsTried(draft, event.at, session.id, false)
}
