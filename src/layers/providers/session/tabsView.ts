/** What an act sees of the tabs beside its own: those that came since it began. */
import type { Effect } from "effect"
import type { TabId } from "../../../schemas/ids.ts"
import type { TabInfo } from "../../../schemas/snapshot.ts"
import type { TabsView } from "../../page/Outcomes.ts"
import type { Page } from "../../page/Page.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"

/** A tab that closed. */
export interface Closed {
  readonly info: TabInfo
  /** number of it among all that closed */
  readonly at: number
  /** nobody here closed it */
  readonly byItself: boolean
  readonly wasActive: boolean
}

const numberOf = (id: TabId): number => Number(id.slice(1))

/** Tabs are numbered in the order of opening; a mark is the number of the latest one then. */
export const makeTabsView = (options: {
  /** number of the latest tab */
  readonly opened: () => number
  readonly pages: () => ReadonlyArray<Page>
  /** the latest tabs that closed, oldest first */
  readonly closed: () => ReadonlyArray<Closed>
  readonly active: () => Page | undefined
  readonly closings: TabsView["closings"]
  readonly replaced: TabsView["replaced"]
  readonly info: (page: Page) => TabInfo
  readonly refresh: Effect.Effect<void>
  readonly supervisor: Supervisor
}): TabsView => {
  const { active, closed, closings, info, opened, pages, refresh, replaced, supervisor } = options
  let told = 0
  return {
    mark: opened,
    since: (mark) =>
      [...pages().map(info), ...closed().map((one) => one.info)]
        .filter(({ id }) => numberOf(id) > mark)
        .sort((one, other) => numberOf(one.id) - numberOf(other.id)),
    refusedSince: (mark) =>
      pages().flatMap(({ tab: { id, model } }) =>
        numberOf(id) > mark
          ? [...(model.lastRefusal === undefined ? [] : [model.lastRefusal]), ...model.kept.since(-1)]
          : []
      ),
    dialogSince: (mark) => supervisor.pendingDialogs().find(({ tab_id }) => numberOf(tab_id) > mark),
    refresh,
    closedMark: () => told,
    closedSince: (mark, tabs) => {
      told = closed().at(-1)?.at ?? told
      const now = active()
      return closed()
        .filter((one) => one.byItself && one.at > mark && numberOf(one.info.id) <= tabs)
        .map((one) => ({ tab: one.info, active: one.wasActive && now !== undefined ? info(now) : undefined }))
    },
    closings,
    replaced,
    cameSince: (mark) => ({
      attached: opened() - mark,
      loaded:
        opened() -
        mark -
        pages().filter(
          (page) =>
            numberOf(page.tab.id) > mark &&
            (page.tab.model.commits === 0 || !page.tab.model.domReady) &&
            !page.tab.model.ledNowhere &&
            // one that asks its first question is as far as it gets
            supervisor.pendingDialogs(page.tab.id).length === 0
        ).length
    })
  }
}
