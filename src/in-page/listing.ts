/** What is worth a line of its own, and as what. */
import { attribute, hasAttribute, hasAttributes, namespaceOf } from "./dom.ts"
import { actable, isEditingHost, kindOf, landmarks, roleOf } from "./role.ts"

export interface Listing {
  readonly kind: string
  readonly role: string
  readonly act: boolean
  /** named by its content whatever the role says */
  readonly byContent: boolean
  /** can be focused, but is not made to be pressed: pressable areas inside it count */
  readonly area: boolean
}

const svgSpace = "http://www.w3.org/2000/svg"
const shapes = new Set("a circle ellipse g image line path polygon polyline rect svg text tspan use".split(" "))
const telling = new Set("row cell gridcell listitem heading image article columnheader rowheader".split(" "))

/** What may be listed although it has no attribute at all. */
const speaking = new Set(
  "a button canvas dialog h1 h2 h3 h4 h5 h6 iframe input meter option progress select summary svg textarea".split(" ")
)

/** The word for something that is pressed although its role does not say so. */
const pressedKind = (tag: string, role: string): string =>
  tag === "a" ? "link" : telling.has(role) ? role : "clickable"

const canFocus = (element: Element, role: string): boolean => {
  const tabindex = attribute(element, "tabindex")
  if (tabindex === null) return false
  return Number.parseInt(tabindex, 10) >= 0 || role === "gridcell" || role === "row" || role === "cell"
}

/**
 * How an element is listed; undefined if it is not. `hand`: the cursor turns into a hand here, outside of any control.
 * `isTarget` is asked whether such an area is one thing to press.
 */
export const listingOf = (
  element: Element,
  tag: string,
  hand: boolean,
  isTarget: () => boolean
): Listing | undefined => {
  if (!hand && !speaking.has(tag) && !hasAttributes(element)) return undefined
  if (tag === "iframe" || tag === "frame")
    return { kind: "frame", role: "frame", act: false, byContent: false, area: true }
  if (namespaceOf(element) === svgSpace && !shapes.has(tag)) return undefined
  const role = roleOf(element)
  if (actable.has(role) || tag === "input" || isEditingHost(element)) {
    return { kind: kindOf(element, role), role, act: true, byContent: false, area: false }
  }
  if (tag === "body" || tag === "html") return undefined
  const labelled = tag === "label" && (element as HTMLLabelElement).control !== null
  const scripted = tag !== "form" && hasAttribute(element, "onclick")
  if ((hand || scripted) && !labelled && isTarget()) {
    return { kind: pressedKind(tag, role), role, act: true, byContent: true, area: false }
  }
  if (canFocus(element, role)) {
    return { kind: pressedKind(tag, role), role, act: true, byContent: !landmarks.has(role), area: true }
  }
  if (tag === "canvas" || ((tag === "video" || tag === "audio") && hasAttribute(element, "controls"))) {
    return { kind: tag, role, act: true, byContent: false, area: false }
  }
  if (role === "image" || role === "graphics") return { kind: "image", role, act: false, byContent: false, area: true }
  if (role === "heading" || role === "progressbar" || role === "meter" || landmarks.has(role)) {
    return { kind: role, role, act: false, byContent: false, area: true }
  }
  return undefined
}
