/** Controls whose visible part is another element: the native box without size, its label in its place. */
import { labelsOf } from "./labels.ts"
import { inputType } from "./role.ts"
import { type Box, isSeen, shrunk, type View, visibleBox } from "./view.ts"

/** The label that stands for a native checkbox, radio button or file field, if it can be seen. */
export const standIn = (element: Element, view: View): Element | undefined => {
  const type = inputType(element)
  if (type !== "checkbox" && type !== "radio" && type !== "file") return undefined
  return labelsOf(element, view).find((label) => isSeen(label, view))
}

/** Where a control is to be pressed: its own box, or that of the label that stands for it. */
export const pressBox = (element: Element, view: View): Box | undefined => {
  const own = view.rendered(element) && !shrunk(element, view) ? visibleBox(element, view) : undefined
  const reachable = own !== undefined && view.reachable(own)
  if (reachable && own.width > 2 && own.height > 2) return own
  const label = standIn(element, view)
  if (label !== undefined) return visibleBox(label, view)
  return reachable ? own : undefined
}
