/** One pass over the rendered tree in reading order: what there is to see and to act on, and the text between. */
import type { Unseen } from "../schemas/page.ts"
import { Allowance } from "./allowance.ts"
import {
  firstChildOf,
  hasAttribute,
  isElement,
  localNameOf,
  namespaceOf,
  nextSiblingOf,
  nodeTypeOf,
  queryAll,
  queryIn,
  rectOf,
  shortAttribute
} from "./dom.ts"
import { areasOf } from "./imageMap.ts"
import { type Listing, listingOf } from "./listing.ts"
import { lastResort } from "./lastResort.ts"
import { nameOf } from "./name.ts"
import { inputType, kindOf, roleOf } from "./role.ts"
import { pressBox, standIn } from "./standIn.ts"
import { clip, collapse, labelLimit, TextSink } from "./text.ts"
import { flatChildren, flatContains, shadowOf } from "./tree.ts"
import { type Box, openModal, shrunk, type View, visibleBox } from "./view.ts"

/** Something met on the way. */
export interface Sighting {
  /** the element, or the first text of a run */
  readonly node: Element | Text
  /** the last text of a run */
  readonly last?: Text
  readonly kind: string
  readonly role: string
  /** name or text, whitespace collapsed, at most a few thousand characters */
  readonly name: string
  /** can be acted on */
  readonly act: boolean
  /** where it is; of a text it is read when it is needed */
  readonly box?: Box
  /** the text is part of the label of something listed */
  readonly absorbed?: boolean
  /** the innermost listed control around it */
  readonly control: Element | null
  /** it stands in a part of the page that is switched off */
  readonly inert: boolean
}

interface Context {
  /** the cursor of the parent is a hand */
  readonly pointer: boolean
  /** the parent is visible */
  readonly visible: boolean
  /** nothing around it is fully transparent or shrunk to a dot */
  readonly clear: boolean
  readonly inert: boolean
  readonly control: Element | null
  /** labels of what is listed around it */
  readonly label: string
  readonly depth: number
}

interface Run {
  readonly sink: TextSink
  readonly first: Text
  last: Text
  readonly context: Context
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))
// areas are looked at with their image
const skipped = words(
  "script style template noscript head meta link title base datalist param source track object embed area"
)
const leaves = words("input textarea select iframe frame canvas video audio img progress meter")
const attachable = words("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span")
const manifold = words("table tbody thead tfoot ul ol dl menu main form")
const semantic =
  "a[href],button,input,select,textarea,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem]"
const maxDepth = 1500

const shownLabel = (name: string): string => clip(name, labelLimit).replace(/…$/, "")

export class Scan {
  /** elements that may host a closed shadow root */
  readonly suspects = new Set<Element>()
  private readonly view: View
  private readonly visitor: (sighting: Sighting) => void
  private readonly modal: Element | null
  private readonly names = new Map<Element, string>()
  private run: Run | undefined
  private readonly budget: number | undefined
  private readonly textLimit: number | undefined
  private allowance = new Allowance(undefined)
  private looked = 0
  private cut: Unseen["why"] | undefined

  /**
   * `budget`: time (ms) for it; undefined: without end. `textLimit`: so many characters of a text are collected; absent:
   * enough for telling it from others.
   */
  constructor(view: View, budget: number | undefined, visitor: (sighting: Sighting) => void, textLimit?: number) {
    this.textLimit = textLimit
    this.view = view
    this.budget = budget
    this.visitor = visitor
    this.modal = openModal()
  }

  /** Looks at everything inside the element, itself included; what was left out is told. */
  from(root: Element): Unseen | undefined {
    // laying the page out is the browser's work, and done as a whole
    rectOf(root)
    this.allowance = new Allowance(this.budget)
    const inert = this.modal !== null && !flatContains(this.modal, root)
    const clear = !this.view.transparent(root)
    this.visit(root, { pointer: false, visible: true, clear, inert, control: null, label: "", depth: 0 })
    this.flush()
    return this.cut && { why: this.cut, looked: this.looked, of: queryAll(root, "*").length + 1 }
  }

  private name(element: Element, byContent: boolean): string {
    const known = this.names.get(element)
    if (known !== undefined) return known
    const name = nameOf(element, this.view, byContent)
    this.names.set(element, name)
    return name
  }

  /** Ends the current run of text. */
  private flush(): void {
    const run = this.run
    if (run === undefined) return
    this.run = undefined
    const name = run.sink.toString()
    if (name === "") return
    const { first: node, last, context } = run
    const absorbed = context.label !== "" && context.label.includes(shownLabel(name))
    const { control, inert } = context
    this.visitor({ node, last, kind: "text", role: "text", name, act: false, absorbed, control, inert })
  }

  private text(node: Text, context: Context): void {
    const data = node.data
    const blank = data.length < 200 && data.trim() === ""
    if (this.run === undefined) {
      if (blank) return
      this.run = { sink: new TextSink(this.textLimit), first: node, last: node, context }
    }
    this.run.sink.add(data)
    if (!blank) this.run.last = node
  }

  private visit(element: Element, context: Context): void {
    if (context.depth > maxDepth) this.cut ??= "depth"
    if (!this.allowance.step()) this.cut = "time"
    if (this.cut === "time" || context.depth > maxDepth) return
    this.looked += 1
    const tag = localNameOf(element)
    if (skipped.has(tag)) return
    const style = this.view.style(element)
    const display = style.display
    if (display === "none") {
      if (tag === "input") this.hiddenInput(element, context)
      return
    }
    if (display === "") {
      // not part of the rendered tree: its parent has a shadow root that we do not see
      const parent = element.parentElement
      if (parent !== null) this.suspects.add(parent)
      return
    }
    const flowing = display === "inline" || display === "contents"
    // reading a style costs more than anything else here; parts of tables and inline parts have no boxes of these kinds
    const boxed = !flowing && !display.startsWith("table-")
    const dot = boxed && shrunk(element, this.view)
    if (boxed && this.isShut(element, tag, style)) return
    const visible = style.visibility === "visible"
    const pointer = style.cursor === "pointer"
    const clear = context.clear && !dot && style.opacity !== "0"
    const inert = (context.inert && element !== this.modal) || (context.depth > 0 && hasAttribute(element, "inert"))
    // parts that stand side by side in a line read as one text
    const inline = flowing || display === "inline-block"
    if (!inline || tag === "br") this.flush()
    if (!visible && tag === "input") this.hiddenInput(element, context)
    const { control, label, depth } = context
    const here: Context = { pointer, visible, clear, inert, control, label, depth: depth + 1 }
    const next = visible ? this.list(element, tag, context, here, dot) : here
    if (leaves.has(tag)) {
      if (tag === "select" && visible) this.options(element, next)
      if (tag === "img" && visible && hasAttribute(element, "usemap")) this.areas(element, next)
      return
    }
    if (tag === "svg" && next.control !== null) return
    if (boxed && style.contentVisibility === "hidden") return
    const changed = next.label !== context.label || next.control !== context.control
    if (changed) this.flush()
    this.children(element, tag, next)
    if (!inline || changed) this.flush()
  }

  /** Whether a box is closed so that nothing inside can be seen. */
  private isShut(element: Element, tag: string, style: CSSStyleDeclaration): boolean {
    if (leaves.has(tag) || tag === "html" || tag === "body" || style.overflowY === "visible") return false
    const rect = rectOf(element)
    return rect.width < 1 || rect.height < 1
  }

  private children(element: Element, tag: string, next: Context): void {
    const folded = tag === "details" && !hasAttribute(element, "open")
    const shadow = shadowOf(element)
    if (shadow === null && tag !== "slot") {
      const first = firstChildOf(element)
      if (tag.includes("-") || (first === null && attachable.has(tag))) this.suspect(element, tag)
      for (let child = first; child !== null; child = nextSiblingOf(child)) this.child(child, folded, next)
      return
    }
    for (const child of flatChildren(element)) this.child(child, folded, next)
  }

  private child(child: Node, folded: boolean, next: Context): void {
    const type = nodeTypeOf(child)
    if (type === 3) {
      if (next.visible && next.clear && !folded) this.text(child as Text, next)
    } else if (type === 1 && (!folded || localNameOf(child as Element) === "summary"))
      this.visit(child as Element, next)
  }

  /** Lists the element if it is worth it, and gives the context for what is inside. */
  private list(element: Element, tag: string, around: Context, here: Context, dot: boolean): Context {
    const hand = here.pointer && !around.pointer && around.control === null
    const listing = listingOf(element, tag, hand, () => this.isTarget(element, tag))
    if (listing === undefined) {
      // the hand of a whole list means each of its rows
      if (hand && manifold.has(tag)) return { ...here, pointer: false }
      if (tag !== "label") return here
      const target = (element as HTMLLabelElement).control
      if (target === null || pressBox(target, this.view) === undefined) return here
      return { ...here, label: `${shownLabel(this.name(target, false))}\n${here.label}` }
    }
    const sighting = this.sight(element, listing, here, dot)
    if (sighting === undefined) return here
    this.flush()
    this.visitor(sighting)
    const label = `${shownLabel(sighting.name)}\n${here.label}`
    return { ...here, label, control: listing.act && !listing.area ? element : here.control }
  }

  /** Whether a pressable area is one thing to press, and not the frame around several, or around one control. */
  private isTarget(element: Element, tag: string): boolean {
    if (manifold.has(tag)) return false
    const inner = queryIn(element, semantic)
    if (inner === null) return true
    const name = this.name(element, true)
    return name !== this.name(inner, false) && name !== ""
  }

  private sight(element: Element, listing: Listing, here: Context, dot: boolean): Sighting | undefined {
    const { kind, role, act } = listing
    const frame = kind === "frame"
    if (!act && !frame && !here.clear) return undefined
    const field = act && inputType(element) !== ""
    const box = field ? pressBox(element, this.view) : dot ? undefined : visibleBox(element, this.view)
    if (box === undefined || !this.view.reachable(box)) return undefined
    if (dot && standIn(element, this.view) === undefined) return undefined
    let name = frame ? frameName(element) : this.name(element, listing.byContent)
    const dialog = kind === "dialog" || kind === "alertdialog"
    if (name === "" && dialog) name = headingOf(element)
    if (!act && !frame && !dialog) {
      if (name === "" && kind !== "progressbar") return undefined
      if ((kind === "image" || kind === "heading") && here.label.includes(clip(name, labelLimit))) return undefined
    }
    if (act && name === "" && kind !== "textbox" && kind !== "textarea") name = lastResort(element)
    return { node: element, kind, role, name, act, box, control: here.control, inert: here.inert }
  }

  /** A checkbox, radio button or file field that is not displayed, with a label that is. */
  private hiddenInput(element: Element, context: Context): void {
    const box = standIn(element, this.view) && pressBox(element, this.view)
    if (box === undefined || !this.view.reachable(box)) return
    const role = roleOf(element)
    this.flush()
    const { control, inert } = context
    const name = this.name(element, false)
    this.visitor({ node: element, kind: kindOf(element, role), role, name, act: true, box, control, inert })
  }

  /** The options of a list that is always open. */
  private options(select: Element, context: Context): void {
    if (roleOf(select) !== "listbox") return
    for (const option of Array.from((select as HTMLSelectElement).options)) {
      if (!this.allowance.step()) this.cut = "time"
      if (this.cut === "time") return
      this.looked += 1
      const box = visibleBox(option, this.view)
      if (box === undefined) continue
      const { inert } = context
      const name = this.name(option, false)
      this.visitor({ node: option, kind: "option", role: "option", name, act: true, box, control: select, inert })
    }
  }

  /** The areas of an image map stand where their image does, wherever the map stands. */
  private areas(image: Element, context: Context): void {
    for (const area of areasOf(image)) {
      if (!this.allowance.step()) this.cut = "time"
      if (this.cut === "time") return
      const listing = listingOf(area, "area", false, () => true)
      const sighting = listing && this.sight(area, listing, context, false)
      if (sighting === undefined) continue
      this.flush()
      this.visitor(sighting)
    }
  }

  private suspect(element: Element, tag: string): void {
    if (this.suspects.size >= 200 || namespaceOf(element) !== "http://www.w3.org/1999/xhtml") return
    const { width, height } = rectOf(element)
    if (tag.includes("-") ? width > 0 || height > 0 : width >= 8 && height >= 8) this.suspects.add(element)
  }
}

const frameName = (element: Element): string => {
  for (const name of ["aria-label", "title", "name", "id", "src"]) {
    const value = collapse(shortAttribute(element, name, 200))
    if (value !== "") return value
  }
  return ""
}

const headingOf = (element: Element): string => {
  const heading = queryIn(element, "h1,h2,h3,h4,h5,h6,[role=heading]")
  return isElement(heading) ? collapse((heading.textContent ?? "").slice(0, 1000)) : ""
}
