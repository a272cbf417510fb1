/** What the page, or a part of it, says: as HTML, text, data, or HTML to be made into Markdown. */
import type { ContentPayload } from "../schemas/page.ts"
import { cleanHtml } from "./cleanHtml.ts"
import {
  bodyElement,
  documentType,
  innerTextOf,
  localNameOf,
  outerHTMLOf,
  queryAll,
  rootElement,
  textContentOf
} from "./dom.ts"
import { bySelector } from "./find.ts"
import { jsonText, structureOf } from "./structure.ts"
import { allRoots, hasShadow } from "./tree.ts"
import { isSeen, View } from "./view.ts"
import { visibleText } from "./visibleText.ts"

interface Options {
  readonly format: "html" | "txt" | "json" | "markdown"
  readonly selector?: string
  readonly maxChars: number
}

const passwords =
  "input[type=password][value],input[autocomplete~=one-time-code][value],input[autocomplete~=cc-csc][value]"

/** The HTML of an element, open shadow roots as declarative ones, secrets in value attributes masked. */
const htmlOf = (element: Element): string => {
  const secret = queryAll(element, passwords).length > 0
  if (secret) {
    const copy = element.cloneNode(true) as Element
    for (const field of Array.from(queryAll(copy, passwords))) field.setAttribute("value", "••••••••")
    return outerHTMLOf(copy)
  }
  if (!hasShadow()) return outerHTMLOf(element)
  const roots = allRoots().filter((root): root is ShadowRoot => root !== document)
  const shell = outerHTMLOf(element.cloneNode(false) as Element)
  const end = shell.lastIndexOf("</")
  if (end < 0) return shell
  return shell.slice(0, end) + element.getHTML({ shadowRoots: roots }) + shell.slice(end)
}

/** What was read; `deep`: without what is nested too deeply; `cut`: what else is left out. */
interface Whole {
  readonly text: string
  readonly deep: boolean
  readonly cut?: ReadonlyArray<string>
}

const complete = (text: string): Whole => ({ text, deep: false })

const textOfPage = (element: Element): Whole => {
  if (!hasShadow() && element instanceof HTMLElement) return complete(innerTextOf(element))
  return visibleText(element, new View(), 20_000_000)
}

const whole = (options: Options, element: Element, root: boolean): Whole => {
  switch (options.format) {
    case "html": {
      const type = documentType()
      return complete(root && type !== null ? `<!DOCTYPE ${type.name}>${htmlOf(element)}` : htmlOf(element))
    }
    case "txt":
      return textOfPage(element)
    case "markdown":
      return cleanHtml(element, new View(), 3 * options.maxChars + 100_000)
    case "json": {
      const json = jsonText(textContentOf(root ? (bodyElement() ?? element) : element) ?? "")
      if (json !== undefined) return complete(json)
      const { cut, structure } = structureOf(element, new View())
      return { text: JSON.stringify(structure), deep: false, cut }
    }
  }
}

const target = (options: Options): Element | "nothing" | "none" | "invalid" => {
  const page = options.format === "html" ? rootElement() : (bodyElement() ?? rootElement())
  if (options.selector === undefined) return page ?? "nothing"
  const all = bySelector(options.selector)
  if (all === undefined) return "invalid"
  const view = new View()
  return all.slice(0, 500).find((element) => isSeen(element, view)) ?? all[0] ?? "none"
}

/** Frames inside that can be seen; more than so many are not counted. */
const framesIn = (element: Element): number => {
  const frames = Array.from(queryAll(element, "iframe,frame")).slice(0, 1_000)
  if (frames.length === 0) return 0
  const view = new View()
  return frames.filter((frame) => isSeen(frame, view)).length
}

/** The content, cut at `maxChars`, with its whole length. */
export const content = (options: Options): typeof ContentPayload.Type => {
  const element = target(options)
  if (element === "invalid")
    return { is: "invalid", reason: `"${(options.selector ?? "").slice(0, 200)}" is not a valid CSS selector` }
  if (element === "none") return { is: "none" }
  // a document of which nothing has come yet
  if (element === "nothing") return { is: "content", content: "", total: 0, frames: 0 }
  const {
    cut = [],
    deep,
    text
  } = whole(options, element, options.selector === undefined || localNameOf(element) === "html")
  return {
    is: "content",
    content: text.length > options.maxChars ? text.slice(0, options.maxChars) : text,
    total: text.length,
    frames: framesIn(element),
    ...(deep ? { deep } : {}),
    ...(cut.length === 0 ? {} : { cut })
  }
}
