/** Which tabs a dialog blocks: its own, and all that share a process with it. */
import type { TabId } from "../../../schemas/ids.ts"
import type { Page } from "../../page/Page.ts"
import type { DialogWatch } from "../../page/Tab.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"

/** A tab and those that share its process through `window.opener`: a dialog in one blocks them all. */
export const relatedTabs = (pages: ReadonlyArray<Page>, id: TabId): ReadonlySet<TabId> => {
  const found = new Set<TabId>([id])
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const { tab } of pages) {
      if (tab.opener === undefined || !tab.sharesProcess) continue
      if (found.has(tab.id)) found.add(tab.opener)
      else if (found.has(tab.opener)) found.add(tab.id)
    }
  }
  return found
}

/** What a tab is told of dialogs: those of all its related tabs. */
export const dialogsOfTabs = (supervisor: Supervisor, related: (id: TabId) => ReadonlySet<TabId>): DialogWatch => ({
  blocking: (id) => {
    const tabs = related(id)
    return supervisor.pendingDialogs().filter((dialog) => tabs.has(dialog.tab_id))
  },
  readable: (id) => [...related(id)].every(supervisor.isReadable),
  onBlocked: (id, listener) =>
    supervisor.onDialog((dialog) => {
      if (related(id).has(dialog.tab_id)) listener(dialog)
    }),
  letGo: supervisor.letGo
})
