/** The numbers by which elements, and runs of text, are known outside the page. */
import { elementOf, isConnected, isText, parentNodeOf } from "./dom.ts"
import { type Facts, whatChanged } from "./identity.ts"
import { RecordReader } from "./record.ts"
import { flatChildren } from "./tree.ts"
import type { View } from "./view.ts"

/** What a key stands for: an element, or a run of text by its first and last text. */
export interface Keyed {
  readonly node: Element | Text
  readonly last: Text | undefined
}

interface Entry {
  readonly node: WeakRef<Element | Text>
  last: WeakRef<Text> | undefined
  /** facts by number as JSON text, the latest last */
  readonly versions: Map<number, string>
  parent: WeakRef<Node> | undefined
}

const keptVersions = 40
let lastKey = 0
let lastFacts = 0
const keyByNode = new WeakMap<Node, number>()
const entries = new Map<number, Entry>()
const cleaner = new FinalizationRegistry<number>((key) => entries.delete(key))

/** The key of a node: given once, never used for another. */
export const keyOf = (node: Element | Text, last?: Text): number => {
  const known = keyByNode.get(node)
  if (known !== undefined) {
    const entry = entries.get(known)
    if (entry !== undefined && last !== undefined) entry.last = new WeakRef(last)
    return known
  }
  lastKey += 1
  keyByNode.set(node, lastKey)
  const reference = last === undefined ? undefined : new WeakRef(last)
  entries.set(lastKey, { node: new WeakRef(node), last: reference, versions: new Map(), parent: undefined })
  cleaner.register(node, lastKey)
  return lastKey
}

/** Remembers facts about a node; the same facts keep their number. */
export const remember = (key: number, facts: Facts): number => {
  const entry = entries.get(key)
  if (entry === undefined) return 0
  let latest = 0
  for (const number of entry.versions.keys()) latest = number
  const text = JSON.stringify(facts)
  if (entry.versions.get(latest) === text) return latest
  lastFacts += 1
  entry.versions.set(lastFacts, text)
  const [oldest] = entry.versions.keys()
  if (entry.versions.size > keptVersions && oldest !== undefined) entry.versions.delete(oldest)
  const node = entry.node.deref()
  const parent = node && parentNodeOf(node)
  if (parent) entry.parent = new WeakRef(parent)
  return lastFacts
}

/** The node of a key, if it still exists, in the page or not. */
export const nodeOfKey = (key: number): Keyed | undefined => {
  const entry = entries.get(key)
  const node = entry?.node.deref()
  return node === undefined ? undefined : { node, last: entry?.last?.deref() }
}

/** The element of a key; for a run of text the element around it. */
export const elementOfKey = (key: number): Element | undefined => {
  const keyed = nodeOfKey(key)
  return keyed === undefined ? undefined : (elementOf(keyed.node) ?? undefined)
}

/** The node of a key if it is in the page and still stands for what the facts say; else what changed. */
export const resolve = (
  key: number,
  fp: number | undefined,
  view: View,
  reader: RecordReader = new RecordReader(view)
): Keyed | { readonly reason: string } => {
  const entry = entries.get(key)
  const node = entry?.node.deref()
  if (entry === undefined) return { reason: "it is not known in this document" }
  if (node === undefined || !isConnected(node)) return { reason: goneReason(entry, reader) }
  const keyed: Keyed = { node, last: entry.last?.deref() }
  if (fp === undefined || fp === 0) return keyed
  const then = entry.versions.get(fp)
  if (then === undefined) return { reason: "it was seen too long ago" }
  const facts = JSON.parse(then) as Facts
  const reason = whatChanged(facts, reader.current(node, facts, keyed.last))
  return reason === undefined ? keyed : { reason }
}

const goneReason = (entry: Entry, reader: RecordReader): string => {
  const parent = entry.parent?.deref()
  let text: string | undefined
  for (const version of entry.versions.values()) text = version
  const facts = text === undefined ? undefined : (JSON.parse(text) as Facts)
  if (parent === undefined || facts === undefined || facts.role === "text" || !isConnected(parent))
    return "it left the page"
  const host = elementOf(parent)
  if (host === null) return "it left the page"
  for (const child of flatChildren(host).slice(0, 200)) {
    if (isText(child) || child.nodeType !== 1) continue
    const now = reader.current(child as Element, facts)
    if (now.role === facts.role && now.name === facts.name) return "it was replaced by another element"
  }
  return "it left the page"
}
