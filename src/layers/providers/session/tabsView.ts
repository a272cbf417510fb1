/** What an act sees of the tabs beside its own: those that came since it began. */
import type { Effect } from "effect"
import type { TabInfo } from "../../../schemas/snapshot.ts"
import type { TabsView } from "../../page/Outcomes.ts"
import type { Page } from "../../page/Page.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"

const numberOf = ({ tab }: Page): number => Number(tab.id.slice(1))

/** Tabs are numbered in the order of opening; a mark is the number of the latest one then. */
export const makeTabsView = (options: {
  /** number of the latest tab */
  readonly opened: () => number
  readonly pages: () => ReadonlyArray<Page>
  readonly info: (page: Page) => TabInfo
  readonly refresh: Effect.Effect<void>
  readonly supervisor: Supervisor
}): TabsView => {
  const { info, opened, pages, refresh, supervisor } = options
  return {
    mark: opened,
    since: (mark) =>
      pages()
        .filter((page) => numberOf(page) > mark)
        .map(info),
    dialogSince: (mark) => supervisor.pendingDialogs().find(({ tab_id }) => Number(tab_id.slice(1)) > mark),
    refresh,
    cameSince: (mark) => ({
      attached: opened() - mark,
      loaded:
        opened() -
        mark -
        pages().filter(
          (page) =>
            numberOf(page) > mark &&
            (page.tab.model.commits === 0 || !page.tab.model.domReady) &&
            // one that asks its first question is as far as it gets
            supervisor.pendingDialogs(page.tab.id).length === 0
        ).length
    })
  }
}
