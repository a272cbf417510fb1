/** Tools that look at a page. */
import { Effect } from "effect"
import type { Dialog } from "../../schemas/dialog.ts"
import * as E from "../../schemas/errors.ts"
import * as P from "../../schemas/tools/reading.ts"
import type { BrowserSession } from "../../services/BrowserSession.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { longestLimit } from "../budgets.ts"
import { pageErrors, referenceErrors } from "../errors.ts"
import { outcomeLines } from "../render/outcome.ts"
import { elementLines, snapshotLines, withDialogs } from "../render/snapshot.ts"
import { block, counted, noteLine, oneLine, quoted } from "../render/text.ts"
import { act, look } from "./facts.ts"
import { screenshotRow } from "./screenshot.ts"

/** With the dialogs that are open: what answers past one is easily taken for a page that nothing keeps. */
const telling = <R extends { readonly note?: string; readonly dialog?: Dialog }, Err>(
  session: BrowserSession,
  looked: Effect.Effect<R, Err>
): Effect.Effect<R, Err> => Effect.map(looked, (result) => withDialogs(result, session.pendingDialogs()))

export const readingRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...look,
    name: "browser_snapshot",
    title: "Look at the page",
    description: 'See the page: its elements in reading order with references ([ref] kind "label"), dialogs included.',
    budget: 25_000,
    whileDialog: "snapshot",
    parameters: P.SnapshotParams,
    success: P.SnapshotResult,
    errors: [
      ...pageErrors,
      ...referenceErrors,
      E.InvalidArguments,
      E.SnapshotFailed,
      E.SelectorInvalid,
      E.TargetNotFound
    ],
    run: (session, params) => session.snapshot(params),
    render: (snapshot) => ({ lines: snapshotLines(snapshot) })
  }),
  sessionTool({
    ...look,
    whileDialog: "looks",
    name: "browser_find",
    title: "Find in the page",
    description: "Search the whole page for a text; gives references.",
    budget: 25_000,
    parameters: P.FindParams,
    success: P.FindResult,
    errors: [...pageErrors, E.SnapshotFailed],
    run: (session, params) => telling(session, session.find(params)),
    render: (result, { text }) => ({
      lines: [
        `${result.matches.length} of ${counted(result.total, "match", "matches")} of ${quoted(text, 100)} (snapshot ${result.snapshotId})`,
        ...(result.note === undefined ? [] : [noteLine(result.note)]),
        ...elementLines(result.matches, result.frames),
        ...(result.matches.length < result.total ? ["(truncated: give a longer text or a higher limit)"] : []),
        ...(result.note === undefined ? [] : [noteLine(result.note)])
      ]
    })
  }),
  sessionTool({
    ...look,
    whileDialog: "looks",
    name: "browser_content",
    title: "Read the content",
    description: "Read the page or a part of it as text.",
    budget: "content",
    parameters: P.ContentParams,
    success: P.ContentResult,
    errors: [...pageErrors, E.ContentFailed, E.SelectorInvalid],
    run: (session, { timeoutMs: _, ...params }) => telling(session, session.content(params)),
    render: (result, { format }) => ({
      lines: [
        result.truncated
          ? `${format}, truncated: ${result.content.length} of ${result.total} characters; narrow it with selector`
          : `${format}, ${counted(result.total, "character")}`,
        ...(result.note === undefined ? [] : [noteLine(result.note)])
      ],
      page: block(result.content)
    })
  }),
  sessionTool({
    ...act,
    whileDialog: "looks",
    name: "browser_execute",
    title: "Run a script",
    description: "Run JavaScript in the page. An exception of the script is a result (ok: false), not an error.",
    history: "execute",
    replayable: true,
    budget: 35_000,
    parameters: P.ExecuteParams,
    success: P.ExecuteResult,
    errors: [...pageErrors, E.ExecuteFailed, E.ExecuteTimeout],
    run: (session, { timeoutMs: _, ...params }) => telling(session, session.execute(params)),
    render: (result) => {
      if (result.ok && result.kind === undefined && result.dialog !== undefined) {
        return {
          lines: [
            "the script has not ended: it waits for the dialog. Its value is not told later; let it store what you need.",
            ...outcomeLines(result)
          ]
        }
      }
      const kind = result.kind === undefined || result.kind === "json" ? "" : ` (${result.kind})`
      const what = result.ok ? `value${kind}` : "the script threw"
      const text = result.ok ? (result.value ?? result.kind ?? "undefined") : (result.exception ?? "an unknown error")
      const short = !/[\r\n]/.test(text) && text.length <= 500
      return {
        lines: [
          `${what}: ${short ? oneLine(text) : `see below${result.truncated === true ? " (truncated)" : ""}`}`,
          ...outcomeLines(result)
        ],
        ...(short ? {} : { page: block(text) })
      }
    }
  }),
  screenshotRow,
  sessionTool({
    ...look,
    name: "browser_wait_for",
    title: "Wait",
    description: "Wait until a selector or text is there, or a text is gone. timeoutMs: 15000 unless given.",
    // two waits differ in when they began
    coalesced: false,
    history: "waitForElement",
    budget: 58_000,
    timeoutIsWork: true,
    parameters: P.WaitParams,
    success: P.WaitResult,
    errors: [...pageErrors, E.WaitTimeout, E.WaitInvalid, E.SelectorInvalid],
    run: (session, params, { config, timeouts }) =>
      session.waitFor({
        ...params,
        timeoutMs: Math.min(params.timeoutMs ?? timeouts.waitFor, longestLimit(config.toolTimeoutMs))
      }),
    render: (result) => ({
      lines: [
        `${result.found ? "there" : "gone"} after ${result.waitedMs} ms${result.tag === undefined ? "" : `: ${oneLine(result.tag, 40)}`}${result.text === undefined ? "" : ` ${quoted(result.text, 200)}`}`
      ]
    })
  })
]
