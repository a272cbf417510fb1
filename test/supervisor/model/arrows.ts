/** The ways that a dialog can go, by the phases of the state's type and the closers of the record's. */
import type { Told } from "./World.ts"

/** The arrows that one event drew: "Open -> Answering", "Settling -> closed by agent", ... */
export const arrowsOf = ({ after, before, commands }: Told): ReadonlyArray<string> => {
  const was = new Map(before.dialogs.map((dialog) => [dialog.id, dialog.phase._tag]))
  const is = new Map(after.dialogs.map((dialog) => [dialog.id, dialog.phase._tag]))
  const moved = after.dialogs.flatMap(({ id, phase }) => {
    const from = was.get(id) ?? "new"
    return from === phase._tag ? [] : [`${from} -> ${phase._tag}`]
  })
  const filed = commands.flatMap((command) =>
    command._tag === "DialogFiled" && !is.has(command.record.id)
      ? [`${was.get(command.record.id) ?? "new"} -> closed by ${command.record.closed_by}`]
      : []
  )
  return [...moved, ...filed]
}

export const everyArrow: ReadonlyArray<string> = [
  // opened: it waits, or policy or stop answer at once
  "new -> Open",
  "new -> Answering",
  // answered by agent, watchdog or changed rules
  "Open -> Answering",
  // closed by somebody else, or perhaps by an answer that was meant for another dialog
  "Open -> closed by remote",
  "Open -> Settling",
  "Open -> closed by lost",
  // its watchdog found that another dialog stands in the way
  "Open -> Unanswerable",
  // the closing event came first, as it does; or the reply did
  "Answering -> Settling",
  "Answering -> closed by agent",
  "Answering -> closed by auto_policy",
  "Answering -> closed by watchdog",
  // a gate or bridge that was gone
  "Answering -> closed by remote",
  "Answering -> closed by lost",
  // the browser had nothing to answer, or gave the answer to another dialog
  "Answering -> Unanswerable",
  // the browser was silent
  "Answering -> Open",
  "Settling -> closed by agent",
  "Settling -> closed by auto_policy",
  "Settling -> closed by watchdog",
  "Settling -> closed by remote",
  // the page went away
  "Unanswerable -> closed by remote",
  "Unanswerable -> closed by lost"
]

/** Allowed, and too rare to be found each time: the page goes away while an answer to another dialog is under way. */
export const rareArrows: ReadonlyArray<string> = ["Unanswerable -> Settling"]
