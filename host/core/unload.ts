/**
 * The question of a page whether it may be left. Electron decides it by itself at once; so the question is kept open on
 * this side. Mostly the page stays, and leaving is done anew when the answer is to leave. A form that is posted cannot
 * be done anew: there Electron is told to leave, and the request by which the page leaves is held until the answer.
 * Plain data.
 */

/** How to leave the page: what was asked for, by protocol command or by the page itself. */
export interface Leaving {
  readonly method: string
  readonly params: object
}

/** Leaving by the request that the page makes itself, which is held meanwhile. */
export const byRequest: Leaving = { method: "", params: {} }

export interface Unload {
  /** navigation that a command has asked for and that has not been answered */
  readonly asked: Leaving | undefined
  /** how the page itself is about to go elsewhere */
  readonly requested: Leaving | undefined
  /** the question is open: how to leave if the answer is yes */
  readonly open: Leaving | undefined
  /** the answer was yes, and the page is being left: what it asks now is answered already */
  readonly agreed: boolean
}

export const nothingAsked: Unload = { asked: undefined, requested: undefined, open: undefined, agreed: false }

/** Commands that leave the page. */
export const leaves = (method: string): boolean =>
  method === "Page.navigate" || method === "Page.reload" || method === "Page.navigateToHistoryEntry"

/** Commands that are answered before the page has been asked; the question comes after the answer, or never. */
export const answeredFirst = (method: string): boolean => leaves(method) && method !== "Page.navigate"

/** A command of that kind whose question has not come by now: no later question is its own. */
const withoutAnswered = (state: Unload): Unload =>
  state.asked !== undefined && answeredFirst(state.asked.method) ? { ...state, asked: undefined } : state

/** What becomes of an event: it is told, or kept back because the question is still open. */
export const unloadAfter = (
  state: Unload,
  method: string,
  params: unknown
): { readonly state: Unload; readonly tell: boolean } => {
  switch (method) {
    case "Page.frameRequestedNavigation": {
      const { frameId, reason, url } = params as {
        readonly frameId?: string
        readonly reason?: string
        readonly url: string
      }
      const requested =
        reason === "formSubmissionPost" && /^https?:/.test(url)
          ? byRequest
          : { method: "Page.navigate", params: { url, ...(frameId === undefined ? {} : { frameId }) } }
      return { state: { ...withoutAnswered(state), requested }, tell: true }
    }
    case "Page.javascriptDialogOpening": {
      if ((params as { readonly type: string }).type !== "beforeunload") return { state, tell: true }
      if (state.agreed) return { state, tell: false }
      return { state: { ...state, open: state.asked ?? state.requested }, tell: true }
    }
    case "Page.javascriptDialogClosed":
      return { state, tell: state.open === undefined && !state.agreed }
    case "Page.frameNavigated": {
      const { frame } = params as { readonly frame: { readonly parentId?: string } }
      return { state: frame.parentId === undefined ? nothingAsked : state, tell: true }
    }
    case "Page.navigatedWithinDocument":
      return { state: withoutAnswered(state), tell: true }
    default:
      return { state, tell: true }
  }
}
