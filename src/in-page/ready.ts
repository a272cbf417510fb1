/** Making an element ready for the pointer: in view, holding still, free of covers. */
import type { ElementQuery, Ready, Sought } from "../schemas/page.ts"
import { describe } from "./describe.ts"
import { documentHidden, elementOf, isElement, isText, scrollIntoView } from "./dom.ts"
import { find } from "./find.ts"
import { nextFrame } from "./frames.ts"
import { coverFacts, hitsTarget } from "./hit.ts"
import { imageOf, isArea } from "./imageMap.ts"
import { resolve } from "./keys.ts"
import { coverState, motionOf } from "./motion.ts"
import { noteReady } from "./press.ts"
import { stillFor } from "./quiet.ts"
import { pressBox, standIn } from "./standIn.ts"
import { flatParent } from "./tree.ts"
import { isDisabled } from "./value.ts"
import { type Box, boxesOf, boxOf, View } from "./view.ts"

/** A page that did not change for so long is at rest. */
const restMs = 60
/** How long something that usually passes is waited for: a button that is not enabled yet, an element not shown yet. */
const usualGrace = 600
/** How long a cover that does not move is given to go. */
const coverGrace = 400
/** How long a cover that has faded is given to be removed. */
const goneGrace = 1500
/** How long a cover that is busy with something endless (a spinner) is given. */
const busyGrace = 3000

interface Target {
  readonly node: Element | Text
  readonly last: Text | undefined
  readonly element: Element
  /** what is scrolled and pressed: the element, or the label that stands for it */
  readonly face: Element | Text
  readonly boxes: ReadonlyArray<Box>
}

interface Point {
  readonly x: number
  readonly y: number
}

const now = (): number => performance.now()

const byArea = (a: Box, b: Box): number => b.width * b.height - a.width * a.height

const lookAt = (node: Element | Text, last: Text | undefined, view: View): Target | undefined => {
  const element = elementOf(node)
  if (element === null) return undefined
  if (isText(node)) return { node, last, element, face: node, boxes: view.rendered(element) ? boxesOf(node, last) : [] }
  const box = pressBox(element, view)
  if (isArea(element))
    return { node, last, element, face: imageOf(element) ?? element, boxes: box === undefined ? [] : [box] }
  const label = standIn(element, view)
  const own = view.rendered(element) ? boxesOf(element) : []
  const standing =
    label !== undefined && (own.length === 0 || (box !== undefined && !own.some((part) => overlaps(part, box))))
  const face = standing ? label : element
  const parts = box === undefined ? [] : [...boxesOf(face)].sort(byArea)
  return { node, last, element, face, boxes: parts.length > 0 ? parts : box === undefined ? [] : [box] }
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const visiblePart = (box: Box): Box => {
  const x = Math.max(0, box.x)
  const y = Math.max(0, box.y)
  return {
    x,
    y,
    width: Math.min(innerWidth, box.x + box.width) - x,
    height: Math.min(innerHeight, box.y + box.height) - y
  }
}

const spots = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.5],
  [0.9, 0.5],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9]
] as const

/** Where to press, the best places first: the middle of each part, then elsewhere in the largest ones. */
const pointsOf = (boxes: ReadonlyArray<Box>): ReadonlyArray<Point> => {
  const points: Array<Point> = []
  const add = (box: Box, fx: number, fy: number): void => {
    const x = Math.round((box.x + box.width * fx) * 100) / 100
    const y = Math.round((box.y + box.height * fy) * 100) / 100
    if (x >= 0 && y >= 0 && x < innerWidth && y < innerHeight) points.push({ x, y })
  }
  for (const box of boxes.slice(0, 4)) add(box, 0.5, 0.5)
  for (const box of boxes.slice(0, 2)) {
    const part = visiblePart(box)
    if (part.width <= 0 || part.height <= 0) continue
    for (const [fx, fy] of spots) add(part, fx, fy)
  }
  return points
}

const sameBoxes = (a: ReadonlyArray<Box>, b: ReadonlyArray<Box>): boolean =>
  a.length === b.length &&
  a.every((box, index) => {
    const other = b[index] as Box
    return (
      Math.abs(box.x - other.x) < 0.1 &&
      Math.abs(box.y - other.y) < 0.1 &&
      Math.abs(box.width - other.width) < 0.1 &&
      Math.abs(box.height - other.height) < 0.1
    )
  })

const scrollTo = (face: Element | Text, block: ScrollLogicalPosition): void => {
  const element = elementOf(face)
  // "instant" wins over smooth scrolling in the page's style
  if (element !== null) scrollIntoView(element, { block, inline: "nearest", behavior: "instant" as ScrollBehavior })
}

/** A place that stays on a target which never rests, such as a button that pulses. */
class Spot {
  point: Point | undefined
  private since = 0
  private frames = 0

  /** Whether the place has been on the target for a while; if it is no longer, `next` is tried. */
  holds(element: Element, next: Point | undefined): boolean {
    if (this.point !== undefined && hitsTarget(element, this.point.x, this.point.y) === undefined) {
      this.frames += 1
      return this.frames >= 5 && now() - this.since > 300
    }
    this.point = next
    this.since = now()
    this.frames = 0
    return false
  }
}

interface Options {
  readonly key: number
  readonly fp?: number
  readonly timeout: number
  readonly press: boolean
}

/** One attempt after the other until it is ready or time is over. */
export const ready = async (options: Options): Promise<Ready> => {
  const start = now()
  const deadline = start + options.timeout
  const positions: Array<ScrollLogicalPosition> = ["center", "start", "end"]
  let coveredSince: number | undefined
  let wasLeaving = false
  let unpainted = 0
  const spot = new Spot()
  for (;;) {
    const view = new View()
    const keyed = resolve(options.key, options.fp, view)
    if ("reason" in keyed) return { is: "stale", reason: keyed.reason }
    const target = lookAt(keyed.node, keyed.last, view)
    const description = describe(keyed.node, view)
    const late = now() >= deadline
    if (target === undefined || target.boxes.length === 0) {
      if (late || now() - start > usualGrace)
        return { is: "hidden", reason: hiddenReason(keyed.node, view), description }
      await nextFrame()
      continue
    }
    if (options.press && isDisabled(target.element)) {
      if (late || now() - start > usualGrace) return { is: "disabled", description }
      await nextFrame()
      continue
    }
    // in a page at rest there is no motion to wait for; `hit` looks once more when the pointer is there
    if (stillFor(restMs) && motionOf(target.element) === "none") {
      const point = firstHit(target, pointsOf(target.boxes), options.press)
      if (point !== undefined) {
        noteReady(options.key, options.fp, target.element, view)
        const box = target.boxes.find((part) => inside(part, point)) ?? boxOf(target.face)
        return { is: "ready", point, box, description }
      }
    }
    const painted = await nextFrame()
    const again = lookAt(keyed.node, keyed.last, new View())
    const points = again === undefined ? [] : pointsOf(again.boxes)
    let point = again && firstHit(again, points, options.press)
    if (!painted && !documentHidden()) unpainted += 1
    const drawn = painted || documentHidden() || unpainted > 3
    const motion = motionOf(target.element)
    if (again === undefined || !drawn || motion !== "none" || !sameBoxes(target.boxes, again.boxes)) {
      point = again && motion !== "ending" && spot.holds(again.element, point) ? spot.point : undefined
      if (point === undefined) {
        if (late) return { is: "unstable", description }
        continue
      }
    }
    if (point !== undefined && again !== undefined) {
      noteReady(options.key, options.fp, target.element, view)
      const box = again.boxes.find((part) => inside(part, point)) ?? boxOf(again.face)
      return { is: "ready", point, box, description }
    }
    const position = positions.shift()
    if (position !== undefined) {
      scrollTo(target.face, position)
      continue
    }
    const hit = blocker(target, points)
    coveredSince ??= now()
    const state = coverState(target.element, hit)
    if (state === "leaving") wasLeaving = true
    const grace = state === "busy" ? busyGrace : wasLeaving ? goneGrace : coverGrace
    const patience = state === "leaving" ? Number.POSITIVE_INFINITY : grace
    if (late || now() - coveredSince > patience) {
      return { is: "covered", ...coverFacts(target.element, hit, new View()), description }
    }
    if (now() - coveredSince > coverGrace / 2 && positions.length === 0 && points.length === 0) positions.push("center")
  }
}

export const seek = async (options: { readonly query: ElementQuery; readonly timeout: number }): Promise<Sought> => {
  const found = find(options.query)
  if (found.is !== "found") return { found }
  return { found, ready: await ready({ key: found.k, timeout: options.timeout, press: true }) }
}

const inside = (box: Box, point: Point): boolean =>
  point.x >= box.x && point.y >= box.y && point.x <= box.x + box.width && point.y <= box.y + box.height

const firstHit = (target: Target, points: ReadonlyArray<Point>, press: boolean): Point | undefined => {
  if (!press) return points[0]
  return points.find(({ x, y }) => hitsTarget(target.element, x, y) === undefined)
}

/** What lies over the place where one would press first. */
const blocker = (target: Target, points: ReadonlyArray<Point>): Element | null => {
  const [point] = points
  return point === undefined ? null : (hitsTarget(target.element, point.x, point.y) ?? null)
}

const hiddenReason = (node: Element | Text, view: View): string => {
  const element = isElement(node) ? node : elementOf(node)
  if (element === null) return "it is not in the page"
  if (isArea(element) && imageOf(element) === undefined) return "it is an area of an image map that no image shows"
  if (element.localName === "option") return "it is an option of a closed list: fill the list with its text or value"
  for (let at: Element | null = element, steps = 0; at !== null && steps < 300; at = flatParent(at), steps += 1) {
    const style = view.style(at)
    const what = at === element ? "it" : describe(at, view)
    if (style.display === "none") return `${what} is not displayed`
    if (at === element && style.visibility !== "visible") return "it is made invisible (visibility)"
  }
  return "it has no size"
}
