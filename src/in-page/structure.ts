/** A page as data: its payload if it is JSON, else title, headings, links, tables, lists and forms. */
import { documentTitle, formElements, isElement, localNameOf, queryAll, shortAttribute } from "./dom.ts"
import { nameOf, textOf } from "./name.ts"
import { kindOf, roleOf } from "./role.ts"
import { clip, collapse } from "./text.ts"
import { valueOf } from "./value.ts"
import { isSeen, type View } from "./view.ts"

const maxDepth = 8
const maxChildren = 40
const maxText = 200

/** A text that is JSON as a whole, at most 20 MB; undefined otherwise. */
export const jsonText = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (!/^[[{"\d\-tfn]/.test(trimmed) || trimmed.length > 20_000_000 || !/^[[{]/.test(trimmed)) return undefined
  try {
    return JSON.stringify(JSON.parse(trimmed))
  } catch {
    return undefined
  }
}

interface Item {
  readonly text: string
  readonly items?: ReadonlyArray<Item>
}

const all = (root: Element, selector: string, view: View): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (const element of Array.from(queryAll(root, selector))) {
    if (found.length >= maxChildren) break
    if (isSeen(element, view)) found.push(element)
  }
  return found
}

const short = (text: string): string => clip(text, maxText)

const listOf = (list: Element, view: View, depth: number): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  for (const child of Array.from(list.children)) {
    if (items.length >= maxChildren) break
    if (localNameOf(child) !== "li" || !view.rendered(child)) continue
    const inner = Array.from(child.children).find((part) => /^(ul|ol)$/.test(localNameOf(part)))
    const own =
      inner === undefined
        ? textOf(child, view)
        : collapse(
            Array.from(child.childNodes, (part) =>
              part === inner ? "" : isElement(part) ? textOf(part, view) : (part.textContent ?? "")
            ).join(" ")
          )
    items.push({
      text: short(own),
      ...(inner !== undefined && depth < maxDepth ? { items: listOf(inner, view, depth + 1) } : {})
    })
  }
  return items
}

const tableOf = (table: Element, view: View) => ({
  caption: short(nameOf(table, view)),
  rows: Array.from((table as HTMLTableElement).rows)
    .slice(0, maxChildren)
    .map((row) =>
      Array.from(row.cells)
        .slice(0, maxChildren)
        .map((cell) => short(textOf(cell, view)))
    )
})

const formFacts = (form: Element, view: View) => ({
  name: short(nameOf(form, view) || shortAttribute(form, "name") || shortAttribute(form, "id")),
  fields: Array.from(formElements(form as HTMLFormElement))
    .filter((field) => localNameOf(field) !== "fieldset" && isSeen(field, view))
    .slice(0, maxChildren)
    .map((field) => {
      const role = roleOf(field)
      const value = valueOf(field, role, view)
      return { kind: kindOf(field, role), label: short(nameOf(field, view)), ...(value === undefined ? {} : { value }) }
    })
})

/** The structure of a page or of a part of it. */
export const structureOf = (root: Element, view: View) => ({
  url: location.href,
  title: documentTitle().slice(0, maxText),
  headings: all(root, "h1,h2,h3,h4,h5,h6,[role=heading]", view).map((heading) => ({
    level: Number(localNameOf(heading).slice(1)) || Number(shortAttribute(heading, "aria-level")) || 2,
    text: short(nameOf(heading, view))
  })),
  links: all(root, "a[href]", view).map((link) => ({
    text: short(nameOf(link, view)),
    href: (link as HTMLAnchorElement).href?.toString().slice(0, 2000) ?? ""
  })),
  tables: all(root, "table", view).map((table) => tableOf(table, view)),
  lists: all(root, "ul,ol", view)
    .filter((list) => list.parentElement?.closest("ul,ol") == null)
    .map((list) => listOf(list, view, 1)),
  forms: all(root, "form", view).map((form) => formFacts(form, view))
})
