/** HTML as Markdown (CommonMark with the tables, task lists and strikethrough of GitHub). */
import { Effect } from "effect"
import type TurndownService from "turndown"
import { ContentFailed } from "../../schemas/errors.ts"
import { tableRules } from "./markdownTables.ts"

/**
 * HTML is converted up to this many characters, without scripts, styles and drawings. Conversion is not interruptible
 * and takes 2 to 4 s for as much, so the bound is one of time.
 */
export const markdownHtmlLimit = 1_000_000

// Without these most pages are a fraction of their size. Each pattern is linear in the text.
const noise = [/<!--[\s\S]*?-->/g, /<(script|style|svg|noscript|template|head)\b[^>]*>[\s\S]*?<\/\1\s*>/gi] as const

const withoutNoise = (html: string): string => noise.reduce((text, pattern) => text.replace(pattern, ""), html)

/** Cuts at the start of a tag, so that no half tag becomes text. */
const cutHtml = (html: string): string => {
  if (html.length <= markdownHtmlLimit) return html
  const tag = html.lastIndexOf("<", markdownHtmlLimit)
  return html.slice(0, tag > 0 ? tag : markdownHtmlLimit)
}

/** Elements may be nested this deep; both the parser and the converter get slow or fail far beyond it. */
const deepest = 500

const neverClosed = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
const mayStayOpen =
  /^(?:p|li|dt|dd|td|th|tr|thead|tbody|tfoot|option|optgroup|colgroup|caption|html|head|body|r[bpt]c?)$/i

/** How deep elements are nested, counted without parsing: elements whose end tag may be missing do not count. */
const depthOf = (html: string): number => {
  let depth = 0
  let most = 0
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    if (neverClosed.test(name) || mayStayOpen.test(name)) continue
    depth += slash === "" ? 1 : -1
    most = Math.max(most, depth)
  }
  return most
}

/** The address that a link or picture leads to; undefined if it leads nowhere that a reader could go. */
const absolute = (address: string | null, baseUrl: string): string | undefined => {
  if (address === null || address.trim() === "") return undefined
  const url = URL.parse(address.trim(), baseUrl)
  return url === null || ["javascript:", "data:", "blob:"].includes(url.protocol)
    ? undefined
    : url.href.replace(/[()]/g, (bracket) => `\\${bracket}`)
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const converter = (
  Turndown: typeof TurndownService,
  plugins: ReadonlyArray<TurndownService.Plugin>,
  baseUrl: string
): TurndownService => {
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---"
  })
  service.use([...plugins])
  service.remove(["script", "style", "noscript", "template", "head", "title", "iframe", "object"])
  service.addRule("absoluteLink", {
    filter: (node) => node.nodeName === "A",
    replacement: (content, node) => {
      const href = absolute((node as HTMLElementLike).getAttribute("href"), baseUrl)
      const text = oneLine(content)
      return href === undefined || text === "" ? text : `[${text}](${href})`
    }
  })
  service.addRule("absoluteImage", {
    filter: "img",
    replacement: (_, node) => {
      const element = node as HTMLElementLike
      // an empty alternative says that the picture only decorates
      const given = element.getAttribute("alt")
      if (given === "") return ""
      const alt = oneLine(given ?? "")
      const source = absolute(element.getAttribute("src"), baseUrl)
      return source === undefined ? alt : `![${alt.replace(/[[\]]/g, "\\$&")}](${source})`
    }
  })
  tableRules(service)
  return service
}

/** What is used of an element; the DOM library is not part of this project. */
interface HTMLElementLike {
  getAttribute(name: string): string | null
}

/**
 * Converts HTML to Markdown: headings, lists, tables and code blocks kept, links and pictures with absolute addresses
 * (against `baseUrl`), scripts, styles and drawings left out. Of longer HTML only the first `markdownHtmlLimit`
 * characters are converted. The converter is loaded with the first call.
 *
 * Fails with `ContentFailed` if the HTML is nested too deeply to be converted.
 */
export const toMarkdown = (html: string, baseUrl: string): Effect.Effect<string, ContentFailed> =>
  Effect.gen(function* () {
    const source = cutHtml(withoutNoise(html))
    if (depthOf(source) > deepest) return yield* tooDeep
    const [{ default: Turndown }, { highlightedCodeBlock, strikethrough, taskListItems }] = yield* Effect.promise(() =>
      Promise.all([import("turndown"), import("@joplin/turndown-plugin-gfm")])
    )
    const service = converter(Turndown, [highlightedCodeBlock, strikethrough, taskListItems], baseUrl)
    return yield* Effect.try({ try: () => service.turndown(source).trim(), catch: () => tooDeep })
  })

const tooDeep = new ContentFailed({ reason: "the page is nested too deeply for Markdown; format txt can read it" })
