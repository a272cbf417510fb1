/** What `effect-browser tools` does. */
import { Console, Effect, Option } from "effect"
import type { ToolRow } from "../../tools/ToolRow.ts"
import { codeOf } from "../../tools/ToolRow.ts"
import { catalog, requireRow } from "../../tools/catalog.ts"
import { inputSchema, outputSchema } from "../../tools/jsonSchema.ts"
import { outputStyle } from "../style.ts"
import { toolText } from "../toolText.ts"
import { wholeName } from "../wholeName.ts"

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

const asJson = (facts: unknown) => JSON.stringify(facts, undefined, 2)

/** Prints one tool, or the catalog as a table; as JSON with the schemas. Fails with `ToolUnknown` for another name. */
export const listTools = Effect.fnUntraced(function* (options: {
  readonly tool: Option.Option<string>
  readonly json: boolean
}) {
  const style = outputStyle()
  if (Option.isSome(options.tool)) {
    const row = yield* requireRow(wholeName(options.tool.value))
    return yield* Console.log(options.json ? asJson(described(row)) : toolText(row, style))
  }
  if (options.json) return yield* Console.log(asJson(catalog.map(described)))
  const width = Math.max(...catalog.map((row) => row.name.length))
  const lines = catalog.map((row) => {
    const name = row.name.padEnd(width)
    const kind = row.guarded ? "acts " : "reads"
    return `${style.bold(name)}  ${style.dim(kind)}  ${style.dim(row.core ? "core" : "    ")}  ${row.description}`
  })
  const legend = [
    "acts: changes something; reads: only looks. core: offered by effect-browser mcp; the others by mcp --tools all.",
    'What one takes and gives: effect-browser tools open. Try it: effect-browser call open \'{"url":"https://example.com"}\''
  ]
  yield* Console.log([...lines, "", ...legend.map(style.dim)].join("\n"))
})
