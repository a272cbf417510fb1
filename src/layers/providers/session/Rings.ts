/** What an agent gets of the console and network rings of a tab: the latest entries that it asked for, bounded. */
import { Effect } from "effect"
import type { ConsoleEntry, ConsoleLevel, NetworkEntry } from "../../../schemas/diagnostics.ts"
import { NavigationBlocked, TabUnknown } from "../../../schemas/errors.ts"
import type { TabId } from "../../../schemas/ids.ts"
import type { BrowserSession } from "../../../services/BrowserSession.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import { maskTokens } from "./maskTokens.ts"
import type { Tabs } from "./Tabs.ts"

/** Characters of all entries together. */
const textLimit = 25_000

const ranks: Record<ConsoleLevel, number> = { debug: 0, log: 1, info: 1, warning: 2, error: 3, exception: 4 }

interface Asked {
  readonly limit: number
  readonly since?: number | undefined
}

/** The latest entries, as many as were asked for and have room. */
export const latest = <Entry extends { readonly at: number }>(
  entries: ReadonlyArray<Entry>,
  { limit, since }: Asked,
  matches: (entry: Entry) => boolean
): { readonly kept: ReadonlyArray<Entry>; readonly total: number; readonly truncated: boolean } => {
  const found = entries.filter((entry) => (since === undefined || entry.at > since) && matches(entry))
  const kept: Array<Entry> = []
  let room = textLimit
  for (const entry of found.toReversed()) {
    room -= JSON.stringify(entry).length
    if (kept.length === limit || (room < 0 && kept.length > 0)) break
    kept.unshift(entry)
  }
  return { kept, total: found.length, truncated: kept.length < found.length }
}

const isFailed = ({ failure, status }: NetworkEntry): boolean =>
  failure !== undefined || (status !== undefined && status >= 400)

export const makeRings = (tabs: Tabs, supervisor: Supervisor): Pick<BrowserSession, "console" | "network"> => {
  const tabOf = (id: TabId | undefined) =>
    Effect.andThen(
      tabs.alive,
      Effect.suspend(() => {
        const pages = tabs.pages()
        const page = id === undefined ? tabs.active() : pages.find(({ tab }) => tab.id === id)
        return page === undefined
          ? Effect.fail(new TabUnknown({ tabId: id ?? "active", known: pages.map(({ tab }) => tab.id) }))
          : Effect.succeed(page.tab)
      })
    )
  return {
    console: ({ level, tabId, ...asked }) =>
      Effect.flatMap(tabOf(tabId), (tab) => {
        const refusal = tab.refusal()
        if (refusal !== undefined) {
          return Effect.fail(new NavigationBlocked({ url: refusal.url, reason: refusal.reason }))
        }
        const least = level === undefined ? 0 : ranks[level]
        const { kept, ...counts } = latest(
          supervisor.console(tab.id),
          asked,
          (entry: ConsoleEntry) => ranks[entry.level] >= least
        )
        return Effect.succeed({ tabId: tab.id, ...counts, messages: kept })
      }),
    network: ({ failedOnly, tabId, urlContains, ...asked }) =>
      Effect.map(tabOf(tabId), (tab) => {
        const part = urlContains?.toLowerCase()
        const entries = supervisor.network(tab.id).map((entry) => ({ ...entry, url: maskTokens(entry.url) }))
        const { kept, ...counts } = latest(
          entries,
          asked,
          (entry) => (!failedOnly || isFailed(entry)) && (part === undefined || entry.url.toLowerCase().includes(part))
        )
        return { tabId: tab.id, ...counts, requests: kept }
      })
  }
}
