/** Acts that make the page ask for a file: no chooser of the system opens, and it is told that the page waits. */
import { Effect } from "effect"
import type { Tab } from "./Tab.ts"

/** What there is to say of a page that asked for files, or for a picker of the system. */
export const chooserNote = (wants: "file" | "files" | "picker"): string =>
  wants === "picker"
    ? "the page called for a file picker of the system, which nothing here can serve: it was told that nothing was chosen; look for another way to give it the file, such as a file input"
    : `the page waits for ${wants === "files" ? "files" : "a file"}: browser_upload_file gives it, by its file input or by what has opened the file chooser`

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
