/** How long a call may take: pure arithmetic over the table of budgets. All in ms. */
import type { OperationName } from "../services/Timeouts.ts"
import type { ToolFacts } from "./ToolRow.ts"

/**
 * The longest limit that a caller can set inside a whole budget: so much earlier that our own coded error comes before
 * whatever the caller's host does when the whole budget is over.
 */
export const longestLimit = (whole: number): number => (whole > 10_000 ? whole - 5_000 : whole)

/** Time for a call from its arrival to its end, waiting for its turn included. */
export const callBudget = (toolTimeoutMs: number, timeoutMs: number | undefined): number =>
  timeoutMs === undefined ? toolTimeoutMs : Math.min(timeoutMs, longestLimit(toolTimeoutMs))

/** Time for the work of a tool once it is its turn. */
export const workBudget = (row: Pick<ToolFacts, "budget">, table: Record<OperationName, number>): number =>
  typeof row.budget === "number" ? row.budget : table[row.budget]
