/** What makes a block one of several, and what the block itself says about which one it is. */
import {
  attribute,
  attributesOf,
  childElementsOf,
  firstElementOf,
  localNameOf,
  namespaceOf,
  nextElementOf,
  previousElementOf,
  shortAttribute
} from "./dom.ts"
import { isGenerated, isPositional, isProofName } from "./identity.ts"

const recordTags = new Set(["li", "tr", "article", "option"])
const recordRoles = new Set(["row", "listitem", "option", "article", "treeitem"])
const cells = new Set("td th dd dt tbody thead tfoot colgroup table button a select label svg g body html".split(" "))
const cellRoles = new Set(["cell", "gridcell", "columnheader", "rowheader", "rowgroup"])
const sample = 12

/** Whether an element is a part of a record, or holds records, and is none itself. */
export const isCell = (element: Element): boolean => {
  const role = attribute(element, "role")
  return cells.has(localNameOf(element)) || (role !== null && cellRoles.has(role))
}

export const isSemantic = (element: Element): boolean => {
  const role = attribute(element, "role")
  return recordTags.has(localNameOf(element)) || (role !== null && recordRoles.has(role))
}

export const shapeOf = (element: Element): string => {
  const tag = localNameOf(element)
  const names = shortAttribute(element, "class", 200)
  if (names !== "") return `${tag}.${names.split(/\s+/)[0] ?? ""}`
  let shape = `${tag}:`
  let count = 0
  for (let child = firstElementOf(element); child !== null && count < 6; child = nextElementOf(child)) {
    shape += `${localNameOf(child)},`
    count += 1
  }
  return count === 0 ? `${tag}:${namespaceOf(element)}:none` : shape
}

/** Whether a block and its neighbour of the same shape have the same number of parts, as the rows of a grid do. */
export const sameGrid = (row: Element): boolean => {
  const neighbour = nextElementOf(row) ?? previousElementOf(row)
  return neighbour !== null && childElementsOf(neighbour).length === childElementsOf(row).length
}

export const neighbours = (element: Element): ReadonlyArray<Element> => {
  const tag = localNameOf(element)
  const near: Array<Element> = []
  let before = previousElementOf(element)
  let after = nextElementOf(element)
  for (let steps = 0; steps < sample && (before !== null || after !== null); steps += 1) {
    if (before !== null) {
      if (localNameOf(before) === tag) near.push(before)
      before = previousElementOf(before)
    }
    if (after !== null) {
      if (localNameOf(after) === tag) near.push(after)
      after = nextElementOf(after)
    }
  }
  return near
}

export const indexOf = (element: Element): number => {
  let index = 0
  for (let at = previousElementOf(element); at !== null && index < 5000; at = previousElementOf(at)) index += 1
  return index
}

export const proofOf = (element: Element, index: number, near: ReadonlyArray<Element>): string => {
  const proofs: Array<string> = []
  const attributes = attributesOf(element)
  for (let at = 0; at < attributes.length && at < 40; at += 1) {
    const { name, value } = attributes[at] as Attr
    if (!isProofName(name) || value === "" || isPositional(value, index) || isGenerated(value)) continue
    if (near.some((other) => attribute(other, name) === value)) continue
    proofs.push(`${name}=${value.slice(0, 200)}`)
  }
  return proofs.join(" ")
}

export const placeOf = (element: Element): string => {
  const style = shortAttribute(element, "style", 500)
  const at = /(?:transform|top|translate)\s*:[^;]*/.exec(style)?.[0] ?? ""
  const index = shortAttribute(element, "aria-rowindex") || shortAttribute(element, "aria-posinset")
  return `${index}${at}` || shortAttribute(element, "data-index")
}
