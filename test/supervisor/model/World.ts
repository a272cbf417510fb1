/**
 * A browser small enough to be right by inspection, and a person, an agent and a clock beside it.
 *
 * It knows the truth (which frames there are, who closed which dialog) and tells the supervisor of it as browsers do:
 * the browser process and each renderer keep their own order, replies come when they come. What the supervisor believes
 * is compared with the truth once everything has been told.
 */
import type { ClosedBy, DialogType } from "../../../src/schemas/dialog.ts"
import { CdpSessionId, FrameId, TabId, TargetId } from "../../../src/schemas/ids.ts"
import type { DialogRules, SupervisorState } from "../../../src/schemas/supervisor.ts"
import type { SupervisorCommand, SupervisorCommandOf } from "../../../src/schemas/supervisorCommand.ts"
import type { ReportedFrame, SupervisorEvent } from "../../../src/schemas/supervisorEvent.ts"
import type { Transition } from "../../../src/layers/supervisor/SupervisorState.ts"
import type { Engine, Step } from "./Step.ts"

export interface ModelFrame {
  readonly id: FrameId
  readonly parent: ModelFrame | undefined
  /** session of its own process; undefined: it lives in its parent's */
  session: CdpSessionId | undefined
  url: string
}

export interface ModelDialog {
  readonly number: number
  readonly tab: ModelTab
  readonly frame: ModelFrame
  readonly way: "native" | "bridge" | "gate"
  readonly type: DialogType
  /** the browser cannot close it any more */
  stuck: boolean
  /** the truth about its end */
  closedBy: ClosedBy | undefined
  /** the browser was silent about an answer, so the truth cannot be known */
  doubtful: boolean
}

export interface ModelTab {
  readonly id: TabId
  readonly session: CdpSessionId
  frames: Array<ModelFrame>
  /** events of the browser process that were not told yet */
  readonly queue: Array<SupervisorEvent>
}

type Pending = SupervisorCommandOf<"Answer" | "ReadFrameTree">

/** One line of what happened. */
export interface Told {
  readonly event: SupervisorEvent
  readonly before: SupervisorState
  readonly after: SupervisorState
  readonly commands: ReadonlyArray<SupervisorCommand>
}

export type Machine = (state: SupervisorState, event: SupervisorEvent) => Transition

const at = <A>(items: ReadonlyArray<A>, index: number): A | undefined =>
  items.length === 0 ? undefined : items[index % items.length]

export class World {
  readonly told: Array<Told> = []
  readonly dialogs: Array<ModelDialog> = []
  readonly timers: Array<SupervisorCommandOf<"StartWatchdog">> = []
  readonly askers = new Map<number, "waiting" | "told">()
  pending: Array<Pending> = []
  tabs: Array<ModelTab> = []
  /** tabs of which a reading of frames failed */
  readonly silent = new Set<TabId>()
  connected = true
  closing = false
  state: SupervisorState
  private readonly machine: Machine
  private readonly engine: Engine
  private counter = 0
  private clock = 1_000_000

  constructor(machine: Machine, initial: SupervisorState, engine: Engine) {
    this.machine = machine
    this.state = initial
    this.engine = engine
  }

  tell(event: SupervisorEvent): void {
    this.clock += 1
    const before = this.state
    const { state, commands } = this.machine(before, event)
    this.state = state
    this.told.push({ event, before, after: state, commands })
    for (const command of commands) this.hear(command)
  }

  private hear(command: SupervisorCommand): void {
    switch (command._tag) {
      case "Answer":
      case "ReadFrameTree":
        this.pending.push(command)
        break
      case "StartWatchdog":
        this.timers.push(command)
        break
      case "CancelWatchdog": {
        const index = this.timers.findIndex((timer) => timer.dialogId === command.dialogId)
        if (index >= 0) this.timers.splice(index, 1)
        break
      }
      case "ReportAnswered":
      case "ReportRefused":
        if (this.askers.get(command.asker) !== "waiting") throw new Error(`asker ${command.asker} is told twice`)
        this.askers.set(command.asker, "told")
        break
      case "CloseConnection":
        this.closing = true
        this.timers.length = 0
        break
      default:
        break
    }
  }

  private next(prefix: string): string {
    this.counter += 1
    return `${prefix}${this.counter}`
  }

  private get now(): { readonly at: number } {
    return { at: this.clock }
  }

  /** The session that tells of a frame. */
  sessionOf(tab: ModelTab, frame: ModelFrame): CdpSessionId {
    for (let each: ModelFrame | undefined = frame; each !== undefined; each = each.parent) {
      if (each.session !== undefined) return each.session
    }
    return tab.session
  }

  /** True while the process of a session does nothing but show a dialog. */
  private isBlocked(session: CdpSessionId): boolean {
    return this.dialogs.some(
      (dialog) =>
        dialog.closedBy === undefined && dialog.way !== "gate" && this.sessionOf(dialog.tab, dialog.frame) === session
    )
  }

  private report(frame: ModelFrame): ReportedFrame {
    return { id: frame.id, parentId: frame.parent?.id, url: frame.url, origin: new URL(frame.url).origin }
  }

  private below(tab: ModelTab, frame: ModelFrame): Array<ModelFrame> {
    const inside = (each: ModelFrame | undefined): boolean =>
      each !== undefined && (each.parent === frame || inside(each.parent))
    return tab.frames.filter(inside)
  }

  /** Frames that go take their dialogs along; the browser says so for the native ones that it knows. */
  private forget(tab: ModelTab, gone: ReadonlyArray<ModelFrame>): void {
    this.hearOfStuck(tab)
    for (const dialog of this.dialogs) {
      if (dialog.closedBy === undefined && gone.includes(dialog.frame)) this.close(dialog, "remote", false)
    }
    tab.frames = tab.frames.filter((frame) => !gone.includes(frame))
  }

  /** Of a dialog that the browser cannot close nothing is told at its end; so at least its beginning was. */
  private hearOfStuck(tab: ModelTab): void {
    const isStuck = this.dialogs.some((each) => each.closedBy === undefined && each.tab === tab && each.stuck)
    if (isStuck) while (tab.queue.length > 0) this.deliver(tab)
  }

  /** A dialog ends in the browser. */
  close(dialog: ModelDialog, by: ClosedBy, result: boolean): void {
    dialog.closedBy = by
    const { tab } = dialog
    if (dialog.way === "native" && !dialog.stuck) {
      tab.queue.push({
        _tag: "DialogClosed",
        ...this.now,
        sessionId: tab.session,
        result,
        ...(this.engine === "chrome 156" ? { frameId: dialog.frame.id } : {})
      })
    } else if (dialog.way === "gate") {
      this.tell({ _tag: "GateResumed", ...this.now, sessionId: this.sessionOf(tab, dialog.frame) })
    }
  }

  deliver(tab: ModelTab): void {
    const event = tab.queue.shift()
    if (event !== undefined) this.tell({ ...event, ...this.now })
  }

  private attach(tab: ModelTab, frame: ModelFrame, session: CdpSessionId, placed: boolean): void {
    const parent = frame.parent
    this.tell({
      _tag: "SessionAttached",
      ...this.now,
      sessionId: session,
      targetId: TargetId.make(frame.id),
      type: parent === undefined ? "page" : "iframe",
      tabId: tab.id,
      url: "",
      title: "",
      waitingForDebugger: true,
      ...(parent === undefined ? {} : { parentSessionId: this.sessionOf(tab, parent) }),
      ...(parent !== undefined && placed ? { parentFrameId: parent.id } : {})
    })
  }

  private openTab(): void {
    if (this.tabs.length >= 3) return
    const session = CdpSessionId.make(this.next("S"))
    const top: ModelFrame = { id: FrameId.make(this.next("F")), parent: undefined, session, url: "http://a.test/" }
    const tab: ModelTab = { id: TabId.make(this.next("t")), session, frames: [top], queue: [] }
    this.tabs.push(tab)
    this.attach(tab, top, session, false)
  }

  private addFrame(tab: ModelTab, parent: ModelFrame, oopif: boolean, placed: boolean): void {
    const parentSession = this.sessionOf(tab, parent)
    if (this.isBlocked(parentSession) || tab.frames.length > 40) return
    const frame: ModelFrame = { id: FrameId.make(this.next("F")), parent, session: undefined, url: "about:blank" }
    tab.frames.push(frame)
    this.tell({
      _tag: "FrameAttached",
      ...this.now,
      sessionId: parentSession,
      frameId: frame.id,
      parentFrameId: parent.id
    })
    if (oopif) this.swapOut(tab, frame, placed)
    else {
      frame.url = `http://a.test/${frame.id}`
      this.tell({
        _tag: "FrameNavigated",
        ...this.now,
        sessionId: parentSession,
        frame: this.report(frame),
        restored: false
      })
    }
  }

  private swapOut(tab: ModelTab, frame: ModelFrame, placed: boolean): void {
    const parentSession = this.sessionOf(tab, frame)
    const session = CdpSessionId.make(this.next("S"))
    this.forget(tab, this.below(tab, frame))
    this.endDialogsOf(frame)
    frame.session = session
    frame.url = `http://b.test/${session}`
    this.attach(tab, frame, session, placed)
    this.tell({
      _tag: "TargetInfoChanged",
      ...this.now,
      targetId: TargetId.make(frame.id),
      url: frame.url,
      title: ""
    })
    this.tell({ _tag: "FrameDetached", ...this.now, sessionId: parentSession, frameId: frame.id, reason: "swap" })
  }

  private navigateFrame(tab: ModelTab, frame: ModelFrame, process: "same" | "own" | "parent"): void {
    const { parent } = frame
    if (
      parent === undefined ||
      this.isBlocked(this.sessionOf(tab, frame)) ||
      this.isBlocked(this.sessionOf(tab, parent))
    ) {
      return
    }
    if (process === "own" && frame.session === undefined) {
      this.swapOut(tab, frame, true)
      return
    }
    const gone = this.below(tab, frame)
    if (process === "parent" && frame.session !== undefined) {
      const old = frame.session
      this.loseSessions(tab, [old])
      this.forget(tab, gone)
      frame.session = undefined
      frame.url = `http://a.test/${this.next("doc")}`
      const sessionId = this.sessionOf(tab, parent)
      this.tell({ _tag: "SessionDetached", ...this.now, sessionId: old })
      this.tell({ _tag: "FrameAttached", ...this.now, sessionId, frameId: frame.id, parentFrameId: parent.id })
      this.tell({ _tag: "FrameNavigated", ...this.now, sessionId, frame: this.report(frame), restored: false })
      return
    }
    this.forget(tab, gone)
    frame.url = `${new URL(frame.url === "about:blank" ? "http://a.test" : frame.url).origin}/${this.next("doc")}`
    const sessionId = this.sessionOf(tab, frame)
    this.endDialogsOf(frame)
    this.tell({ _tag: "FrameNavigated", ...this.now, sessionId, frame: this.report(frame), restored: false })
  }

  private endDialogsOf(frame: ModelFrame): void {
    for (const dialog of this.dialogs) {
      if (dialog.closedBy === undefined && dialog.frame === frame) this.close(dialog, "remote", false)
    }
  }

  /** Gates whose session ends are lost with it: a native dialog never hangs on a child session. */
  private loseSessions(tab: ModelTab, sessions: ReadonlyArray<CdpSessionId>): void {
    for (const dialog of this.dialogs) {
      if (dialog.closedBy !== undefined || dialog.tab !== tab || dialog.way === "native") continue
      if (sessions.includes(this.sessionOf(tab, dialog.frame))) dialog.closedBy = "lost"
    }
  }

  private navigateTop(tab: ModelTab, how: "fresh" | "early" | "restored"): void {
    const [top] = tab.frames
    if (top === undefined) return
    const bridges = this.dialogs.filter(
      (dialog) => dialog.closedBy === undefined && dialog.tab === tab && dialog.way === "bridge"
    )
    // a page that waits for its request goes nowhere (fact 40); one of another process was heard of long ago
    if (bridges.some((dialog) => this.sessionOf(tab, dialog.frame) === tab.session)) return
    if (bridges.length > 0) while (tab.queue.length > 0) this.deliver(tab)
    this.hearOfStuck(tab)
    const oopifs = tab.frames.filter((frame) => frame.session !== undefined && frame.parent !== undefined)
    this.tell({ _tag: "FrameLeaving", ...this.now, sessionId: tab.session, frameId: top.id })
    for (const dialog of this.dialogs) {
      if (dialog.closedBy === undefined && dialog.tab === tab) this.close(dialog, "remote", false)
    }
    tab.frames = [top]
    top.url = `http://${this.next("site")}.test/`
    const direct = oopifs.filter((frame) => this.sessionOf(tab, frame.parent ?? top) === tab.session)
    if (how === "early") {
      while (tab.queue.length > 0) this.deliver(tab)
      this.openDialog(tab, top, "native", "alert")
      this.deliver(tab)
    }
    const endOld = () => {
      for (const { session } of direct) {
        if (session !== undefined) this.tell({ _tag: "SessionDetached", ...this.now, sessionId: session })
      }
    }
    const restored = how === "restored"
    if (restored) {
      endOld()
      const inside: ModelFrame = {
        id: FrameId.make(this.next("F")),
        parent: top,
        session: undefined,
        url: "http://a.test/kept"
      }
      const session = CdpSessionId.make(this.next("S"))
      const own: ModelFrame = { id: FrameId.make(this.next("F")), parent: inside, session, url: "http://b.test/kept" }
      tab.frames.push(inside, own)
      this.attach(tab, own, session, true)
      this.tell({ _tag: "TargetInfoChanged", ...this.now, targetId: TargetId.make(own.id), url: own.url, title: "" })
    }
    this.tell({ _tag: "FrameNavigated", ...this.now, sessionId: tab.session, frame: this.report(top), restored })
    if (!restored) endOld()
  }

  private openDialog(tab: ModelTab, frame: ModelFrame, way: ModelDialog["way"], type: DialogType): void {
    const session = this.sessionOf(tab, frame)
    const open = this.dialogs.filter((dialog) => dialog.closedBy === undefined && dialog.tab === tab)
    // a process that shows a dialog, or is paused at the gate, opens no other
    if (open.some((dialog) => this.sessionOf(tab, dialog.frame) === session)) return
    const dialog: ModelDialog = {
      number: this.dialogs.length + 1,
      tab,
      frame,
      way,
      type,
      stuck: false,
      closedBy: undefined,
      doubtful: false
    }
    this.dialogs.push(dialog)
    const opened = {
      ...this.now,
      sessionId: way === "native" ? tab.session : session,
      type,
      message: `dialog ${dialog.number}`,
      defaultPrompt: "",
      ...(this.engine === "chrome 156" || way !== "native" ? { frameId: frame.id } : {})
    }
    if (way === "gate") this.tell({ _tag: "GatePaused", ...opened, callFrameId: `c${dialog.number}` })
    else if (way === "bridge") tab.queue.push({ _tag: "BridgePaused", ...opened, requestId: `r${dialog.number}` })
    else {
      tab.queue.push({ _tag: "DialogOpening", ...opened })
      this.crowd(
        open.filter((other) => other.way === "native" && !other.stuck),
        dialog
      )
    }
  }

  /** Two processes of one tab show a dialog at once: see runtime-facts 20 and 21. */
  private crowd(earlier: ReadonlyArray<ModelDialog>, later: ModelDialog): void {
    for (const other of earlier) {
      if (this.engine === "chrome 156") {
        this.close(other, "remote", false)
        later.stuck = true
      } else other.stuck = true
    }
  }

  /** The dialog that an answer for `target` really reaches. */
  private answerable(command: SupervisorCommandOf<"Answer">): ModelDialog | undefined {
    const open = this.dialogs.filter((dialog) => dialog.closedBy === undefined && !dialog.stuck)
    if (command.way._tag === "Native") {
      return open.find((dialog) => dialog.way === "native" && dialog.tab.session === command.sessionId)
    }
    const number = Number((command.way._tag === "Bridge" ? command.way.requestId : command.way.callFrameId).slice(1))
    return open.find((dialog) => dialog.number === number)
  }

  reply(command: Pending, how: "events first" | "reply first" | "silence"): void {
    if (command._tag === "ReadFrameTree") {
      this.replyTree(command, how)
      return
    }
    // the browser process deals with the commands of a session in their order
    const first = this.pending.find((other) => other._tag === "Answer" && other.sessionId === command.sessionId)
    this.replyAnswer(first?._tag === "Answer" ? first : command, how)
  }

  private drop(command: Pending): void {
    this.pending = this.pending.filter((other) => other !== command)
  }

  private replyTree(command: SupervisorCommandOf<"ReadFrameTree">, how: string): void {
    const { sessionId, read } = command
    const tab = this.tabs.find((each) => each.frames.some((frame) => this.sessionOf(each, frame) === sessionId))
    const frames = tab?.frames.filter((frame) => this.sessionOf(tab, frame) === sessionId) ?? []
    if (how === "silence" || tab === undefined || this.isBlocked(sessionId)) {
      if (how === "events first" && tab !== undefined) return
      this.drop(command)
      if (tab !== undefined) this.silent.add(tab.id)
      this.tell({ _tag: "FrameTreeUnread", ...this.now, sessionId, read, reason: "no answer" })
      return
    }
    this.drop(command)
    this.tell({
      _tag: "FrameTreeRead",
      ...this.now,
      sessionId,
      read,
      frames: frames.map((frame) => this.report(frame))
    })
  }

  private replyAnswer(command: SupervisorCommandOf<"Answer">, how: "events first" | "reply first" | "silence"): void {
    this.drop(command)
    const { dialogId } = command
    const hit = this.answerable(command)
    const known = this.state.dialogs.find((dialog) => dialog.id === dialogId)
    const meant = this.dialogs.find((dialog) => known?.message === `dialog ${dialog.number}`)
    const tab = this.tabs.find((each) => each.session === command.sessionId)
    if (how === "silence") {
      if (meant !== undefined) meant.doubtful = true
      this.tell({ _tag: "AnswerUnheard", ...this.now, dialogId, budget: 5000 })
      return
    }
    const flush = () => {
      while (tab !== undefined && tab.queue.length > 0) this.deliver(tab)
    }
    // what was before the answer comes before the reply; what the answer does may come after it in other browsers
    flush()
    if (hit === undefined) {
      this.tell({ _tag: "AnswerRefused", ...this.now, dialogId, reason: "No dialog is showing" })
      return
    }
    this.close(hit, command.by, command.accept)
    // an answer that hits another dialog, or a browser that tells no frame, is understood by the order alone
    if (how === "events first" || this.engine === "chrome 130" || hit !== meant) flush()
    this.tell({ _tag: "AnswerAcknowledged", ...this.now, dialogId })
  }

  private askAnswer(step: Extract<Step, { readonly _tag: "AskAnswer" }>): void {
    const asker = this.askers.size + 1
    const meant = at(this.state.dialogs, step.dialog)
    const dialogId = step.named === "no" ? undefined : step.named === "wrong" ? "d-0" : meant?.id
    this.askers.set(asker, "waiting")
    this.tell({
      _tag: "AnswerAsked",
      ...this.now,
      asker,
      action: step.accept ? "accept" : "dismiss",
      ...(dialogId === undefined ? {} : { dialogId })
    })
  }

  private closeTab(tab: ModelTab): void {
    for (const dialog of this.dialogs) {
      if (dialog.tab === tab && dialog.closedBy === undefined) dialog.closedBy = "lost"
    }
    this.tabs = this.tabs.filter((other) => other !== tab)
    this.tell({ _tag: "SessionDetached", ...this.now, sessionId: tab.session })
  }

  /** A process dies with its dialogs and with all that stands below its frames. */
  private crash(tab: ModelTab, frame: ModelFrame): void {
    while (tab.queue.length > 0) this.deliver(tab)
    const session = this.sessionOf(tab, frame)
    const [root] = tab.frames.filter((each) => this.sessionOf(tab, each) === session)
    if (root === undefined) return
    for (const dialog of this.dialogs) {
      if (dialog.closedBy !== undefined || dialog.tab !== tab) continue
      if (this.sessionOf(tab, dialog.frame) === session) dialog.closedBy = "lost"
    }
    this.forget(tab, this.below(tab, root))
    this.tell({ _tag: "SessionCrashed", ...this.now, sessionId: session })
  }

  private cut(): void {
    if (!this.connected) return
    this.connected = false
    for (const dialog of this.dialogs) if (dialog.closedBy === undefined) dialog.closedBy = "lost"
    this.tabs = []
    this.pending = []
    this.tell({ _tag: "ConnectionLost", ...this.now, reason: "the socket closed" })
  }

  private write(tab: ModelTab, level: "log" | "warning" | "error" | "exception"): void {
    const frame = at(tab.frames, this.counter)
    if (frame === undefined) return
    const entry = { at: this.clock / 1000, level, text: `line ${this.clock}` }
    this.tell({ _tag: "ConsoleWritten", ...this.now, sessionId: this.sessionOf(tab, frame), entry })
  }

  private load(tab: ModelTab, ends: "answered" | "failed"): void {
    const requestId = this.next("R")
    const seen = { _tag: "NetworkSeen", ...this.now, sessionId: tab.session, requestId } as const
    const entry = { at: this.clock / 1000, method: "GET", url: `http://a.test/${requestId}`, type: "script" }
    this.tell({ ...seen, change: { _tag: "Sent", entry } })
    this.tell({
      ...seen,
      change:
        ends === "answered"
          ? { _tag: "Answered", status: 200, mimeType: "text/javascript" }
          : { _tag: "Failed", failure: "gone" }
    })
  }

  step(step: Step): void {
    const tab = "tab" in step ? at(this.tabs, step.tab) : undefined
    const frame = tab !== undefined && "frame" in step ? at(tab.frames, step.frame) : undefined
    switch (step._tag) {
      case "OpenTab":
        if (this.connected) this.openTab()
        break
      case "CloseTab":
        if (tab !== undefined) this.closeTab(tab)
        break
      case "AddFrame": {
        const parent = tab === undefined ? undefined : at(tab.frames, step.parent)
        if (tab !== undefined && parent !== undefined) this.addFrame(tab, parent, step.oopif, step.placed)
        break
      }
      case "NavigateTop":
        if (tab !== undefined) this.navigateTop(tab, step.how)
        break
      case "NavigateFrame":
        if (tab !== undefined && frame !== undefined) this.navigateFrame(tab, frame, step.process)
        break
      case "PushState":
        if (tab !== undefined && frame !== undefined && !this.isBlocked(this.sessionOf(tab, frame))) {
          frame.url = `${new URL(frame.url === "about:blank" ? "http://a.test" : frame.url).origin}/#${this.next("p")}`
          const sessionId = this.sessionOf(tab, frame)
          this.tell({ _tag: "FrameNavigatedWithinDocument", ...this.now, sessionId, frameId: frame.id, url: frame.url })
        }
        break
      case "RemoveFrame":
        if (tab !== undefined && frame?.parent !== undefined && !this.isBlocked(this.sessionOf(tab, frame.parent))) {
          const { session } = frame
          const sessionId = this.sessionOf(tab, frame.parent)
          this.forget(tab, [...this.below(tab, frame), frame])
          this.tell({ _tag: "FrameDetached", ...this.now, sessionId, frameId: frame.id, reason: "remove" })
          if (session !== undefined) this.tell({ _tag: "SessionDetached", ...this.now, sessionId: session })
        }
        break
      case "Reattach":
        if (tab !== undefined && frame?.parent !== undefined && frame.session !== undefined) {
          const inside = [frame, ...this.below(tab, frame)]
          if (inside.some((each) => this.isBlocked(this.sessionOf(tab, each)))) break
          this.loseSessions(tab, [frame.session])
          this.forget(tab, this.below(tab, frame))
          frame.session = CdpSessionId.make(this.next("S"))
          this.attach(tab, frame, frame.session, false)
        }
        break
      case "Crash":
        if (tab !== undefined && frame !== undefined) this.crash(tab, frame)
        break
      case "AttachWorker":
        if (tab !== undefined) {
          const id = this.next("W")
          this.tell({
            _tag: "SessionAttached",
            ...this.now,
            sessionId: CdpSessionId.make(id),
            targetId: TargetId.make(id),
            type: "worker",
            tabId: tab.id,
            parentSessionId: tab.session,
            waitingForDebugger: false
          })
        }
        break
      case "OpenDialog":
        if (tab !== undefined && frame !== undefined) this.openDialog(tab, frame, step.way, step.type)
        break
      case "CloseRemotely": {
        const dialog = at(
          this.dialogs.filter((each) => each.closedBy === undefined && each.way === "native" && !each.stuck),
          step.dialog
        )
        if (dialog !== undefined) this.close(dialog, "remote", step.result)
        break
      }
      case "AskAnswer":
        this.askAnswer(step)
        break
      case "FireWatchdog": {
        const timer = at(this.timers, step.timer)
        if (timer !== undefined) {
          this.timers.splice(this.timers.indexOf(timer), 1)
          this.tell({ _tag: "WatchdogFired", ...this.now, dialogId: timer.dialogId })
        }
        break
      }
      case "Deliver":
        if (tab !== undefined) this.deliver(tab)
        break
      case "Reply": {
        const command = at(this.pending, step.command)
        if (command !== undefined) this.reply(command, step.how)
        break
      }
      case "ChangeRules": {
        const rules: DialogRules = { policy: step.policy, timeoutMs: 1000, humanControl: step.human }
        this.tell({ _tag: "RulesChanged", ...this.now, rules })
        break
      }
      case "Write":
        if (tab !== undefined) this.write(tab, step.level)
        break
      case "Load":
        if (tab !== undefined) this.load(tab, step.ends)
        break
      case "Retitle":
        if (tab !== undefined) {
          const [top] = tab.frames
          if (top === undefined) break
          const targetId = TargetId.make(top.id)
          this.tell({ _tag: "TargetInfoChanged", ...this.now, targetId, url: top.url, title: this.next("title ") })
        }
        break
      case "Cut":
        this.cut()
        break
      case "Restore":
        if (!this.connected) {
          this.connected = true
          this.tell({ _tag: "ConnectionRestored", ...this.now })
        }
        break
      case "Stop":
        this.tell({ _tag: "StopAsked", ...this.now })
        break
      case "ExpireStop":
        if (this.state.status === "stopping") this.tell({ _tag: "StopExpired", ...this.now })
        break
    }
  }

  /** Everything that is on its way arrives. */
  settle(): void {
    for (let round = 0; round < 200; round++) {
      for (const tab of this.tabs) while (tab.queue.length > 0) this.deliver(tab)
      const command = this.pending.find((each) => each._tag === "Answer" || !this.isBlocked(each.sessionId))
      if (command !== undefined) this.reply(command, "events first")
      else {
        const blocked = this.pending[0]
        if (blocked === undefined) return
        this.reply(blocked, "silence")
        if (this.pending.every((each) => each._tag === "ReadFrameTree" && this.isBlocked(each.sessionId)) && round > 50)
          return
      }
    }
    throw new Error("the supervisor never comes to rest")
  }
}
