/**
 * Tables as Markdown, in time linear in their size. The plugin that has tables too walks all rows once for each row
 * (measured: over two minutes for 3,000 rows).
 *
 * Rows and cells are converted before the table around them. They leave marks that no page contains (Unicode
 * noncharacters), and the table reads them.
 */
import type TurndownService from "turndown"

const cellEnd = "\uFDD0"
const headerEnd = "\uFDD1"
const rowEnd = "\uFDD2"
const captionEnd = "\uFDD3"

/** Text that cannot stand in a table cell: paragraphs, code blocks, and tables inside. */
const isBlock = (text: string): boolean => text.includes("\n\n") || text.includes("```") || text.startsWith("| ")

interface Row {
  readonly cells: ReadonlyArray<string>
  readonly header: boolean
}

const rowsOf = (content: string): ReadonlyArray<Row> =>
  content
    .split(rowEnd)
    .map((row) => {
      const parts = row.split(/([\uFDD0\uFDD1])/)
      const cells: Array<string> = []
      let header = true
      for (let index = 0; index + 1 < parts.length; index += 2) {
        cells.push((parts[index] ?? "").trim())
        if (parts[index + 1] === cellEnd) header = false
      }
      return { cells, header: header && cells.length > 0 }
    })
    .filter(({ cells }) => cells.length > 0)

const line = (cells: ReadonlyArray<string>, columns: number): string =>
  `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? "").join(" | ")} |`

const cellText = (text: string): string => text.replace(/\|/g, "\\|").replace(/\s*\n\s*/g, "<br>")

/** The Markdown of a table, from the marked text of its rows. A table that only lays out a page becomes its cells. */
const tableText = (content: string): string => {
  const captionLength = content.indexOf(captionEnd)
  if (captionLength >= 0)
    return `\n\n${content.slice(0, captionLength).trim()}${tableText(content.slice(captionLength + 1))}`
  const rows = rowsOf(content)
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (columns === 0) return ""
  if (columns === 1 || rows.some(({ cells }) => cells.some(isBlock))) {
    return `\n\n${rows.flatMap(({ cells }) => cells.filter((cell) => cell !== "")).join("\n\n")}\n\n`
  }
  const [first, ...rest] = rows.map((row) => ({ ...row, cells: row.cells.map(cellText) }))
  const [header, body] =
    first?.header === true ? [first.cells, rest] : [[], first === undefined ? [] : [first, ...rest]]
  return `\n\n${[
    line(header, columns),
    line(
      Array.from({ length: columns }, () => "---"),
      columns
    ),
    ...body.map(({ cells }) => line(cells, columns))
  ].join("\n")}\n\n`
}

/** Teaches a converter tables. */
export const tableRules = (service: TurndownService): void => {
  service.addRule("tableCell", { filter: "td", replacement: (content) => `${content.trim()}${cellEnd}` })
  service.addRule("tableHeaderCell", { filter: "th", replacement: (content) => `${content.trim()}${headerEnd}` })
  service.addRule("tableRow", { filter: "tr", replacement: (content) => `${content}${rowEnd}` })
  service.addRule("tablePart", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content })
  service.addRule("tableColumns", { filter: ["colgroup", "col"], replacement: () => "" })
  service.addRule("tableCaption", { filter: "caption", replacement: (content) => `${content}${captionEnd}` })
  service.addRule("table", { filter: "table", replacement: (content) => tableText(content) })
}
