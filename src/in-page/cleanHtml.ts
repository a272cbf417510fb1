/** HTML of what is visible, without scripts, styles and dressing: to be made into Markdown outside. */
import { attribute, hasAttribute, isElement, isText, localNameOf } from "./dom.ts"
import { flatChildren } from "./tree.ts"
import { controlText } from "./value.ts"
import { roleOf } from "./role.ts"
import type { View } from "./view.ts"

const silent = new Set(
  "script style template noscript head iframe frame object embed canvas svg datalist link meta".split(" ")
)
const kept = new Set(
  (
    "a abbr address article aside b blockquote br caption code dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 " +
    "h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small strong sub summary sup table tbody td " +
    "tfoot th thead time tr u ul var input"
  ).split(" ")
)
const attributes: Readonly<Record<string, ReadonlyArray<string>>> = {
  a: ["title"],
  img: ["alt", "title"],
  td: ["colspan", "rowspan", "align"],
  th: ["colspan", "rowspan", "align"],
  ol: ["start"],
  code: ["class"],
  pre: ["class"]
}
const empty = new Set(["br", "hr", "img", "input"])

const escapeText = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
const escapeValue = (text: string): string => escapeText(text).replace(/"/g, "&quot;")

const address = (element: Element, name: string): string => {
  const value = attribute(element, name) ?? ""
  if (value === "" || value.length > 4000) return ""
  try {
    return new URL(value, element.baseURI).href
  } catch {
    return value
  }
}

const opening = (element: Element, tag: string): string => {
  let text = `<${tag}`
  for (const name of attributes[tag] ?? []) {
    const value = attribute(element, name)
    if (value !== null) text += ` ${name}="${escapeValue(value.slice(0, 1000))}"`
  }
  if (tag === "a") {
    const href = address(element, "href")
    if (href !== "" && !href.startsWith("javascript:")) text += ` href="${escapeValue(href)}"`
  }
  if (tag === "img") {
    const src = address(element, "src")
    if (src !== "" && !src.startsWith("data:")) text += ` src="${escapeValue(src)}"`
  }
  return `${text}>`
}

/** Elements that are nested deeper are left out. */
const maxDepth = 1500

/** The visible part of an element as clean HTML of at most about `limit` characters; `deep`: what was nested deeper is not in it. */
export const cleanHtml = (
  root: Element,
  view: View,
  limit: number
): { readonly text: string; readonly deep: boolean } => {
  let deep = false
  const parts: Array<string> = []
  let size = 0
  const add = (text: string): void => {
    size += text.length
    parts.push(text)
  }
  const visit = (element: Element, depth: number, inPre: boolean): void => {
    if (size > limit) return
    if (depth > maxDepth) {
      deep = true
      return
    }
    const tag = localNameOf(element)
    if (silent.has(tag)) return
    const style = view.style(element)
    if (style.display === "none" || style.display === "" || style.contentVisibility === "hidden") return
    const visible = style.visibility === "visible"
    if (tag === "input" || tag === "select" || tag === "textarea") {
      if (visible) add(field(element, tag))
      return
    }
    const name = tag === "body" || tag === "html" || !kept.has(tag) ? "" : tag
    const plain = name === "" && style.display !== "inline" && style.display !== "contents"
    // what stands in a line, such as a button in the cell of a table, is a part of that line
    const apart = plain && style.display.startsWith("inline-")
    const block = plain && !apart
    if (name !== "") add(opening(element, name))
    else if (block) add("<div>")
    else if (apart) add(" ")
    if (empty.has(tag)) return
    const folded = tag === "details" && !hasAttribute(element, "open")
    for (const child of flatChildren(element)) {
      if (isText(child)) {
        if (visible && !folded) add(escapeText(inPre || tag === "pre" ? child.data : child.data.replace(/\s+/g, " ")))
      } else if (isElement(child) && (!folded || localNameOf(child) === "summary"))
        visit(child, depth + 1, inPre || tag === "pre")
    }
    if (name !== "") add(`</${name}>`)
    else if (block) add("</div>")
    else if (apart) add(" ")
  }
  visit(root, 0, false)
  return { text: parts.join(""), deep }
}

const field = (element: Element, tag: string): string => {
  const type = tag === "input" ? (element as HTMLInputElement).type : ""
  if (type === "checkbox" || type === "radio") {
    return `<input type="checkbox"${(element as HTMLInputElement).checked ? " checked" : ""}>`
  }
  if (type === "hidden" || type === "file" || type === "image") return ""
  return ` ${escapeText(controlText(element, roleOf(element)))} `
}
