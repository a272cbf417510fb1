/** Scroll positions. */
import type { Rect, ScrollState } from "../schemas/page.ts"
import { documentScroller, elementOf, scrollIntoView } from "./dom.ts"
import { nodeOfKey } from "./keys.ts"
import { deepHit, flatParent } from "./tree.ts"
import { imageOf, isArea } from "./imageMap.ts"
import { boxOf } from "./view.ts"

const scrolls = (element: Element): boolean => {
  const style = getComputedStyle(element)
  const movable = /auto|scroll|overlay/
  return (
    (element.scrollHeight > element.clientHeight + 1 && movable.test(style.overflowY)) ||
    (element.scrollWidth > element.clientWidth + 1 && movable.test(style.overflowX))
  )
}

/** What would scroll under a point; the document where there is none. */
const scrollerAt = (x: number, y: number): Element => {
  for (let at = deepHit(x, y), steps = 0; at !== null && steps < 500; at = flatParent(at), steps += 1) {
    if (at !== documentScroller() && at.localName !== "html" && at.localName !== "body" && scrolls(at)) return at
  }
  return documentScroller()
}

const stateOf = (scroller: Element): ScrollState => {
  const whole = scroller === documentScroller()
  const width = whole ? innerWidth : scroller.clientWidth
  const height = whole ? innerHeight : scroller.clientHeight
  return {
    x: scroller.scrollLeft,
    y: scroller.scrollTop,
    maxX: Math.max(0, scroller.scrollWidth - scroller.clientWidth),
    maxY: Math.max(0, scroller.scrollHeight - scroller.clientHeight),
    width,
    height
  }
}

/** Position of the document, or of what scrolls under a point. */
export const scrollState = ({ x, y }: { readonly x?: number; readonly y?: number }): ScrollState =>
  stateOf(x === undefined || y === undefined ? documentScroller() : scrollerAt(x, y))

/** Brings an element into view at once, and says where it is then. */
export const scrollTo = (options: {
  readonly key: number
  readonly block: "start" | "center" | "end" | "nearest"
}): ScrollState & { readonly box: Rect } => {
  const node = nodeOfKey(options.key)?.node
  const element = node && elementOf(node)
  const face = element && isArea(element) ? imageOf(element) : element
  if (face) scrollIntoView(face, { block: options.block, inline: "nearest", behavior: "instant" as ScrollBehavior })
  return { ...stateOf(documentScroller()), box: element ? boxOf(element) : { x: 0, y: 0, width: 0, height: 0 } }
}

/** The box of an element; null if it is gone or not rendered. */
export const box = ({ key }: { readonly key: number }): Rect | null => {
  const keyed = nodeOfKey(key)
  if (keyed === undefined || !keyed.node.isConnected) return null
  const element = elementOf(keyed.node)
  if (element === null) return null
  const { height, width } = boxOf(element)
  if (width === 0 && height === 0) return null
  return boxOf(keyed.node, keyed.last)
}
