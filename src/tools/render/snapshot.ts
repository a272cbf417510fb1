/** Snapshots, elements and tabs as lines. */
import type { ClosedBy, Dialog, DialogRecord } from "../../schemas/dialog.ts"
import type { FrameName, Snapshot, SnapshotElement, TabInfo } from "../../schemas/snapshot.ts"
import { address, oneLine, quoted, quotedLines } from "./text.ts"

/** `[12] button "Delete" (disabled)`; plain text without a reference: `- Three items`. */
export const elementLine = (element: SnapshotElement): string => {
  const kind = oneLine(element.kind, 40)
  if (kind === "text") return `- ${oneLine(element.label, 2_000)}`
  const label =
    element.label.trim() === "" ? `at ${Math.round(element.x)},${Math.round(element.y)}` : quoted(element.label)
  const value = element.value === undefined || element.value === "" ? "" : ` = ${quotedLines(element.value)}`
  const states =
    element.states === undefined || element.states.length === 0
      ? ""
      : ` (${element.states.map((state) => oneLine(state, 40)).join(", ")})`
  const options =
    element.options === undefined
      ? ""
      : `; has ${element.options.map((option) => quoted(option, 100)).join(", ")}: choose with browser_fill, this ref and the option as value`
  return `[${element.ref}] ${kind} ${label}${value}${states}${options}`
}

/** The frames above a frame, outermost first, itself included. */
const ancestry = (frame: string, frames: ReadonlyMap<string, FrameName>): ReadonlyArray<string> => {
  const chain = [frame]
  for (;;) {
    const parent = frames.get(chain[0] as string)?.parent_frame_id
    // the top document has no name here, nor has what was left out
    if (parent === undefined || !frames.has(parent) || chain.includes(parent)) return chain
    chain.unshift(parent)
  }
}

/** Elements in reading order; those of a frame are indented under a line that tells its address. */
export const elementLines = (
  elements: ReadonlyArray<SnapshotElement>,
  named: ReadonlyArray<FrameName> = []
): ReadonlyArray<string> => {
  const frames = new Map<string, FrameName>(named.map((frame) => [frame.frame_id, frame]))
  const lines: Array<string> = []
  let open: ReadonlyArray<string> = []
  for (const element of elements) {
    const chain = element.frame === undefined ? [] : ancestry(element.frame, frames)
    chain.forEach((frame, depth) => {
      if (open[depth] === frame) return
      const url = frames.get(frame)?.url ?? ""
      lines.push(`${"  ".repeat(depth)}frame${url === "" ? "" : ` ${address(url)}`}:`)
    })
    open = chain
    lines.push(`${"  ".repeat(chain.length)}${elementLine(element)}`)
  }
  return lines
}

/** Who closed a dialog, in words. */
const closedBy: Readonly<Record<ClosedBy, string>> = {
  agent: "answered by the agent",
  auto_policy: "answered by the policy",
  watchdog: "dismissed because nobody answered in time",
  remote: "by the browser or by somebody else",
  lost: "its page or the browser went away"
}

/** What a dialog says, in quotation marks; of a long text its beginning, and that there is more. */
const quotedMessage = (message: string, max: number): string =>
  `${quoted(message, max)}${message.length > max ? ` (the first ${max} characters)` : ""}`

/** What a dialog says. */
export const dialogText = (dialog: Dialog): string =>
  dialog.type === "beforeunload"
    ? "asks whether to leave the page (beforeunload)"
    : `${dialog.type} ${quotedMessage(dialog.message, 500)}`

/** One open dialog. */
export const dialogLine = (dialog: Dialog): string => {
  const standard = dialog.default_prompt === undefined ? "" : `, default ${quoted(dialog.default_prompt)}`
  const todo =
    dialog.remedy === undefined
      ? "answer with browser_dialog"
      : `nobody can answer it any more. ${oneLine(dialog.remedy)}`
  return `dialog ${dialog.id} is open: ${dialogText(dialog)}${standard}; ${todo}`
}

/** A result with a note of the dialogs that are open, if there are any that it does not tell of itself. */
export const withDialogs = <R extends object>(
  result: R & { readonly note?: string; readonly dialog?: Dialog },
  open: ReadonlyArray<Dialog>
): R & { readonly note?: string } => {
  const lines = open.filter(({ id }) => id !== result.dialog?.id).map(dialogLine)
  return lines.length === 0
    ? result
    : { ...result, note: [...(result.note === undefined ? [] : [result.note]), ...lines].join("; ") }
}

/**
 * What became of closed dialogs; those that asked the same and were closed in the same way share a line, and so do all
 * that nobody was asked about, since their page was left.
 */
export const closedDialogLines = (dialogs: ReadonlyArray<DialogRecord>): ReadonlyArray<string> => {
  const groups = new Map<string, { readonly id: string; readonly how: string; readonly asked: Array<string> }>()
  for (const { closed_by, id, leaving, message, type } of dialogs) {
    const what = type === "beforeunload" ? type : `${type} ${quotedMessage(message, 200)}`
    const how = leaving === true ? "dismissed, as the agent left the page" : closedBy[closed_by]
    const key = leaving === true ? how : `${what} ${how}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { id, how, asked: [what] })
    else group.asked.push(what)
  }
  return [...groups.values()].map(({ asked, how, id }) => {
    const [first, ...others] = asked
    const alike = others.every((what) => what === first) ? " like it" : ""
    const were = others.length === 0 ? "was" : `and ${others.length} more${alike} were`
    return `dialog ${id} (${first}) ${were} closed: ${how}`
  })
}

/** One tab. */
export const tabLine = (tab: TabInfo): string =>
  `${tab.active ? "* " : "  "}tab ${tab.id} ${quoted(tab.title, 200)} ${address(tab.url)}${tab.failed === undefined ? "" : ` (could not be loaded: ${oneLine(tab.failed, 200)})`}${tab.opener === undefined ? "" : ` (opened by ${tab.opener})`}`

const references = (refs: ReadonlyArray<number>): string => {
  const shown = refs.slice(0, 100).join(", ")
  return refs.length > 100 ? `${shown} and ${refs.length - 100} more` : shown
}

/** References that are gone. */
export const removedLine = (refs: ReadonlyArray<number>): string => `gone: ${references(refs)}`

/** A whole snapshot. */
export const snapshotLines = (snapshot: Snapshot): ReadonlyArray<string> => {
  const title = snapshot.title === undefined ? "" : ` · ${quoted(snapshot.title, 200)}`
  const lines = [`snapshot ${snapshot.snapshotId} · tab ${snapshot.tabId}${title} · ${address(snapshot.url)}`]
  if (snapshot.status !== undefined) lines.push(`the server answered with HTTP status ${snapshot.status}`)
  if (snapshot.loading === true) lines.push("the page was still loading")
  if (snapshot.userControlling === true) lines.push("a person is in control of the page")
  for (const dialog of snapshot.pending_dialogs ?? []) lines.push(dialogLine(dialog))
  lines.push(...closedDialogLines((snapshot.recent_dialogs ?? []).filter(({ seen }) => seen !== true)))
  if (snapshot.challenge?.blocked === true) {
    const { kind, reason } = snapshot.challenge
    lines.push(
      `a bot check stands in the way${kind === undefined ? "" : ` (${oneLine(kind, 60)})`}${reason === undefined ? "" : `: ${oneLine(reason, 200)}`}`
    )
  }
  if (snapshot.note !== undefined) lines.push(`note: ${oneLine(snapshot.note)}`)
  if (snapshot.since !== undefined) lines.push(`new or changed since ${snapshot.since}:`)
  lines.push(...elementLines(snapshot.elements, snapshot.frame_tree?.children))
  if (snapshot.elements.length === 0) {
    lines.push(snapshot.since === undefined ? "(no elements)" : "(nothing new)")
  }
  if (snapshot.removed !== undefined && snapshot.removed.length > 0) lines.push(removedLine(snapshot.removed))
  if (snapshot.truncated === true) {
    const of = snapshot.total === undefined ? "" : ` of ${snapshot.total}`
    const next =
      snapshot.cursor === undefined
        ? "narrow it with query, interactive or ref"
        : `next page: cursor ${quoted(snapshot.cursor)}`
    lines.push(`(truncated: ${snapshot.elements.length}${of} elements shown; ${next})`)
  }
  if (snapshot.frame_tree?.truncated === true) lines.push("(not all frames are listed)")
  return lines
}
