/** The text that people can see, shadow roots included. */
import { hasAttribute, isElement, isText, localNameOf, rectOf } from "./dom.ts"
import { flatChildren } from "./tree.ts"
import { rawValue } from "./value.ts"
import { shrunk, type View } from "./view.ts"

const silent = new Set(
  "script style template noscript head datalist textarea select iframe frame object embed canvas video audio svg".split(
    " "
  )
)
const maxDepth = 1500

/** Visible text with each block on a line of its own; at most `limit` characters. `deep`: what was nested deeper is not in it. */
export const visibleText = (
  root: Element,
  view: View,
  limit: number
): { readonly text: string; readonly deep: boolean } => {
  let deep = false
  const parts: Array<string> = []
  let size = 0
  let line = true
  const add = (text: string): void => {
    const clean = text.replace(/\s+/g, " ")
    const word = line ? clean.trimStart() : clean
    if (word === "") return
    parts.push(word)
    size += word.length
    line = word.endsWith(" ")
  }
  const cut = (mark: string): void => {
    if (parts.length > 0 && parts[parts.length - 1] !== "\n") parts.push(mark)
    line = true
  }
  const visit = (element: Element, depth: number): void => {
    if (size > limit) return
    if (depth > maxDepth) {
      deep = true
      return
    }
    const tag = localNameOf(element)
    if (tag === "br") cut("\n")
    if (tag === "br" || silent.has(tag)) return
    const style = view.style(element)
    const display = style.display
    if (display === "none" || display === "" || style.opacity === "0" || style.contentVisibility === "hidden") return
    const visible = style.visibility === "visible"
    if (tag === "input") {
      const type = (element as HTMLInputElement).type
      if (visible && (type === "submit" || type === "button" || type === "reset"))
        add(` ${rawValue(element).slice(0, 1000)} `)
      return
    }
    const inline = display === "inline" || display === "contents" || display === "inline-block"
    if (shrunk(element, view)) return
    if (
      display !== "inline" &&
      display !== "contents" &&
      tag !== "html" &&
      tag !== "body" &&
      style.overflowY !== "visible"
    ) {
      const rect = rectOf(element)
      if (rect.width < 1 || rect.height < 1) return
    }
    const cell = display === "table-cell"
    if (!inline && !cell) cut("\n")
    const folded = tag === "details" && !hasAttribute(element, "open")
    for (const child of flatChildren(element)) {
      if (isText(child)) {
        if (visible && !folded) add(child.data.length > limit ? child.data.slice(0, limit) : child.data)
      } else if (isElement(child) && (!folded || localNameOf(child) === "summary")) visit(child, depth + 1)
    }
    if (cell) cut("\t")
    else if (!inline) cut("\n")
  }
  visit(root, 0)
  const text = parts
    .join("")
    .replace(/[ \t]*\n[ \t\n]*/g, "\n")
    .trim()
  return { text, deep }
}
