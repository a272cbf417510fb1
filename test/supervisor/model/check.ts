/** What must hold of every run. Each check throws with the sentence that does not hold. */
import { supervisorLimits, type SupervisorState } from "../../../src/schemas/supervisor.ts"
import type { SupervisorCommandOf } from "../../../src/schemas/supervisorCommand.ts"
import {
  consoleOf,
  frameTree,
  pendingDialogs,
  recentDialogs,
  troubleOf
} from "../../../src/layers/supervisor/SupervisorViews.ts"
import type { Told, World } from "./World.ts"

const must = (holds: boolean, sentence: string): void => {
  if (!holds) throw new Error(sentence)
}

const isAcyclic = (state: SupervisorState): boolean => {
  for (const { frames } of state.tabs.values()) {
    for (const frame of frames.values()) {
      let steps = 0
      for (let id = frame.parentId; id !== undefined; id = frames.get(id)?.parentId)
        if (++steps > frames.size) return false
    }
  }
  return true
}

/** Holds after each event. */
export const checkStep = ({ after, before }: Told): void => {
  const pending = pendingDialogs(after)
  const recent = recentDialogs(after)
  must(
    pending.every(({ id }) => recent.every((record) => record.id !== id)),
    "a dialog is pending and recent at once"
  )
  must(new Set(after.dialogs.map(({ id }) => id)).size === after.dialogs.length, "two dialogs share an id")
  must(recent.length <= supervisorLimits.recentDialogs, "more than 20 recent dialogs are kept")
  must(after.lastDialog >= before.lastDialog, "the number of dialogs goes down")
  must(isAcyclic(after), "the frames form a circle")
  for (const tab of after.tabs.values()) {
    must(consoleOf(after, tab.id).length <= supervisorLimits.console, "more than 200 console lines are kept")
    must(troubleOf(after, tab.id).length <= supervisorLimits.consoleShown, "more than 50 console lines are shown")
    must(tab.network.length <= supervisorLimits.network, "more than 200 requests are kept")
    const capped = frameTree(after, tab.id)
    const whole = frameTree(after, tab.id, { whole: true })
    must(!whole.truncated, "the whole tree is truncated")
    must(
      capped.truncated === capped.children.length < whole.children.length,
      "truncated is not true exactly if something is left out"
    )
    must(capped.children.length <= supervisorLimits.frameTree, "the tree has more than 30 entries")
  }
  if (after.status === "disconnected" || after.status === "stopped") {
    must(
      after.dialogs.length === 0 && after.sessions.size === 0 && after.tabs.size === 0,
      "something survives its connection"
    )
  }
}

const filed = (told: ReadonlyArray<Told>): ReadonlyArray<{ command: SupervisorCommandOf<"DialogFiled">; told: Told }> =>
  told.flatMap((entry) =>
    entry.commands.flatMap((command) => (command._tag === "DialogFiled" ? [{ command, told: entry }] : []))
  )

/** Holds of a run as a whole, at any moment. */
export const checkRun = (told: ReadonlyArray<Told>): void => {
  const ids = filed(told).map(({ command }) => command.record.id)
  must(new Set(ids).size === ids.length, "a dialog is closed twice")
  const last = told.at(-1)?.after
  if (last === undefined) return
  must(ids.length + last.dialogs.length === last.lastDialog, "a dialog is neither open nor closed")
  const watched = new Set<string>()
  for (const { commands } of told) {
    for (const command of commands) {
      if (command._tag === "StartWatchdog") watched.add(command.dialogId)
      if (command._tag === "CancelWatchdog" || command._tag === "Answer") watched.delete(command.dialogId)
      if (command._tag === "DialogFiled") must(!watched.has(command.record.id), "a closed dialog has a watchdog")
    }
  }
}

/** Holds once everything has been told: what the supervisor believes is true. */
export const checkTruth = (world: World): void => {
  const { state } = world
  const endings = new Set(["ConnectionLost", "SessionDetached", "SessionCrashed", "StopExpired", "SessionAttached"])
  for (const { command, told } of filed(world.told)) {
    const dialog = world.dialogs.find(
      ({ number, tab }) => tab.id === command.record.tab_id && command.record.message === `dialog ${number}`
    )
    must(dialog !== undefined, "a dialog is closed that never opened")
    if (dialog === undefined || dialog.doubtful) continue
    const by = command.record.closed_by
    // a connection that ends takes the news of the last moments with it
    const cutOff = endings.has(told.event._tag) || (state.status === "stopped" && by === "lost")
    // without a frame, nobody tells that the process of a dialog died
    const untold = dialog.closedBy === "lost" && command.record.frame_id === undefined
    if (!cutOff && !untold) {
      must(
        by === dialog.closedBy,
        `${command.record.id} is filed as closed by ${by}, in truth it was ${dialog.closedBy}`
      )
    }
  }
  if (state.status !== "active") return
  for (const dialog of state.dialogs) {
    // whether a suspect is still there shows when its page can be asked again and answers
    if (dialog.suspect || world.silent.has(dialog.tabId)) continue
    const truth = world.dialogs.find(({ number }) => dialog.message === `dialog ${number}`)
    // of one without a frame that the browser cannot close or whose process died nobody tells
    if (dialog.frameId === undefined && (truth?.stuck || truth?.closedBy === "lost")) continue
    must(
      truth?.closedBy === undefined || truth.doubtful,
      `${dialog.id} is believed open and was closed by ${truth?.closedBy}`
    )
  }
  for (const truth of world.dialogs) {
    if (truth.closedBy !== undefined || truth.doubtful) continue
    must(
      state.dialogs.some(({ message }) => message === `dialog ${truth.number}`),
      `dialog ${truth.number} is open and not known`
    )
  }
  for (const [asker, answer] of world.askers) must(answer === "told", `asker ${asker} waits for ever`)
  must(state.tabs.size === world.tabs.length, "the tabs differ")
  for (const tab of world.tabs) {
    const known = state.tabs.get(tab.id)
    const believed = [...(known?.frames.values() ?? [])].map(({ id, url, parentId, oopif, sessionId }) =>
      [id, url, parentId, oopif, sessionId].join(" ")
    )
    const blind = world.dialogs.some(
      (dialog) => dialog.tab === tab && dialog.closedBy === undefined && dialog.way !== "gate"
    )
    // a page that was blocked from its first moment on could not be asked for its frames
    if (blind || world.silent.has(tab.id)) continue
    const truth = tab.frames.map((frame) =>
      [
        frame.id,
        frame.url,
        frame.parent?.id,
        frame.session !== undefined && frame.parent !== undefined,
        world.sessionOf(tab, frame)
      ].join(" ")
    )
    must(
      believed.toSorted().join("\n") === truth.toSorted().join("\n"),
      `the frames differ:\nbelieved\n${believed.join("\n")}\nin truth\n${truth.join("\n")}`
    )
  }
}
