/** Tells when the title of the top document changes, so that the list of tabs need not ask, and when a page is printed. */
import { documentReady, documentTitle, listen, rootElement } from "./dom.ts"

/** Characters of a title that are told. */
const longest = 300

/** Calls the function that the browser put under `name` into this world whenever the page is printed. */
export const watchPrinting = (name: string): void =>
  listen(window, "beforeprint", () => {
    const call = (globalThis as unknown as Record<string, unknown>)[name]
    if (typeof call === "function") call("")
  })

/** Calls the function that the browser put under `name` into this world (it cannot be seen from the page's own). */
export const watchTitle = (name: string): void => {
  if (window !== window.top) return
  let told: string | undefined
  const tell = (): void => {
    const title = documentTitle().slice(0, longest)
    const call = (globalThis as unknown as Record<string, unknown>)[name]
    if (title === told || typeof call !== "function") return
    told = title
    call(title)
  }
  const start = (): void => {
    // titles stand in the head; the rest of the document is not watched for them
    const head = document.head ?? rootElement()
    if (head !== null) new MutationObserver(tell).observe(head, { subtree: true, childList: true, characterData: true })
    tell()
  }
  if (documentReady() === "loading") listen(document, "DOMContentLoaded", start, { once: true })
  else start()
}
