/** Tools about tabs and the session itself. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import * as P from "../../schemas/tools/navigation.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool, taskTool } from "../ToolRow.ts"
import { pageErrors } from "../errors.ts"
import { tabLine, withDialogs } from "../render/snapshot.ts"
import { noteLine } from "../render/text.ts"
import { act, look } from "./facts.ts"

/** Inside this browser, and answered without asking a page. */
const closedWorld = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const

const noted = (note: string | undefined) => (note === undefined ? [] : [noteLine(note)])

export const sessionRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...look,
    name: "browser_list_tabs",
    title: "List tabs",
    description: "List the tabs.",
    budget: "input",
    whileDialog: "answers",
    annotations: closedWorld,
    parameters: P.NoParams,
    success: P.ListTabsResult,
    errors: [E.SessionLost],
    run: (session) => Effect.map(session.tabs, (tabs) => withDialogs({ tabs }, session.pendingDialogs())),
    render: ({ note, tabs }) => ({ lines: [...(tabs.length === 0 ? ["no tabs"] : tabs.map(tabLine)), ...noted(note)] })
  }),
  sessionTool({
    ...act,
    name: "browser_switch_tab",
    title: "Switch tab",
    description: "Make another tab the one that tools act on.",
    budget: "input",
    whileDialog: "answers",
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    parameters: P.TabParams,
    success: P.SwitchTabResult,
    errors: [E.SessionLost, E.TabUnknown],
    run: (session, { tabId }) =>
      Effect.map(session.switchTab(tabId), (tab) => withDialogs({ switched: true, tab }, session.pendingDialogs())),
    render: ({ note, tab }) => ({ lines: [tabLine(tab), ...noted(note)] })
  }),
  sessionTool({
    ...act,
    name: "browser_close_tab",
    title: "Close a tab",
    description: "Close a tab without asking its page; a blank one replaces the last.",
    budget: "input",
    whileDialog: "escapes",
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    parameters: P.TabParams,
    success: P.CloseTabResult,
    errors: pageErrors,
    run: (session, { tabId }) => Effect.map(session.closeTab(tabId), (active) => ({ closed: true, active })),
    render: ({ active }) => ({ lines: [`closed; tools now act on tab ${active}`] })
  }),
  sessionTool({
    ...look,
    name: "browser_session",
    title: "Session",
    description: "Id, provider and tabs of the session.",
    budget: "input",
    whileDialog: "answers",
    annotations: closedWorld,
    parameters: P.NoParams,
    success: P.SessionResult,
    errors: [E.SessionLost],
    run: (session) =>
      Effect.map(session.tabs, (tabs) =>
        withDialogs({ session: session.id, provider: session.provider, tabs }, session.pendingDialogs())
      ),
    render: ({ note, session, provider, tabs }) => ({
      lines: [`session ${session} of ${provider}`, ...tabs.map(tabLine), ...noted(note)]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_reset",
    title: "Close all tabs",
    description: "Replace all tabs by a blank one; cookies stay.",
    budget: 15_000,
    whileDialog: "escapes",
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    parameters: P.NoParams,
    success: P.ResetResult,
    errors: pageErrors,
    run: (session) => Effect.as(session.reset, { reset: true }),
    render: () => ({ lines: ["all tabs closed; a blank one is open"] })
  }),
  taskTool({
    ...act,
    name: "browser_reset_session",
    title: "End the session",
    description: "End the session, also when its page hangs; browser_open starts a new one.",
    // it must get past the call that hangs
    lane: "free",
    session: "none",
    budget: "closeSession",
    whileDialog: "escapes",
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    parameters: P.NoParams,
    success: P.SessionResetResult,
    errors: [],
    run: Effect.fnUntraced(function* ({ task, tasks }) {
      const ended = yield* tasks.peek(task)?.endIfSilent ?? Effect.undefined
      const reset = yield* tasks.resetSession(task)
      return ended === undefined ? { reset } : { reset: true, note: ended }
    }),
    render: ({ note, reset }) => ({
      lines: [reset ? ["session closed", note].filter((part) => part !== undefined).join(": ") : "there was no session"]
    })
  })
]
