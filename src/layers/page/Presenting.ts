/** How a page is presented: what it seems to be shown on, on paper, and marked for whoever watches. */
import { Effect, Scope } from "effect"
import { HighlightFailed, HighlightInvalid, PdfFailed } from "../../schemas/errors.ts"
import { applied, applyEmulation, changed } from "./Emulation.ts"
import { toTop } from "./Frames.ts"
import type { Op, PageParts } from "./PageParts.ts"
import type { Found } from "./Finder.ts"
import { withElement } from "./RemoteElements.ts"
import { saveStream } from "./StreamFile.ts"

const colour = { r: 255, g: 138, b: 0 }

export class Presenting {
  private readonly parts: PageParts
  constructor(parts: PageParts) {
    this.parts = parts
  }

  readonly emulate: Op<"emulate"> = (change) =>
    Effect.suspend(() => {
      const { tab, viewport } = this.parts
      const emulation = changed(tab.emulation, change)
      return tab.operate(
        { operation: "browser_emulate", budget: "input" },
        Effect.map(applyEmulation(tab, emulation, viewport), () => {
          tab.emulation = emulation
          return { applied: applied(emulation), cleared: change.clear }
        })
      )
    })

  readonly pdf: Op<"pdf"> = (params) =>
    Effect.gen({ self: this }, function* () {
      const { tab, downloads } = this.parts
      const scope = yield* Effect.scope
      const { landscape, paperHeight, paperWidth, printBackground } = params
      return yield* tab.operate(
        { operation: "browser_pdf", budget: "pdf" },
        Effect.gen(function* () {
          const { stream } = yield* tab
            .send("Page.printToPDF", {
              landscape,
              printBackground,
              ...(paperWidth === undefined ? {} : { paperWidth }),
              ...(paperHeight === undefined ? {} : { paperHeight }),
              transferMode: "ReturnAsStream"
            })
            .pipe(Effect.catchTag("CdpFailed", ({ reason }) => Effect.fail(new PdfFailed({ reason }))))
          if (stream === undefined) return yield* new PdfFailed({ reason: "the browser gave no document" })
          const { connection, sessionId } = tab
          const saved = yield* saveStream(
            { connection, sessionId, folder: downloads, handle: stream },
            () => Effect.void
          )
          if (saved.bytes === 0) return yield* new PdfFailed({ reason: "the document is empty" })
          return saved
        }).pipe(
          Scope.provide(scope),
          Effect.catchTag("PlatformError", (error) =>
            Effect.fail(new PdfFailed({ reason: `it could not be written (${error.reason._tag})` }))
          )
        )
      )
    })

  readonly highlight: Op<"highlight"> = ({ clear, ref, selector, snapshotId }) =>
    Effect.suspend(() => {
      const { tab } = this.parts
      const named = selector !== undefined || (ref !== undefined && snapshotId !== undefined)
      if (!clear && !named) return Effect.fail(new HighlightInvalid())
      return tab.operate(
        { operation: "browser_highlight", budget: "input" },
        Effect.gen({ self: this }, function* () {
          if (clear) yield* this.unmark
          if (!named) return { matched: false, cleared: clear }
          const found =
            ref !== undefined && snapshotId !== undefined
              ? yield* this.parts.finder.byReference(snapshotId, ref)
              : yield* this.parts.finder.byQuery({ selector: selector ?? "" }).pipe(
                  Effect.catchTags({
                    TargetNotFound: () => Effect.succeed(undefined),
                    TargetAmbiguous: () => Effect.succeed(undefined),
                    // only a text is looked for as long as there is time
                    TargetFailed: (error) => Effect.die(error)
                  })
                )
          if (found === undefined) return { matched: false, cleared: clear }
          const box = yield* this.mark(found)
          return {
            matched: true,
            cleared: clear,
            target: found.description,
            ...(box === undefined ? {} : { box })
          }
        }).pipe(
          Effect.catchTag("DocumentGone", () =>
            Effect.fail(new HighlightFailed({ reason: "the page was replaced meanwhile" }))
          )
        )
      )
    })

  private mark(found: Found) {
    return Effect.gen({ self: this }, function* () {
      const { agents, tab } = this.parts
      const { frame, key } = found
      yield* agents.call(frame, "scrollTo", { key, block: "nearest" })
      yield* tab.send("DOM.enable", undefined, frame)
      yield* tab.send("Overlay.enable", undefined, frame)
      this.marked.add(frame.sessionId)
      yield* withElement(tab, agents, frame, key, (objectId) =>
        tab.send(
          "Overlay.highlightNode",
          {
            objectId,
            highlightConfig: {
              contentColor: { ...colour, a: 0.25 },
              borderColor: { ...colour, a: 0.9 },
              showInfo: false
            }
          },
          frame
        )
      )
      const box = yield* agents.call(frame, "box", { key })
      return box === null ? undefined : yield* toTop(tab, agents, frame, box)
    })
  }

  /** sessions in which something is marked */
  private readonly marked = new Set<string>()

  private readonly unmark = Effect.suspend(() => {
    const { tab } = this.parts
    const frames = [...tab.model.frames.values()]
    const sessions = [...this.marked]
    this.marked.clear()
    return Effect.forEach(
      sessions,
      (id) => {
        const frame = frames.find((one) => one.sessionId === id)
        return frame === undefined
          ? Effect.void
          : Effect.all(
              [
                tab.send("Overlay.hideHighlight", undefined, frame),
                // while these domains are on, the browser tells of every change of the document
                tab.send("Overlay.disable", undefined, frame),
                tab.send("DOM.disable", undefined, frame)
              ],
              { discard: true }
            )
      },
      { discard: true }
    )
  })
}
