/** How elements are spoken of, for people and in refusals. */
import { hasAttribute, isText, localNameOf, shortAttribute } from "./dom.ts"
import { lastResort } from "./lastResort.ts"
import { nameOf, textOf } from "./name.ts"
import { isGenerated } from "./identity.ts"
import { kindOf, roleOf } from "./role.ts"
import { clip, collapse } from "./text.ts"
import { View } from "./view.ts"

const clickableKinds = new Set(["generic", "none", "paragraph", "graphics", "strong", "emphasis"])

/** Tag with id, name or the beginning of a class or text: where to look for the element in the page's source. */
export const locOf = (element: Element, name = ""): string => {
  const tag = localNameOf(element)
  const id = shortAttribute(element, "id", 60)
  if (id !== "" && !isGenerated(id)) return `${tag}#${id}`
  const named = shortAttribute(element, "name", 60)
  if (named !== "") return `${tag}[name=${named}]`
  const test = shortAttribute(element, "data-testid", 60)
  if (test !== "") return `${tag}[data-testid=${test}]`
  const type = tag === "input" && hasAttribute(element, "type") ? `[type=${shortAttribute(element, "type", 20)}]` : ""
  const first = shortAttribute(element, "class", 200).trim().split(/\s+/)[0] ?? ""
  if (name === "" && first !== "") return `${tag}.${clip(first, 40)}${type}`
  return `${tag}${type}`
}

/** The word for an element's kind, without knowing whether it is listed. */
export const wordFor = (element: Element): string => {
  const role = roleOf(element)
  const kind = kindOf(element, role)
  return clickableKinds.has(kind) || kind === "" ? localNameOf(element) : kind
}

/** Kind, name and place of an element: `button "Place order" (button#order)`. */
export const describe = (node: Element | Text, view = new View()): string => {
  if (isText(node)) return `text "${clip(collapse(node.data), 60)}"`
  const name = nameOf(node, view) || textOf(node, view) || lastResort(node)
  const loc = locOf(node, name)
  const word = wordFor(node)
  const place = loc === word || loc === localNameOf(node) ? "" : ` (${loc})`
  return name === "" ? `${word}${place}` : `${word} "${clip(name, 60)}"${place}`
}
