/**
 * Raw protocol commands of an agent: to the browser, to a tab, or to a frame at any depth.
 *
 * A frame with a process of its own is reached by its session. A frame that shares its parent's process has none;
 * scripts reach it all the same, by the execution context of its document. Everything else is refused there, for it
 * would act on the parent instead.
 */
import { Effect, type Schema, type Scope } from "effect"
import type { Dialog } from "../../../schemas/dialog.ts"
import {
  CdpRefused,
  DialogOpen,
  FrameInProcess,
  FrameUnknown,
  NavigationBlocked,
  SessionLost,
  TabUnknown
} from "../../../schemas/errors.ts"
import type { CdpSessionId, FrameId } from "../../../schemas/ids.ts"
import type { CdpParams, CdpResult } from "../../../schemas/tools/diagnostics.ts"
import type { BrowserSession, CdpCommandError } from "../../../services/BrowserSession.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { admit } from "../../page/admission.ts"
import type { FrameModel } from "../../page/FrameTable.ts"
import type { Tab } from "../../page/Tab.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import { boundedJson } from "./boundedJson.ts"
import { makeMainWorlds } from "./MainWorlds.ts"
import { answersWhileDialog, isForBrowser, leavesPage, loadsAddress, refusalOf } from "./refusedCommands.ts"
import type { Tabs } from "./Tabs.ts"

/** Characters of the JSON of a result. */
const resultLimit = 25_000

/** Time (ms) that a command gets to be answered after all when a dialog has opened. */
const dialogGrace = 100

/** Where a command goes. */
interface Route {
  /** undefined: the browser itself */
  readonly tab: Tab | undefined
  readonly sessionId: CdpSessionId | undefined
  readonly params: NonNullable<CdpParams["params"]>
  /** it runs beside the pages, whose dialogs do not stand in its way */
  readonly apart?: boolean
  /** what the result says of it */
  readonly said: Pick<CdpResult, "frame_id" | "session_id" | "target_id" | "reached_by">
}

interface Parts {
  readonly connection: CdpConnection["Service"]
  readonly supervisor: Supervisor
  readonly tabs: Tabs
}

/** What the agent has set for a tab is what we go back to when we set it for a moment. */
const noteScripts = (
  tab: Tab | undefined,
  sessionId: CdpSessionId | undefined,
  method: string,
  params: object
): void => {
  if (method !== "Emulation.setScriptExecutionDisabled" || tab === undefined || sessionId !== tab.sessionId) return
  tab.scriptsDisabled = Reflect.get(params, "value") === true
}

export const makeRawCommands = ({
  connection,
  supervisor,
  tabs
}: Parts): Effect.Effect<BrowserSession["cdp"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const worlds = yield* makeMainWorlds(connection, (sessionId) => tabs.ofSession(sessionId) !== undefined)

    const toBrowser = (params: Route["params"]): Route => ({ tab: undefined, sessionId: undefined, params, said: {} })

    const toTab = (tab: Tab, params: Route["params"], said: Route["said"]): Route => ({
      tab,
      sessionId: tab.sessionId,
      params,
      said: { ...said, target_id: tab.targetId }
    })

    const toContext = (tab: Tab, frame: FrameModel, method: string, params: Route["params"]) => {
      const said = { frame_id: frame.id, session_id: frame.sessionId, reached_by: "execution_context" } as const
      // who names an object or a context has chosen where to run
      const chosen = ["objectId", "executionContextId", "contextId", "uniqueContextId"].some((key) => key in params)
      const uniqueContextId = worlds.of(frame.id, frame.sessionId)
      if (method !== "Runtime.evaluate" && method !== "Runtime.callFunctionOn") {
        return Effect.fail(new FrameInProcess({ frameId: frame.id }))
      }
      if (!chosen && uniqueContextId === undefined) return Effect.fail(new FrameUnknown({ frameId: frame.id }))
      return Effect.succeed<Route>({
        tab,
        sessionId: frame.sessionId,
        params: chosen ? params : { ...params, uniqueContextId: uniqueContextId as string },
        said
      })
    }

    const toFrame = (frameId: string, method: string, params: Route["params"]) => {
      for (const { tab } of tabs.pages()) {
        const frame = tab.model.frames.get(frameId as FrameId)
        if (frame === undefined) continue
        if (frame.id === tab.model.mainFrameId) {
          const said = { frame_id: frameId, session_id: tab.sessionId, reached_by: "session" } as const
          return Effect.succeed(toTab(tab, params, said))
        }
        const parent = frame.parentId === undefined ? undefined : tab.model.frames.get(frame.parentId)
        if (parent?.sessionId === frame.sessionId) return toContext(tab, frame, method, params)
        const said = { frame_id: frameId, session_id: frame.sessionId, reached_by: "session" } as const
        return Effect.succeed<Route>({ tab, sessionId: frame.sessionId, params, said: { ...said, target_id: frameId } })
      }
      return Effect.fail(new FrameUnknown({ frameId }))
    }

    const toTarget = (id: string, method: string, params: Route["params"]) => {
      const pages = tabs.pages()
      const page = pages.find(({ tab }) => tab.id === id || tab.targetId === id)
      if (page !== undefined) return Effect.succeed(toTab(page.tab, params, {}))
      // the target of a frame has the frame's id
      if (pages.some(({ tab }) => tab.model.frames.has(id as FrameId))) return toFrame(id, method, params)
      const worker = tabs.workers.ofTarget(id)
      if (worker !== undefined) {
        const { sessionId } = worker
        const said = { target_id: id, session_id: sessionId }
        return Effect.succeed<Route>({ tab: worker.page.tab, sessionId, params, said, apart: true })
      }
      return Effect.fail(new TabUnknown({ tabId: id, known: pages.map(({ tab }) => tab.id) }))
    }

    const route = ({ frame_id, method, params = {}, target_id }: CdpParams) =>
      Effect.suspend((): Effect.Effect<Route, FrameUnknown | FrameInProcess | TabUnknown> => {
        if (frame_id !== undefined) return toFrame(frame_id, method, params)
        if (target_id !== undefined) return toTarget(target_id, method, params)
        if (isForBrowser(method)) return Effect.succeed(toBrowser(params))
        const page = tabs.active()
        return page === undefined
          ? Effect.fail(new TabUnknown({ tabId: "active", known: [] }))
          : Effect.succeed(toTab(page.tab, params, {}))
      })

    /** Whether a dialog may be that of what renders for that session. */
    const isOf = (dialog: Dialog, sessionId: CdpSessionId | undefined): boolean => {
      const shown = dialog.frame_id === undefined ? undefined : supervisor.frame(dialog.frame_id)?.frame
      return shown?.sessionId === undefined || shown.sessionId === sessionId
    }

    /** Whether a dialog keeps what renders for that session from answering. */
    const blocks = (dialog: Dialog, sessionId: CdpSessionId | undefined, method: string): boolean =>
      supervisor.isReadable(dialog.tab_id) ? method.startsWith("Input.") : isOf(dialog, sessionId)

    const readable = (tab: Tab, method: string) => {
      const refusal = leavesPage(method) ? undefined : tab.refusal()
      return refusal === undefined
        ? Effect.void
        : Effect.fail(new NavigationBlocked({ url: refusal.url, reason: refusal.reason }))
    }

    /** Completes when a dialog has opened that the command will have to wait for; what opened one at the gate waits, too. */
    const dialogOpens = (tab: Tab, sessionId: CdpSessionId | undefined) =>
      Effect.callback<Dialog>((resume) => {
        const stop = tab.dialogs.onBlocked(tab.id, (dialog) => {
          if (isOf(dialog, sessionId)) resume(Effect.succeed(dialog))
        })
        return Effect.sync(stop)
      }).pipe(Effect.tap(() => Effect.sleep(dialogGrace)))

    const send = (
      { apart = false, params, said, sessionId, tab }: Route,
      method: string,
      timeout: number
    ): Effect.Effect<CdpResult, CdpCommandError> =>
      Effect.gen(function* () {
        const answered = Effect.map(connection.raw(method, params, { sessionId, timeout }), (result): CdpResult => {
          noteScripts(tab, sessionId, method, params)
          const bounded = boundedJson(result as Schema.Json, resultLimit)
          return {
            success: true,
            method,
            result: bounded.value,
            ...(bounded.truncated ? { truncated: true } : {}),
            ...said
          }
        })
        if (tab === undefined || answersWhileDialog(method)) return yield* answered
        yield* readable(tab, method)
        if (apart) return yield* Effect.tap(answered, () => readable(tab, method))
        const open = tab.dialogs.blocking(tab.id).find((dialog) => blocks(dialog, sessionId, method))
        // not sent: it would be carried out whenever the dialog is answered
        if (open !== undefined) return yield* new DialogOpen({ dialog: open, operation: method })
        // listens before it sends
        const result = yield* Effect.raceFirst(
          Effect.map(dialogOpens(tab, sessionId), (dialog): CdpResult => ({ success: true, method, ...said, dialog })),
          answered
        )
        yield* readable(tab, method)
        return result
      }).pipe(
        Effect.mapError(
          (error): CdpCommandError =>
            tab !== undefined
              ? tab.pageError(error)
              : error._tag === "ConnectionLost"
                ? new SessionLost({ reason: error.reason })
                : error
        )
      )

    return Effect.fn("BrowserSession.cdp")(function* ({ timeoutMs, ...command }) {
      const { method, params = {} } = command
      yield* tabs.alive
      const reason = refusalOf(method, params)
      if (reason !== undefined) return yield* new CdpRefused({ method, reason })
      const address = loadsAddress(method) ? params["url"] : undefined
      if (typeof address === "string") yield* admit(tabs.admission, address)
      return yield* Effect.flatMap(route(command), (found) => send(found, method, timeoutMs))
    })
  })
