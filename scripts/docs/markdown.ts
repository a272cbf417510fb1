/** Small pieces of Markdown. */
import * as SchemaText from "../../src/tools/schemaText.ts"

/** A text inside a table cell. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** A table. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

/** A JSON Schema in words, its choices as code. */
export const typeText = (schema: unknown): string => SchemaText.typeText(schema, (choice) => `\`${choice}\``)
