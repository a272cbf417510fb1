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

/** What is looked at, and the kinds of which not all is given. */
interface Look {
  readonly view: View
  readonly cut: Set<string>
}

/** The first so many of what is wanted; that there are more is noted. */
const first = <A>(items: ArrayLike<A>, kind: string, { cut }: Look, isWanted: (item: A) => boolean): Array<A> => {
  const found: Array<A> = []
  for (const item of Array.from(items)) {
    if (!isWanted(item)) continue
    if (found.length >= maxChildren) {
      cut.add(`${kind} after the first ${maxChildren}`)
      break
    }
    found.push(item)
  }
  return found
}

const all = (root: Element, selector: string, kind: string, look: Look): ReadonlyArray<Element> =>
  first(queryAll(root, selector), kind, look, (element) => isSeen(element, look.view))

const any = (): boolean => true

const short = (text: string): string => clip(text, maxText)

const listOf = (list: Element, look: Look, depth: number): ReadonlyArray<Item> => {
  const { view } = look
  const isItem = (child: Element) => localNameOf(child) === "li" && view.rendered(child)
  return first(list.children, "items of lists", look, isItem).map((child) => {
    const inner = Array.from(child.children).find((part) => /^(ul|ol)$/.test(localNameOf(part)))
    const own =
      inner === undefined
        ? textOf(child, view)
        : collapse(
            Array.from(child.childNodes, (part) =>
              part === inner ? "" : isElement(part) ? textOf(part, view) : (part.textContent ?? "")
            ).join(" ")
          )
    if (inner !== undefined && depth >= maxDepth) look.cut.add(`lists more than ${maxDepth} deep in others`)
    return {
      text: short(own),
      ...(inner !== undefined && depth < maxDepth ? { items: listOf(inner, look, depth + 1) } : {})
    }
  })
}

const tableOf = (table: Element, look: Look) => ({
  caption: short(nameOf(table, look.view)),
  rows: first((table as HTMLTableElement).rows, "rows of tables", look, any).map((row) =>
    first(row.cells, "cells of rows", look, any).map((cell) => short(textOf(cell, look.view)))
  )
})

const formFacts = (form: Element, look: Look) => {
  const { view } = look
  const isField = (field: Element) => localNameOf(field) !== "fieldset" && isSeen(field, view)
  return {
    name: short(nameOf(form, view) || shortAttribute(form, "name") || shortAttribute(form, "id")),
    fields: first(formElements(form as HTMLFormElement), "fields of forms", look, isField).map((field) => {
      const role = roleOf(field)
      const value = valueOf(field, role, view)
      return { kind: kindOf(field, role), label: short(nameOf(field, view)), ...(value === undefined ? {} : { value }) }
    })
  }
}

/** The structure of a page or of a part of it, and the kinds of which only the first so many are in it. */
export const structureOf = (root: Element, view: View) => {
  const look: Look = { view, cut: new Set() }
  const structure = wholeOf(root, look)
  return { structure, cut: [...look.cut] }
}

const wholeOf = (root: Element, look: Look) => ({
  url: location.href,
  title: documentTitle().slice(0, maxText),
  headings: all(root, "h1,h2,h3,h4,h5,h6,[role=heading]", "headings", look).map((heading) => ({
    level: Number(localNameOf(heading).slice(1)) || Number(shortAttribute(heading, "aria-level")) || 2,
    text: short(nameOf(heading, look.view))
  })),
  links: all(root, "a[href]", "links", look).map((link) => ({
    text: short(nameOf(link, look.view)),
    href: (link as HTMLAnchorElement).href?.toString().slice(0, 2000) ?? ""
  })),
  tables: all(root, "table", "tables", look).map((table) => tableOf(table, look)),
  lists: first(
    queryAll(root, "ul,ol"),
    "lists",
    look,
    (list) => list.parentElement?.closest("ul,ol") == null && isSeen(list, look.view)
  ).map((list) => listOf(list, look, 1)),
  forms: all(root, "form", "forms", look).map((form) => formFacts(form, look))
})
