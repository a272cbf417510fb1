/** Opening pages in spite of a tab that is lost. */
import { Effect } from "effect"
import { NavigationFailed } from "../../../schemas/errors.ts"
import { TabHeld } from "../../page/Navigation.ts"

const isHeld = (error: unknown): error is TabHeld => error instanceof TabHeld

/** Runs `open`, and `inItsPlace` if its tab is lost. A new tab has no page before that could hold it. */
export const unlessHeld = <A, E, E2>(
  url: string,
  open: Effect.Effect<A, E>,
  inItsPlace: (held: TabHeld) => Effect.Effect<A, E2>
): Effect.Effect<A, Exclude<E | E2, TabHeld> | NavigationFailed> =>
  open.pipe(
    Effect.catchIf(isHeld, (held) => inItsPlace(held as TabHeld)),
    Effect.mapError((error) =>
      isHeld(error)
        ? new NavigationFailed({ url, reason: "the tab does not answer; browser_reset_session frees you of it" })
        : (error as Exclude<E | E2, TabHeld>)
    )
  )
