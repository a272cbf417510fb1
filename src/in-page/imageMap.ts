/** Image maps: an area has no box of its own, its place is a part of the image that it lies on. */
import { closest, isElement, localNameOf, queryAll, rectOf, rootOf, shortAttribute } from "./dom.ts"
import type { Rect } from "../schemas/page.ts"

/** Areas of one image that are looked at. */
const mostAreas = 300

const mapNameOf = (image: Element): string => shortAttribute(image, "usemap").replace(/^[^#]*#/, "")

export const isArea = (node: Node): node is HTMLAreaElement => isElement(node) && localNameOf(node) === "area"

/** The areas that lie on an image. */
export const areasOf = (image: Element): ReadonlyArray<Element> => {
  const name = mapNameOf(image)
  if (name === "") return []
  const map = Array.from(queryAll(rootOf(image), "map")).find((one) => shortAttribute(one, "name") === name)
  return map === undefined ? [] : Array.from(queryAll(map, "area")).slice(0, mostAreas)
}

/** The image that an area lies on, the first of several that is to be seen. */
export const imageOf = (area: Element): Element | undefined => {
  const map = closest(area, "map")
  const name = map === null ? "" : shortAttribute(map, "name")
  if (map === null || name === "") return undefined
  const images = Array.from(queryAll(rootOf(map), "img[usemap]")).filter((image) => mapNameOf(image) === name)
  return images.find((image) => rectOf(image).width > 0) ?? images[0]
}

/** Where the content of an image begins and how large it is: coordinates count from there. */
const contentBox = (image: Element): Rect => {
  const { height, width, x, y } = rectOf(image)
  const style = getComputedStyle(image)
  const px = (...lengths: ReadonlyArray<string>) =>
    lengths.reduce((sum, length) => sum + (Number.parseFloat(length) || 0), 0)
  const left = px(style.borderLeftWidth, style.paddingLeft)
  const top = px(style.borderTopWidth, style.paddingTop)
  return {
    x: x + left,
    y: y + top,
    width: width - left - px(style.borderRightWidth, style.paddingRight),
    height: height - top - px(style.borderBottomWidth, style.paddingBottom)
  }
}

/** The box around an area in CSS px of the viewport, as far as it lies on its image. */
export const areaBox = (area: Element): Rect | undefined => {
  const image = imageOf(area)
  if (image === undefined) return undefined
  const at = contentBox(image)
  const shape = shortAttribute(area, "shape").toLowerCase()
  const numbers = shortAttribute(area, "coords", 4000)
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map(Number.parseFloat)
  if (numbers.some(Number.isNaN)) return undefined
  if (shape === "default") return at
  const [a = 0, b = 0, radius = 0] = numbers
  const isCircle = shape.startsWith("circ")
  if (numbers.length < (isCircle ? 3 : 4)) return undefined
  const xs = isCircle ? [a - radius, a + radius] : numbers.filter((_, index) => index % 2 === 0)
  const ys = isCircle ? [b - radius, b + radius] : numbers.filter((_, index) => index % 2 === 1)
  const [left, right] = [Math.max(0, Math.min(...xs)), Math.min(at.width, Math.max(...xs))]
  const [top, bottom] = [Math.max(0, Math.min(...ys)), Math.min(at.height, Math.max(...ys))]
  if (right <= left || bottom <= top) return undefined
  return { x: at.x + left, y: at.y + top, width: right - left, height: bottom - top }
}
