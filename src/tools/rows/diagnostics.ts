/** Tools that look behind a page: console, network, raw protocol commands. */
import * as E from "../../schemas/errors.ts"
import type { ConsoleEntry, NetworkEntry } from "../../schemas/diagnostics.ts"
import * as P from "../../schemas/tools/diagnostics.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { longestLimit } from "../budgets.ts"
import { pageErrors } from "../errors.ts"
import { dialogLine } from "../render/snapshot.ts"
import { address, block, counted, oneLine } from "../render/text.ts"
import { act, look } from "./facts.ts"

/** ms that a raw command may take unless the call says otherwise */
const cdpTimeout = 30_000

/** Known without asking the page, so neither a dialog nor a busy page stands in the way. */
const ring = {
  ...look,
  core: false,
  lane: "free",
  coalesced: false,
  budget: "input",
  whileDialog: "answers"
} as const

/** Seconds since 1970 as they stand in the result, so that `since` can be given them. */
const clock = (at: number): string => at.toFixed(3)

const consoleLine = ({ at, level, line, text, url }: ConsoleEntry): string =>
  `${clock(at)} ${level} ${oneLine(text, 1_000)}${url === undefined ? "" : ` (${address(url)}${line === undefined ? "" : `:${line}`})`}`

const requestLine = ({ at, failure, method, mime_type, status, type, url }: NetworkEntry): string => {
  const end = failure === undefined ? (status === undefined ? "no answer yet" : String(status)) : oneLine(failure, 200)
  return `${clock(at)} ${oneLine(method, 20)} ${address(url)} ${oneLine(type, 40)} ${end}${mime_type === undefined || mime_type === "" ? "" : ` ${oneLine(mime_type, 80)}`}`
}

const heading = (shown: number, total: number, what: string, tab: string): string =>
  `${shown === total ? "" : `the latest ${shown} of `}${counted(total, what)} of tab ${tab}`

export const diagnosticRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...ring,
    name: "browser_console",
    title: "Console",
    description: "What the page wrote to its console, exceptions included.",
    parameters: P.ConsoleParams,
    success: P.ConsoleResult,
    errors: [E.SessionLost, E.TabUnknown, E.NavigationBlocked],
    run: (session, params) => session.console(params),
    render: ({ messages, tabId, total }) => ({
      lines: [heading(messages.length, total, "console message", tabId), ...messages.map(consoleLine)]
    })
  }),
  sessionTool({
    ...ring,
    name: "browser_network",
    title: "Network",
    description: "What the page requested and how that ended.",
    parameters: P.NetworkParams,
    success: P.NetworkResult,
    errors: [E.SessionLost, E.TabUnknown],
    run: (session, params) => session.network(params),
    render: ({ requests, tabId, total }) => ({
      lines: [heading(requests.length, total, "request", tabId), ...requests.map(requestLine)]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_cdp",
    title: "Protocol command",
    description: "Send a command of the Chrome DevTools Protocol to the tab, a frame at any depth, or the browser.",
    core: false,
    // it must reach a page whose lane is held by a call that hangs
    lane: "free",
    history: "cdp",
    secret: ["params"],
    capability: "cdp",
    budget: 58_000,
    whileDialog: "answers",
    parameters: P.CdpParams,
    success: P.CdpResult,
    errors: [...pageErrors, E.NavigationBlocked, E.CapabilityMissing, E.CdpRefused, E.FrameUnknown, E.FrameInProcess],
    run: (session, { timeout, timeoutMs, ...params }, { config }) =>
      session.cdp({
        ...params,
        // a limit in ms alone is the wait for the answer, too
        timeoutMs: Math.min(
          timeout === undefined ? (timeoutMs ?? cdpTimeout) : Math.round(timeout * 1_000),
          longestLimit(config.toolTimeoutMs)
        )
      }),
    render: ({ dialog, method, reached_by, result, truncated }) => {
      const how = reached_by === "execution_context" ? " in the frame's main world, in its parent's process" : ""
      const text = result === undefined ? undefined : JSON.stringify(result)
      return {
        lines: [
          dialog === undefined
            ? `${method} was answered${how}${truncated === true ? "; long parts are cut" : ""}`
            : `${method} was sent${how}; a dialog opened before the answer`,
          ...(dialog === undefined ? [] : [dialogLine(dialog)])
        ],
        ...(text === undefined ? {} : { page: block(text) })
      }
    }
  })
]
