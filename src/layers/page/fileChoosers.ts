/** Acts that make the page ask for a file: no chooser of the system opens, and it is told that the page waits. */
import { Effect } from "effect"
import type { Tab } from "./Tab.ts"

/** What there is to say of it. */
export const chooserNote = (several: boolean): string =>
  `the page waits for ${several ? "files" : "a file"}: browser_upload_file gives it, by its file input or by what has opened the file chooser`

/** Does something with the file choosers of the page kept away, and noted by its model. */
export const withoutChoosers =
  (tab: Tab) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const sessions = new Set([...tab.model.frames.values()].map(({ sessionId }) => sessionId))
      // not awaited: the browser works in order, and a tab that is gone answers nothing
      const keepAway = (enabled: boolean) =>
        Effect.forEach(
          sessions,
          (sessionId) => tab.connection.post("Page.setInterceptFileChooserDialog", { enabled }, { sessionId }),
          { discard: true }
        )
      return Effect.ensuring(Effect.andThen(keepAway(true), effect), keepAway(false))
    })
