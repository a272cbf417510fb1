/**
 * Calls the program inside the page (`src/in-page/`): one agent per document, in an isolated world that the page's own
 * scripts cannot reach.
 */
import { Effect, Schema } from "effect"
import { CdpFailed } from "../../schemas/errors.ts"
import type { FrameId } from "../../schemas/ids.ts"
import {
  ChallengeState,
  ContentPayload,
  FieldPlan,
  FieldState,
  FilesTaken,
  FileTarget,
  Focus,
  Found,
  Hit,
  Pressed,
  Quiet,
  Ready,
  Sought,
  ScrollState,
  Submitted,
  WaitOutcome,
  WalkResult
} from "../../schemas/page.ts"
import type { PageAgent } from "../../schemas/pageAgent.ts"
import type { CdpError, CdpEvent } from "../../services/CdpConnection.ts"
import { inPageSource } from "../../generated/inPageSource.ts"
import { printingSource } from "../../generated/printingSource.ts"
import { timersSource } from "../../generated/timersSource.ts"
import { secretName } from "../cdp/secretName.ts"
import { FramePatience } from "./FramePatience.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Tab } from "./Tab.ts"

/** Name of the isolated world; shows in developer tools only. */
export const worldName = "effect-browser"

const Rect = Schema.Struct({ x: Schema.Finite, y: Schema.Finite, width: Schema.Finite, height: Schema.Finite })

/** How each answer is decoded. */
const answers = {
  walk: WalkResult,
  find: Found,
  search: WalkResult,
  ready: Ready,
  seek: Sought,
  hit: Hit,
  pressed: Pressed,
  hitFrame: Hit,
  focused: Focus,
  planField: FieldPlan,
  focusField: Schema.Boolean,
  setField: FieldState,
  readField: FieldState,
  submit: Submitted,
  challenge: ChallengeState,
  fileTarget: FileTarget,
  filesTaken: FilesTaken,
  waitFor: WaitOutcome,
  content: ContentPayload,
  scrollState: ScrollState,
  scrollTo: Schema.Struct({ ...ScrollState.fields, box: Rect }),
  watch: Schema.Boolean,
  quiet: Quiet,
  box: Schema.NullOr(Rect),
  contentBox: Schema.NullOr(Rect)
} satisfies Record<keyof PageAgent, Schema.Top>

/** Functions that wait; the others answer at once, also while a dialog keeps the page from awaiting anything. */
const waiting: ReadonlySet<keyof PageAgent> = new Set(["hit", "quiet", "ready", "seek", "waitFor"])

/** Functions that do something to the page, or get it ready for what is done to it. */
const acting: ReadonlySet<keyof PageAgent> = new Set([
  "ready",
  "seek",
  "hit",
  "pressed",
  "focused",
  "focusField",
  "setField",
  "submit",
  "fileTarget"
])

type Answers = typeof answers
export type AgentFunction = keyof Answers

/** The document that was asked is gone: navigated away, detached, or its frame left the process. */
export class DocumentGone extends Schema.TaggedError<DocumentGone>()("DocumentGone", {
  frameId: Schema.String,
  /** false: the call cannot have begun, so that it may be made again */
  begun: Schema.Boolean
}) {}

/** Texts with which Chromium says that a context or frame is gone (V8 inspector and Page handler). */
const goneTexts = [
  "Cannot find context",
  "context was destroyed",
  "Inspected target navigated or closed",
  "No frame for given id",
  "No frame with given id",
  "Cannot find default execution context",
  "session closed",
  "Promise was collected"
]
const isGone = (reason: string): boolean => goneTexts.some((text) => reason.includes(text))

/** Names of the events between the page's world and ours; nobody else can guess them. */
const timerEvents = { ask: secretName(), tell: secretName() }

/** Function of our world by which an agent tells the title of its document (`Runtime.addBinding`). */
export const titleBinding = "effectBrowserTitle"

/** Function of our world by which an agent tells that its document is printed. */
export const printBinding = "effectBrowserPrint"

/**
 * There is none, or it is that of the document before: a window that a page opened may keep its world when its first
 * document takes the place of the empty one, and what the agent watches goes with that.
 */
const isMissing = "globalThis.__effectBrowser === undefined || globalThis.__effectBrowserIn !== document"

const install = `if (${isMissing}) {
  globalThis.__effectBrowserIn = document
  globalThis.__effectBrowser = (() => { ${inPageSource}; return __entry.install(${JSON.stringify({ ...timerEvents, title: titleBinding, print: printBinding })}) })()
}
globalThis.__effectBrowser.hearsTimers()`

/**
 * To be run in the page's own world before its scripts: keeps the agents informed of the short timers that are under
 * way, of which the page sees nothing, and lets it print without a dialog of the browser, which would stay until a person
 * closes it and keep the page from being printed to a file.
 */
export const pageWorldScript = `(() => { ${timersSource}; __entry.install(${JSON.stringify(timerEvents.ask)}, ${JSON.stringify(timerEvents.tell)}) })();
(() => { ${printingSource}; __entry.install() })()`

/**
 * To be run in our own world of each top document before its scripts, so that the agent is there when the page is first
 * looked at. Agents of frames are installed when they are needed: most frames are never looked at.
 */
export const topAgentScript = `if (window === window.top) { ${install} }`

/** What a call answers in a world that is there without the agent of its document. */
const noAgent = "effect-browser: no agent"

const callAgent = `function (name, argument) {
  if (${isMissing}) throw ${JSON.stringify(noAgent)}
  return globalThis.__effectBrowser[name](argument)
}`

interface World {
  readonly sessionId: string
  readonly contextId: number
  /** undefined: the browser has not told it */
  readonly uniqueId: string | undefined
}

/** The agents of one tab. */
export class Agents {
  private readonly worlds = new Map<FrameId, World>()
  /**
   * Worlds that the browser took back: Electron before 42 does so whenever a frame comes, and tells of them again at
   * once. What was seen there is known there only, so it is gone back to.
   */
  private readonly takenBack = new Map<string, World>()
  /** the latest contexts of that name, by session and number */
  private readonly uniqueIds = new Map<string, string>()
  private readonly tab: Tab
  readonly patience = new FramePatience()
  /** child frames in which something was done since {@link forgetActs} */
  private readonly actedIn = new Set<FrameId>()
  constructor(tab: Tab) {
    this.tab = tab
  }

  /** The child frames in which something was done lately, as far as they are still there. */
  acted(): ReadonlyArray<FrameModel> {
    return [...this.actedIn].flatMap((id) => this.tab.model.frames.get(id) ?? [])
  }

  forgetActs(): void {
    this.actedIn.clear()
  }

  /** Follows which worlds there are; called by the reader. */
  apply(event: CdpEvent): void {
    switch (event.method) {
      case "Runtime.executionContextCreated": {
        const { auxData, id, name, uniqueId } = event.params.context
        const frameId = (auxData as { readonly frameId?: FrameId } | undefined)?.frameId
        if (name !== worldName || frameId === undefined || event.sessionId === undefined) return
        this.uniqueIds.set(`${event.sessionId} ${id}`, uniqueId)
        if (this.uniqueIds.size > 200) this.uniqueIds.delete(this.uniqueIds.keys().next().value as string)
        const world: World = { sessionId: event.sessionId, contextId: id, uniqueId }
        if (this.takenBack.delete(uniqueId)) this.worlds.set(frameId, world)
        // only in top documents the agent is installed from the start
        else if (
          frameId === this.tab.model.mainFrameId &&
          event.sessionId === this.tab.sessionId &&
          !this.worlds.has(frameId)
        ) {
          this.worlds.set(frameId, world)
        }
        return
      }
      case "Runtime.executionContextDestroyed":
        this.drop(event.sessionId, (world) => world.contextId === event.params.executionContextId)
        return
      case "Runtime.executionContextsCleared":
        this.takenBack.clear()
        for (const world of this.worlds.values()) {
          if (world.sessionId === event.sessionId && world.uniqueId !== undefined) {
            this.takenBack.set(world.uniqueId, world)
          }
        }
        this.drop(event.sessionId, () => true)
    }
  }

  private drop(sessionId: string | undefined, which: (world: World) => boolean): void {
    for (const [frameId, world] of this.worlds) {
      if (world.sessionId === sessionId && which(world)) this.worlds.delete(frameId)
    }
  }

  /** The execution context of the agent in the frame's present document. */
  context(frame: FrameModel): Effect.Effect<number, CdpError | DocumentGone> {
    return Effect.suspend(() => {
      const known = this.worlds.get(frame.id)
      if (known !== undefined && known.sessionId === frame.sessionId) return Effect.succeed(known.contextId)
      return this.tab.send("Page.createIsolatedWorld", { frameId: frame.id, worldName }, frame).pipe(
        Effect.tap(({ executionContextId }) => this.install(frame, executionContextId)),
        Effect.map(({ executionContextId }) => {
          const uniqueId = this.uniqueIds.get(`${frame.sessionId} ${executionContextId}`)
          this.worlds.set(frame.id, { sessionId: frame.sessionId, contextId: executionContextId, uniqueId })
          return executionContextId
        }),
        this.orGone(frame)
      )
    })
  }

  private install(frame: FrameModel, contextId: number) {
    return this.tab.send("Runtime.evaluate", { expression: install, contextId, returnByValue: true }, frame).pipe(
      // the page's own world is the one that it had before, too: what was to run in it at its start has not
      Effect.tap(({ result }) =>
        result.value === false && frame.id === this.tab.model.mainFrameId
          ? this.tab.send("Runtime.evaluate", { expression: pageWorldScript })
          : Effect.void
      )
    )
  }

  /** Forgets the world of a frame whose context turned out to be gone; by then there may be another one. */
  private forget(frame: FrameModel, contextId: number | undefined): void {
    if (this.worlds.get(frame.id)?.contextId === contextId) this.worlds.delete(frame.id)
  }

  /** `contextId`: the context that was asked, if there was one. */
  private orGone(frame: FrameModel, contextId?: number) {
    return <A>(effect: Effect.Effect<A, CdpError>): Effect.Effect<A, CdpError | DocumentGone> =>
      Effect.catchTag(effect, "CdpFailed", (error): Effect.Effect<never, CdpError | DocumentGone> => {
        if (!isGone(error.reason)) return Effect.fail(error)
        this.forget(frame, contextId)
        return Effect.fail(new DocumentGone({ frameId: frame.id, begun: !error.reason.startsWith("Cannot find") }))
      })
  }

  /** Calls a function of the agent in `frame`. A world that vanished before the call began is made anew, once. */
  call<F extends AgentFunction>(
    frame: FrameModel,
    name: F,
    argument: Parameters<PageAgent[F]>[0]
  ): Effect.Effect<Answers[F]["Type"], CdpError | DocumentGone> {
    const attempt = Effect.flatMap(this.context(frame), (executionContextId) => {
      const asked = this.tab.send(
        "Runtime.callFunctionOn",
        {
          functionDeclaration: callAgent,
          arguments: [{ value: name }, { value: argument }],
          executionContextId,
          returnByValue: true,
          awaitPromise: waiting.has(name)
        },
        frame
      )
      return Effect.flatMap(asked, (reply) =>
        // Electron before 42 at times makes the world and leaves out the script that was to run in it
        reply.exceptionDetails?.exception?.value === noAgent
          ? Effect.andThen(this.install(frame, executionContextId), asked)
          : Effect.succeed(reply)
      ).pipe(this.orGone(frame, executionContextId))
    })
    if (acting.has(name) && frame.id !== this.tab.model.mainFrameId) this.actedIn.add(frame.id)
    const hadWorld = this.worlds.has(frame.id)
    return attempt.pipe(
      // a world that was remembered from before may be gone without our knowing; then nothing has run yet
      hadWorld
        ? Effect.catchIf(
            (error): error is DocumentGone => error instanceof DocumentGone && !error.begun && this.isCurrent(frame),
            () => attempt
          )
        : (effect) => effect,
      Effect.flatMap((reply): Effect.Effect<Answers[F]["Type"], CdpError> => {
        if (reply.exceptionDetails !== undefined) {
          const reason = reply.exceptionDetails.exception?.description ?? reply.exceptionDetails.text
          return Effect.fail(new CdpFailed({ method: `page agent ${name}`, cdpCode: 0, reason: reason.slice(0, 300) }))
        }
        return Schema.decodeUnknownEffect(answers[name] as Schema.Codec<Answers[F]["Type"], unknown>)(
          reply.result.value
        ).pipe(
          Effect.mapError(
            (issue) =>
              new CdpFailed({
                method: `page agent ${name}`,
                cdpCode: 0,
                reason: `unexpected answer: ${issue.message}`.slice(0, 300)
              })
          )
        )
      })
    )
  }

  private isCurrent(frame: FrameModel): boolean {
    const now = this.tab.model.frames.get(frame.id)
    return now !== undefined && now.loaderId === frame.loaderId
  }
}
