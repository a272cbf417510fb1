/**
 * JSON Schemas in the subset that DSH's tool registry enforces: types, properties, items, enumerations, `oneOf`, and
 * for each object whether it is open. A keyword beyond it is refused there at registration, so bounds, patterns and
 * lengths are left to the tools themselves, which check them when they decode.
 */
import type { ToolRow } from "../../tools/ToolRow.ts"
import { inputSchema, outputSchema } from "../../tools/jsonSchema.ts"

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Keywords that the subset has as they are; `default` and `description` are annotations there. */
const kept = ["type", "enum", "const", "description", "default", "required"] as const

/** A schema in the subset; what it accepts is what the schema accepts, or more. */
export const dshSchema = (schema: unknown): Json => {
  if (!isObject(schema)) return {}
  const rest = Object.fromEntries(kept.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])))
  const either = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(either)) {
    const branches = either.map(dshSchema)
    const { description } = rest
    const said = description === undefined ? {} : { description }
    // one that says nothing takes everything
    if (branches.some((branch) => branch["type"] === undefined && branch["oneOf"] === undefined)) return said
    return branches.length === 1 ? { ...branches[0], ...said } : { oneOf: branches, ...said }
  }
  const parts = schema["allOf"]
  // checks of ours, and what is said about them
  const said = Array.isArray(parts) ? parts.map(dshSchema).find((part) => part["description"] !== undefined) : undefined
  const described =
    rest["description"] === undefined && said !== undefined ? { ...rest, description: said["description"] } : rest
  if (schema["type"] === "array") return { ...described, items: dshSchema(schema["items"]) }
  if (schema["type"] !== "object") return described
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  return {
    ...described,
    properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, dshSchema(property)])),
    additionalProperties: schema["additionalProperties"] !== false
  }
}

/** What a tool takes. */
export const dshParameters = (row: ToolRow): Json => dshSchema(inputSchema(row))

/** What a tool gives: closed. */
export const dshOutput = (row: ToolRow): Json => dshSchema(outputSchema(row))
