/** The catalog: one table of all tools. Registration, validation, lanes, budgets, documentation and tests come from it. */
import type { ToolRow } from "./ToolRow.ts"
import { actingRows } from "./rows/acting.ts"
import { diagnosticRows } from "./rows/diagnostics.ts"
import { authRow } from "./rows/auth.ts"
import { fileRows } from "./rows/files.ts"
import { historyRows } from "./rows/history.ts"
import { navigationRows } from "./rows/navigation.ts"
import { pageRows } from "./rows/page.ts"
import { readingRows } from "./rows/reading.ts"
import { scrapeRow } from "./rows/scrape.ts"
import { sessionRows } from "./rows/session.ts"
import { taskRows } from "./rows/tasks.ts"

/** Every tool, in the order in which they are listed. */
export const catalog: ReadonlyArray<ToolRow> = [
  ...navigationRows,
  ...readingRows,
  ...actingRows,
  ...fileRows,
  ...sessionRows,
  ...diagnosticRows,
  ...pageRows,
  authRow,
  scrapeRow,
  ...historyRows,
  ...taskRows(() => catalog.map((row) => row.name))
]

/** The tools that are offered unless more are asked for. */
export const coreCatalog: ReadonlyArray<ToolRow> = catalog.filter((row) => row.core)

const byName: ReadonlyMap<string, ToolRow> = new Map(catalog.map((row) => [row.name, row]))

/** The row of a tool. */
export const findRow = (name: string): ToolRow | undefined => byName.get(name)
