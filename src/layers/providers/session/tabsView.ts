/** What an act sees of the tabs beside its own: those that came since it began. */
import type { Effect } from "effect"
import type { TabId } from "../../../schemas/ids.ts"
import type { TabInfo } from "../../../schemas/snapshot.ts"
import type { TabsView } from "../../page/Outcomes.ts"
import type { Page } from "../../page/Page.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"

const numberOf = (id: TabId): number => Number(id.slice(1))

/** Tabs are numbered in the order of opening; a mark is the number of the latest one then. */
export const makeTabsView = (options: {
  /** number of the latest tab */
  readonly opened: () => number
  readonly pages: () => ReadonlyArray<Page>
  /** the latest tabs that closed, oldest first */
  readonly closed: () => ReadonlyArray<TabInfo>
  readonly info: (page: Page) => TabInfo
  readonly refresh: Effect.Effect<void>
  readonly supervisor: Supervisor
}): TabsView => {
  const { closed, info, opened, pages, refresh, supervisor } = options
  return {
    mark: opened,
    since: (mark) =>
      [...pages().map(info), ...closed()]
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
