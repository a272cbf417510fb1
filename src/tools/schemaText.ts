/** JSON Schemas in words, for people: in the documentation and at the command line. */

export type Json = { readonly [key: string]: unknown }
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a JSON Schema says about itself; one that has checks of its own says it inside. */
export const descriptionOf = (schema: unknown): string => {
  if (!isObject(schema)) return ""
  if (typeof schema["description"] === "string") return schema["description"]
  const parts = schema["allOf"]
  return Array.isArray(parts) ? (parts.map(descriptionOf).find((text) => text !== "") ?? "") : ""
}

/** More than anybody would ask for: the largest number that a timer takes. */
const noLimit = 2 ** 31 - 1

/** A JSON Schema in words: type, limits, choices. `quoted` is how a choice is written. */
export const typeText = (schema: unknown, quoted: (choice: string) => string): string => {
  if (!isObject(schema)) return "any"
  const choices = schema["enum"]
  if (Array.isArray(choices)) return choices.map((choice) => quoted(String(choice))).join(", ")
  const either = schema["anyOf"]
  if (Array.isArray(either)) return either.map((one) => typeText(one, quoted)).join(" or ")
  if (schema["type"] === "array") return `list of ${typeText(schema["items"], quoted)}`
  if (isObject(schema["properties"])) return `{ ${Object.keys(schema["properties"]).join(", ")} }`
  const { minimum, maximum: most } = schema as { readonly minimum?: number; readonly maximum?: number }
  const maximum = most === undefined || most >= noLimit ? undefined : most
  const limits =
    minimum !== undefined && maximum !== undefined
      ? `, ${minimum} to ${maximum}`
      : minimum !== undefined
        ? `, at least ${minimum}`
        : maximum !== undefined
          ? `, at most ${maximum}`
          : ""
  const filled = schema["minLength"] === 1 ? ", not empty" : ""
  return `${String(schema["type"] ?? "any")}${limits}${filled}`
}

/** A field of an object. */
export interface Field {
  /** with the names above it: "fields[].value" */
  readonly name: string
  readonly schema: unknown
  readonly required: boolean
  /** its default as JSON; undefined: none */
  readonly standard: string | undefined
  readonly description: string
}

/** The fields of an object's schema; with `nested`, each is followed by its own, and by those of the entries of a list. */
export const fieldsOf = (schema: Json, nested: boolean): ReadonlyArray<Field> => {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(properties).flatMap(([name, property]) => {
    const facts = isObject(property) ? property : {}
    const field: Field = {
      name,
      schema: property,
      required: required.includes(name),
      standard: facts["default"] === undefined ? undefined : JSON.stringify(facts["default"]),
      description: descriptionOf(property)
    }
    const isList = isObject(facts["items"])
    const inner = isList ? facts["items"] : property
    const below = nested && isObject(inner) ? fieldsOf(inner, true) : []
    return [field, ...below.map((one) => ({ ...one, name: `${name}${isList ? "[]" : ""}.${one.name}` }))]
  })
}
