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
const spans = "\uFDD4"

/** Columns of a table up to which cells that reach over several do so. */
const wideColumns = 100

/** Characters that cells which reach over rows may repeat in them, in a whole table. */
const maxRepeated = 100_000

/** Text that cannot stand in a table cell: paragraphs, code blocks, and tables inside. */
const isBlock = (text: string): boolean => text.includes("\n\n") || text.includes("```") || text.startsWith("| ")

interface Cell {
  readonly text: string
  /** columns and rows that it reaches over */
  readonly across: number
  readonly down: number
}

interface Row {
  readonly cells: ReadonlyArray<string>
  readonly header: boolean
}

const cellOf = (part: string): Cell => {
  const [text = "", across = "1", down = "1"] = part.split(spans)
  return { text: text.trim(), across: Number(across), down: Number(down) }
}

/** Puts each cell under its column. One that reaches over rows says the same in each: a row is read by itself. */
const spread = (rows: ReadonlyArray<ReadonlyArray<Cell>>): ReadonlyArray<ReadonlyArray<string>> => {
  const below: Array<{ readonly text: string; left: number } | undefined> = []
  let room = maxRepeated
  return rows.map((row) => {
    const cells: Array<string> = []
    const fromAbove = (): boolean => {
      const above = below[cells.length]
      if (above === undefined || above.left === 0) return false
      above.left -= 1
      room -= above.text.length
      cells.push(room < 0 ? "" : above.text)
      return true
    }
    for (const { across, down, text } of row) {
      while (fromAbove());
      const columns = cells.length < wideColumns ? Math.min(across, wideColumns) : 1
      for (let column = 0; column < columns; column++) {
        const said = column === 0 ? text : ""
        below[cells.length] = { text: said, left: down - 1 }
        cells.push(said)
      }
    }
    const last = below.findLastIndex((above) => above !== undefined && above.left > 0)
    while (cells.length <= last) if (!fromAbove()) cells.push("")
    return cells
  })
}

const rowsOf = (content: string): ReadonlyArray<Row> => {
  const rows = content
    .split(rowEnd)
    .map((row) => {
      const parts = row.split(/([\uFDD0\uFDD1])/)
      const cells: Array<Cell> = []
      let header = true
      for (let index = 0; index + 1 < parts.length; index += 2) {
        cells.push(cellOf(parts[index] ?? ""))
        if (parts[index + 1] === cellEnd) header = false
      }
      return { cells, header: header && cells.length > 0 }
    })
    .filter(({ cells }) => cells.length > 0)
  const texts = spread(rows.map(({ cells }) => cells))
  return rows.map(({ header }, index) => ({ header, cells: texts[index] ?? [] }))
}

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

/** How many columns or rows a cell says that it reaches over. */
const span = (cell: Cellular, name: "colspan" | "rowspan"): number => {
  const said = Number.parseInt(cell.getAttribute(name) ?? "", 10)
  return said > 1 ? Math.min(said, 1_000) : 1
}

/** A node of the converter's own document. */
interface Cellular {
  readonly getAttribute: (name: string) => string | null
}

const marked = (content: string, cell: Cellular, end: string): string => {
  const [across, down] = [span(cell, "colspan"), span(cell, "rowspan")]
  return `${content.trim()}${across * down === 1 ? "" : `${spans}${across}${spans}${down}`}${end}`
}

/** Teaches a converter tables. */
export const tableRules = (service: TurndownService): void => {
  service.addRule("tableCell", {
    filter: "td",
    replacement: (content, node) => marked(content, node as unknown as Cellular, cellEnd)
  })
  service.addRule("tableHeaderCell", {
    filter: "th",
    replacement: (content, node) => marked(content, node as unknown as Cellular, headerEnd)
  })
  service.addRule("tableRow", { filter: "tr", replacement: (content) => `${content}${rowEnd}` })
  service.addRule("tablePart", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content })
  service.addRule("tableColumns", { filter: ["colgroup", "col"], replacement: () => "" })
  service.addRule("tableCaption", { filter: "caption", replacement: (content) => `${content}${captionEnd}` })
  service.addRule("table", { filter: "table", replacement: (content) => tableText(content) })
}
