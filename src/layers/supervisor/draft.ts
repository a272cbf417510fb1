/** The state under change during one transition, and the commands that the change asks for. */
import type { CdpSessionId, FrameId, TabId } from "../../schemas/ids.ts"
import type { SupervisedFrame, SupervisedSession, SupervisedTab, SupervisorState } from "../../schemas/supervisor.ts"
import type { SupervisorCommand } from "../../schemas/supervisorCommand.ts"

/** States themselves are never changed; `state` is replaced. */
export interface Draft {
  state: SupervisorState
  readonly commands: Array<SupervisorCommand>
}

export const patch = (draft: Draft, change: Partial<SupervisorState>): void => {
  draft.state = { ...draft.state, ...change }
}

export const log = (draft: Draft, level: "info" | "warning", message: string): void => {
  draft.commands.push({ _tag: "Log", level, message })
}

/** A copy of `map` with `key` set; the place of a key that is there stays. */
export const withKey = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => {
  const copy = new Map(map)
  copy.set(key, value)
  return copy
}

export const withoutKeys = <K, V>(map: ReadonlyMap<K, V>, keys: Iterable<K>): ReadonlyMap<K, V> => {
  const copy = new Map(map)
  for (const key of keys) copy.delete(key)
  return copy
}

/** `items` with `item` at the end and at most `limit` of the latest. */
export const ring = <A>(items: ReadonlyArray<A>, item: A, limit: number): ReadonlyArray<A> => {
  const kept = items.length < limit ? items.slice() : items.slice(items.length - limit + 1)
  kept.push(item)
  return kept
}

export const setSession = (draft: Draft, session: SupervisedSession): void =>
  patch(draft, { sessions: withKey(draft.state.sessions, session.id, session) })

export const setTab = (draft: Draft, tab: SupervisedTab): void =>
  patch(draft, { tabs: withKey(draft.state.tabs, tab.id, tab) })

export const setFrame = (draft: Draft, tabId: TabId, frame: SupervisedFrame): void => {
  const tab = draft.state.tabs.get(tabId)
  if (tab !== undefined) setTab(draft, { ...tab, frames: withKey(tab.frames, frame.id, frame) })
}

/** The session whose process runs a frame; the tab's root session for frames that nobody told of. */
export const sessionOfFrame = (
  state: SupervisorState,
  tabId: TabId,
  frameId: FrameId | undefined
): CdpSessionId | undefined => {
  const tab = state.tabs.get(tabId)
  const frame = frameId === undefined ? undefined : tab?.frames.get(frameId)
  return frame?.sessionId ?? tab?.rootSession
}
