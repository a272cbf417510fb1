/** What is done about each step of a download: pure decisions over what the browser tells. */
import type { Protocol } from "devtools-protocol"
import { DownloadFailed, DownloadTooLarge, NavigationBlocked } from "../../schemas/errors.ts"
import type { Admission } from "./admission.ts"
import { nameOfResponse } from "./downloadName.ts"

export type Paused = Protocol.Fetch.RequestPausedEvent

/** What the response promises. */
export interface Promised {
  readonly url: string
  readonly name: string
  readonly mimeType: string | undefined
  /** bytes; undefined where the response does not tell, or tells those of its compressed form */
  readonly length: number | undefined
}

export type PauseDecision =
  | { readonly do: "continue" }
  | { readonly do: "take"; readonly promised: Promised }
  | { readonly do: "fail"; readonly error: NavigationBlocked | DownloadFailed | DownloadTooLarge }

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const headerOf = (paused: Paused, name: string): string | undefined =>
  paused.responseHeaders?.find((header) => header.name.toLowerCase() === name)?.value

const promisedBy = (paused: Paused): Promised => {
  const declared = Number(headerOf(paused, "content-length") ?? Number.NaN)
  const encoded = (headerOf(paused, "content-encoding") ?? "identity") !== "identity"
  return {
    url: paused.request.url,
    name: nameOfResponse(headerOf(paused, "content-disposition"), paused.request.url),
    mimeType: headerOf(paused, "content-type")?.split(";")[0]?.trim() || undefined,
    length: encoded || !Number.isInteger(declared) ? undefined : declared
  }
}

/** A request goes on if its address is admitted, redirects too; a response is taken if it holds a file that fits. */
export const decide = (paused: Paused, admission: Admission, maxBytes: number): PauseDecision => {
  const { request, responseStatusCode: status } = paused
  const { url } = request
  if (status === undefined) {
    // a failed connection goes on as well: the navigation then says why
    const verdict = admission.document(url)
    return verdict.admitted || paused.responseErrorReason !== undefined
      ? { do: "continue" }
      : { do: "fail", error: new NavigationBlocked({ url: verdict.url, reason: verdict.reason }) }
  }
  if (redirects.has(status) && headerOf(paused, "location") !== undefined) return { do: "continue" }
  if (status < 200 || status > 299) {
    return { do: "fail", error: new DownloadFailed({ url, reason: `the server answered with status ${status}` }) }
  }
  if (status === 204 || status === 205) {
    return { do: "fail", error: new DownloadFailed({ url, reason: `the server sent no content (status ${status})` }) }
  }
  const promised = promisedBy(paused)
  return promised.length !== undefined && promised.length > maxBytes
    ? { do: "fail", error: new DownloadTooLarge({ url, limit: maxBytes }) }
    : { do: "take", promised }
}

/** The headers with which a browser saves any response instead of showing it. */
export const asAttachment = (paused: Paused): Array<Protocol.Fetch.HeaderEntry> => {
  const disposition = headerOf(paused, "content-disposition")
  return [
    ...(paused.responseHeaders ?? []).filter(({ name }) => name.toLowerCase() !== "content-disposition"),
    { name: "Content-Disposition", value: disposition?.replace(/^[^;]*/, "attachment") ?? "attachment" }
  ]
}

/** Why a file is not whole, by the bytes that came and those that it has; 0: the browser does not tell. */
export const cutShort = (received: number, total: number): string => {
  if (received > 0) return `the connection ended after ${inUnits(received)}${total > 0 ? ` of ${inUnits(total)}` : ""}`
  return `the connection ended before the file had come; how much of ${total > 0 ? `its ${inUnits(total)}` : "it"} came is not known`
}

/** How far a download was when it was given up; `progress` is undefined before the server has answered. */
export const givenUp = (
  progress: { readonly received: number; readonly total: number | undefined } | undefined
): string => {
  if (progress === undefined) return "the server has not answered; nothing was saved"
  const { received, total } = progress
  const come = received === 0 ? "nothing" : inUnits(received)
  return `${come} of ${total === undefined ? "the file" : inUnits(total)} had come; no partial file was left`
}

const units = ["bytes", "KB", "MB", "GB"] as const

/** "12.3 MB" */
export const inUnits = (bytes: number): string => {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
