/** What an example came to, in a form that is the same in every run: ids, addresses, paths and times are replaced. */
import type { ToolAnswer } from "../../src/services/Tools.ts"

export interface ExampleRecord {
  readonly tool: string
  readonly args: unknown
  readonly text: string
  readonly structured: unknown
}

/** What stands in a record for what differs from run to run. */
export interface Surroundings {
  readonly origin: string
  readonly folder: string
}

const shownOrigin = "http://harbour.example"
const shownFolder = "/home/you/harbour"

/** Times, by key: one moment for all. */
const moments: Readonly<Record<string, number>> = {
  at: 1_790_000_000,
  updatedAt: 1_790_000_000,
  opened_at: 1_790_000_000
}

/** How long it took and how large it became differs; the digits say nothing. */
const measured: Readonly<Record<string, number>> = { waitedMs: 8 }

class Replacing {
  private readonly ids = new Map<string, string>()
  private readonly surroundings: Surroundings
  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
  }

  text(text: string): string {
    return text
      .replaceAll(this.surroundings.origin, shownOrigin)
      .replaceAll(this.surroundings.folder, shownFolder)
      .replace(/\b[0-9A-F]{32}\b/g, (id) => {
        const known = this.ids.get(id) ?? `ID-${this.ids.size + 1}`
        this.ids.set(id, known)
        return known
      })
      .replace(/\bsession-\d+\b/g, "session-1")
      .replace(/\bscrape-\d+\b/g, "scrape-1")
      .replace(/(cursor ")[^"]+/g, "$1go-on")
      .replace(/^\d{10}\.\d{3} /gm, "1790000000.000 ")
      .replace(/\bafter \d+ ms\b/g, "after 8 ms")
  }

  value(value: unknown, key = ""): unknown {
    if (key === "cursor") return "go-on"
    if (typeof value === "string") return this.text(value)
    if (typeof value === "number") return moments[key] ?? measured[key] ?? value
    if (Array.isArray(value)) return value.map((inner: unknown) => this.value(inner))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.value(inner, name)]))
  }
}

/** The record of a call and its answer. */
export const recordOf = (tool: string, args: object, answer: ToolAnswer, surroundings: Surroundings): ExampleRecord => {
  const replacing = new Replacing(surroundings)
  return {
    tool,
    args: replacing.value(args),
    text: answer.content.flatMap((part) => (part.type === "text" ? [replacing.text(part.text)] : [])).join("\n\n"),
    structured: replacing.value(answer.structured)
  }
}

/** Numbers that depend on fonts, on the browser's version and on how pictures are packed. */
const drawn = new Set(["x", "y", "width", "height", "maxX", "maxY", "bytes", "scale", "done"])

/** What two runs have in common, whatever browser and fonts a machine has. */
export const comparable = (record: ExampleRecord): unknown => {
  const plain = (value: unknown, key = ""): unknown =>
    typeof value === "number" && drawn.has(key)
      ? 0
      : Array.isArray(value)
        ? value.map((inner: unknown) => plain(inner))
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, name)]))
          : typeof value === "string"
            ? value.replace(/\d+/g, "0")
            : value
  return { ...record, text: plain(record.text), structured: plain(record.structured) }
}
