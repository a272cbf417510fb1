/** Dialogs before the eyes of a person: shown in the window while they wait, answered there by the person too. */
import { Effect, FiberSet, type Scope } from "effect"
import type { Dialog } from "../../../schemas/dialog.ts"
import type { ShownDialog } from "../../../schemas/HostProtocol.ts"
import type { TabId } from "../../../schemas/ids.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import type { SessionWindow } from "./CdpSessionOptions.ts"
import type { Tabs } from "./Tabs.ts"

/** Characters of a dialog's texts that are shown. */
const shownText = 4_000
/** Dialogs of one page that are shown. */
const shownDialogs = 20

const cut = (text: string): string => (text.length <= shownText ? text : `${text.slice(0, shownText - 1)}…`)

/** Whose dialog it is; empty where the browser does not say which frame asks. */
const originOf = (supervisor: Supervisor, { frame_id, tab_id }: Dialog): string => {
  const { children, top } = supervisor.frameTree(tab_id)
  // of several frames, any may be the one that asks
  const id = frame_id ?? (children.length === 0 ? top?.frame_id : undefined)
  let frame = id === undefined ? undefined : supervisor.frame(id)?.frame
  // documents without an address of their own have the origin of the one around them
  while (frame !== undefined && !/^[a-z]+:\/\/[^/]/.test(frame.origin) && frame.parentId !== undefined) {
    frame = supervisor.frame(frame.parentId)?.frame
  }
  if (frame === undefined) return ""
  return /^[a-z]+:\/\/[^/]/.test(frame.origin) ? frame.origin : `${frame.url.split(":")[0]}:`
}

const shown = (supervisor: Supervisor, dialog: Dialog): ShownDialog => ({
  id: dialog.id,
  type: dialog.type,
  message: cut(dialog.message),
  origin: originOf(supervisor, dialog),
  ...(dialog.default_prompt === undefined ? {} : { defaultPrompt: dialog.default_prompt.slice(0, shownText) }),
  ...(dialog.remedy === undefined ? {} : { remedy: dialog.remedy })
})

/** Shows a session's dialogs, and gives the person's answers, until the scope closes. */
export const showDialogs = Effect.fnUntraced(function* (
  window: SessionWindow,
  supervisor: Supervisor,
  tabs: Pick<Tabs, "pages">
): Effect.fn.Return<void, never, Scope.Scope> {
  const answer = yield* FiberSet.makeRuntime()
  const show = (tabId: TabId): void => {
    const targetId = tabs.pages().find(({ tab }) => tab.id === tabId)?.tab.targetId
    // a page that is gone shows none
    if (targetId === undefined) return
    const dialogs = supervisor.pendingDialogs(tabId).slice(0, shownDialogs)
    window.showDialogs(
      targetId,
      dialogs.map((dialog) => shown(supervisor, dialog))
    )
  }
  const listen = (subscribe: () => () => void) =>
    Effect.acquireRelease(Effect.sync(subscribe), (stop) => Effect.sync(stop))
  yield* listen(() => supervisor.onDialog(({ tab_id }) => show(tab_id)))
  yield* listen(() => supervisor.onDialogClosed(({ tab_id }) => show(tab_id)))
  yield* window.onAnswer(({ accept, dialogId, text }) => {
    const params = {
      action: accept ? ("accept" as const) : ("dismiss" as const),
      dialog_id: dialogId,
      prompt_text: text
    }
    // one that is gone, or that nobody can answer, is shown as it is now
    answer(Effect.ignore(supervisor.answer(params, "remote")))
  })
})
