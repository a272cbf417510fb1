/**
 * The tree as it is rendered (CSS Scoping, "flat tree"): shadow roots in place of light children, slots filled. Closed
 * shadow roots take part once they have been handed over.
 */
import {
  activeIn,
  documentActive,
  firstChildOf,
  hitIn,
  hostOf,
  isElement,
  isShadowRoot,
  localNameOf,
  nextSiblingOf,
  parentNodeOf,
  queryAll,
  type Root,
  rootOf,
  shadowRootOf,
  slotOf
} from "./dom.ts"

const adopted = new WeakMap<Element, ShadowRoot>()
const adoptedHosts = new Set<WeakRef<Element>>()

/** From now on the closed shadow root of `host` is walked like an open one. */
export const adoptRoot = (root: ShadowRoot, host: Element): void => {
  if (adopted.get(host) === root) return
  adopted.set(host, root)
  adoptedHosts.add(new WeakRef(host))
}

/** The shadow root of an element, open or adopted. */
export const shadowOf = (element: Element): ShadowRoot | null => shadowRootOf(element) ?? adopted.get(element) ?? null

/** The children as rendered. */
export const flatChildren = (parent: Element): ReadonlyArray<Node> => {
  const shadow = shadowOf(parent)
  if (shadow === null && localNameOf(parent) === "slot" && isShadowRoot(rootOf(parent))) {
    const assigned = (parent as HTMLSlotElement).assignedNodes()
    if (assigned.length > 0) return assigned
  }
  const children: Array<Node> = []
  for (let child = firstChildOf(shadow ?? parent); child !== null; child = nextSiblingOf(child)) children.push(child)
  return children
}

const adoptedSlot = (host: Element, child: Node): Element | null => {
  const root = adopted.get(host)
  if (root === undefined) return null
  for (const slot of Array.from(queryAll(root, "slot"))) {
    if ((slot as HTMLSlotElement).assignedNodes().includes(child as Element)) return slot
  }
  return null
}

/** The parent as rendered; null above the root element. */
export const flatParent = (child: Node): Element | null => {
  const slot = slotOf(child)
  if (slot !== null) return slot
  const parent = parentNodeOf(child)
  if (isShadowRoot(parent)) return hostOf(parent)
  if (!isElement(parent)) return null
  return adoptedSlot(parent, child) ?? parent
}

/** Whether `inner` is rendered inside `outer`, or is it. */
export const flatContains = (outer: Element, inner: Node): boolean => {
  for (let at: Node | null = inner, steps = 0; at !== null && steps < 3000; at = flatParent(at), steps += 1) {
    if (at === outer) return true
  }
  return false
}

/** The innermost element under a point of the viewport. */
export const deepHit = (x: number, y: number): Element | null => {
  let hit = hitIn(document, x, y)
  for (let depth = 0; hit !== null && depth < 50; depth += 1) {
    const shadow: ShadowRoot | null = shadowOf(hit)
    if (shadow === null) return hit
    const inner: Element | null = hitIn(shadow, x, y)
    if (inner === null || inner === hit || rootOf(inner) !== shadow) return hit
    hit = inner
  }
  return hit
}

/** What has the focus, inside shadow roots too. */
export const deepActive = (): Element | null => {
  let active = documentActive()
  for (let depth = 0; active !== null && depth < 50; depth += 1) {
    const shadow: ShadowRoot | null = shadowOf(active)
    const inner: Element | null = shadow === null ? null : activeIn(shadow)
    if (inner === null) return active
    active = inner
  }
  return active
}

/** The document and every shadow root in it that is open or adopted; the document first. */
export const allRoots = (): ReadonlyArray<Root> => {
  const roots: Array<Root> = [document]
  for (let index = 0; index < roots.length && roots.length < 2000; index += 1) {
    const all = queryAll(roots[index] as Root, "*")
    for (let i = 0; i < all.length; i += 1) {
      const shadow = shadowRootOf(all[i] as Element)
      if (shadow !== null) roots.push(shadow)
    }
    if (index === 0) for (const shadow of liveAdopted()) roots.push(shadow)
  }
  return roots
}

const liveAdopted = (): ReadonlyArray<ShadowRoot> => {
  const roots: Array<ShadowRoot> = []
  for (const reference of adoptedHosts) {
    const host = reference.deref()
    const root = host && adopted.get(host)
    if (host === undefined || root === undefined) adoptedHosts.delete(reference)
    else if (host.isConnected) roots.push(root)
  }
  return roots
}

/** Whether the document has shadow roots that we can see into: a cheap answer for documents that have none. */
export const hasShadow = (): boolean => adoptedHosts.size > 0 || allRoots().length > 1

/** All elements that match, shadow roots pierced only if the document itself has none. Throws for a bad selector. */
export const queryDeep = (selector: string): ReadonlyArray<Element> => {
  const plain = queryAll(document, selector)
  if (plain.length > 0) return Array.from(plain)
  const found: Array<Element> = []
  for (const root of allRoots().slice(1)) found.push(...Array.from(queryAll(root, selector)))
  return found
}
