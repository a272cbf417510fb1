/** JSON values cut to a size: what is left is still JSON, keeps its shape, and says where something is missing. */
import type { Schema } from "effect"

interface Bounds {
  /** UTF-16 units of one text */
  readonly text: number
  /** items of one list, or keys of one object */
  readonly items: number
  readonly depth: number
}

/** Ever tighter. The last one leaves next to nothing, so something always fits. */
const steps: ReadonlyArray<Bounds> = [
  { text: 4_000, items: 500, depth: 40 },
  { text: 1_000, items: 200, depth: 20 },
  { text: 300, items: 80, depth: 12 },
  { text: 120, items: 30, depth: 8 },
  { text: 60, items: 10, depth: 6 },
  { text: 40, items: 5, depth: 4 },
  { text: 40, items: 3, depth: 2 }
]

const cutText = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, max)
        .toWellFormed()
        .replace(/\ufffd$/, "")}… (${text.length} characters)`

const cutValue = (value: Schema.Json, bounds: Bounds, depth: number): Schema.Json => {
  if (typeof value === "string") return cutText(value, bounds.text)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    if (depth >= bounds.depth) return `… (a list of ${value.length})`
    const kept = value.slice(0, bounds.items).map((item: Schema.Json) => cutValue(item, bounds, depth + 1))
    return value.length > kept.length ? [...kept, `… (${value.length - kept.length} more)`] : kept
  }
  const entries = Object.entries(value)
  if (depth >= bounds.depth) return `… (an object with ${entries.length} keys)`
  const kept = entries
    .slice(0, bounds.items)
    .map(([key, inner]) => [cutText(key, bounds.text), cutValue(inner, bounds, depth + 1)] as const)
  return Object.fromEntries(
    entries.length > kept.length ? [...kept, ["…", `${entries.length - kept.length} more keys`]] : kept
  )
}

/** The value, if its JSON text has at most `limit` characters (1,000 at least); else cut until it does. */
export const boundedJson = (
  value: Schema.Json,
  limit: number
): { readonly value: Schema.Json; readonly truncated: boolean } => {
  if (JSON.stringify(value).length <= limit) return { value, truncated: false }
  for (const bounds of steps) {
    const cut = cutValue(value, bounds, 0)
    if (JSON.stringify(cut).length <= limit) return { value: cut, truncated: true }
  }
  return { value: `… (${JSON.stringify(value).length} characters)`, truncated: true }
}
