/** Tools that move between pages. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import * as P from "../../schemas/tools/navigation.ts"
import { report } from "../../services/Progress.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { pageErrors } from "../errors.ts"
import { outcomeLines } from "../render/outcome.ts"
import { snapshotLines } from "../render/snapshot.ts"
import { address } from "../render/text.ts"
import { act } from "./facts.ts"

const moved = (result: typeof P.HistoryMoveResult.Type, direction: string) => ({
  lines: [
    result.navigated
      ? `went ${direction} to ${address(result.url)}`
      : result.note === undefined
        ? `there is no page to go ${direction} to; still at ${address(result.url)}`
        : `not gone ${direction} yet; still at ${address(result.url)}`,
    ...outcomeLines(result)
  ]
})

export const navigationRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...act,
    name: "browser_open",
    title: "Open a page",
    description: "Load a URL and see the page as a snapshot. Starts the browser if needed.",
    session: "open",
    history: "navigate",
    replayable: true,
    budget: 55_000,
    whileDialog: "escapes",
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    parameters: P.OpenParams,
    success: P.OpenResult,
    addresses: ({ url }) => [url],
    errors: [...pageErrors, E.NavigationFailed, E.SnapshotFailed],
    run: (session, { url, newTab, space }, { control, task }) =>
      Effect.gen(function* () {
        if (space !== undefined) yield* control.setLabel(task, space)
        yield* report(`opening ${address(url)}`)
        return yield* session.open({ url, newTab })
      }),
    render: (snapshot) => ({
      lines: [
        ...(snapshot.pending_dialogs?.some(({ tab_id, type }) => type === "beforeunload" && tab_id === snapshot.tabId)
          ? ["not opened: the page before asks whether to leave it, and waits for the answer"]
          : []),
        ...snapshotLines(snapshot)
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_back",
    title: "Go back",
    description: "Go back in the history.",
    history: "back",
    budget: 35_000,
    parameters: P.HistoryMoveParams,
    success: P.HistoryMoveResult,
    errors: [...pageErrors, E.NavigationFailed],
    run: (session) => session.back,
    render: (result) => moved(result, "back")
  }),
  sessionTool({
    ...act,
    name: "browser_forward",
    title: "Go forward",
    description: "Go forward in the history.",
    history: "forward",
    budget: 35_000,
    parameters: P.HistoryMoveParams,
    success: P.HistoryMoveResult,
    errors: [...pageErrors, E.NavigationFailed],
    run: (session) => session.forward,
    render: (result) => moved(result, "forward")
  }),
  sessionTool({
    ...act,
    name: "browser_reload",
    title: "Reload",
    description: "Reload the page.",
    history: "reload",
    budget: 35_000,
    parameters: P.ReloadParams,
    success: P.ReloadResult,
    errors: [...pageErrors, E.NavigationFailed],
    run: (session) => session.reload,
    render: (result) => ({
      lines: [`${result.reloaded ? "reloaded" : "not reloaded:"} ${address(result.url)}`, ...outcomeLines(result)]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_stop",
    title: "Stop loading",
    description: "Stop loading the page; works beside a call that waits for it.",
    // behind the load that it is to stop it would be of no use
    lane: "free",
    history: "stop",
    budget: "stop",
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    parameters: P.NoParams,
    success: P.StopResult,
    errors: pageErrors,
    run: (session) => Effect.as(session.stop, { stopped: true }),
    render: () => ({ lines: ["stopped loading"] })
  })
]
