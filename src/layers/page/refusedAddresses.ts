/** Addresses that no browser opens from a page, and what is known of them. Pure. */
import type { CdpEvent } from "../../services/CdpConnection.ts"

/** Schemes of what a browser shows by itself, or refuses by itself; any other is for another program. */
const own = /^(https?|javascript|about|blob|data|file|filesystem|view-source|chrome[a-z-]*|devtools|edge|brave):/i

/** The browser's words for what it kept a page from; there is no other event of that. */
const kept = /^Not allowed to (?:load local resource|navigate top frame to [\w-]+ URL): (.+)$/s

/** Why nothing came of an address that a page led to, by its scheme. */
export const whyRefused = (url: string): string => {
  const scheme = url.slice(0, url.indexOf(":") + 1).toLowerCase()
  if (scheme === "file:") return "a browser lets no page open files of its machine"
  if (scheme === "data:") return "a browser lets no page replace itself by a data: address"
  return own.test(scheme)
    ? `a browser lets no page open ${scheme} addresses`
    : `nothing in this browser opens ${scheme} addresses`
}

/** Whether an address is for another program. */
export const isForeign = (url: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(url) && !own.test(url)

/** Whether a window that a page opens for an address shows no document but its first, blank one. */
export const staysBlank = (url: string): boolean =>
  url === "" || isForeign(url) || /^(?:about:blank$|javascript:|data:)/i.test(url)

/** An address that an event tells the page, or a frame of it, was led to and was not let through to. */
export const refusedBy = (event: CdpEvent): string | undefined => {
  switch (event.method) {
    case "Network.requestWillBeSent": {
      const { request, type } = event.params
      return type === "Document" && isForeign(request.url) ? request.url : undefined
    }
    case "Log.entryAdded":
      return kept.exec(event.params.entry.text)?.[1]
    default:
      return undefined
  }
}
