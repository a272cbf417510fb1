/** The program inside a page: one in each document, in a world of its own that the page cannot reach. */
import type { PageAgent } from "../schemas/pageAgent.ts"
import { hearsTimers, watchActs } from "./acts.ts"
import { challenge } from "./challenge.ts"
import { content } from "./content.ts"
import { filesTaken, fileTarget, watchFiles } from "./files.ts"
import { find } from "./find.ts"
import { focusField, readField, setField } from "./fill.ts"
import { focused } from "./focus.ts"
import { planField } from "./plan.ts"
import { hit, hitFrame, pressed, watchPresses } from "./press.ts"
import { quiet, watch } from "./quiet.ts"
import { ready, seek } from "./ready.ts"
import { box, scrollState, scrollTo } from "./scroll.ts"
import { submit } from "./submit.ts"
import { elementsOf } from "./suspects.ts"
import { watchPrinting, watchTitle } from "./titles.ts"
import { adoptRoot } from "./tree.ts"
import { watchUnsent } from "./unsent.ts"
import { waitFor } from "./wait.ts"
import { contentBox, search, walk } from "./walk.ts"

/** Beside what `PageAgent` promises, what takes and gives objects of the page, and what only its installation asks. */
export interface InstalledAgent extends PageAgent {
  /** Hands over a closed shadow root that the browser found; from then on it is walked like an open one. */
  adopt(root: ShadowRoot, host: Element): void
  /** The elements of keys, in that order, null for those that are gone; suspects asked for count as examined. */
  elements(keys: ReadonlyArray<number>): Array<Element | null>
  /** Notes what a file input takes from now on; yields the number of the watch. */
  watchFiles(input: Element): number
  /** Whether the page's own world tells of its timers. */
  hearsTimers(): boolean
}

const agent: InstalledAgent = {
  walk,
  find,
  search,
  ready,
  seek,
  hit,
  pressed,
  hitFrame,
  focused,
  planField,
  focusField,
  setField,
  readField,
  submit,
  challenge,
  fileTarget,
  filesTaken,
  waitFor,
  content,
  scrollState,
  scrollTo,
  watch,
  quiet: async (options) => {
    const rest = await quiet(options)
    return rest.quiet && options.walk !== undefined ? { ...rest, seen: walk(options.walk) } : rest
  },
  box,
  contentBox,
  adopt: adoptRoot,
  elements: elementsOf,
  watchFiles,
  hearsTimers
}

/** Names that the agent is given: the events of timers.ts, and the functions that hear of titles and of printing. */
interface Names {
  readonly ask: string
  readonly tell: string
  readonly title: string
  readonly print: string
}

/** Puts the agent into its document, and yields it. Whoever runs this program sees to it that a document gets one only. */
export const install = (names?: Names): InstalledAgent => {
  watchPresses()
  watchUnsent()
  if (names !== undefined) {
    watchActs(names)
    watchTitle(names.title)
    watchPrinting(names.print)
  }
  return agent
}
