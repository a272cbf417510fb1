/**
 * Runs in the page's own world before its scripts: `alert`, `confirm` and `prompt` ask by a synchronous request to an
 * address that exists nowhere. Whoever intercepts requests of the page answers it; the page waits meanwhile.
 *
 * If the request fails (a Content-Security-Policy or `sync-xhr` forbids it, nobody intercepts it) or its answer is not
 * one to this very question, there is no answer.
 */
import { type Answer, override } from "./dialogOverride.ts"

/** Lays the bridge to `url`. `name` marks the document. */
export const install = (name: string, url: string): void => {
  // the page may change what stands on `window` later
  const { XMLHttpRequest: Request, JSON: json } = window
  const { parse, stringify } = json
  const { apply } = Reflect
  const { open, send } = Request.prototype
  const { get: statusOf } = Object.getOwnPropertyDescriptor(Request.prototype, "status") ?? {}
  const { get: textOf } = Object.getOwnPropertyDescriptor(Request.prototype, "responseText") ?? {}
  const { random } = Math
  let asked = 0

  const read = (reply: unknown, nonce: string): Answer | undefined => {
    if (typeof reply !== "object" || reply === null) return undefined
    const given = reply as { readonly nonce?: unknown; readonly accept?: unknown; readonly text?: unknown }
    return given.nonce === nonce && typeof given.accept === "boolean" && typeof given.text === "string"
      ? { accept: given.accept, text: given.text }
      : undefined
  }

  override(name, (question) => {
    if (statusOf === undefined || textOf === undefined) return undefined
    const nonce = `${++asked}-${random()}`
    try {
      const request = new Request()
      apply(open, request, ["POST", url, false])
      apply(send, request, [stringify({ ...question, nonce })])
      return apply(statusOf, request, []) === 200 ? read(parse(apply(textOf, request, []) as string), nonce) : undefined
    } catch {
      return undefined
    }
  })
}
