/** The catalog: one table of all tools. Registration, validation, lanes, budgets, documentation and tests come from it. */
import { Effect } from "effect"
import { ToolUnknown } from "../schemas/errors.ts"
import type { ToolRow } from "./ToolRow.ts"
import { nearNames } from "./nearNames.ts"
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

/** The row of a tool; fails with `ToolUnknown`, which names those that may have been meant. */
export const requireRow = (name: string): Effect.Effect<ToolRow, ToolUnknown> =>
  Effect.suspend(() => {
    const row = findRow(name)
    return row === undefined
      ? Effect.fail(new ToolUnknown({ tool: name.slice(0, 100), near: nearNames(name, [...byName.keys()]) }))
      : Effect.succeed(row)
  })

/** One text for each name in a setting that no tool has, with the one that may have been meant. */
export const unknownToolIssues = (setting: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .filter((name) => findRow(name) === undefined)
    .map((name) => {
      const [near] = nearNames(name, [...byName.keys()])
      return `${setting}: there is no tool ${JSON.stringify(name.slice(0, 100))}${near === undefined ? "" : `; did you mean ${near}?`}`
    })
