/**
 * The supervisor as a state machine: what it knows, and what each thing that happens makes of it.
 *
 * Pure and total: any event is allowed in any state. The layer around it feeds events and carries out commands.
 */
import type { TabId } from "../../schemas/ids.ts"
import { type DialogRules, type SupervisorState, supervisorLimits } from "../../schemas/supervisor.ts"
import type { SupervisorCommand } from "../../schemas/supervisorCommand.ts"
import type { SupervisorEvent, SupervisorEventOf } from "../../schemas/supervisorEvent.ts"
import { SessionLost } from "../../schemas/errors.ts"
import { answerSettled, answersLost } from "./answering.ts"
import { dialogsLost, giveUpStranded } from "./dialogEndings.ts"
import * as Dialogs from "./dialogTransitions.ts"
import { type Draft, patch, ring, setTab } from "./draft.ts"
import * as Frames from "./frameTransitions.ts"
import * as Sessions from "./sessionTransitions.ts"
import { readTrees } from "./treeReading.ts"

/** Time (ms) that an orderly stop gives the browser to take its answers. */
export const stopBudget = 2_000

export interface Transition {
  readonly state: SupervisorState
  readonly commands: ReadonlyArray<SupervisorCommand>
}

/** A supervisor that knows nothing yet, on its first connection. */
export const initialState = (rules: DialogRules): SupervisorState => ({
  status: "active",
  generation: 1,
  rules,
  sessions: new Map(),
  tabs: new Map(),
  dialogs: [],
  answers: [],
  recent: [],
  lastDialog: 0
})

const tabIdOf = (
  state: SupervisorState,
  event: SupervisorEventOf<"ConsoleWritten" | "NetworkSeen">
): TabId | undefined => state.sessions.get(event.sessionId)?.tabId

const consoleWritten = (draft: Draft, event: SupervisorEventOf<"ConsoleWritten">): void => {
  const tabId = tabIdOf(draft.state, event)
  const tab = tabId === undefined ? undefined : draft.state.tabs.get(tabId)
  if (tab !== undefined) setTab(draft, { ...tab, console: ring(tab.console, event.entry, supervisorLimits.console) })
}

const networkSeen = (draft: Draft, event: SupervisorEventOf<"NetworkSeen">): void => {
  const tabId = tabIdOf(draft.state, event)
  const tab = tabId === undefined ? undefined : draft.state.tabs.get(tabId)
  if (tab === undefined) return
  const { change, requestId } = event
  if (change._tag === "Sent") {
    const network = ring(tab.network, { requestId, entry: change.entry }, supervisorLimits.network)
    setTab(draft, { ...tab, network })
    return
  }
  const index = tab.network.findLastIndex((request) => request.requestId === requestId)
  const request = tab.network[index]
  if (request === undefined) return
  const entry =
    change._tag === "Answered"
      ? { ...request.entry, status: change.status, mime_type: change.mimeType }
      : { ...request.entry, failure: change.failure }
  setTab(draft, { ...tab, network: tab.network.with(index, { requestId, entry }) })
}

const connectionLost = (draft: Draft, event: SupervisorEventOf<"ConnectionLost">): void => {
  const wasStopping = draft.state.status === "stopping"
  answersLost(draft, event.at, new SessionLost({ reason: event.reason }))
  dialogsLost(draft, event.at, () => true)
  patch(draft, { status: "disconnected", sessions: new Map(), tabs: new Map() })
  if (wasStopping) stopped(draft)
}

const stopped = (draft: Draft): void => {
  patch(draft, { status: "stopped", sessions: new Map(), tabs: new Map() })
  draft.commands.push({ _tag: "CloseConnection" })
}

const stopAsked = (draft: Draft): void => {
  if (draft.state.status === "disconnected") {
    stopped(draft)
    return
  }
  patch(draft, { status: "stopping" })
  draft.commands.push({ _tag: "StartStopTimer", ms: stopBudget })
  Dialogs.dismissAll(draft)
}

const stopExpired = (draft: Draft, event: SupervisorEventOf<"StopExpired">): void => {
  if (draft.state.status !== "stopping") return
  answersLost(draft, event.at)
  dialogsLost(draft, event.at, () => true)
  stopped(draft)
}

/** What is still heard without a connection. */
const isHeardWithoutConnection = (event: SupervisorEvent): boolean =>
  event._tag === "ConnectionRestored" ||
  event._tag === "StopAsked" ||
  event._tag === "AnswerAsked" ||
  event._tag === "RulesChanged"

const apply = (draft: Draft, event: SupervisorEvent): void => {
  switch (event._tag) {
    case "SessionAttached":
      Sessions.sessionAttached(draft, event)
      break
    case "SessionDetached":
      Sessions.sessionDetached(draft, event)
      break
    case "SessionCrashed":
      Sessions.sessionCrashed(draft, event)
      break
    case "FrameAttached":
      Frames.frameAttached(draft, event)
      break
    case "FrameNavigated":
      Frames.frameNavigated(draft, event)
      break
    case "FrameLeaving":
      Frames.frameLeaving(draft, event)
      break
    case "FrameNavigatedWithinDocument":
      Frames.frameNavigatedWithinDocument(draft, event)
      break
    case "FrameDetached":
      Frames.frameDetached(draft, event)
      break
    case "TargetInfoChanged":
      Frames.targetInfoChanged(draft, event)
      break
    case "FrameTreeRead":
      Frames.frameTreeRead(draft, event)
      break
    case "FrameTreeUnread":
      Frames.frameTreeUnread(draft, event)
      break
    case "DialogOpening":
    case "BridgePaused":
    case "GatePaused":
      Dialogs.dialogOpened(draft, event)
      break
    case "DialogClosed":
      Dialogs.dialogClosed(draft, event)
      break
    case "GateResumed":
      Dialogs.gateResumed(draft, event)
      break
    case "AnswerAsked":
      Dialogs.answerAsked(draft, event)
      break
    case "AnswerAcknowledged":
    case "AnswerRefused":
    case "AnswerUnheard":
      answerSettled(draft, event)
      break
    case "WatchdogFired":
      Dialogs.watchdogFired(draft, event)
      break
    case "ConsoleWritten":
      consoleWritten(draft, event)
      break
    case "NetworkSeen":
      networkSeen(draft, event)
      break
    case "ConnectionLost":
      connectionLost(draft, event)
      break
    case "ConnectionRestored":
      if (draft.state.status === "disconnected") {
        patch(draft, { status: "active", generation: draft.state.generation + 1 })
      }
      break
    case "RulesChanged":
      Dialogs.rulesChanged(draft, event)
      break
    case "StopAsked":
      if (draft.state.status !== "stopping") stopAsked(draft)
      break
    case "StopExpired":
      stopExpired(draft, event)
      break
  }
}

/** The next state, and what is to be done. A stopped supervisor only refuses answers. */
export const transition = (state: SupervisorState, event: SupervisorEvent): Transition => {
  if (state.status === "stopped" && event._tag !== "AnswerAsked") return { state, commands: [] }
  if (state.status === "disconnected" && !isHeardWithoutConnection(event)) return { state, commands: [] }
  const draft: Draft = { state, commands: [] }
  apply(draft, event)
  if (draft.state.status === "stopping") {
    giveUpStranded(draft, event.at)
    if (draft.state.dialogs.length === 0 && draft.state.answers.length === 0) stopped(draft)
  }
  if (draft.state.dialogs !== state.dialogs || draft.state.sessions !== state.sessions) readTrees(draft)
  return { state: draft.state, commands: draft.commands }
}
