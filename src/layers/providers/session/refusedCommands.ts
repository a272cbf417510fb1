/**
 * Raw protocol commands that are not sent, because they would break what everything else rests on, reach past the
 * session, or get around what is admitted. Each with what to do instead.
 */

const ownPages = "pages are opened and closed by browser_open, browser_close_tab and browser_reset, which keep count"
const ownSessions = "sessions are attached and kept here; name a target_id or frame_id to reach a target"
const heard = "the session listens to this domain; switched off, it would no longer see dialogs, frames or requests"
const held = "requests would be held that nobody answers, and the page would hang; the session uses this domain itself"
const files = "files of this machine are read and written only by tools that admit the path"
const focus = "it takes the screen from the person before it; tabs work without being in front"
const browser = "it would end the browser for everyone who uses it; browser_reset_session ends this session"

const exact: ReadonlyMap<string, string> = new Map([
  ["Browser.close", browser],
  ["Browser.crash", browser],
  ["Browser.crashGpuProcess", browser],
  ["Target.createTarget", ownPages],
  ["Target.closeTarget", ownPages],
  ["Page.close", ownPages],
  ["Page.crash", "a crashed page answers nothing; browser_close_tab closes it"],
  ["Target.createBrowserContext", "a session has its own storage if the configuration says isolated"],
  ["Target.disposeBrowserContext", "it would close the pages of whoever uses that storage"],
  ["Target.setAutoAttach", ownSessions],
  ["Target.autoAttachRelated", ownSessions],
  ["Target.setDiscoverTargets", ownSessions],
  ["Target.setRemoteLocations", ownSessions],
  ["Target.attachToTarget", ownSessions],
  ["Target.attachToBrowserTarget", ownSessions],
  ["Target.detachFromTarget", ownSessions],
  ["Target.sendMessageToTarget", ownSessions],
  ["Target.exposeDevToolsProtocol", "a page would get hold of the whole browser"],
  ["Target.activateTarget", focus],
  ["Page.bringToFront", focus],
  ["Page.handleJavaScriptDialog", "browser_dialog answers dialogs, and files who did"],
  ["Page.disable", heard],
  ["Runtime.disable", heard],
  ["Network.disable", heard],
  ["Inspector.disable", heard],
  ["Debugger.disable", heard],
  ["Runtime.discardConsoleEntries", "browser_console shows only what came since a time, if it is asked to"],
  ["Network.setRequestInterception", held],
  ["Browser.setDownloadBehavior", files],
  ["Page.setDownloadBehavior", files],
  ["DOM.setFileInputFiles", files],
  ["Extensions.loadUnpacked", files]
])

const domains: ReadonlyMap<string, string> = new Map([
  ["Fetch", held],
  ["PWA", files]
])

const namesFiles = (params: { readonly [key: string]: unknown }): boolean => {
  const data = params["data"]
  if (typeof data !== "object" || data === null || !("files" in data)) return false
  return Array.isArray(data.files) && data.files.length > 0
}

/** Why a command is not sent; undefined: it may be. */
export const refusalOf = (method: string, params: { readonly [key: string]: unknown }): string | undefined =>
  exact.get(method) ??
  domains.get(method.slice(0, method.indexOf("."))) ??
  (method === "Input.dispatchDragEvent" && namesFiles(params) ? files : undefined)

/** Commands that load the address in `url`: it must be admitted, as in browser_open. */
export const loadsAddress = (method: string): boolean =>
  method === "Page.navigate" || method === "Network.loadNetworkResource"

/** Commands that need no page: sent to the browser itself unless a target is named. */
export const isForBrowser = (method: string): boolean => /^(Browser|Target|SystemInfo|Tethering)\./.test(method)

/** Commands of a page that lead away from it, or only ask where it stands: allowed on a page that may not be read. */
export const leavesPage = (method: string): boolean =>
  isForBrowser(method) ||
  [
    "Page.navigate",
    "Page.reload",
    "Page.stopLoading",
    "Page.getNavigationHistory",
    "Page.navigateToHistoryEntry"
  ].includes(method)

/**
 * Commands that the browser answers while a dialog blocks the page, as measured: they are dealt with outside the
 * page's process, or free it.
 */
export const answersWhileDialog = (method: string): boolean =>
  leavesPage(method) ||
  method.startsWith("Storage.") ||
  [
    "Network.getCookies",
    "Network.getAllCookies",
    "Network.setCookie",
    "Network.setCookies",
    "Network.deleteCookies",
    "Network.clearBrowserCookies",
    "Network.clearBrowserCache"
  ].includes(method)
