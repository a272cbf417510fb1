/** The list of what an agent sees and can act on. */
import type { Rect, WalkItem, WalkOptions, WalkResult } from "../schemas/page.ts"
import { challengeOf } from "./challenge.ts"
import { selectOptions } from "./choice.ts"
import { locOf } from "./describe.ts"
import {
  documentReady,
  documentScroller,
  documentTitle,
  elementOf,
  isConnected,
  isText,
  localNameOf,
  rectOf,
  rootElement
} from "./dom.ts"
import { hitsTarget } from "./hit.ts"
import { keyOf, nodeOfKey, remember } from "./keys.ts"
import { RecordReader } from "./record.ts"
import { Scan, type Sighting } from "./scan.ts"
import { listedSuspects } from "./suspects.ts"
import { clip, clipAround, labelLimit, soughtLimit, textLimit } from "./text.ts"
import { deepActive, queryDeep } from "./tree.ts"
import { unsent } from "./unsent.ts"
import { optionText, statesOf, valueOf } from "./value.ts"
import { type Box, boxesOf, boxOf, View } from "./view.ts"

const maxHitTests = 400
const round = (value: number): number => Math.round(value * 100) / 100 || 0

const empty = { items: [], total: 0, truncated: false, suspects: [] }

/** URL, title and scroll position. */
const pageFacts = () => {
  const scroller = documentScroller()
  return {
    url: location.href,
    title: documentTitle().slice(0, 300),
    ready: documentReady(),
    viewport: {
      width: innerWidth,
      height: innerHeight,
      scrollX: round(scrollX),
      scrollY: round(scrollY),
      maxX: Math.max(0, scroller.scrollWidth - innerWidth),
      maxY: Math.max(0, scroller.scrollHeight - innerHeight)
    }
  }
}

/** Of the options that match, so many are told. */
const shownOptions = 10

/** The options of a list that is closed, so that they have no place in the page, which contain a text in lower case. */
const optionsWith = ({ node, role }: Sighting, query: string): ReadonlyArray<string> => {
  if (isText(node) || localNameOf(node) !== "select" || role === "listbox") return []
  const found: Array<string> = []
  for (const option of selectOptions(node as HTMLSelectElement)) {
    const text = optionText(option)
    if (text.toLowerCase().includes(query)) found.push(clip(text, labelLimit))
    if (found.length >= shownOptions) break
  }
  return found
}

const inViewport = (box: Box): boolean =>
  box.x < innerWidth && box.y < innerHeight && box.x + box.width > 0 && box.y + box.height > 0

/** Turns sightings into items. */
class Lister {
  private readonly view: View
  private readonly reader: RecordReader
  private readonly active = deepActive()
  private hitTests = 0
  constructor(view: View) {
    this.view = view
    this.reader = new RecordReader(view, true)
  }

  /** `query`: what was looked for, in lower case */
  item(sighting: Sighting, query?: string): WalkItem {
    const { node, last, kind, role, act, inert } = sighting
    const text = isText(node)
    const box = sighting.box ?? textBox(node, last)
    const label =
      text && query !== undefined
        ? clipAround(sighting.name, query, textLimit)
        : clip(sighting.name, text ? textLimit : labelLimit)
    const element = elementOf(node)
    const key = keyOf(node, last)
    const options = query === undefined ? [] : optionsWith(sighting, query)
    const value = text || element === null ? undefined : valueOf(element, role, this.view)
    const states = text || element === null ? [] : statesOf(element, role, this.active)
    if (inert && act && !states.includes("disabled")) states.push("disabled")
    if (!inViewport(box)) states.push("offscreen")
    else if (act && this.hitTests < maxHitTests) {
      this.hitTests += 1
      const covered = this.coverage(node, box)
      if (covered !== undefined) states.push(covered)
    }
    return {
      k: key,
      kind,
      label,
      loc: element === null ? "" : locOf(element, label),
      x: round(box.x + box.width / 2),
      y: round(box.y + box.height / 2),
      w: round(box.width),
      h: round(box.height),
      ...(value === undefined ? {} : { value }),
      ...(states.length === 0 ? {} : { states }),
      ...(options.length === 0 ? {} : { options }),
      ...(act ? { act: 1 as const } : {}),
      fp: remember(key, this.reader.facts(node, kind, sighting.name, last)),
      ...(kind === "frame" && element !== null ? { content: contentBoxOf(element, this.view) } : {})
    }
  }

  private coverage(node: Node, box: Box): "covered" | "offscreen" | undefined {
    const element = elementOf(node)
    if (element === null) return undefined
    const points = [
      [0.5, 0.5],
      [0.15, 0.5],
      [0.85, 0.5],
      [0.5, 0.2],
      [0.5, 0.8]
    ] as const
    let tested = false
    for (const [fx, fy] of points) {
      const x = box.x + box.width * fx
      const y = box.y + box.height * fy
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue
      tested = true
      if (hitsTarget(element, x, y) === undefined) return undefined
    }
    if (!tested) return undefined
    return clippedAway(element, box, this.view) ? "offscreen" : "covered"
  }
}

/** Whether a box lies outside of a scrolling or clipping box around it. */
const clippedAway = (element: Element, box: Box, view: View): boolean => {
  let at = element.parentElement
  for (let steps = 0; at !== null && at !== rootElement() && steps < 100; at = at.parentElement, steps += 1) {
    const style = view.style(at)
    if (style.overflowX === "visible" && style.overflowY === "visible") continue
    const rect = rectOf(at)
    const x = box.x + box.width / 2
    const y = box.y + box.height / 2
    if (x < rect.left || x > rect.right || y < rect.top || y > rect.bottom) return true
  }
  return false
}

const textBox = (node: Node, last: Node | undefined): Box => {
  const box = boxOf(node, last)
  return box.width > 0 ? box : (boxesOf(node)[0] ?? box)
}

/** The box of a frame's document in the viewport of this one. */
const contentBoxOf = (frame: Element, view: View): Box => {
  const rect = rectOf(frame)
  const style = view.style(frame)
  const { clientLeft, clientTop, clientWidth, clientHeight, offsetWidth, offsetHeight } = frame as HTMLElement
  const number = (text: string): number => Number.parseFloat(text) || 0
  const scaleX = offsetWidth > 0 ? rect.width / offsetWidth : 1
  const scaleY = offsetHeight > 0 ? rect.height / offsetHeight : 1
  const [left, top] = [number(style.paddingLeft), number(style.paddingTop)]
  return {
    x: round(rect.x + (clientLeft + left) * scaleX),
    y: round(rect.y + (clientTop + top) * scaleY),
    width: round((clientWidth - left - number(style.paddingRight)) * scaleX),
    height: round((clientHeight - top - number(style.paddingBottom)) * scaleY)
  }
}

const rootOfWalk = (options: WalkOptions): Element | "nothing" | "root" | "selector" => {
  if (options.rootKey !== undefined) {
    const keyed = nodeOfKey(options.rootKey)
    const element = keyed && elementOf(keyed.node)
    return element?.isConnected ? element : "root"
  }
  if (options.selector !== undefined) {
    try {
      return queryDeep(options.selector)[0] ?? "root"
    } catch {
      return "selector"
    }
  }
  return rootElement() ?? "nothing"
}

const collect = (
  root: Element,
  options: WalkOptions,
  matchesQuery: (sighting: Sighting) => boolean,
  query?: string
): WalkResult => {
  const view = new View()
  const lister = new Lister(view)
  const chosen: Array<Sighting> = []
  let total = 0
  let characters = 0
  let full = false
  const visit = (sighting: Sighting): void => {
    if (sighting.absorbed === true || !matchesQuery(sighting)) return
    total += 1
    if (total <= options.skip || full) return
    characters += Math.min(sighting.name.length, isText(sighting.node) ? textLimit : labelLimit)
    if (chosen.length >= options.limit || (characters > options.maxChars && chosen.length > 0)) full = true
    else chosen.push(sighting)
  }
  const scan = new Scan(view, options.budget, visit, query === undefined ? undefined : soughtLimit)
  const unseen = scan.from(root)
  const challenge = challengeOf()
  const notSent = unsent()
  return {
    ...pageFacts(),
    items: chosen.map((sighting) => lister.item(sighting, query)),
    total,
    truncated: full || unseen !== undefined,
    suspects: listedSuspects(scan.suspects),
    ...(unseen === undefined ? {} : { unseen }),
    ...(challenge === undefined ? {} : { challenge }),
    ...(notSent === undefined ? {} : { unsent: notSent })
  }
}

/**
 * Lists what is to be seen and acted on. Frames pass every filter, because what is looked for may stand in them; they
 * count as matches.
 */
export const walk = (options: WalkOptions): WalkResult => {
  const root = rootOfWalk(options)
  // a document of which nothing has come yet
  if (root === "nothing") return { ...pageFacts(), ...empty }
  if (typeof root === "string") return { ...pageFacts(), ...empty, error: root }
  const query = options.query?.toLowerCase()
  const matches = (sighting: Sighting): boolean => {
    if (sighting.kind === "frame") return true
    if (options.interactive && !sighting.act) return false
    if (query === undefined || `${sighting.kind} ${sighting.name}`.toLowerCase().includes(query)) return true
    return optionsWith(sighting, query).length > 0
  }
  return collect(root, options, matches, query)
}

/** Lists the elements whose name, text or value contains a text, wherever they are in the page. */
export const search = (options: { readonly text: string; readonly limit: number }): WalkResult => {
  const wanted = options.text.toLowerCase().replace(/\s+/g, " ").trim()
  const root = rootElement()
  if (root === null) return { ...pageFacts(), ...empty }
  const all = { limit: options.limit, maxChars: Number.MAX_SAFE_INTEGER, interactive: false, skip: 0 }
  return collect(root, all, ({ name, kind }) => kind !== "frame" && name.toLowerCase().includes(wanted))
}

/** The content box of a frame element; null if it is gone or not rendered. */
export const contentBox = ({ key }: { readonly key: number }): Rect | null => {
  const node = nodeOfKey(key)?.node
  if (node === undefined || isText(node) || !isConnected(node)) return null
  const box = contentBoxOf(node, new View())
  return box.width > 0 && box.height > 0 ? box : null
}
