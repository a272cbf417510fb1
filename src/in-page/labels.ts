/**
 * The label elements of native controls. The browser's own list (`input.labels`) is looked for in the whole document for
 * each control and each change; here the labels of a tree are looked through once for all controls.
 */
import { localNameOf, queryAll, rootOf } from "./dom.ts"
import type { View } from "./view.ts"

const labelable = new Set(["button", "input", "meter", "output", "progress", "select", "textarea"])

/** Whether a label can stand for the element. */
export const isLabelable = (element: Element): boolean => labelable.has(localNameOf(element))

const labelsIn = (root: Node): ReadonlyMap<Element, ReadonlyArray<HTMLElement>> => {
  const labels = new Map<Element, Array<HTMLElement>>()
  for (const label of Array.from(queryAll(root, "label"))) {
    const control = (label as HTMLLabelElement).control
    // elements of that name in another namespace are no labels
    if (control == null) continue
    const known = labels.get(control)
    if (known === undefined) labels.set(control, [label as HTMLLabelElement])
    else known.push(label as HTMLLabelElement)
  }
  return labels
}

/** The label elements of a native control, in document order. */
export const labelsOf = (element: Element, view: View): ReadonlyArray<HTMLElement> =>
  isLabelable(element) ? (view.once(rootOf(element), labelsIn).get(element) ?? []) : []
