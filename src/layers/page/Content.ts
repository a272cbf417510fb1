/** Reading a page as text, HTML, Markdown or JSON. */
import { Effect } from "effect"
import { ContentFailed, SelectorInvalid } from "../../schemas/errors.ts"
import type { ContentPayload } from "../../schemas/page.ts"
import type { ContentParams, ContentResult } from "../../schemas/tools/reading.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { within } from "../../services/Timeouts.ts"
import type { Agents } from "./Agent.ts"
import { markdownHtmlLimit, toMarkdown } from "./markdown.ts"
import type { FrameModel } from "./FrameTable.ts"
import { isPdfViewer, pdfNote } from "./pdf.ts"
import type { Tab } from "./Tab.ts"

/** So many frames of a page are read at the most. */
const frameLimit = 50

type Params = Omit<ContentParams, "timeoutMs" | "maxChars"> & { readonly maxChars: number }
type Read = Exclude<typeof ContentPayload.Type, { readonly is: "invalid" }>

/** What a document, or a part of it, says. */
interface Part {
  readonly text: string
  /** characters before the cut */
  readonly total: number
  /** frames in it that are not part of it */
  readonly frames: number
  /** lists in it end before their end */
  readonly isCut?: boolean
  /** what else is missing of it */
  readonly missing: ReadonlyArray<string>
}

/**
 * Reads the document, or the first element that matches. As text or Markdown a whole page has its frames after it, each
 * under a line with its address. Cut at `maxChars` characters, and said so; so is what is missing.
 */
export const readContent = (
  tab: Tab,
  agents: Agents,
  frames: ReadonlyArray<FrameModel>,
  params: Params
): Effect.Effect<typeof ContentResult.Type, CdpError | ContentFailed | SelectorInvalid> =>
  Effect.gen(function* () {
    const { format, maxChars, selector } = params
    const ask = (frame: FrameModel) => askFrame(agents, frame, params)
    let owner = tab.model.main
    let found = yield* ask(owner)
    // what a selector names may stand in a frame
    for (const frame of selector === undefined || found.is !== "none" ? [] : frames.slice(1)) {
      const inner = yield* ask(frame).pipe(Effect.catchTag("CdpFailed", () => Effect.succeed(nothing)))
      if (inner.is !== "content") continue
      owner = frame
      found = inner
      break
    }
    if (found.is === "none") {
      return yield* selector === undefined
        ? new ContentFailed({ reason: "the page was replaced meanwhile", remedy: "Call browser_content again." })
        : new ContentFailed({
            reason: `the selector ${selector} matches nothing`,
            remedy:
              "Check the selector: browser_snapshot shows what is there. Without a selector the whole page is read."
          })
    }
    const first = yield* partOf(found, format, owner)
    const withFrames = selector === undefined && (format === "txt" || format === "markdown")
    const others = frames.slice(1).filter(({ url }) => !isPdfViewer(url))
    const inner = withFrames ? others.slice(0, frameLimit) : []
    const read = yield* Effect.forEach(inner, (frame) => readFrame(agents, frame, params), { concurrency: 8 })
    const silent = read.filter((part) => part === undefined).length
    const parts = [first, ...read.filter((part) => part !== undefined && part.text !== "")] as ReadonlyArray<Part>
    const text = parts.map((part) => part.text).join("\n\n")
    const total = parts.reduce((sum, part) => sum + part.total, 2 * (parts.length - 1))
    const missing = [
      ...new Set(parts.flatMap((part) => part.missing)),
      ...(withFrames ? leftOut(others.length, inner.length, silent) : apart(first))
    ]
    const notes = tab.model.isPdf ? pdfNote(tab.model) : missing
    return {
      content: cut(text, maxChars),
      truncated: total > maxChars || text.length > maxChars || first.isCut === true,
      total,
      ...(notes.length === 0 ? {} : { note: notes.join("; ") })
    }
  })

const nothing = { is: "none" } as const

const askFrame = (
  agents: Agents,
  frame: FrameModel,
  { format, maxChars, selector }: Params
): Effect.Effect<Read, CdpError | SelectorInvalid> =>
  agents
    .call(frame, "content", {
      format,
      maxChars: format === "markdown" ? markdownHtmlLimit : maxChars,
      ...(selector === undefined ? {} : { selector })
    })
    .pipe(
      Effect.catchTag("DocumentGone", () => Effect.succeed(nothing)),
      Effect.flatMap((answer) =>
        answer.is === "invalid"
          ? Effect.fail(new SelectorInvalid({ selector: selector ?? "", reason: answer.reason }))
          : Effect.succeed(answer)
      )
    )

const partOf = (
  { content, cut: left = [], deep, frames, total }: Extract<Read, { readonly is: "content" }>,
  format: ContentParams["format"],
  frame: FrameModel
): Effect.Effect<Part, ContentFailed> =>
  format === "markdown"
    ? Effect.map(toMarkdown(content, frame.url), (text) => ({
        text,
        total: text.length,
        frames,
        missing: [...(deep === true ? [tooDeep] : []), ...(total > content.length ? [tooLong] : [])]
      }))
    : Effect.succeed({
        text: content,
        total,
        frames,
        isCut: left.length > 0,
        missing: [
          ...(deep === true ? [tooDeep] : []),
          ...(left.length === 0
            ? []
            : [`left out: ${left.join(", ")}; give a selector, or read it as markdown or html`])
        ]
      })

const tooDeep = "what is nested more than 1,500 elements deep is left out; format html has all of it"
const tooLong = "the page is too long for Markdown as a whole; give a selector for a later part, or read it as txt"

/** A frame's text under its address; undefined if it did not answer; empty if there is nothing in it to be seen. */
const readFrame = (agents: Agents, frame: FrameModel, params: Params): Effect.Effect<Part | undefined, CdpError> => {
  const { patience } = agents
  return Effect.gen(function* () {
    const view = yield* agents.call(frame, "scrollState", {})
    // a frame without room shows nothing
    if (view.width < 2 || view.height < 2) return empty
    const found = yield* askFrame(agents, frame, params)
    if (found.is === "none") return empty
    const part = yield* partOf(found, params.format, frame)
    if (part.text.trim() === "") return empty
    const line = heading(params.format, frame.url)
    return { ...part, text: `${line}${part.text}`, total: line.length + part.total }
  }).pipe(
    within("a frame", patience.budget(frame)),
    Effect.tap(() => Effect.sync(() => patience.note(frame, true))),
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (error._tag === "OperationTimeout") patience.note(frame, false)
      })
    ),
    Effect.catchTags({
      DocumentGone: () => Effect.succeed(empty),
      SelectorInvalid: () => Effect.succeed(empty),
      ContentFailed: () => Effect.succeed(undefined),
      OperationTimeout: () => Effect.succeed(undefined),
      CdpFailed: () => Effect.succeed(undefined)
    })
  )
}

const empty: Part = { text: "", total: 0, frames: 0, missing: [] }

const heading = (format: ContentParams["format"], url: string): string => {
  const address = url.slice(0, 300)
  return format === "markdown" ? `---\n\nFrame <${address}>:\n\n` : `[frame ${address}]\n`
}

const counted = (count: number): string => `${count} frame${count === 1 ? "" : "s"}`

const leftOut = (all: number, asked: number, silent: number): ReadonlyArray<string> => [
  ...(silent === 0 ? [] : [`${counted(silent)} did not answer and ${silent === 1 ? "is" : "are"} left out`]),
  ...(all > asked ? [`of ${counted(all)}, the first ${asked} are read`] : [])
]

/** What stands in frames of the part. */
const apart = ({ frames }: Part): ReadonlyArray<string> =>
  frames === 0
    ? []
    : [
        `what ${counted(frames)} in it show${frames === 1 ? "s" : ""} is left out; give a selector of what stands in the frame, or read the whole page as txt or markdown`
      ]

/** At most so many characters, without half a surrogate pair at the end. */
const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const code = text.charCodeAt(max - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? max - 1 : max)
}
