/** Tools about the page as a whole: challenge, emulation, PDF, highlight. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import * as P from "../../schemas/tools/page.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { pageErrors, referenceErrors } from "../errors.ts"
import { oneLine } from "../render/text.ts"
import { act, look } from "./facts.ts"

/** What to do about a bot check that stands in the way. */
const challengeHint =
  "Do not load the page again and again. Wait a few seconds and look again; if it stays, let a person do it (browser_handoff) or give up."

export const pageRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...look,
    name: "browser_challenge",
    title: "Look for a bot check",
    description: "Tell whether a bot check is in the page, and whether it stands in the way.",
    core: false,
    budget: "act",
    whileDialog: "looks",
    parameters: P.ChallengeParams,
    success: P.ChallengeResult,
    errors: [...pageErrors, E.ChallengeDetectFailed],
    run: (session) =>
      // the advice follows from what blocks, not from what is merely there (L48)
      Effect.map(session.challenge, (state) => ({ ...state, ...(state.blocked ? { hint: challengeHint } : {}) })),
    render: ({ present, blocked, kind, reason, hint }) => ({
      lines: [
        blocked
          ? `blocked by a ${oneLine(kind ?? "bot", 40)} check: ${oneLine(reason ?? "", 200)}`
          : present
            ? `a ${oneLine(kind ?? "bot", 40)} check is there and does not stand in the way`
            : "no bot check",
        ...(hint === undefined ? [] : [hint])
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_emulate",
    title: "Emulate a device",
    description: "Make this tab seem to have another size, pixel density, touch, user agent or colour scheme.",
    core: false,
    history: "emulate",
    replayable: true,
    budget: "act",
    whileDialog: "refused",
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    parameters: P.EmulateParams,
    success: P.EmulateResult,
    errors: [...pageErrors, E.InvalidArguments],
    run: (session, { timeoutMs: _, ...params }) =>
      (params.width === undefined) === (params.height === undefined)
        ? session.emulate(params)
        : Effect.fail(
            new E.InvalidArguments({
              tool: "browser_emulate",
              issues: ["width and height are given together or not at all"]
            })
          ),
    render: ({ applied, cleared }) => ({
      lines: [
        `${cleared ? "cleared; " : ""}${applied.length === 0 ? "nothing is emulated" : `emulated: ${applied.join(", ")}`}`
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_pdf",
    title: "Print to PDF",
    description: "Print the page to a PDF file.",
    core: false,
    history: "pdf",
    budget: "pdf",
    whileDialog: "refused",
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    parameters: P.PdfParams,
    success: P.PdfResult,
    errors: [...pageErrors, E.PdfFailed, E.WritePathDenied],
    run: (session, { savePath, timeoutMs: _, ...params }, { files }) =>
      Effect.gen(function* () {
        const path = yield* files.admitWrite(savePath)
        const { file, bytes } = yield* session.pdf(params)
        yield* files.moveIn(file, path)
        return { path, bytes }
      }).pipe(Effect.scoped),
    render: ({ path, bytes }) => ({ lines: [`saved ${oneLine(path, 1_000)}, ${bytes} bytes`] })
  }),
  sessionTool({
    ...act,
    name: "browser_highlight",
    title: "Mark an element",
    description: "Mark an element for the person who watches, or take the mark away. It is not in pictures.",
    core: false,
    history: "highlight",
    budget: "act",
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    parameters: P.HighlightParams,
    success: P.HighlightResult,
    errors: [...pageErrors, ...referenceErrors, E.HighlightFailed, E.HighlightInvalid, E.SelectorInvalid],
    run: (session, { timeoutMs: _, ...params }) => session.highlight(params),
    render: ({ matched, cleared, target }) => ({
      lines: [
        ...(cleared ? ["the mark is taken away"] : []),
        ...(matched ? [`marked ${oneLine(target ?? "", 200)}`] : cleared ? [] : ["nothing matched; nothing is marked"])
      ]
    })
  })
]
