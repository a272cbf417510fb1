/** What pages and servers get to know of this browser: that of any Chromium of its version. */
import { app, type Session } from "electron"
import { acceptLanguage, clientHints, languagesOf, plainUserAgent } from "./core/fingerprint.ts"

/** Permissions that a page gets without anybody being asked; the others are refused, as in a browser without a person. */
const granted: ReadonlySet<string> = new Set(["clipboard-sanitized-write", "fullscreen", "pointerLock"])

/** For the whole application; before the first page. */
export const hideElectron = (): void => {
  app.userAgentFallback = plainUserAgent(app.userAgentFallback)
}

/** For one storage; before its first page. */
export const disguise = (session: Session): void => {
  const header = acceptLanguage(app.getPreferredSystemLanguages())
  session.setUserAgent(app.userAgentFallback, languagesOf(header))
  session.webRequest.onBeforeSendHeaders((details, proceed) => {
    const present = new Set(Object.keys(details.requestHeaders).map((name) => name.toLowerCase()))
    const missing = Object.entries(clientHints(details.url, process.versions.chrome, process.platform)).filter(
      ([name]) => !present.has(name)
    )
    proceed({ requestHeaders: { ...details.requestHeaders, ...Object.fromEntries(missing) } })
  })
  session.setPermissionRequestHandler((_, permission, decide) => decide(granted.has(permission)))
}
