/**
 * The gate: dialogs that stop at a `debugger` statement of our own instead of in the browser's native dialog.
 *
 * The page stays readable while its dialog waits, dialogs in several processes of a tab can all be answered, and neither
 * a Content-Security-Policy nor a proxy that answers native dialogs itself stands in the way. What the gate misses (a
 * frame whose first script runs before it is up) opens its native dialog as ever.
 *
 * The price is that the browser debugs the page. That costs next to nothing, but for WebAssembly and for documents of
 * very many scripts: there the gate is taken down until the next document, and their dialogs are native. Loading a
 * document takes half as long again when it is debugged, so that where nobody asked for the gate it is put up half a
 * second after that.
 *
 * A page that is paused also loses what other processes send to its window by `postMessage`, or over a
 * `BroadcastChannel` (Chromium 156): before a native dialog that waits. Ports, workers, storage events and what servers
 * send are not concerned.
 */
import { Effect, Schema } from "effect"
import type { Protocol } from "devtools-protocol"
import { dialogGateSource } from "../../generated/dialogGateSource.ts"
import { DialogType } from "../../schemas/dialog.ts"
import type { CdpSessionId, FrameId, TargetId } from "../../schemas/ids.ts"
import type { SupervisedType } from "../../schemas/supervisor.ts"
import type { SupervisorCommandOf } from "../../schemas/supervisorCommand.ts"
import type { SupervisorEvent } from "../../schemas/supervisorEvent.ts"
import type { CdpConnection, CdpError, CdpEvent } from "../../services/CdpConnection.ts"
import { secretName } from "../cdp/secretName.ts"

const Question = Schema.Struct({ type: DialogType, message: Schema.String, defaultPrompt: Schema.String })
const decodeQuestion = Schema.decodeUnknownEffect(Question)

/** Takes the question: from then on the page knows that somebody saw it. */
const held = "(arguments[0].held = true, arguments[0])"

/** Time (ms) for one command to a page that is paused, which answers at once. */
const commandBudget = 5_000

export interface DialogGateOptions {
  readonly connection: CdpConnection["Service"]
  readonly feed: (event: SupervisorEvent) => void
  readonly now: () => { readonly at: number }
  readonly run: (effect: Effect.Effect<unknown, never>) => void
  /** the gate is up from the first script of a document on, not only once the document is loaded */
  readonly fromStart: boolean
}

/** An answer for the gate, as the state machine wants it given. */
export interface GateAnswer extends Pick<SupervisorCommandOf<"Answer">, "accept" | "promptText" | "sessionId"> {
  readonly callFrameId: string
}

export interface DialogGate {
  /** Puts the gate up in a session; written at once, so before whatever its owner sends afterwards. */
  readonly setUp: (session: Pick<SupervisorCommandOf<"SetUpSession">, "sessionId" | "targetId" | "type">) => void
  /** Hears an event of a session. */
  readonly hear: (event: CdpEvent, sessionId: CdpSessionId) => void
  /** Gives the answer and lets the page go on. Fails when the page does not wait there any more. */
  readonly answer: (answer: GateAnswer) => Effect.Effect<void, CdpError>
  /** Lets dialogs pass to their native form (a person is in control), or stops them again. */
  readonly setOpen: (lets: boolean) => void
  /** The session is gone. */
  readonly forget: (sessionId: CdpSessionId) => void
  /** Lets every dialog pass from now on, since nobody listens any more. */
  readonly takeDown: () => void
}

/**
 * Scripts of one document after which its gate is taken down. Debugged, a script costs about 0.1 ms more: the browser
 * tells of each, and compiles again what it would have kept.
 */
const scriptLimit = 500

/**
 * Time (ms) after the load of a document until the gate is put up, unless it is up from the start: to begin debugging,
 * the browser looks through all of the page's memory, which nobody should have to wait for.
 */
const restAfterLoad = 500

/** Bytes of sources that the browser may keep of scripts that are gone. */
const keptSources = 1_000_000

interface GatedSession {
  readonly sessionId: CdpSessionId
  readonly targetId: TargetId
  readonly type: SupervisedType
  /** the browser is told to stop at the gate */
  up: boolean
  /** a dialog waits at the gate */
  paused: boolean
  /** scripts that the document has run so far */
  count: number
  /** the document is one that debugging slows down */
  heavy: boolean
  /** a document is on its way, or was not loaded long enough ago */
  loading: boolean
  /** counts documents that began to load */
  loads: number
  /** execution contexts, and those of the document before: its scripts are told of again until they are collected */
  contexts: Map<number, FrameId | undefined>
  former: { readonly has: (context: number) => boolean }
}

/**
 * The execution context of an object: the middle of its id (V8 inspector, `remote-object-id.cc`). The script does not
 * tell, since frames of one process share it.
 */
const contextOf = (objectId: string | undefined): number => Number(objectId?.split(".")[1])

/** The document stays. */
const isWithin = ({ navigationType }: Protocol.Page.FrameStartedNavigatingEvent): boolean =>
  navigationType === "sameDocument" || navigationType === "historySameDocument"

export const makeDialogGate = ({ connection, feed, fromStart, now, run }: DialogGateOptions): DialogGate => {
  // of the function that stops, and of the script that it is in: no page can guess it
  const name = `dialog_${secretName()}`
  const source = `(() => { ${dialogGateSource}; __entry.install(${JSON.stringify(name)}) })()\n//# sourceURL=${name}.js`
  const sessions = new Map<CdpSessionId, GatedSession>()
  /** dialogs pass to their native form */
  let open = false

  const send = <M extends Parameters<typeof connection.command>[0]>(
    method: M,
    params: Parameters<typeof connection.command<M>>[1],
    sessionId: CdpSessionId
  ) => connection.command(method, params, { sessionId, timeout: commandBudget })

  const resume = (sessionId: CdpSessionId) => Effect.ignore(send("Debugger.resume", {}, sessionId))

  const tell = (session: GatedSession, method: "Debugger.setSkipAllPauses" | "Debugger.disable", skip?: boolean) =>
    run(Effect.ignore(send(method, skip === undefined ? undefined : { skip }, session.sessionId)))

  const raise = (session: GatedSession): void => {
    const { sessionId } = session
    session.up = true
    run(Effect.ignore(send("Debugger.enable", { maxScriptsCacheSize: keptSources }, sessionId)))
    const patterns = [`^(?!${name}\\.js$).*$`]
    run(Effect.ignore(send("Debugger.setBlackboxPatterns", { patterns, skipAnonymous: true }, sessionId)))
    if (open) tell(session, "Debugger.setSkipAllPauses", true)
  }

  /** Pages may share a process, and with it whether it is debugged; a frame that has a session has a process of its own. */
  const isSlowed = ({ heavy, type }: GatedSession): boolean =>
    heavy || (type === "page" && [...sessions.values()].some((other) => other.type === "page" && other.heavy))

  /** Takes the gate down where debugging slows a document, and puts it up again where there is none any more. */
  const review = (): void => {
    for (const session of sessions.values()) {
      const isWanted = !isSlowed(session) && (fromStart || !session.loading)
      if (isWanted && !session.up) raise(session)
      else if (!isWanted && session.up && !session.paused) {
        session.up = false
        tell(session, "Debugger.disable")
      }
    }
  }

  const loaded = (session: GatedSession): void => {
    if (fromStart) return
    const { loads } = session
    run(
      Effect.andThen(
        Effect.sleep(restAfterLoad),
        Effect.sync(() => {
          if (session.loads !== loads || sessions.get(session.sessionId) !== session) return
          session.loading = false
          review()
        })
      )
    )
  }

  const scriptParsed = (session: GatedSession, script: Protocol.Debugger.ScriptParsedEvent): void => {
    const { executionContextId: context, scriptLanguage, url } = script
    if (url === `${name}.js` || session.former.has(context)) return
    session.count += 1
    // debugged, WebAssembly runs five times as slowly
    if (session.heavy || (session.count <= scriptLimit && scriptLanguage !== "WebAssembly")) return
    session.heavy = true
    review()
  }

  const paused = (session: GatedSession, { callFrames }: Protocol.Debugger.PausedEvent): void => {
    const { sessionId } = session
    const [top] = callFrames
    if (top?.functionName !== name) {
      // a stop of the page's own; nobody is here to look at it
      run(resume(sessionId))
      return
    }
    session.paused = true
    const { callFrameId, scopeChain } = top
    const frameId = session.contexts.get(contextOf(scopeChain[0]?.object.objectId))
    run(
      send("Debugger.evaluateOnCallFrame", { callFrameId, expression: held, returnByValue: true }, sessionId).pipe(
        Effect.flatMap(({ result }) => decodeQuestion(result.value)),
        Effect.matchEffect({
          onSuccess: (question) =>
            Effect.sync(() =>
              feed({
                _tag: "GatePaused",
                ...now(),
                sessionId,
                callFrameId,
                ...question,
                ...(frameId === undefined ? {} : { frameId })
              })
            ),
          // without the question the native dialog has to ask it
          onFailure: () => resume(sessionId)
        })
      )
    )
  }

  return {
    setUp: ({ sessionId, targetId, type }) => {
      if (type !== "page" && type !== "iframe") return
      const session: GatedSession = {
        sessionId,
        targetId,
        type,
        up: false,
        paused: false,
        count: 0,
        heavy: false,
        loading: !fromStart,
        loads: 0,
        contexts: new Map(),
        former: new Set()
      }
      sessions.set(sessionId, session)
      review()
      run(Effect.ignore(send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true }, sessionId)))
    },
    hear: (event, sessionId) => {
      const session = sessions.get(sessionId)
      if (session === undefined) return
      switch (event.method) {
        case "Debugger.paused":
          paused(session, event.params)
          break
        case "Debugger.resumed":
          session.paused = false
          feed({ _tag: "GateResumed", ...now(), sessionId })
          review()
          break
        case "Debugger.scriptParsed":
          scriptParsed(session, event.params)
          break
        case "Runtime.executionContextCreated": {
          const { auxData, id } = event.params.context
          const frameId: unknown = auxData?.["frameId"]
          session.contexts.set(id, typeof frameId === "string" ? (frameId as FrameId) : undefined)
          // another process counts afresh
          if (session.former.has(id)) session.former = new Set()
          break
        }
        case "Runtime.executionContextDestroyed":
          session.contexts.delete(event.params.executionContextId)
          break
        case "Runtime.executionContextsCleared":
          session.former = session.contexts
          session.contexts = new Map()
          break
        case "Page.frameStartedNavigating":
          if (event.params.frameId !== session.targetId || isWithin(event.params)) break
          session.loading = true
          session.loads += 1
          review()
          break
        case "Page.frameStoppedLoading":
          if (event.params.frameId === session.targetId) loaded(session)
          break
        case "Page.frameNavigated": {
          const { frame, type } = event.params
          if (frame.parentId !== undefined && frame.id !== session.targetId) break
          session.count = 0
          session.heavy = false
          // what was kept as a whole is loaded, and no event says so
          if (type === "BackForwardCacheRestore") loaded(session)
          review()
          break
        }
      }
    },
    answer: ({ accept, callFrameId, promptText, sessionId }) => {
      const expression = `arguments[0].answer = ${JSON.stringify({ accept, text: promptText ?? "" })}`
      return send("Debugger.evaluateOnCallFrame", { callFrameId, expression, silent: true }, sessionId).pipe(
        Effect.andThen(send("Debugger.resume", {}, sessionId)),
        Effect.asVoid
      )
    },
    setOpen: (lets) => {
      open = lets
      for (const session of sessions.values()) if (session.up) tell(session, "Debugger.setSkipAllPauses", lets)
    },
    forget: (sessionId) => {
      sessions.delete(sessionId)
      review()
    },
    takeDown: () => {
      for (const session of sessions.values()) tell(session, "Debugger.disable")
      sessions.clear()
    }
  }
}
