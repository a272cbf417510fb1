/** Small pieces of Markdown. */

/** A text inside a table cell. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** A table. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

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

/** A JSON Schema in words: type, limits, choices. */
export const typeText = (schema: unknown): string => {
  if (!isObject(schema)) return "any"
  const choices = schema["enum"]
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(", ")
  const either = schema["anyOf"]
  if (Array.isArray(either)) return either.map(typeText).join(" or ")
  if (schema["type"] === "array") return `list of ${typeText(schema["items"])}`
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
