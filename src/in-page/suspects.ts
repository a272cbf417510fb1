/** Elements that may host a closed shadow root: only the browser can tell, and it is asked once for each. */
import { rectOf } from "./dom.ts"
import { keyOf, nodeOfKey } from "./keys.ts"
import { shadowOf } from "./tree.ts"

const examined = new WeakMap<Element, string>()
const sizeOf = (element: Element): string => {
  const rect = rectOf(element)
  return `${Math.round(rect.width)}x${Math.round(rect.height)}`
}

/** Keys of those that have not been examined at their present size: what is attached later changes the size. */
export const listedSuspects = (suspects: Iterable<Element>): Array<number> => {
  const keys: Array<number> = []
  for (const element of suspects) {
    if (keys.length >= 50) break
    if (shadowOf(element) === null && examined.get(element) !== sizeOf(element)) keys.push(keyOf(element))
  }
  return keys
}

/** The elements of keys, for the browser to look at, each in its place. Null for those that are gone. */
export const elementsOf = (keys: ReadonlyArray<number>): Array<Element | null> =>
  keys.map((key) => {
    const node = nodeOfKey(key)?.node
    if (!(node instanceof Element)) return null
    examined.set(node, sizeOf(node))
    return node
  })
