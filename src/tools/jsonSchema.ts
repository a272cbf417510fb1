/** JSON Schemas of the tools (draft 2020-12), as short as they can be: a list of tools is paid for in every context. */
import type { JsonSchema } from "effect"
import { Schema } from "effect"
import { callLimit } from "../schemas/tools/common.ts"
import type { ToolRow } from "./ToolRow.ts"

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Bounds that say nothing beyond "a safe integer". */
const isNoBound = (key: string, value: unknown) =>
  (key === "minimum" || key === "maximum") && typeof value === "number" && Math.abs(value) >= Number.MAX_SAFE_INTEGER

/** Drops what tells a caller nothing. */
const shortened = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isNoBound(key, value))
      .map(([key, value]) => [key, shortenedValue(key, value)])
  )

const shortenedValue = (key: string, value: unknown): unknown =>
  key === "enum" || key === "required" || key === "default"
    ? value
    : Array.isArray(value)
      ? value.map((inner) => (isObject(inner) ? shortened(inner) : inner))
      : isObject(value)
        ? shortened(value)
        : value

const document = (schema: Schema.Top): Json => {
  // everything inline: a client need not resolve references
  const { schema: root } = Schema.toJsonSchemaDocument(schema, {
    onExcessProperty: "error",
    referencePolicy: () => undefined
  })
  return shortened(root satisfies JsonSchema.JsonSchema)
}

/** The closed schema of a tool's arguments, with descriptions, limits and defaults. */
export const inputSchema = (row: ToolRow): Json => document(row.parameters)

/** The closed schema of a tool's result, whole. */
export const outputSchema = (row: ToolRow): Json => document(row.success)

/** Parameters whose meaning is said once for all tools, in the instructions, or by their name. */
const explained = new Set([
  "snapshotId",
  "ref",
  "selector",
  "modifiers",
  "x",
  "y",
  "label",
  "name",
  "placeholder",
  "url",
  "limit",
  "maxChars",
  "fullPage"
])

/** Parameters that another one stands for, or that nobody needs: they are listed, but not told of. */
const seldom = new Set(["kind", "visible", "space", "wholeFrameTree"])

/** Whether a list of tools says more about a parameter than its name and type. */
const isTold = (name: string, description: unknown): boolean =>
  description !== undefined && !explained.has(name) && !seldom.has(name) && description !== callLimit

/** A parameter, or an object of them, as it stands in a list of tools. */
const listed = (name: string, parameter: unknown): unknown => {
  if (!isObject(parameter)) return parameter
  const { minLength: _, description, minimum, maximum, ...others } = parameter
  const least = minimum === undefined || minimum === 1 ? {} : { minimum }
  // so long nobody waits; it is refused with the limit
  const most = maximum === undefined || name === "timeoutMs" ? {} : { maximum }
  const { default: standard, ...open } = { ...others, ...least, ...most } as Json
  // what is not asked for is not done: nobody needs to be told
  const rest = standard === undefined || standard === false ? open : { ...open, default: standard }
  const properties = rest["properties"]
  const items = rest["items"]
  return {
    ...rest,
    ...(isTold(name, description) ? { description } : {}),
    ...(isObject(properties) ? { properties: listedAll(properties) } : {}),
    ...(isObject(items) ? { items: listed("", items) } : {})
  }
}

const listedAll = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, parameter]) => [name, listed(name, parameter)]))

/** {@link inputSchema} for a list of tools: every parameter, without what the instructions say for all of them. */
export const listedInput = (row: ToolRow): Json => listed("", inputSchema(row)) as Json

/**
 * The schema of a tool's result for a list of tools: closed, its fields by name alone. Everything that fits the whole
 * schema ({@link outputSchema}) fits this one.
 */
export const listedOutput = (row: ToolRow): Json => {
  const whole = outputSchema(row)
  const properties = isObject(whole["properties"]) ? whole["properties"] : {}
  return {
    type: "object",
    properties: Object.fromEntries(Object.keys(properties).map((key) => [key, {}])),
    additionalProperties: false
  }
}
