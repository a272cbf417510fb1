/**
 * Setting up a page or a frame that attached. Everything is sent at once and without awaiting, the resume last: the
 * browser works through it in order before the first script runs, and a page that never answers holds up nobody
 * (seed-systems L5, runtime fact 53).
 */
import type { Protocol } from "devtools-protocol"
import { Effect } from "effect"
import type { CdpSessionId } from "../../../schemas/ids.ts"
import type { CdpMethod, CdpParams } from "../../../services/CdpConnection.ts"
import { withinBudget } from "../../../services/Timeouts.ts"
import { pageWorldScript, printBinding, titleBinding, topAgentScript, worldName } from "../../page/Agent.ts"
import { applied, emulateFrame } from "../../page/Emulation.ts"
import type { Tab } from "../../page/Tab.ts"
import { endedAfter } from "../../../services/endings.ts"
import { noteStopped } from "./admitRequest.ts"

/** What attaches below a page or a frame: frames of other processes and workers, each before its first script. */
const children: CdpParams<"Target.setAutoAttach"> = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
  filter: [
    { type: "iframe" },
    { type: "worker" },
    { type: "shared_worker" },
    { type: "service_worker" },
    { exclude: true }
  ]
}

/** No bodies are kept in the browser: nobody reads them through this connection. */
const network: CdpParams<"Network.enable"> = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 }

type Requests = ReadonlyArray<Protocol.Fetch.RequestPattern>

/** Documents of every frame stop for a moment, at each redirect again, to be admitted or not. */
const documents: Requests = [{ urlPattern: "*", resourceType: "Document", requestStage: "Request" }]

/** Requests that the browser holds until we say what becomes of them, `others` among them. */
const held = (tab: Tab, others: Requests): Requests => [...(tab.admission.watched ? documents : []), ...others]

/**
 * One domain that a target lacks matters to no other (L46). `post` is for what the target deals with before something that
 * is waited for with `ask`: the session of a page takes its scripts along to another process, but only those it has.
 */
const sender = ({ connection }: Tab, sessionId: CdpSessionId) => ({
  post: <M extends CdpMethod>(method: M, params?: CdpParams<M>) => connection.post(method, params, { sessionId }),
  ask: <M extends CdpMethod>(method: M, params?: CdpParams<M>) =>
    Effect.ignore(connection.command(method, params, { sessionId }))
})

/** Sends all of it in order; ends when all that is waited for is answered. */
const inOrder = (steps: ReadonlyArray<Effect.Effect<void>>) =>
  Effect.all(steps, { concurrency: "unbounded", discard: true })

const enable = (tab: Tab) =>
  tab.send("Page.enable").pipe(
    Effect.andThen(
      Effect.sync(() => {
        tab.answered = true
        tab.model.tell()
      })
    ),
    Effect.ignore
  )

/** Asks how far a page has been loaded before it was attached; what comes from now on its own events tell. */
const readProgress = (tab: Tab) =>
  Effect.all(
    [
      tab.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      tab.send("Page.setLifecycleEventsEnabled", { enabled: false })
    ],
    { concurrency: "unbounded", discard: true }
  )

const readFrames = (tab: Tab, sessionId: CdpSessionId) =>
  tab.connection.command("Page.getFrameTree", undefined, { sessionId }).pipe(
    Effect.flatMap(({ frameTree }) => {
      noteStopped(tab, frameTree.frame)
      return tab.model.readTree(sessionId, frameTree) ? readProgress(tab) : Effect.void
    }),
    Effect.ignore
  )

/** Sets up a page; `bare`: without an agent, which comes when it is needed. Ends when all is answered or the time for attaching is over; never fails. */
export const setUpPage = (
  tab: Tab,
  viewport: { readonly width: number; readonly height: number } | undefined,
  requests: Requests,
  bare: boolean
): Effect.Effect<void> => {
  const { ask, post } = sender(tab, tab.sessionId)
  const patterns = [...held(tab, requests)]
  const first = [
    post("Runtime.enable"),
    post("Network.enable", network),
    // what the browser keeps the page from it only says there
    post("Log.enable"),
    post("Inspector.enable"),
    // an unfocused page drops presses (L17)
    post("Emulation.setFocusEmulationEnabled", { enabled: true }),
    ...(viewport === undefined
      ? []
      : [post("Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor: 0, mobile: false })]),
    ...(bare
      ? []
      : [
          post("Page.addScriptToEvaluateOnNewDocument", { source: pageWorldScript }),
          post("Runtime.addBinding", { name: titleBinding, executionContextName: worldName }),
          post("Runtime.addBinding", { name: printBinding, executionContextName: worldName })
        ])
  ]
  return inOrder([
    enable(tab),
    readFrames(tab, tab.sessionId),
    Effect.all(first, { discard: true }),
    ...(bare ? [] : [ask("Page.addScriptToEvaluateOnNewDocument", { source: topAgentScript, worldName })]),
    ...(patterns.length === 0 ? [] : [ask("Fetch.enable", { patterns })]),
    ask("Target.setAutoAttach", children),
    ask("Runtime.runIfWaitingForDebugger")
  ]).pipe(withinBudget("setting up a tab", "attach"), Effect.ignore)
}

/** Time (ms) after which a page that could not be made to wait for us is taken to be unable to answer. */
const silentAfter = 3_000

/**
 * Ends when it is known whether a page can answer: it has, it shows a dialog, or it has been silent for so long that
 * nobody should wait for it. Never fails.
 */
export const noteSilence = (tab: Tab): Effect.Effect<void> =>
  Effect.raceFirst(
    tab.until(() => tab.answered),
    Effect.callback<void>((resume) => {
      const stop = tab.dialogs.onBlocked(tab.id, () => resume(Effect.void))
      return Effect.sync(stop)
    })
  ).pipe(
    endedAfter(silentAfter, () =>
      Effect.sync(() => {
        tab.answered = false
        tab.model.tell()
      })
    )
  )

/** Sets up a frame that has a process of its own. Never fails. */
export const setUpFrame = (tab: Tab, sessionId: CdpSessionId, requests: Requests): Effect.Effect<void> => {
  const { ask, post } = sender(tab, sessionId)
  const patterns = [...held(tab, requests)]
  const first = [
    post("Runtime.enable"),
    post("Network.enable", network),
    // what the browser keeps the page from it only says there
    post("Log.enable"),
    post("Inspector.enable")
  ]
  return inOrder([
    ask("Page.enable"),
    readFrames(tab, sessionId),
    Effect.all(first, { discard: true }),
    ask("Page.addScriptToEvaluateOnNewDocument", { source: pageWorldScript }),
    ...(patterns.length === 0 ? [] : [ask("Fetch.enable", { patterns })]),
    ...(applied(tab.emulation).length === 0 ? [] : [emulateFrame(tab, sessionId, tab.emulation)]),
    ask("Target.setAutoAttach", children),
    ask("Runtime.runIfWaitingForDebugger")
  ]).pipe(withinBudget("setting up a frame", "attach"), Effect.ignore)
}

/** Sets up a worker, which has no page: only what its kind of target knows (runtime fact 60). Never fails. */
export const setUpWorker = (tab: Tab, sessionId: CdpSessionId): Effect.Effect<void> => {
  const { ask, post } = sender(tab, sessionId)
  return inOrder([
    Effect.andThen(post("Runtime.enable"), post("Network.enable", network)),
    ask("Target.setAutoAttach", children),
    ask("Runtime.runIfWaitingForDebugger")
  ]).pipe(withinBudget("setting up a worker", "attach"), Effect.ignore)
}
