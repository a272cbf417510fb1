/**
 * The supervisor of one task: feeds its state machine with what the connection tells, and carries out what it wants.
 *
 * Events are dealt with in the reader, without waiting, so the state is never behind what has been read. Whoever owns
 * the targets tells of sessions (`attach`, `detach`); everything else is heard here.
 */
import { Clock, Effect, FiberMap, FiberSet, Option, type Scope } from "effect"
import type { Dialog, DialogRecord } from "../../schemas/dialog.ts"
import { CdpFailed } from "../../schemas/errors.ts"
import type { TargetId } from "../../schemas/ids.ts"
import type { AnswerRefusal, SupervisorCommand, SupervisorCommandOf } from "../../schemas/supervisorCommand.ts"
import type { SupervisorEvent } from "../../schemas/supervisorEvent.ts"
import type { CdpError, CdpEvent } from "../../services/CdpConnection.ts"
import { decodeEvent, reportedTree } from "./decodeEvent.ts"
import { makeDialogBridge } from "./DialogBridge.ts"
import { makeDialogGate } from "./DialogGate.ts"
import type { AnswerParams, Supervisor, SupervisorOptions } from "./Supervisor.ts"
import { initialState, transition } from "./SupervisorState.ts"
import * as Views from "./SupervisorViews.ts"

export type { AnswerParams, AttachedSession, Supervisor, SupervisorOptions } from "./Supervisor.ts"

/** Time (ms) that the browser gets to take an answer; it takes one within a few. */
const answerBudget = 5_000
/** Time (ms) that a page gets to list its frames. */
const treeBudget = 5_000

/**
 * Starts a supervisor; the scope stops it. It sends nothing of its own but answers to dialogs and readings of frame
 * trees: whoever attaches sessions enables `Page` and `Runtime` there.
 */
export const makeSupervisor = Effect.fnUntraced(function* (
  options: SupervisorOptions
): Effect.fn.Return<Supervisor, never, Scope.Scope> {
  const { connection } = options
  const clock = yield* Clock.Clock
  const run = yield* FiberSet.makeRuntime()
  const watchdogs = yield* FiberMap.make<string>()
  const watch = yield* FiberMap.runtime(watchdogs)()
  const askers = new Map<number, (outcome: Effect.Effect<Dialog, AnswerRefusal>) => void>()
  const opened = new Set<(dialog: Dialog) => void>()
  const closed = new Set<(record: DialogRecord) => void>()
  const stopping = new Set<() => void>()
  const inbox: Array<SupervisorEvent> = []
  let asked = 0
  let busy = false
  const shown = options.shown === true
  let state = initialState({
    policy: options.policy,
    timeoutMs: options.dialogTimeoutMs,
    humanControl: false,
    ...(shown ? { shown } : {}),
    ...(options.leaves === true ? { leaves: true } : {})
  })

  const now = (): { readonly at: number } => ({ at: clock.currentTimeMillisUnsafe() })

  /** Deals with an event; those that its commands bring about come after it. */
  const feed = (event: SupervisorEvent): void => {
    inbox.push(event)
    if (busy) return
    busy = true
    try {
      for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) {
        const step = transition(state, next)
        state = step.state
        for (const command of step.commands) carryOut(command)
      }
    } finally {
      busy = false
    }
  }

  const gate =
    options.gate === true || options.gate === "loaded"
      ? makeDialogGate({ connection, feed, now, run, fromStart: options.gate === true })
      : undefined
  const bridge = options.bridge === true ? makeDialogBridge({ connection, feed, now, run }) : undefined

  const send = (
    command: Pick<SupervisorCommandOf<"Answer">, "accept" | "promptText" | "sessionId" | "way">
  ): Effect.Effect<unknown, CdpError> => {
    const { accept, promptText, sessionId, way } = command
    if (way._tag === "Native") {
      const text = promptText === undefined ? {} : { promptText }
      return connection.command(
        "Page.handleJavaScriptDialog",
        { accept, ...text },
        { sessionId, timeout: answerBudget }
      )
    }
    if (way._tag === "Gate" && gate !== undefined) return gate.answer({ ...command, callFrameId: way.callFrameId })
    return way._tag === "Bridge" && bridge !== undefined
      ? bridge.answer({ ...command, requestId: way.requestId })
      : Effect.fail(new CdpFailed({ method: way._tag, cdpCode: -32000, reason: "there is no such way to the page" }))
  }

  const answerDialog = (command: SupervisorCommandOf<"Answer">) => {
    const { dialogId } = command
    return send(command).pipe(
      Effect.match({
        onSuccess: () => feed({ _tag: "AnswerAcknowledged", ...now(), dialogId }),
        onFailure: (error) => {
          if (error._tag === "OperationTimeout") {
            feed({ _tag: "AnswerUnheard", ...now(), dialogId, budget: answerBudget })
          } else feed({ _tag: "AnswerRefused", ...now(), dialogId, reason: error.message })
        }
      })
    )
  }

  const readTree = ({ read, sessionId }: SupervisorCommandOf<"ReadFrameTree">) =>
    // after what the one who attached the session sends at once: frames that come later are told of by then
    Effect.yieldNow.pipe(
      Effect.andThen(connection.command("Page.getFrameTree", undefined, { sessionId, timeout: treeBudget })),
      Effect.match({
        onSuccess: ({ frameTree }) =>
          feed({ _tag: "FrameTreeRead", ...now(), sessionId, read, frames: reportedTree(frameTree) }),
        onFailure: (error) => feed({ _tag: "FrameTreeUnread", ...now(), sessionId, read, reason: error.message })
      })
    )

  const report = (asker: number, outcome: Effect.Effect<Dialog, AnswerRefusal>): void => {
    const resume = askers.get(asker)
    askers.delete(asker)
    resume?.(outcome)
  }

  const carryOut = (command: SupervisorCommand): void => {
    switch (command._tag) {
      case "Answer":
        run(answerDialog(command))
        break
      case "ReadFrameTree":
        run(readTree(command))
        break
      case "StartWatchdog": {
        const { dialogId, ms } = command
        const fire = Effect.sync(() => feed({ _tag: "WatchdogFired", ...now(), dialogId }))
        watch(dialogId, Effect.delay(fire, ms))
        break
      }
      case "CancelWatchdog":
        Option.map(FiberMap.getUnsafe(watchdogs, command.dialogId), (fiber) => fiber.interruptUnsafe())
        break
      case "ReportAnswered":
        report(command.asker, Effect.succeed(command.dialog))
        break
      case "ReportRefused":
        report(command.asker, Effect.fail(command.refusal))
        break
      case "DialogWaits":
        for (const listener of [...opened]) listener(command.dialog)
        break
      case "DialogFiled":
        for (const listener of [...closed]) listener(command.record)
        break
      case "Log":
        run(command.level === "warning" ? Effect.logWarning(command.message) : Effect.logInfo(command.message))
        break
      case "StartStopTimer":
        run(
          Effect.delay(
            Effect.sync(() => feed({ _tag: "StopExpired", ...now() })),
            command.ms
          )
        )
        break
      case "CloseConnection":
        gate?.takeDown()
        bridge?.takeDown()
        for (const resume of stopping) resume()
        break
      case "SetUpSession":
        // what is set up later is asked first
        bridge?.setUp(command)
        gate?.setUp(command)
        break
    }
  }

  const hear = (event: CdpEvent): void => {
    const { sessionId } = event
    if (sessionId !== undefined && state.sessions.has(sessionId)) {
      gate?.hear(event, sessionId)
      bridge?.hear(event, sessionId)
      const decoded = decodeEvent(event, sessionId, now().at)
      if (decoded !== undefined) feed(decoded)
    } else if (event.method === "Target.targetInfoChanged") {
      const { targetId, title, url } = event.params.targetInfo
      feed({ _tag: "TargetInfoChanged", ...now(), targetId: targetId as TargetId, url, title })
    }
  }

  const stop: Effect.Effect<void> = Effect.callback((resume) => {
    if (state.status === "stopped") {
      resume(Effect.void)
      return
    }
    const done = () => resume(Effect.void)
    stopping.add(done)
    feed({ _tag: "StopAsked", ...now() })
    return Effect.sync(() => stopping.delete(done))
  })

  const subscribe =
    <A>(listeners: Set<(value: A) => void>) =>
    (listener: (value: A) => void): (() => void) => {
      const own = (value: A) => listener(value)
      listeners.add(own)
      return () => listeners.delete(own)
    }

  const give = (params: AnswerParams, by: "agent" | "remote", leaving = false) =>
    Effect.callback<Dialog, AnswerRefusal>((resume) => {
      asked += 1
      const asker = asked
      askers.set(asker, resume)
      feed({
        _tag: "AnswerAsked",
        ...now(),
        asker,
        by,
        leaving,
        action: params.action,
        promptText: params.prompt_text,
        dialogId: params.dialog_id
      })
      return Effect.sync(() => askers.delete(asker))
    })
  const answer = Effect.fn("Supervisor.answer")((params: AnswerParams, by: "agent" | "remote" = "agent") =>
    give(params, by)
  )

  yield* connection.listen("all", hear)
  yield* Effect.addFinalizer(() => stop)
  run(Effect.map(connection.closed, ({ reason }) => feed({ _tag: "ConnectionLost", ...now(), reason })))

  return {
    attach: (session) =>
      feed({
        _tag: "SessionAttached",
        ...session,
        waitingForDebugger: session.waitingForDebugger ?? false,
        ...now()
      }),
    detach: (sessionId) => {
      feed({ _tag: "SessionDetached", ...now(), sessionId })
      gate?.forget(sessionId)
    },
    state: () => state,
    pendingDialogs: (tabId) => Views.pendingDialogs(state, tabId),
    isReadable: (tabId) => Views.isReadable(state, tabId),
    recentDialogs: (tabId) => Views.recentDialogs(state, tabId),
    frameTree: (tabId, form) => Views.frameTree(state, tabId, form),
    frame: (frameId) => Views.frameOf(state, frameId),
    console: (tabId) => Views.consoleOf(state, tabId),
    trouble: (tabId) => Views.troubleOf(state, tabId),
    network: (tabId) => Views.networkOf(state, tabId),
    answer,
    onDialog: subscribe(opened),
    onDialogClosed: subscribe(closed),
    setRules: (change) => {
      feed({ _tag: "RulesChanged", ...now(), rules: { ...state.rules, ...change } })
      if (change.humanControl === undefined || shown) return
      gate?.setOpen(change.humanControl)
      bridge?.setOpen(change.humanControl)
    },
    requests: bridge === undefined ? [] : [bridge.requests],
    takes: ({ request }) => bridge?.takes(request.url) ?? false,
    letGo: (ids) =>
      Effect.forEach(ids, (dialog_id) => Effect.ignore(give({ action: "dismiss", dialog_id }, "agent", true)), {
        concurrency: "unbounded",
        discard: true
      }),
    stop
  }
})
