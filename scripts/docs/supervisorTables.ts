/** The tables of docs/supervisor.md: each cell the name of the test that proves it. */
import { type Matrix, matrices, type Proof } from "../../test/support/supervisorMatrix.ts"

const cell = (proof: Proof | undefined): string => (proof === undefined ? "not there" : `\`${proof.test}\``)

const table = ({ columns, rows, title }: Matrix): string =>
  [
    `### ${title}`,
    "",
    `| | ${columns.join(" | ")} |`,
    `| --- |${" --- |".repeat(columns.length)}`,
    ...rows.map(({ cells, name }) => `| ${name} | ${cells.map(cell).join(" | ")} |`)
  ].join("\n")

const begin = "<!-- tables: written by npm run docs -->"
const end = "<!-- end of the tables -->"

/** The page with its tables as they are now. Throws an `Error` if it has no place for them. */
export const supervisorPage = (page: string): string => {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`docs/supervisor.md has no "${begin}" and "${end}"`)
  return `${before}${begin}\n\n${matrices.map(table).join("\n\n")}\n\n${end}${after}`
}
