/** The numbers as text. */
import type { Check, Row, StepResult } from "./Bench.ts"
import { median, percentile } from "./statistics.ts"

export interface Report {
  readonly machine: ReadonlyArray<string>
  readonly rounds: number
  readonly results: ReadonlyArray<StepResult>
  /** numbers about the whole run */
  readonly checks: ReadonlyArray<Check>
  readonly notes: ReadonlyArray<string>
}

const ms = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0))

const multipleOf = (row: Row): number => median(row.ours) / median(row.raw)

/** The multiple of the first rounds alone, when our code has hardly been compiled; empty where there were no more. */
const multipleAtFirst = (row: Row, rounds: number): string =>
  row.ours.length <= rounds ? "" : (median(row.ours.slice(0, rounds)) / median(row.raw.slice(0, rounds))).toFixed(2)

/** Whether a row reaches its target; undefined if it has none. */
export const passes = (row: Row): boolean | undefined =>
  row.target === undefined ? undefined : median(row.ours) <= row.target * median(row.raw) + (row.allowance ?? 0)

const verdict = (good: boolean | undefined): string => (good === undefined ? "" : good ? "pass" : "**miss**")

const targetText = ({ allowance, target }: Row): string =>
  target === undefined ? "" : `${target}${allowance === undefined ? "" : ` + ${allowance} ms`}`

const rowCells = (row: Row, rounds: number): ReadonlyArray<string> => [
  row.name,
  `${ms(median(row.ours))} (${ms(percentile(row.ours, 0.9))})`,
  `${ms(median(row.raw))} (${ms(percentile(row.raw, 0.9))})`,
  multipleOf(row).toFixed(2),
  multipleAtFirst(row, rounds),
  targetText(row),
  verdict(passes(row)),
  `${row.right}/${row.ours.length}`,
  String(Math.round(row.calls * 10) / 10),
  String(Math.round(row.characters)),
  row.cpu === undefined ? "" : row.cpu.toFixed(1)
]

const checkCells = ({ limit, name, unit, value }: Check): ReadonlyArray<string> => [
  name,
  `${Math.round(value * 100) / 100} ${unit}`.trim(),
  `${limit} ${unit}`.trim(),
  verdict(value <= limit)
]

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, index) => (index === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** The report as Markdown. */
export const markdown = ({ checks, machine, notes, results, rounds }: Report): string => {
  const rows = results.flatMap((result) => result.rows)
  const allChecks = [...results.flatMap((result) => result.checks ?? []), ...checks]
  const allNotes = [...results.flatMap((result) => result.notes ?? []), ...notes]
  return `# Bench

Written by \`npm run bench\`. The same steps by the MCP server (a child process, the least client that does it) and by raw CDP (a
browser of its own with the same arguments, the least client that does it), in turn, in one run.

${machine.map((line) => `- ${line}`).join("\n")}

## Steps

Median of ${rounds} rounds or more, in brackets the 90th percentile; times in ms. A short step goes on for four
seconds, at most 400 rounds; "first ${rounds}" is the multiple of its first rounds alone. "Right": rounds in which the answer
showed what had to be seen. Calls, characters (text handed to the agent) and CPU (user and system time of the server
process) are those of one round.

${table(
  ["step", "ours", "raw", "multiple", `first ${rounds}`, "at most", "", "right", "calls", "characters", "CPU ms"],
  rows.map((row) => rowCells(row, rounds))
)}

## Limits

${table(["what", "measured", "at most", ""], allChecks.map(checkCells))}

## Notes

${allNotes.map((note) => `- ${note}`).join("\n")}
`
}
