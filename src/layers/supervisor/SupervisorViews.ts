/** What readers get from a supervisor's state: per tab, bounded, in the published shapes. */
import type { ConsoleEntry, NetworkEntry } from "../../schemas/diagnostics.ts"
import type { Dialog, DialogRecord } from "../../schemas/dialog.ts"
import type { FrameId, TabId } from "../../schemas/ids.ts"
import type { FrameNode, FrameTree } from "../../schemas/snapshot.ts"
import {
  type SupervisedFrame,
  type SupervisedTab,
  type SupervisorState,
  supervisorLimits
} from "../../schemas/supervisor.ts"
import { isPending } from "./chooseDialog.ts"
import { publicDialog } from "./dialogFiling.ts"

/** Dialogs that wait for someone, oldest first; one whose answer is on its way is not among them. */
export const pendingDialogs = (state: SupervisorState, tabId?: TabId): ReadonlyArray<Dialog> =>
  state.dialogs
    .filter((dialog) => isPending(dialog) && (tabId === undefined || dialog.tabId === tabId))
    .map(publicDialog)

/** False while a dialog keeps the tab's pages from answering; one that waits at the gate does not. */
export const isReadable = (state: SupervisorState, tabId: TabId): boolean =>
  state.dialogs.every(
    (dialog) => dialog.tabId !== tabId || dialog.way._tag === "Gate" || dialog.phase._tag === "Settling"
  )

/** The latest 20 dialogs that were closed, oldest first. */
export const recentDialogs = (state: SupervisorState, tabId?: TabId): ReadonlyArray<DialogRecord> =>
  tabId === undefined ? state.recent : state.recent.filter((record) => record.tab_id === tabId)

/** The latest 200 console lines of a tab, oldest first. */
export const consoleOf = (state: SupervisorState, tabId: TabId): ReadonlyArray<ConsoleEntry> =>
  state.tabs.get(tabId)?.console ?? []

/** The last 50 console lines of a tab that tell of trouble, oldest first. */
export const troubleOf = (state: SupervisorState, tabId: TabId): ReadonlyArray<ConsoleEntry> =>
  consoleOf(state, tabId)
    .filter(({ level }) => level === "warning" || level === "error" || level === "exception")
    .slice(-supervisorLimits.consoleShown)

/** The latest 200 requests of a tab, oldest first. */
export const networkOf = (state: SupervisorState, tabId: TabId): ReadonlyArray<NetworkEntry> =>
  (state.tabs.get(tabId)?.network ?? []).map(({ entry }) => entry)

/** A frame, wherever it is. */
export const frameOf = (
  state: SupervisorState,
  frameId: FrameId
): { readonly tabId: TabId; readonly frame: SupervisedFrame } | undefined => {
  for (const tab of state.tabs.values()) {
    const frame = tab.frames.get(frameId)
    if (frame !== undefined) return { tabId: tab.id, frame }
  }
  return undefined
}

const node = (frame: SupervisedFrame): FrameNode => ({
  frame_id: frame.id,
  url: frame.url,
  origin: frame.origin,
  is_oopif: frame.oopif,
  ...(frame.parentId === undefined ? {} : { parent_frame_id: frame.parentId }),
  ...(frame.name === undefined || frame.name === "" ? {} : { name: frame.name })
})

const build = (tab: SupervisedTab, whole: boolean): FrameTree => {
  const top = tab.topFrame === undefined ? undefined : tab.frames.get(tab.topFrame)
  const below = new Map<FrameId, Array<SupervisedFrame>>()
  // a frame whose parent is not known (yet) stands at the end rather than nowhere
  const apart: Array<SupervisedFrame> = []
  for (const frame of tab.frames.values()) {
    if (frame === top) continue
    if (frame.parentId === undefined || !tab.frames.has(frame.parentId)) apart.push(frame)
    else {
      const siblings = below.get(frame.parentId)
      if (siblings === undefined) below.set(frame.parentId, [frame])
      else siblings.push(frame)
    }
  }
  const children: Array<FrameNode> = []
  let truncated = false
  const queue = [...(top === undefined ? [] : (below.get(top.id) ?? [])), ...apart].map((frame) => ({
    frame,
    depth: frame.oopif ? 1 : 0
  }))
  for (let index = 0; index < queue.length; index++) {
    const entry = queue[index]
    if (entry === undefined) continue
    const { frame, depth } = entry
    if (!whole && (depth > supervisorLimits.oopifDepth || children.length === supervisorLimits.frameTree)) {
      truncated = true
      continue
    }
    children.push(node(frame))
    for (const child of below.get(frame.id) ?? []) queue.push({ frame: child, depth: depth + (child.oopif ? 1 : 0) })
  }
  return { top: top === undefined ? null : node(top), children, truncated }
}

const built = new WeakMap<SupervisedTab["frames"], { capped?: FrameTree; whole?: FrameTree }>()

/**
 * The frames of a tab: the top, then the others breadth-first. Without `whole` at most 30, and none that lies more than
 * two processes below the top; `truncated` tells whether any was left out.
 */
export const frameTree = (state: SupervisorState, tabId: TabId, options?: { readonly whole?: boolean }): FrameTree => {
  const tab = state.tabs.get(tabId)
  if (tab === undefined) return { top: null, children: [], truncated: false }
  const form = options?.whole === true ? "whole" : "capped"
  const known = built.get(tab.frames) ?? {}
  const tree = known[form] ?? build(tab, form === "whole")
  known[form] = tree
  built.set(tab.frames, known)
  return tree
}
