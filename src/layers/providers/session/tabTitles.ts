/** Titles of tabs as the browser knows them. */
import type { Protocol } from "devtools-protocol"
import { Effect } from "effect"
import type { TargetId } from "../../../schemas/ids.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { within } from "../../../services/Timeouts.ts"
import type { Page } from "../../page/Page.ts"

/**
 * Asks the browser, not the pages, for titles that nobody has told yet: its events do not tell of a title that changed
 * later, the agents of pages that were looked at do. Never fails, and takes a second at most.
 */
export const titlesOf = (
  connection: CdpConnection["Service"],
  pages: ReadonlyMap<TargetId, Page>
): Effect.Effect<void> => {
  const set = (infos: ReadonlyArray<Protocol.Target.TargetInfo>): void => {
    for (const { targetId, title, url } of infos) {
      const page = pages.get(targetId as TargetId)
      if (page === undefined || page.tab.titleIsWatched) continue
      // until a page names itself, the browser shows its address
      page.tab.setTitle(title === url || url.endsWith(`//${title}`) ? "" : title, false)
    }
  }
  return Effect.suspend(() =>
    [...pages.values()].every(({ tab }) => tab.titleIsWatched)
      ? Effect.void
      : connection.command("Target.getTargets", { filter: [{ type: "page" }, { exclude: true }] }).pipe(
          Effect.flatMap(({ targetInfos }) => Effect.sync(() => set(targetInfos))),
          within("reading the titles", 1_000),
          Effect.ignore
        )
  )
}
