/** Accessible names by the rules of accname 1.2 and HTML-AAM; the step numbers in the comments are accname's. */
import {
  attribute,
  byId,
  firstElementOf,
  hasAttribute,
  isElement,
  isText,
  localNameOf,
  nextElementOf,
  rootOf,
  shortAttribute
} from "./dom.ts"
import { isLabelable, labelsOf } from "./labels.ts"
import { inputType, isEditingHost, mayBeNamed, namedByContent, roleOf } from "./role.ts"
import { collapse, TextSink } from "./text.ts"
import { flatChildren } from "./tree.ts"
import { controlText } from "./value.ts"
import type { View } from "./view.ts"

/** One computation: what has been visited, how many steps are left, whether it follows aria-labelledby. */
interface Trip {
  readonly view: View
  readonly seen: Set<Element>
  left: number
  referenced: boolean
  /** hidden content counts, because a hidden element was named as the label */
  hidden: boolean
  /** content of such roles is left out (the items under a tree item) */
  skipGroups: boolean
}

const silent = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "head",
  "title",
  "meta",
  "link",
  "datalist",
  "iframe"
])
const groups = new Set(["group", "menu", "menubar", "tree", "list", "listbox"])

const childOf = (parent: Element, tag: string): Element | undefined => {
  for (let child = firstElementOf(parent); child !== null; child = nextElementOf(child)) {
    if (localNameOf(child) === tag) return child
  }
  return undefined
}

/** The elements that an attribute names by their ids. */
export const referencedBy = (element: Element, name: string): ReadonlyArray<Element> => {
  const value = attribute(element, name)
  if (value === null) return []
  const root = rootOf(element)
  const found: Array<Element> = []
  for (const id of value.slice(0, 2000).trim().split(/\s+/).slice(0, 20)) {
    const target = id === "" ? null : byId(root, id)
    if (target !== null) found.push(target)
  }
  return found
}

const isControl = (role: string): boolean =>
  role === "textbox" ||
  role === "searchbox" ||
  role === "combobox" ||
  role === "listbox" ||
  role === "slider" ||
  role === "spinbutton"

/** The content of an element as text (step 2F), blocks apart, inline parts joined. */
const contentOf = (element: Element, trip: Trip): string => {
  const sink = new TextSink()
  const { view } = trip
  sink.add(view.pseudoText(element, "::before"))
  const closed = localNameOf(element) === "details" && !hasAttribute(element, "open") && !trip.hidden
  const visible = trip.hidden || view.style(element).visibility === "visible"
  const add = (child: Node): void => {
    if (isText(child)) {
      if (visible) sink.add(child.data)
      return
    }
    if (!isElement(child)) return
    const tag = localNameOf(child)
    if (tag === "br") {
      sink.space()
      return
    }
    if (silent.has(tag) || (closed && tag !== "summary")) return
    const display = view.style(child).display
    if (!trip.hidden && (display === "none" || attribute(child, "aria-hidden") === "true")) return
    const apart = display !== "inline" && display !== "contents"
    if (apart) sink.space()
    sink.add(compute(child, trip, false))
    if (apart) sink.space()
  }
  for (const child of flatChildren(element)) {
    trip.left -= 1
    if (trip.left < 0 || sink.full) break
    add(child)
  }
  for (const owned of referencedBy(element, "aria-owns")) {
    sink.space()
    add(owned)
  }
  sink.add(view.pseudoText(element, "::after"))
  return sink.toString()
}

/** The name that HTML itself gives (step 2E). */
const nativeName = (element: Element, role: string, trip: Trip, root: boolean): string => {
  const tag = localNameOf(element)
  switch (tag) {
    case "img":
    case "area":
      return shortAttribute(element, "alt")
    case "svg":
    case "g":
    case "path":
    case "circle":
    case "rect":
    case "use": {
      const title = childOf(element, "title")
      return title === undefined ? "" : (title.textContent ?? "").slice(0, 1000)
    }
    case "input": {
      const type = inputType(element)
      if (type === "submit" || type === "reset" || type === "button") {
        const value = attribute(element, "value") === null ? "" : (element as HTMLInputElement).value.slice(0, 4000)
        return value || byLabels(element, trip) || (type === "submit" ? "Submit" : type === "reset" ? "Reset" : "")
      }
      if (type === "image") {
        return (
          byLabels(element, trip) ||
          shortAttribute(element, "alt") ||
          shortAttribute(element, "value") ||
          shortAttribute(element, "title") ||
          "Submit"
        )
      }
      break
    }
    case "fieldset":
      return ofChild(element, "legend", trip)
    case "figure":
      return ofChild(element, "figcaption", trip)
    case "table":
      return ofChild(element, "caption", trip)
    case "optgroup":
    case "option":
    case "track":
      return shortAttribute(element, "label")
    default:
  }
  if (root && isLabelable(element) && role !== "none") return byLabels(element, trip)
  return ""
}

const ofChild = (element: Element, tag: string, trip: Trip): string => {
  const child = childOf(element, tag)
  return child === undefined ? "" : compute(child, trip, false, true)
}

const byLabels = (element: Element, trip: Trip): string => {
  const names: Array<string> = []
  for (const label of labelsOf(element, trip.view)) {
    if (names.length < 5 && !trip.seen.has(label)) names.push(compute(label, trip, false, true))
  }
  return collapse(names.join(" "))
}

/** `root`: the element to be named itself; else it is met on the way, and its content counts whatever its role. */
const compute = (element: Element, trip: Trip, root: boolean, force = false): string => {
  if (trip.seen.has(element) || trip.seen.size > 3000) return ""
  trip.seen.add(element)
  const role = roleOf(element)
  // 2B
  if (!trip.referenced && hasAttribute(element, "aria-labelledby")) {
    const names: Array<string> = []
    for (const target of referencedBy(element, "aria-labelledby")) {
      // an element may name itself; it is visited anew for that
      const seen = new Set(target === element ? [] : [element])
      const hidden = !trip.view.rendered(target)
      names.push(compute(target, { ...trip, seen, referenced: true, hidden }, target === element, true))
    }
    const name = collapse(names.join(" "))
    if (name !== "") return name
  }
  // 2C
  if (!root && (isControl(role) || isEditingHost(element))) return controlText(element, role)
  // 2D
  const label = collapse(shortAttribute(element, "aria-label", 4000))
  if (label !== "" && (!root || force || mayBeNamed(role) || isEditingHost(element))) return label
  // 2E
  if (role !== "none" || root) {
    const native = collapse(nativeName(element, role, trip, root))
    if (native !== "") return native
  }
  // 2F
  if (trip.skipGroups && !root && groups.has(role)) return ""
  const tag = localNameOf(element)
  const embedded = tag === "select" || tag === "textarea" || tag === "svg" || tag === "video" || tag === "audio"
  if (!embedded && (!root || force || (namedByContent.has(role) && !isEditingHost(element)))) {
    const content = contentOf(element, trip)
    if (collapse(content) !== "") return root ? collapse(content) : content
  }
  // 2I
  const title = collapse(shortAttribute(element, "title"))
  if (title !== "" && role !== "none") return title
  if (root && (tag === "input" || tag === "textarea" || isControl(role))) {
    return collapse(shortAttribute(element, "placeholder")) || collapse(shortAttribute(element, "aria-placeholder"))
  }
  return ""
}

/** The accessible name, whitespace collapsed, at most a few thousand characters. `byContent`: whatever the role says. */
export const nameOf = (element: Element, view: View, byContent = false): string => {
  const role = roleOf(element)
  const trip: Trip = {
    view,
    seen: new Set(),
    left: 3000,
    referenced: false,
    hidden: false,
    skipGroups: role === "treeitem" || role === "menuitem" || role === "listitem"
  }
  return compute(element, trip, true, byContent)
}

/** All visible text inside an element, as a name would have it. */
export const textOf = (element: Element, view: View): string => {
  const trip: Trip = { view, seen: new Set(), left: 3000, referenced: false, hidden: false, skipGroups: false }
  return collapse(contentOf(element, trip))
}
