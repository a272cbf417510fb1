/** What an act brought about, as lines. */
import type { ActOutcome, DownloadInfo, Outcome } from "../../schemas/tools/common.ts"
import { dialogLine, elementLines, removedLine, tabLine } from "./snapshot.ts"
import { address, counted, named, oneLine, quoted } from "./text.ts"

const downloadLine = (download: DownloadInfo): string => {
  const what = `download ${quoted(download.suggestedName, 200)} from ${address(download.url)}`
  const size = download.bytes === undefined ? "" : `, ${download.bytes} bytes`
  const place = download.path === undefined ? "" : ` as ${oneLine(download.path, 1_000)}`
  const why = download.reason === undefined ? "" : `: ${oneLine(download.reason, 300)}`
  switch (download.state) {
    case "saved":
      return `${what} saved${place}${size}`
    case "running":
      return `${what} still running, to be saved${place}`
    default:
      return `${what} ${download.state}${why}`
  }
}

/** Addresses that were not gone to; those of one reason share a line. */
const blockedLines = (
  blocked: ReadonlyArray<Pick<NonNullable<Outcome["blocked"]>, "url" | "reason">>
): ReadonlyArray<string> => {
  const byReason = new Map<string, Array<string>>()
  for (const { reason, url } of blocked) byReason.set(reason, [...(byReason.get(reason) ?? []), address(url)])
  return [...byReason].map(([reason, urls]) => `page was kept from ${named(urls)}: ${oneLine(reason, 300)}`)
}

/** The lines after the one that says what was done. */
export const outcomeLines = (outcome: ActOutcome): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const unreached = outcome.blocked === undefined ? [] : [outcome.blocked, ...(outcome.blocked.also ?? [])]
  if (outcome.navigatedTo !== undefined) {
    const status = outcome.status === undefined ? "" : ` (HTTP status ${outcome.status})`
    const failed = unreached
      .filter(({ url }) => url === outcome.navigatedTo)
      .map(({ reason }) => `: ${oneLine(reason, 300)}`)
    lines.push(`page went to ${address(outcome.navigatedTo)}${status}${failed.join("")}`)
  }
  lines.push(...blockedLines(unreached.filter(({ url }) => url !== outcome.navigatedTo)))
  if (outcome.unsent !== undefined) {
    const { fields, total } = outcome.unsent
    lines.push("the form was not submitted; the browser finds it invalid:")
    for (const { reason, ref, target } of fields) {
      lines.push(`${ref === undefined ? "-" : `[${ref}]`} ${oneLine(target, 200)}: ${oneLine(reason, 200)}`)
    }
    if (total > fields.length) lines.push(`and ${counted(total - fields.length, "more field", "more fields")}`)
  }
  if (outcome.dialog !== undefined) lines.push(dialogLine(outcome.dialog))
  for (const tab of outcome.newTabs ?? []) {
    lines.push(`${tab.closed === true ? "opened and closed again:" : "new"} ${tabLine(tab).trim().replace(/^\* /, "")}`)
  }
  if (outcome.note !== undefined) lines.push(oneLine(outcome.note, 1_000))
  for (const download of outcome.downloads ?? []) {
    lines.push(downloadLine(download))
  }
  if (outcome.unsettled === true) lines.push("the page was still busy")
  const changes = outcome.changes
  if (changes !== undefined) {
    lines.push(
      changes.elements.length === 0 &&
        changes.removed.length === 0 &&
        changes.moved === undefined &&
        changes.title === undefined
        ? `nothing visible changed (snapshot ${changes.snapshotId})`
        : `changes (snapshot ${changes.snapshotId}):`
    )
    if (changes.title !== undefined) lines.push(`title: ${quoted(changes.title, 200)}`)
    lines.push(...elementLines(changes.elements, changes.frames))
    if (changes.removed.length > 0) lines.push(removedLine(changes.removed))
    for (const { before, label, ref } of changes.moved ?? []) {
      const where = before === undefined ? "at the end" : `before [${before.ref}] ${quoted(before.label, 100)}`
      lines.push(`moved: [${ref}] ${quoted(label, 100)} is now ${where}`)
    }
    if (changes.truncated === true) lines.push("(truncated: not all changes are shown; take a snapshot)")
  }
  return lines
}

/** "clicked button "Save" at 120,340", or that it was not. */
export const actedLine = (
  done: boolean,
  verb: string,
  at: { readonly target?: string; readonly x?: number; readonly y?: number }
): string => {
  const target = at.target === undefined ? "" : ` ${oneLine(at.target, 200)}`
  const point = at.x === undefined || at.y === undefined ? "" : ` at ${Math.round(at.x)},${Math.round(at.y)}`
  return `${done ? "" : "not "}${verb}${target}${point}`
}
