/** What is rendered how. A view is good for one synchronous look at the page: it remembers what it read. */
import {
  checkVisibility,
  documentSheets,
  firstElementOf,
  isConnected,
  isElement,
  isText,
  matches,
  newRange,
  nextElementOf,
  queryAll,
  rectOf,
  rectsOf,
  rootElement
} from "./dom.ts"
import { areaBox, imageOf, isArea } from "./imageMap.ts"
import { flatParent } from "./tree.ts"

/** A box in CSS px of the viewport. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const computed = globalThis.getComputedStyle

const meaningful = /["'][^"']*[^\s"'\\][^"']*["']|attr\(|counter/
const privateGlyph = /["']\s*(\\[ef][0-9a-f]{3}\s*|[\ue000-\uf8ff])\s*["']/i
const sheetFacts = new WeakMap<CSSStyleSheet, { readonly rules: number; readonly speaks: boolean }>()

const ruleSpeaks = (rules: CSSRuleList, budget: { left: number }): boolean => {
  for (let index = 0; index < rules.length; index += 1) {
    budget.left -= 1
    if (budget.left < 0) return true
    const rule = rules[index]
    if (rule instanceof CSSStyleRule) {
      if (/:(before|after)/.test(rule.selectorText)) {
        const content = rule.style.content
        if (meaningful.test(content) && !privateGlyph.test(content)) return true
      }
      if (rule.cssRules.length > 0 && ruleSpeaks(rule.cssRules, budget)) return true
    } else if (rule instanceof CSSGroupingRule && ruleSpeaks(rule.cssRules, budget)) return true
    else if (rule instanceof CSSImportRule) return true
  }
  return false
}

/** Whether a sheet can put words before or after an element; asking each element costs more than the whole walk. */
const sheetSpeaks = (sheet: CSSStyleSheet): boolean => {
  try {
    const rules = sheet.cssRules
    const known = sheetFacts.get(sheet)
    if (known !== undefined && known.rules === rules.length) return known.speaks
    const speaks = ruleSpeaks(rules, { left: 20_000 })
    sheetFacts.set(sheet, { rules: rules.length, speaks })
    return speaks
  } catch {
    // another origin's sheet cannot be read
    return true
  }
}

export class View {
  private readonly styles = new Map<Element, CSSStyleDeclaration>()
  private pseudoBudget = -1
  private readonly facts = new Map<unknown, Map<Node, unknown>>()
  private scrolled: { readonly x: number; readonly y: number } | undefined

  style(element: Element): CSSStyleDeclaration {
    const known = this.styles.get(element)
    if (known !== undefined) return known
    const style = computed(element)
    this.styles.set(element, style)
    return style
  }

  /** What `read` says of a node, read once during the look. */
  once<N extends Node, A>(node: N, read: (node: N) => A): A {
    const known = this.facts.get(read) ?? new Map<Node, unknown>()
    this.facts.set(read, known)
    if (!known.has(node)) known.set(node, read(node))
    return known.get(node) as A
  }

  /** Whether the element takes part in rendering: displayed, not skipped, visibility "visible". */
  rendered(element: Element): boolean {
    if (!isConnected(element)) return false
    if (checkVisibility(element, { visibilityProperty: true, contentVisibilityAuto: false })) return true
    if (isArea(element)) {
      const image = imageOf(element)
      return image !== undefined && this.rendered(image)
    }
    if (this.style(element).display !== "contents") return false
    const parent = flatParent(element)
    return parent !== null && this.rendered(parent)
  }

  /** Whether an ancestor (or itself) makes the element fully transparent. */
  transparent(element: Element): boolean {
    for (let at: Element | null = element, steps = 0; at !== null && steps < 200; at = flatParent(at), steps += 1) {
      if (this.style(at).opacity === "0") return true
    }
    return false
  }

  /** Whether a box can be reached by scrolling; what is pushed out to the left or the top never can. */
  reachable(box: Box): boolean {
    if (box.x + box.width > 0 && box.y + box.height > 0) return true
    this.scrolled ??= { x: globalThis.scrollX, y: globalThis.scrollY }
    if (box.y + box.height + this.scrolled.y <= 0) return false
    return box.x + box.width + this.scrolled.x > 0 || this.style(rootElement()).direction === "rtl"
  }

  /** Words that CSS puts before or after the content, without glyphs of icon fonts. */
  pseudoText(element: Element, which: "::before" | "::after"): string {
    if (this.pseudoBudget < 0) {
      const sheets = documentSheets()
      let speaks = document.adoptedStyleSheets.some(sheetSpeaks)
      for (let index = 0; index < sheets.length && !speaks; index += 1)
        speaks = sheetSpeaks(sheets[index] as CSSStyleSheet)
      this.pseudoBudget = speaks ? 4000 : 0
    }
    if (this.pseudoBudget === 0) return ""
    this.pseudoBudget -= 1
    const style = computed(element, which)
    const content = style.content
    if (content === "none" || content === "normal" || content === "" || style.display === "none") return ""
    return contentText(content)
  }
}

/** The words of a CSS `content` value: its alternative text if it has one, else its strings. */
const contentText = (content: string): string => {
  const strings: Array<string> = []
  let alternative: Array<string> | undefined
  for (const [token] of content.slice(0, 2000).matchAll(/"(?:[^"\\]|\\.)*"|\//g)) {
    if (token === "/") alternative = []
    else (alternative ?? strings).push(token.slice(1, -1).replace(/\\(.)/g, "$1"))
  }
  return (alternative ?? strings).join("")
}

const emptyBox: Box = { x: 0, y: 0, width: 0, height: 0 }
const toBox = (rect: DOMRect): Box => ({ x: rect.x, y: rect.y, width: rect.width, height: rect.height })
const filled = (box: Box): boolean => box.width > 0.5 && box.height > 0.5

/** The boxes of a node, one for each line that an inline element or a text is broken into. */
export const boxesOf = (node: Node, last?: Node): ReadonlyArray<Box> => {
  const rects = isElement(node) ? rectsOf(node) : isText(node) ? textRange(node, last).getClientRects() : []
  const boxes: Array<Box> = []
  for (let index = 0; index < rects.length && index < 40; index += 1) {
    const box = toBox(rects[index] as DOMRect)
    if (filled(box)) boxes.push(box)
  }
  return boxes
}

const textRange = (first: Text, last: Node | undefined): Range => {
  const range = newRange()
  const end = isText(last) && isConnected(last) ? last : first
  range.setStart(first, 0)
  range.setEnd(end, end.data.length)
  return range
}

/** The bounding box of a node. */
export const boxOf = (node: Node, last?: Node): Box =>
  isArea(node)
    ? (areaBox(node) ?? emptyBox)
    : isElement(node)
      ? toBox(rectOf(node))
      : isText(node)
        ? toBox(textRange(node, last).getBoundingClientRect())
        : emptyBox

const largest = (boxes: ReadonlyArray<Box>): Box | undefined => {
  let best: Box | undefined
  for (const box of boxes) if (best === undefined || box.width * box.height > best.width * best.height) best = box
  return best
}

/**
 * Where an element is to be seen: its box; of an inline element broken over lines the largest part; of one without size
 * the first descendant that has some. Undefined if there is nothing to see.
 */
export const visibleBox = (element: Element, view: View): Box | undefined => {
  if (isArea(element)) return areaBox(element)
  const box = toBox(rectOf(element))
  if (filled(box)) {
    // nothing this low is broken over lines
    if (box.height <= 20 || view.style(element).display !== "inline") return box
    return largest(boxesOf(element)) ?? box
  }
  let seen = 0
  const inside = (parent: Element): Box | undefined => {
    for (let child = firstElementOf(parent); child !== null && seen < 30; child = nextElementOf(child)) {
      seen += 1
      const childBox = toBox(rectOf(child))
      if (filled(childBox)) return view.style(child).visibility === "visible" ? childBox : undefined
      const deeper = inside(child)
      if (deeper !== undefined) return deeper
    }
    return undefined
  }
  if (view.style(element).overflowX === "visible" || view.style(element).display === "contents") return inside(element)
  return undefined
}

/** Whether a positioned element is shrunk to a dot for screen readers, or pushed out of the page. */
export const shrunk = (element: Element, view: View): boolean => {
  const style = view.style(element)
  if (style.position !== "absolute" && style.position !== "fixed") return false
  const rect = rectOf(element)
  if (!view.reachable(rect)) return true
  if (rect.width > 2 || rect.height > 2) {
    return (
      style.clip === "rect(0px, 0px, 0px, 0px)" || style.clipPath === "inset(50%)" || style.clipPath === "inset(100%)"
    )
  }
  return style.overflowX !== "visible" || style.clip !== "auto"
}

/** Whether people can see the element: rendered, with a size, not pushed out, not shrunk to a dot. */
export const isSeen = (element: Element, view: View): boolean => {
  if (!view.rendered(element)) return false
  const box = visibleBox(element, view)
  if (box === undefined || !view.reachable(box)) return false
  if (isArea(element)) {
    const image = imageOf(element)
    return image !== undefined && isSeen(image, view)
  }
  for (let at: Element | null = element, steps = 0; at !== null && steps < 60; at = flatParent(at), steps += 1) {
    const style = view.style(at)
    if (shrunk(at, view)) return false
    if (style.overflowY !== "visible" && at !== element) {
      const rect = rectOf(at)
      if (style.display !== "inline" && style.display !== "contents" && (rect.width < 1 || rect.height < 1))
        return false
    }
    if (style.position === "fixed") break
  }
  return true
}

/** The native dialog that is open as a modal one, the latest in the document. */
export const openModal = (): Element | null => {
  const dialogs = queryAll(document, "dialog[open]")
  for (let index = dialogs.length - 1; index >= 0; index -= 1) {
    const dialog = dialogs[index] as Element
    if (matches(dialog, ":modal")) return dialog
  }
  return null
}
