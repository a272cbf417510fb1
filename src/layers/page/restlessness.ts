/** A page that goes on loading others by itself: nothing more comes of waiting for it. */
import type { Effect } from "effect"
import { after, type Watch } from "../../services/endings.ts"
import type { Tab } from "./Tab.ts"

/** A page that is seen to go on gets so long (ms) to come to rest. */
const chanceMs = 1_000

/** So many documents since something was done are no longer what was asked for. */
const ownDocuments = 5

/** Whether it goes on by itself; `since`: documents that it had shown when something was done last. */
export const isRestless = ({ model }: Pick<Tab, "model">, since: number): boolean =>
  model.recent.restless && model.documents - since >= ownDocuments

/** Ends what waits for the page to come to rest, a moment after it is seen to go on by itself. */
export const unlessRestless =
  <A, E>(tab: Tab, since: number, outcome: () => Effect.Effect<A, E>): Watch<A, E> =>
  (end, context) => {
    let takeBack: (() => void) | undefined
    const look = (): void => {
      if (takeBack !== undefined || !isRestless(tab, since)) return
      const chance = after<A, E>(chanceMs, outcome)
      takeBack = chance((over) => {
        takeBack = undefined
        if (isRestless(tab, since)) end(over)
      }, context)
    }
    const stop = tab.model.onChange(look)
    look()
    return () => {
      stop()
      takeBack?.()
    }
  }

/** What there is to say of it. */
export const saidRestless = ({ model }: Pick<Tab, "model">, since: number): string =>
  `the page keeps navigating by itself, ${model.documents - since} times so far (now to ${model.main.url.slice(0, 500)}); browser_stop or another browser_open ends it`
