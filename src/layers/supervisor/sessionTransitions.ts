/** Sessions: attached, replaced, ended, crashed; and the out-of-process frames that they bring. */
import { type CdpSessionId, FrameId } from "../../schemas/ids.ts"
import type { SupervisedDialog, SupervisedSession, SupervisedTab } from "../../schemas/supervisor.ts"
import type { SupervisorEventOf } from "../../schemas/supervisorEvent.ts"
import { dialogsLost, dialogsOfNewDocument } from "./dialogEndings.ts"
import { type Draft, patch, sessionOfFrame, setFrame, setSession, setTab, withoutKeys } from "./draft.ts"
import { dropBelow, dropFrames, dropSessions, originOf, soundParent, tabOf, withNested } from "./frameDropping.ts"
import { wantTree } from "./treeReading.ts"

export const sessionAttached = (draft: Draft, event: SupervisorEventOf<"SessionAttached">): void => {
  if (draft.state.sessions.has(event.sessionId)) return
  for (const old of draft.state.sessions.values()) {
    // a target has one session: a new one takes the place of the old one
    if (old.targetId === event.targetId) endSession(draft, event.at, old)
  }
  setSession(draft, {
    id: event.sessionId,
    targetId: event.targetId,
    type: event.type,
    tabId: event.tabId,
    parentId: event.parentSessionId,
    opener: event.opener,
    tree: { read: 0, state: "idle", wanted: false }
  })
  const tab: SupervisedTab = draft.state.tabs.get(event.tabId) ?? {
    id: event.tabId,
    rootSession: undefined,
    topFrame: undefined,
    url: "",
    title: "",
    frames: new Map(),
    console: [],
    network: []
  }
  if (event.type === "page") {
    setTab(draft, {
      ...tab,
      rootSession: event.sessionId,
      topFrame: undefined,
      url: event.url ?? tab.url,
      title: event.title ?? tab.title,
      frames: new Map()
    })
  } else {
    setTab(draft, tab)
    if (event.type === "iframe") placeOopif(draft, tab, event)
  }
  draft.commands.push({
    _tag: "SetUpSession",
    sessionId: event.sessionId,
    targetId: event.targetId,
    type: event.type,
    tabId: event.tabId,
    waitingForDebugger: event.waitingForDebugger
  })
  wantTree(draft, event.sessionId)
}

const placeOopif = (draft: Draft, tab: SupervisedTab, event: SupervisorEventOf<"SessionAttached">): void => {
  const id = event.frameId ?? FrameId.make(event.targetId)
  const known = tab.frames.get(id)
  // what the frame had in its parent's process belongs to a document that is gone
  dropBelow(draft, event.at, tab.id, id)
  dialogsOfNewDocument(draft, event.at, (dialog) => dialog.tabId === tab.id && dialog.frameId === id)
  const frames = draft.state.tabs.get(tab.id)?.frames ?? tab.frames
  const url = event.url === undefined || event.url === "" ? known?.url : event.url
  setFrame(draft, tab.id, {
    id,
    parentId: soundParent(frames, id, event.parentFrameId) ?? known?.parentId,
    url: url ?? "",
    origin: url === undefined ? "" : url === known?.url ? known.origin : originOf(url),
    name: known?.name ?? (event.title || undefined),
    sessionId: event.sessionId,
    oopif: true
  })
}

/** The end of a child session: its frame may go on in its parent's process, which is asked; what was below it is gone. */
const endSession = (draft: Draft, at: number, session: SupervisedSession): void => {
  const found = draft.state.tabs.get(session.tabId)
  const frame = [...(found?.frames.values() ?? [])].find((each) => each.oopif && each.sessionId === session.id)
  if (frame !== undefined) {
    dropBelow(draft, at, session.tabId, frame.id)
    setFrame(draft, session.tabId, { ...frame, sessionId: undefined })
  }
  dropSessions(draft, at, withNested(draft, [session.id]))
  if (frame?.parentId !== undefined) wantTree(draft, sessionOfFrame(draft.state, session.tabId, frame.parentId))
}

export const sessionDetached = (draft: Draft, event: SupervisorEventOf<"SessionDetached">): void => {
  const session = draft.state.sessions.get(event.sessionId)
  if (session === undefined) return
  if (draft.state.tabs.get(session.tabId)?.rootSession !== session.id) {
    endSession(draft, event.at, session)
    return
  }
  const gone = new Set<CdpSessionId>()
  for (const other of draft.state.sessions.values()) if (other.tabId === session.tabId) gone.add(other.id)
  dropSessions(draft, event.at, gone)
  patch(draft, { tabs: withoutKeys(draft.state.tabs, [session.tabId]) })
}

/** What a dead process showed is gone: its frames but the root, which may be loaded again, and its dialogs. */
export const sessionCrashed = (draft: Draft, event: SupervisorEventOf<"SessionCrashed">): void => {
  const found = tabOf(draft, event.sessionId)
  if (found === undefined) return
  const { session, tab } = found
  const isOf = (dialog: SupervisedDialog): boolean =>
    sessionOfFrame(draft.state, dialog.tabId, dialog.frameId) === session.id
  dialogsLost(draft, event.at, (dialog) => dialog.tabId === tab.id && isOf(dialog))
  const root = [...tab.frames.values()].find((frame) => frame.oopif && frame.sessionId === session.id)
  if (session.type === "page") {
    dropFrames(draft, event.at, tab.id, new Set([...tab.frames.keys()].filter((id) => id !== tab.topFrame)))
  } else if (root !== undefined) dropBelow(draft, event.at, tab.id, root.id)
}
