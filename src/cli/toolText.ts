/** One tool for a person at the command line: what it takes and gives, and how it can fail. */
import { codeOf, type ErrorClass, type ToolRow } from "../tools/ToolRow.ts"
import { errorsOf, taskErrors } from "../tools/errors.ts"
import { inputSchema, outputSchema } from "../tools/jsonSchema.ts"
import { type Field, fieldsOf, typeText } from "../tools/schemaText.ts"
import type { Style } from "./style.ts"

/** Characters in a line of codes. */
const lineWidth = 96

const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
}

const quoted = (choice: string): string => JSON.stringify(choice)

const fields = (list: ReadonlyArray<Field>, need: (field: Field) => string): ReadonlyArray<string> =>
  // last what may be long
  columns(
    list.map((field) => {
      const type = typeText(field.schema, quoted)
      return [field.name, need(field), field.description === "" ? type : `${type}: ${field.description}`]
    })
  )

/** Codes after each other, in lines of their own where they are many. */
const codes = (title: string, errors: ReadonlyArray<ErrorClass>, style: Style): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = `  ${title}:`
  for (const [index, error] of errors.entries()) {
    const text = `${codeOf(error)}${index === errors.length - 1 ? "" : ","}`
    if (line.length + text.length >= lineWidth) {
      lines.push(line)
      line = `   `
    }
    line = `${line} ${text}`
  }
  return errors.length === 0 ? [] : [...lines, line].map((one) => one.replace(title, style.dim(title)))
}

const errorLines = (row: ToolRow, style: Style): ReadonlyArray<string> => {
  const { anything, groups, own } = errorsOf(row.errors)
  return [
    ...(anything
      ? ["  its own, and those of the tool that it calls"]
      : [
          ...codes("its own", own, style),
          ...groups.flatMap(({ members, name }) => codes(`of the ${name}`, members, style))
        ]),
    ...(row.session === "none" ? [] : codes("of any session", taskErrors, style)),
    "  any call: BROWSER_INVALID_ARGUMENTS, BROWSER_INTERNAL"
  ]
}

/** The text, for a terminal. */
export const toolText = (row: ToolRow, style: Style): string => {
  const takes = fields(fieldsOf(inputSchema(row), true), ({ required, standard }) =>
    required ? "required" : standard === undefined ? "optional" : `default ${standard}`
  )
  const gives = fields(fieldsOf(outputSchema(row), false), ({ required }) => (required ? "always" : "if any"))
  const part = (title: string, lines: ReadonlyArray<string>) => ["", style.bold(title), ...lines]
  return [
    `${style.bold(row.name)}  ${style.dim(`${row.guarded ? "acts" : "reads"}, offered by effect-browser mcp${row.core ? "" : " --tools all"}`)}`,
    row.description,
    ...(row.capability === undefined ? [] : [`It needs a browser that has ${row.capability}.`]),
    ...part("Takes", takes.length === 0 ? ["  nothing"] : takes),
    ...part("Gives", gives),
    ...part("Fails with", errorLines(row, style))
  ].join("\n")
}
