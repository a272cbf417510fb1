/** What `effect-browser tools` does. */
import { Console, Effect } from "effect"
import type { ToolRow } from "../../tools/ToolRow.ts"
import { codeOf } from "../../tools/ToolRow.ts"
import { catalog } from "../../tools/catalog.ts"
import { inputSchema, outputSchema } from "../../tools/jsonSchema.ts"
import { outputStyle } from "../style.ts"

/** What a caller of a tool needs to know: what it is, what it takes and gives, and how it can fail. */
const described = (row: ToolRow) => ({
  name: row.name,
  title: row.title,
  description: row.description,
  core: row.core,
  annotations: row.annotations,
  ...(row.capability === undefined ? {} : { needs: row.capability }),
  inputSchema: inputSchema(row),
  outputSchema: outputSchema(row),
  errors: row.errors.map(codeOf)
})

/** Prints the catalog as a table, or as JSON with the schemas. */
export const listTools = Effect.fnUntraced(function* (options: { readonly json: boolean }) {
  if (options.json) {
    return yield* Console.log(JSON.stringify(catalog.map(described), undefined, 2))
  }
  const style = outputStyle()
  const width = Math.max(...catalog.map((row) => row.name.length))
  const lines = catalog.map((row) => {
    const name = row.name.padEnd(width)
    const kind = row.guarded ? "acts " : "reads"
    return `${style.bold(name)}  ${style.dim(kind)}  ${style.dim(row.core ? "core" : "    ")}  ${row.description}`
  })
  const legend = [
    "acts: changes something; reads: only looks. core: offered by effect-browser mcp; the others by mcp --tools all.",
    'What each takes and gives: effect-browser tools --json. Try one: effect-browser call open \'{"url":"https://example.com"}\''
  ]
  yield* Console.log([...lines, "", ...legend.map(style.dim)].join("\n"))
})
