/** How long a look at a page may take, and how it is said that it did not reach everything. */
import { Effect } from "effect"
import type { Unseen } from "../../schemas/page.ts"
import { timeLeft } from "../../services/Timeouts.ts"

/** Time (ms) for one look at a document; a snapshot may need two. */
const mostMs = 8_000

/** Of the time that is left for an operation a look gets this part at the most: something is to be done with what was seen. */
const part = 0.5

/** Time (ms) for one look at a document, `most` at the most. */
export const lookBudget = (most = mostMs): Effect.Effect<number> =>
  Effect.map(timeLeft, (left) => Math.round(Math.min(most, left * part)))

const number = (count: number): string => count.toLocaleString("en-US")

/** What was not looked at, in words. */
export const saidUnseen = ({ looked, of, why }: Unseen): string =>
  why === "depth"
    ? "what is nested more than 1,500 elements deep is left out"
    : `the page is so large that only the first ${number(Math.min(looked, of))} of its ${number(of)} elements could be looked at in time`
