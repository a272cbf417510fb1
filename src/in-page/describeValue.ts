/**
 * Turns what a script gave into plain data that the browser can hand over by value, within a budget.
 *
 * It runs in the page's own world, because values cannot leave it, so it works with syntax rather than with the page's
 * built-ins: a page that replaced `JSON.stringify`, `Object.keys` or `Array.prototype.toJSON` neither breaks it nor
 * changes what it says. Plain objects and arrays follow the rules of `JSON.stringify`, without calling `toJSON` on them.
 */

/** What a value is and, where it has any, its plain data. */
export interface Described {
  readonly kind: "json" | "undefined" | "number" | "bigint" | "symbol" | "function" | "node" | "unserialisable"
  /** for "json" and cyclic or unreadable values the data; for the other kinds a text */
  readonly value?: unknown
  /** something was left out for want of budget */
  readonly cut: boolean
}

/** The link from a nested object to the objects around it, to find cycles without a built-in collection. */
interface Around {
  readonly value: object
  readonly outer: Around | null
}

const deepest = 100
const omitted = { omitted: true }

const textOf = (value: unknown): string => {
  try {
    return `${value as string}`
  } catch {
    return "[unreadable]"
  }
}

/** Reads a property without failing. */
const read = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/** "div#id.class", as developer tools name a node; undefined for what is no node. */
const nodeName = (value: object): string | undefined => {
  const name = read(value, "nodeName")
  const type = read(value, "nodeType")
  if (typeof name !== "string" || typeof type !== "number") return undefined
  if (type === 3 || type === 8) return `${name} ${textOf(read(value, "data"))}`
  if (type === 9) return `${name} ${textOf(read(value, "URL"))}`
  if (type !== 1) return name
  const attribute = (key: string): string => {
    try {
      return (value as Element).getAttribute(key) ?? ""
    } catch {
      return ""
    }
  }
  const id = attribute("id")
  let classes = ""
  for (const letter of attribute("class")) classes += letter === " " || letter === "\n" ? "." : letter
  return `${textOf(read(value, "localName"))}${id === "" ? "" : `#${id}`}${classes === "" ? "" : `.${classes}`}`
}

const className = (value: object): string => {
  const constructor = read(value, "constructor")
  const name = typeof constructor === "function" ? read(constructor, "name") : undefined
  return typeof name === "string" && name !== "" ? name : "Object"
}

class Writer {
  left: number
  cut = false
  /** something could not be shown as it is: a cycle, a getter that throws, too many levels */
  lossy = false
  constructor(budget: number) {
    this.left = budget
  }

  clip(text: string): string {
    if (text.length <= this.left) {
      this.left -= text.length
      return text
    }
    let kept = ""
    for (let index = 0; index < this.left; index++) kept += text[index]
    this.left = 0
    this.cut = true
    return kept
  }

  /** Plain data for a nested value; `omitted` for what JSON leaves out. */
  data(value: unknown, around: Around | null, depth: number): unknown {
    this.left -= 2
    if (this.left <= 0) {
      this.left = 0
      this.cut = true
      return omitted
    }
    switch (typeof value) {
      case "string":
        return this.clip(value)
      case "boolean":
        return value
      case "number":
        // NaN and the infinities, which are the numbers that differ from themselves when taken from themselves
        return value - value === 0 ? value + 0 : null
      case "bigint":
        return this.clip(`${value}n`)
      case "object":
        return value === null ? null : this.object(value, around, depth)
      default:
        return omitted
    }
  }

  object(value: object, around: Around | null, depth: number): unknown {
    for (let outer = around; outer !== null; outer = outer.outer) {
      if (outer.value === value) return this.mark("[circular]")
    }
    if (depth > deepest) return this.mark("[too deep]")
    const inner = { value, outer: around }
    try {
      if (Array.isArray(value)) return this.list(value, inner, depth)
      const prototype: unknown = Object.getPrototypeOf(value)
      if (prototype === null || prototype === Object.prototype) return this.members(value, inner, depth)
      return this.special(value, inner, depth)
    } catch {
      return this.mark(`[${className(value)}]`)
    }
  }

  mark(text: string): string {
    this.lossy = true
    return this.clip(text)
  }

  list(value: ArrayLike<unknown>, around: Around, depth: number): Array<unknown> {
    const out: Array<unknown> = []
    const length = value.length
    for (let index = 0; index < length; index++) {
      if (this.left <= 0) {
        this.cut = true
        break
      }
      const item = this.data(value[index], around, depth + 1)
      out[out.length] = item === omitted ? null : item
    }
    return out
  }

  members(value: object, around: Around, depth: number): object {
    const out: Record<string, unknown> = { __proto__: null } as unknown as Record<string, unknown>
    let own: Record<string, unknown>
    try {
      own = { __proto__: null, ...value } as unknown as Record<string, unknown>
    } catch {
      // A getter throws: read the members one by one, and say so where it does.
      own = { __proto__: null } as unknown as Record<string, unknown>
      for (const key in value) {
        try {
          own[key] = (value as Record<string, unknown>)[key]
        } catch (error) {
          own[key] = this.mark(`[getter throws: ${textOf(error)}]`)
        }
      }
    }
    for (const key in own) {
      if (this.left <= 0) {
        this.cut = true
        break
      }
      const item = this.data(own[key], around, depth + 1)
      if (item === omitted) continue
      this.left -= key.length + 2
      out[key] = item
    }
    return out
  }

  /** Objects of a class: nodes, dates, collections, errors, and whatever else has members. */
  special(value: object, around: Around, depth: number): unknown {
    if (read(value, "window") === value) return this.mark(`[window ${textOf(read(value, "origin"))}]`)
    const node = nodeName(value)
    if (node !== undefined) return this.clip(node)
    if (value instanceof Error || className(value) === "DOMException") return this.clip(textOf(value))
    const toJson = read(value, "toJSON")
    if (typeof toJson === "function") {
      const json: unknown = (value as { toJSON(): unknown }).toJSON()
      return json === value ? this.members(value, around, depth) : this.data(json, around, depth + 1)
    }
    const size = read(value, "size")
    const iterable = Symbol.iterator in value
    if (iterable && typeof size === "number") {
      const out: Array<unknown> = []
      for (const item of value as Iterable<unknown>) {
        if (this.left <= 0) {
          this.cut = true
          break
        }
        const shown = this.data(item, around, depth + 1)
        out[out.length] = shown === omitted ? null : shown
      }
      return out
    }
    if (iterable && typeof read(value, "length") === "number") {
      return this.list(value as unknown as ArrayLike<unknown>, around, depth)
    }
    const members = this.members(value, around, depth)
    for (const _ in members) return members
    return value instanceof RegExp ? this.clip(textOf(value)) : this.mark(`[${className(value)}]`)
  }
}

/** Describes a value; `budget` bounds the characters of its data roughly, and the work done for it. */
export const describeValue = (value: unknown, budget: number): Described => {
  const writer = new Writer(budget + 2)
  switch (typeof value) {
    case "undefined":
      return { kind: "undefined", cut: false }
    case "number":
      if (value - value !== 0 || (value === 0 && 1 / value < 0)) {
        return { kind: "number", value: value === 0 ? "-0" : `${value}`, cut: false }
      }
      return { kind: "json", value, cut: false }
    case "bigint":
      return { kind: "bigint", value: writer.clip(`${value}`), cut: writer.cut }
    case "symbol":
      return { kind: "symbol", value: writer.clip(`Symbol(${value.description ?? ""})`), cut: writer.cut }
    case "function":
      return { kind: "function", value: writer.clip(textOf(value)), cut: writer.cut }
    case "object": {
      if (value === null) return { kind: "json", value, cut: false }
      const node = value === read(value, "window") ? undefined : nodeName(value)
      if (node !== undefined && Object.getPrototypeOf(value) !== Object.prototype) {
        return { kind: "node", value: writer.clip(node), cut: writer.cut }
      }
      const data = writer.data(value, null, 0)
      return { kind: writer.lossy ? "unserialisable" : "json", value: data === omitted ? null : data, cut: writer.cut }
    }
    default:
      return { kind: "json", value: writer.data(value, null, 0), cut: writer.cut }
  }
}
