/** What a press at a point would reach. */
import { describe } from "./describe.ts"
import { closest, containsNode, isElement, matches } from "./dom.ts"
import { isArea } from "./imageMap.ts"
import { roleOf } from "./role.ts"
import { deepHit, flatContains, flatParent } from "./tree.ts"
import { type Box, boxOf, type View } from "./view.ts"

const interactive =
  "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=tab],[role=menuitem],[contenteditable]"

/** Whether a press on `hit` reaches `target` through its label: nothing else to press lies between. */
const throughLabel = (target: Element, hit: Element): boolean => {
  const label = closest(hit, "label") as HTMLLabelElement | null
  if (label === null || label.control !== target) return false
  const between = closest(hit, interactive)
  return between === null || between === target || !containsNode(label, between)
}

/** Whether a press on `hit` is a press on `target`. */
export const counts = (target: Element, hit: Element): boolean => {
  if (flatContains(target, hit) || throughLabel(target, hit)) return true
  // text and icons inside a control let the pointer through to it
  if (!flatContains(hit, target)) return false
  const control = nearestControl(target)
  return control !== null && control !== target && control === hit
}

const nearestControl = (element: Element): Element | null => {
  if (matches(element, interactive)) return element
  for (let at = flatParent(element), steps = 0; at !== null && steps < 30; at = flatParent(at), steps += 1) {
    if (matches(at, interactive) || /^(option|treeitem|switch|menuitem.*)$/.test(roleOf(at))) return at
  }
  return null
}

/** Undefined if a press at the point reaches the target; else what is there instead (null: nothing). */
export const hitsTarget = (target: Element, x: number, y: number): Element | null | undefined => {
  const hit = deepHit(x, y)
  if (hit === null) return null
  return counts(target, hit) ? undefined : hit
}

/** The outermost element over the target that the hit one belongs to: the bar, not the button on it. */
export const coverRoot = (target: Element, hit: Element): Element => {
  let root = hit
  // what stands around an area is not what stands around its image
  if (isArea(hit)) return hit
  for (let at = flatParent(hit), steps = 0; at !== null && steps < 500; at = flatParent(at), steps += 1) {
    if (flatContains(at, target)) break
    root = at
  }
  return root
}

/** What covers the target, in words, and its box. */
export const coverFacts = (target: Element, hit: Element | null, view: View): { by: string; byBox: Box } => {
  if (hit === null || !isElement(hit)) return { by: "nothing (outside of the viewport)", byBox: boxOf(target) }
  if (flatContains(hit, target)) {
    return {
      by: `${describe(hit, view)}, because the target lets the pointer through or is clipped`,
      byBox: boxOf(hit)
    }
  }
  const root = coverRoot(target, hit)
  const inner = describe(hit, view)
  return { by: root === hit ? inner : `${inner} in ${describe(root, view)}`, byBox: boxOf(root) }
}
