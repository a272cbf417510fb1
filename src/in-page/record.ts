/** Reads from the page what tells an element's record from its neighbours; `identity.ts` compares. */
import {
  attribute,
  comparePosition,
  isElement,
  isText,
  localNameOf,
  newRange,
  nextElementOf,
  parentNodeOf,
  previousElementOf,
  queryAll,
  queryIn,
  rootOf,
  shortAttribute
} from "./dom.ts"
import { type Facts, isCounter, isGenerated, isPositional, isState, type RecordFacts } from "./identity.ts"
import { lastResort } from "./lastResort.ts"
import { nameOf } from "./name.ts"
import { indexOf, isCell, isSemantic, neighbours, placeOf, proofOf, sameGrid, shapeOf } from "./recordParts.ts"
import { kindOf, roleOf } from "./role.ts"
import { clip, collapse } from "./text.ts"
import { flatChildren, flatParent } from "./tree.ts"
import type { View } from "./view.ts"

const silent = new Set("script style template noscript button select textarea input svg iframe".split(" "))
const controlRoles = new Set(["button", "checkbox", "switch", "combobox", "textbox", "menuitem", "tab"])
const headings = "h1,h2,h3,h4,h5,h6,[role=heading],legend,th[scope=row],[role=rowheader]"
const partHeadings = "h1,h2,h3,h4,h5,h6,[role=heading],legend"
const maxLeaves = 16

interface Content {
  readonly leaves: ReadonlyArray<string>
  readonly heading: string
  readonly links: ReadonlyArray<string>
}

/** Reads records during one synchronous look at the page, each of them once. */
export class RecordReader {
  private readonly view: View
  private readonly many: boolean
  private readonly contents = new Map<Element, Content>()
  private readonly repeated = new Map<Element, boolean>()
  private readonly records = new Map<Element, RecordFacts>()
  private readonly heads = new Map<Element, Element | null>()
  private readonly counts = new Map<Node, Map<string, number>>()

  /** `many`: it will be asked about many elements */
  constructor(view: View, many = false) {
    this.view = view
    this.many = many
  }

  /** Everything that is to be remembered about an element, or about a run of text that begins at `node`. */
  facts(node: Element | Text, kind: string, name: string, last?: Text): Facts {
    if (isText(node)) {
      const parent = parentNodeOf(node)
      return {
        kind,
        role: "text",
        name: runText(node, last),
        own: "",
        href: "",
        className: "",
        records: isElement(parent) ? this.recordsOf(parent) : [],
        heading: ""
      }
    }
    const records = kind === "frame" ? [] : this.recordsOf(node)
    return {
      kind,
      role: kind === "frame" ? "frame" : roleOf(node),
      name: kind === "frame" ? "" : clip(name, 500),
      own: this.own(node),
      href: shortAttribute(node, "href", 500),
      className: this.ownClass(node),
      records,
      heading: this.partHeading(node)
    }
  }

  /** The facts as they are now, for comparing with remembered ones. */
  current(node: Element | Text, then: Facts, last?: Text): Facts {
    if (isText(node)) return this.facts(node, then.kind, "", last)
    const role = roleOf(node)
    const kind = then.kind === "frame" ? "frame" : then.role === role ? then.kind : kindOf(node, role)
    return this.facts(node, kind, then.kind === "frame" ? "" : this.name(node, kind))
  }

  private name(element: Element, kind: string): string {
    const byContent = /^(clickable|row|cell|gridcell|listitem|article|link)$/.test(kind)
    return nameOf(element, this.view, byContent) || lastResort(element)
  }

  /** An id or name that is nobody else's, was not made up for an instance and is no position. */
  private own(element: Element): string {
    const index = this.rowIndex(element)
    for (const name of ["id", "name"] as const) {
      const value = shortAttribute(element, name, 200)
      if (value === "" || isGenerated(value) || (index >= 0 && isPositional(value, index))) continue
      if (this.count(rootOf(element), name, value) === 1) return `${name}=${value}`
    }
    return ""
  }

  private ownClass(element: Element): string {
    const value = shortAttribute(element, "class", 300)
    const root = rootOf(element)
    const words = value.split(/\s+/).filter((word) => word !== "")
    return words.slice(0, 8).some((word) => this.count(root, "class", word) === 1) ? value : ""
  }

  /** How many elements under a root have that value; for many questions all values are counted at once. */
  private count(root: Node, name: "id" | "name" | "class", value: string): number {
    if (!this.many) {
      const escaped = CSS.escape(value)
      return queryAll(root, name === "class" ? `.${escaped}` : `[${name}="${escaped}"]`).length
    }
    let counts = this.counts.get(root)
    if (counts === undefined) {
      counts = new Map()
      this.counts.set(root, counts)
    }
    if (!counts.has(name)) {
      counts.set(name, 1)
      const all = queryAll(root, `[${name}]`)
      for (let index = 0; index < all.length && index < 60_000; index += 1) {
        const text = shortAttribute(all[index] as Element, name, 300)
        for (const word of name === "class" ? text.split(/\s+/) : [text]) {
          const key = `${name}=${word}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
    }
    return counts.get(`${name}=${value}`) ?? 0
  }

  private readonly indexes = new Map<Element, number>()

  private index(element: Element): number {
    const known = this.indexes.get(element)
    if (known !== undefined) return known
    const before = previousElementOf(element)
    const near = before === null ? undefined : this.indexes.get(before)
    const index = near === undefined ? indexOf(element) : near + 1
    this.indexes.set(element, index)
    return index
  }

  private rowIndex(element: Element): number {
    for (let at: Element | null = element, steps = 0; at !== null && steps < 12; at = flatParent(at), steps += 1) {
      if (this.isRecord(at)) return this.index(at)
    }
    return -1
  }

  /** Whether an element is one of several of its kind. */
  private isRecord(element: Element): boolean {
    if (isSemantic(element)) return true
    if (isCell(element)) return false
    const known = this.repeated.get(element)
    if (known !== undefined) return known
    const shape = shapeOf(element)
    let before: Element | null = element
    let after: Element | null = element
    let found = false
    for (let steps = 0; steps < 3 && !found; steps += 1) {
      before = before && previousElementOf(before)
      after = after && nextElementOf(after)
      found = (before !== null && shapeOf(before) === shape) || (after !== null && shapeOf(after) === shape)
    }
    this.repeated.set(element, found)
    return found
  }

  private recordsOf(element: Element): ReadonlyArray<RecordFacts> {
    const found: Array<RecordFacts> = []
    let inner: Element | undefined
    const first = isSemantic(element) ? element : flatParent(element)
    for (let at = first, steps = 0; at !== null && steps < 60 && found.length < 3; at = flatParent(at), steps += 1) {
      if (!this.isRecord(at)) continue
      // a cell of a grid of plain blocks is no record; its row is
      const parent = flatParent(at)
      const outer = inner !== undefined
      const facts = outer && !this.isCellOf(inner, at) ? this.outline(at) : this.record(at)
      if (!outer || isSemantic(at) || facts.heading !== "" || facts.proof !== "" || this.isCellOf(inner, at))
        found.push(facts)
      inner = at
      if (parent === null) break
    }
    return found
  }

  private isCellOf(inner: Element | undefined, outer: Element): boolean {
    return inner !== undefined && !isSemantic(inner) && flatParent(inner) === outer && sameGrid(outer)
  }

  /** Of a record around a record only what names it as a whole. */
  private outline(element: Element): RecordFacts {
    const { heading, proof, semantic } = this.record(element)
    return { semantic, proof, heading, place: "", beside: "", target: "", leaves: [], telling: [] }
  }

  private record(element: Element): RecordFacts {
    const known = this.records.get(element)
    if (known !== undefined) return known
    const content = this.content(element)
    const near = neighbours(element)
    const others = new Set<string>()
    const otherTargets = new Set<string>()
    let namesake = false
    for (const neighbour of near) {
      const other = this.content(neighbour)
      for (const leaf of other.leaves) others.add(leaf)
      for (const link of other.links) otherTargets.add(link)
      if (other.heading !== "" && other.heading === content.heading) namesake = true
    }
    const index = this.index(element)
    const id = shortAttribute(element, "id", 200)
    const link = content.links.find((target) => !otherTargets.has(target) && !isPositional(target, index))
    const ownId = id !== "" && !isGenerated(id) && !isPositional(id, index) && /\d/.test(id) ? `#${id}` : undefined
    // a row number says where the row is, not which one it is
    const leaves = content.leaves.filter((leaf) => !/^#?\d+[.)]?$/.test(leaf) || !isPositional(leaf, index))
    const facts: RecordFacts = {
      semantic: isSemantic(element),
      proof: proofOf(element, index, near),
      target: ownId ?? link ?? "",
      heading: namesake ? "" : content.heading,
      leaves,
      telling: leaves.filter((leaf) => !others.has(leaf) && !isCounter(leaf) && !isState(leaf)),
      place: placeOf(element),
      beside: `${this.title(previousElementOf(element))}|${this.title(nextElementOf(element))}`
    }
    this.records.set(element, facts)
    return facts
  }

  /** What a record is called by its neighbours. */
  private title(element: Element | null): string {
    if (element === null) return ""
    const { heading, leaves } = this.content(element)
    return heading || leaves.find((leaf) => !isCounter(leaf) && !isState(leaf)) || leaves[0] || ""
  }

  private content(element: Element): Content {
    const known = this.contents.get(element)
    if (known !== undefined) return known
    const leaves: Array<string> = []
    const links: Array<string> = []
    let steps = 0
    const look = (at: Element): void => {
      let own = ""
      for (const child of flatChildren(at)) {
        steps += 1
        if (steps > 300 || leaves.length >= maxLeaves) return
        if (isText(child)) own += child.data.slice(0, 300)
        else if (isElement(child)) {
          const tag = localNameOf(child)
          const role = attribute(child, "role")
          if (silent.has(tag) || (role !== null && controlRoles.has(role))) continue
          if (collapse(own) !== "") leaves.push(clip(collapse(own), 80))
          own = ""
          if (tag === "a") {
            const href = shortAttribute(child, "href", 300)
            if (href !== "" && href !== "#" && !href.startsWith("javascript:")) links.push(href)
          }
          look(child)
        }
      }
      if (collapse(own) !== "") leaves.push(clip(collapse(own), 80))
    }
    look(element)
    const head = queryIn(element, headings)
    const heading = head === null ? "" : clip(collapse((head.textContent ?? "").slice(0, 600)), 80)
    const content = { leaves: leaves.slice(0, maxLeaves), links: links.slice(0, 8), heading }
    this.contents.set(element, content)
    return content
  }

  /** The heading before the element in the nearest part of the page that has one; not that of the page as a whole. */
  private partHeading(element: Element): string {
    let at = flatParent(element)
    for (let steps = 0; at !== null && steps < 5; at = flatParent(at), steps += 1) {
      const tag = localNameOf(at)
      if (/^(body|main|html|nav|header|footer|table|tbody)$/.test(tag)) return ""
      let head = this.heads.get(at)
      if (head === undefined) {
        head = queryIn(at, partHeadings)
        this.heads.set(at, head)
      }
      if (head === null) continue
      const follows = (comparePosition(head, element) & 4) !== 0
      return follows && !this.view.once(at, isPage) ? clip(collapse((head.textContent ?? "").slice(0, 600)), 80) : ""
    }
    return ""
  }
}

/** Whether a block is (nearly) the whole page. */
const isPage = (element: Element): boolean => {
  const parent = flatParent(element)
  return (
    queryIn(element, "main,nav,header,footer,[role=main]") !== null ||
    (parent !== null && localNameOf(parent) === "html")
  )
}

const runText = (first: Text, last: Text | undefined): string => {
  const range = newRange()
  range.setStart(first, 0)
  if (last?.isConnected) range.setEnd(last, last.data.length)
  else range.setEnd(first, first.data.length)
  return clip(collapse(range.toString().slice(0, 2000)), 500)
}
