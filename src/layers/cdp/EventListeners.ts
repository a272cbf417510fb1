/**
 * Who is called for which events. Plain data structure; a listener added while an event is being handed out gets the
 * next one, a listener removed meanwhile is not called any more.
 */
import type { CdpSessionId } from "../../schemas/ids.ts"

export interface EventListeners<Event> {
  /** Adds a listener and gives the function that removes it. */
  readonly add: (session: CdpSessionId | undefined | "all", listener: (event: Event) => void) => () => void
  /** Calls those of the session, then those of all sessions, each in the order in which they were added. */
  readonly dispatch: (session: CdpSessionId | undefined, event: Event) => void
}

interface Entry<Event> {
  readonly listener: (event: Event) => void
  active: boolean
}

export const makeEventListeners = <Event>(onThrow: (event: Event, thrown: unknown) => void): EventListeners<Event> => {
  // Lists are replaced, never changed: a dispatch under way keeps the list it began with.
  const bySession = new Map<CdpSessionId | undefined | "all", ReadonlyArray<Entry<Event>>>()

  const call = (entries: ReadonlyArray<Entry<Event>> | undefined, event: Event) => {
    if (entries === undefined) return
    for (const entry of entries) {
      if (!entry.active) continue
      try {
        entry.listener(event)
      } catch (thrown) {
        onThrow(event, thrown)
      }
    }
  }

  return {
    add: (session, listener) => {
      const entry: Entry<Event> = { listener, active: true }
      bySession.set(session, [...(bySession.get(session) ?? []), entry])
      return () => {
        entry.active = false
        const rest = (bySession.get(session) ?? []).filter((other) => other !== entry)
        if (rest.length === 0) bySession.delete(session)
        else bySession.set(session, rest)
      }
    },
    dispatch: (session, event) => {
      const own = bySession.get(session)
      const all = bySession.get("all")
      call(own, event)
      call(all, event)
    }
  }
}
