/** What a script gave, as the data of a line. */
import type { Schema } from "effect"

const parsed = (text: string): Schema.Json | undefined => {
  try {
    return JSON.parse(text) as Schema.Json
  } catch {
    return undefined
  }
}

/** The characters of a JSON text that an escaped character has at the most. */
const longestEscape = 6

/** The beginning of a text, told by the beginning of its JSON: that may end within an escaped character. */
const beginning = (json: string): string => {
  for (let left = 0; left < longestEscape; left++) {
    const text = parsed(`${json.slice(0, json.length - left)}"`)
    if (typeof text === "string") return text
  }
  return json
}

/**
 * JSON as itself, what is no JSON by its description. Of a value that was cut this is the text that is there: of a text
 * its beginning, of anything else the beginning of its JSON.
 */
export const dataOf = (value: string | undefined, kind: string | undefined, truncated: boolean): Schema.Json => {
  if (value === undefined) return null
  if (kind !== "json" && kind !== undefined) return value
  if (!truncated) return parsed(value) ?? (value === "null" ? null : value)
  return value.startsWith('"') ? beginning(value) : value
}
