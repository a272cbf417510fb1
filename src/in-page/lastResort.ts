/** What to call things without a name. */
import { firstElementOf, localNameOf, nextElementOf, shortAttribute } from "./dom.ts"
import { collapse } from "./text.ts"

const generic =
  /^(icons?|svg|img|image|btn|button|link|fa|fas|far|fab|fal|bi|mdi|material-icons|material-symbols-outlined|glyphicon|lucide|feather|ti|la|las|ri|css-.*|sc-.*|jsx-.*|_.*|[a-z]{1,2}\d*|w-.*|h-.*|size-.*|text-.*|flex|inline.*|block|d-.*|m[trblxy]?-.*|p[trblxy]?-.*|cursor.*|hover.*|[0-9a-f]{6,})$/i
const prefixes =
  /^(fa|bi|mdi|icon|glyphicon|lucide|feather|ti|la|ri|i|svg|btn|button|ui-icon|oi|ion)[-_]+|[-_]+(icon|btn|button|svg)$/gi

const iconWord = (element: Element): string => {
  const data = shortAttribute(element, "data-icon", 60) || shortAttribute(element, "data-lucide", 60)
  if (data !== "") return data
  for (const token of shortAttribute(element, "class", 400).split(/\s+/)) {
    if (token === "" || generic.test(token) || !/[a-z]{3}/i.test(token)) continue
    const word = token.replace(prefixes, "").replace(prefixes, "").replace(/[-_]+/g, " ").trim()
    if (/[a-z]{2}/i.test(word)) return word
  }
  return ""
}

const shapes = new Set(["circle", "ellipse", "rect", "line", "path", "polygon", "polyline", "g", "image", "text"])

/**
 * What to call something that can be acted on and has no name: a title or name hidden inside it, its icon, its class,
 * where it leads, its shape.
 */
export const lastResort = (element: Element): string => {
  const tag = localNameOf(element)
  let looked = 0
  let hint = ""
  const look = (at: Element): string => {
    looked += 1
    if (looked > 25) return ""
    const at_ = localNameOf(at)
    if (at_ === "title") return collapse((at.textContent ?? "").slice(0, 500))
    const said = collapse(shortAttribute(at, "aria-label") || shortAttribute(at, "title") || shortAttribute(at, "alt"))
    if (said !== "") return said
    if (hint === "") {
      const use = at_ === "use" ? shortAttribute(at, "href") || shortAttribute(at, "xlink:href") : ""
      hint = use.includes("#")
        ? use
            .slice(use.indexOf("#") + 1)
            .replace(prefixes, "")
            .replace(/[-_]+/g, " ")
        : iconWord(at)
    }
    for (let child = firstElementOf(at); child !== null && looked < 25; child = nextElementOf(child)) {
      const found = look(child)
      if (found !== "") return found
    }
    return ""
  }
  const said = look(element)
  if (said !== "") return said
  if (tag === "a") {
    const path = shortAttribute(element, "href", 300)
      .replace(/[?#].*$/, "")
      .replace(/\/+$/, "")
    const last = path.slice(path.lastIndexOf("/") + 1)
    if (hint === "" && last !== "") return last
  }
  if (hint !== "") return hint
  return shapes.has(tag) ? tag : ""
}
