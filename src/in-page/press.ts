/** Whether a press reaches what was meant: hit test just before, listening from then on. */
import type { ElementQuery, Hit, Pressed } from "../schemas/page.ts"
import { timersLeft } from "./acts.ts"
import { describe } from "./describe.ts"
import { hasAttribute, isConnected, isElement, isShadowRoot, hostOf, listen, parentNodeOf, rootOf } from "./dom.ts"
import { find } from "./find.ts"
import { nextFrame } from "./frames.ts"
import { counts, coverFacts, hitsTarget } from "./hit.ts"
import { elementOfKey, resolve } from "./keys.ts"
import { motionOf } from "./motion.ts"
import { nameOf } from "./name.ts"
import { stillFor } from "./quiet.ts"
import { roleOf } from "./role.ts"
import { clip } from "./text.ts"
import { deepHit, flatParent } from "./tree.ts"
import { boxesOf, View } from "./view.ts"

interface Noted {
  readonly key: number
  readonly fp: number | undefined
  readonly parent: WeakRef<Node> | undefined
  readonly role: string
  readonly name: string
}

interface Armed {
  readonly key: number
  target: Element
  /** how the target is found again when the page draws it anew */
  readonly query: ElementQuery | undefined
  received: boolean
  by: string
  /** what came to the target when the button went down */
  downs: ReadonlyArray<Event>
  /** over what the button was let go, if that was not the target */
  released: string | undefined
  /** the click, once it has come to the target */
  click: Event | undefined
  /** the link that the click followed */
  link: HTMLAnchorElement | HTMLAreaElement | undefined
  /** its address, if it was kept from being followed */
  kept: string | undefined
}

let noted: Noted | undefined
let armed: Armed | undefined

/** Remembers what was made ready, to recognise a sibling that takes its place under the pointer. */
export const noteReady = (key: number, fp: number | undefined, element: Element, view: View): void => {
  const parent = parentNodeOf(element)
  noted = {
    key,
    fp,
    parent: parent === null ? undefined : new WeakRef(parent),
    role: roleOf(element),
    name: nameOf(element, view)
  }
}

/** The pointer's arrival takes a frame; a page without a change since well before that did not react to it. */
const restMs = 40

/** Schemes of links of which the browser itself tells what became. */
const followed = /^(https?|javascript|about|blob|chrome-error):/i

/** Schemes of what browsers show by themselves, or refuse by themselves. */
const isShown = /^(https?|javascript|about|blob|data|file|filesystem|view-source|chrome[a-z-]*|devtools):/i

const pressEvents = ["pointerdown", "mousedown", "mouseup", "click", "auxclick", "contextmenu"] as const

const reaches = (target: Element, event: Event): boolean => {
  const path = event.composedPath()
  if (path.includes(target)) return true
  // of what happens inside a closed shadow root the window sees only the host
  for (
    let root = rootOf(target), depth = 0;
    isShadowRoot(root) && depth < 20;
    root = rootOf(hostOf(root)), depth += 1
  ) {
    if (root.mode === "closed" && path[0] === hostOf(root)) return true
  }
  const [hit] = path
  return hit instanceof Element && counts(target, hit)
}

const linkOf = (event: Event): HTMLAnchorElement | HTMLAreaElement | undefined =>
  event
    .composedPath()
    .find(
      (node): node is HTMLAnchorElement | HTMLAreaElement =>
        (node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement) && hasAttribute(node, "href")
    )

/** The element that a query means now. */
const foundAgain = (query: ElementQuery | undefined): Element | undefined => {
  if (query === undefined) return undefined
  const found = find(query)
  return found.is === "found" ? elementOfKey(found.k) : undefined
}

const onPress = (event: Event): void => {
  if (armed === undefined || !event.isTrusted) return
  const [hit] = event.composedPath()
  const by = hit instanceof Element ? describe(hit) : "the document"
  // between the hit test and the press the page may have drawn it anew
  if (!armed.received && !isConnected(armed.target)) armed.target = foundAgain(armed.query) ?? armed.target
  const reached = reaches(armed.target, event)
  if (event.type === "mouseup") {
    // a page may hide the click from us, but where the press and the release agree there is one
    if (armed.received && armed.click === undefined) armed.released = reached ? undefined : by
    return
  }
  if (event.type === "click" && reached) {
    armed.click = event
    armed.link = linkOf(event)
    armed.released = undefined
  }
  if (reached && (event.type === "pointerdown" || event.type === "mousedown")) armed.downs = [...armed.downs, event]
  if (armed.received) return
  armed.by = by
  armed.received = reached
}

/** A page that keeps the browser from what a press does has taken the press for its own: it waits for no click. */
const tookPress = ({ downs }: Armed): boolean => downs.some(({ defaultPrevented }) => defaultPrevented)

/**
 * Where a link leads to another program, the browser would ask, in a dialog of its own that nobody sees, and let no
 * more input through to the page.
 */
const onClickEnd = (event: Event): void => {
  const link = armed?.link
  if (armed === undefined || link === undefined || armed.click !== event || event.defaultPrevented) return
  if (isShown.test(link.href)) return
  event.preventDefault()
  armed.kept = link.href
}

/** Listens to presses before the page does, as far as the page was not there first. Harmless when repeated. */
export const watchPresses = (): void => {
  for (const type of pressEvents) listen(window, type, onPress, { capture: true, passive: true })
  listen(window, "click", onClickEnd)
}

const arm = (key: number, target: Element, query: ElementQuery | undefined): void => {
  watchPresses()
  armed = {
    key,
    target,
    query,
    received: false,
    by: "nothing",
    downs: [],
    released: undefined,
    click: undefined,
    link: undefined,
    kept: undefined
  }
}

const successorAt = (key: number, hit: Element): Element | undefined => {
  const parent = noted?.parent?.deref()
  if (noted === undefined || noted.key !== key || parent === undefined || !isConnected(parent)) return undefined
  const view = new View()
  for (let at: Element | null = hit, steps = 0; at !== null && steps < 20; at = flatParent(at), steps += 1) {
    if (parentNodeOf(at) !== parent) continue
    return roleOf(at) === noted.role && nameOf(at, view) === noted.name ? at : undefined
  }
  return undefined
}

/** Hit-tests after the page had a frame to react to the pointer, and from then on watches for the press. */
export const hit = async ({
  key,
  x,
  y,
  query
}: {
  readonly key: number
  readonly x: number
  readonly y: number
  readonly query?: ElementQuery
}): Promise<Hit> => {
  const element = elementOfKey(key)
  // a page that did not react to the pointer, and is not about to, needs no frame to do so
  if (element === undefined || !stillFor(restMs) || motionOf(element) !== "none" || timersLeft() > 0) await nextFrame()
  const under = deepHit(x, y)
  const view = new View()
  const here = element !== undefined && isConnected(element)
  if (here && hitsTarget(element, x, y) === undefined) {
    // the page may have re-used it for something else meanwhile
    const found = resolve(key, noted?.key === key ? noted.fp : undefined, view)
    if ("reason" in found) return { is: "stale", reason: found.reason }
    arm(key, element, query)
    return { is: "target" }
  }
  const successor = under === null || (here && view.rendered(element)) ? undefined : successorAt(key, under)
  if (successor !== undefined) {
    arm(key, successor, query)
    return { is: "successor", description: describe(successor, view) }
  }
  if (!here) {
    const again = foundAgain(query)
    if (again !== undefined && hitsTarget(again, x, y) === undefined) {
      arm(key, again, query)
      return { is: "successor", description: describe(again, view) }
    }
    const found = resolve(key, undefined, view)
    return { is: "stale", reason: "reason" in found ? found.reason : "it left the page" }
  }
  const within = boxesOf(element).some(
    (box) => x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height
  )
  return within ? { is: "covered", ...coverFacts(element, under, view) } : { is: "moved" }
}

/** Whether a trusted press reached the element since `hit`, what got it, and what became of it. */
export const pressed = ({ key }: { readonly key: number }): Pressed => {
  if (armed === undefined || armed.key !== key) return { received: false, by: "nothing" }
  const { by, click, kept, link, received, released } = armed
  // whether the page kept the link from being followed is known when all its listeners have run
  const href = kept ?? (link === undefined || click?.defaultPrevented !== false ? "" : link.href)
  return {
    received,
    by: clip(by, 200),
    ...(released === undefined || tookPress(armed) ? {} : { released: clip(released, 200) }),
    ...(href === "" || followed.test(href) ? {} : { link: clip(href, 500) })
  }
}

/** Whether a frame element is what stands under the point. */
export const hitFrame = ({ key, x, y }: { readonly key: number; readonly x: number; readonly y: number }): Hit => {
  const element = elementOfKey(key)
  if (!isElement(element) || !isConnected(element)) return { is: "stale", reason: "the frame left the page" }
  const under = hitsTarget(element, x, y)
  return under === undefined ? { is: "target" } : { is: "covered", ...coverFacts(element, under, new View()) }
}
