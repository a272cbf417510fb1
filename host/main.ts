/** The view host: an Electron main process that shows its parent's pages in one window, and ends with its parent. */
import { mkdirSync } from "node:fs"
import { app, session } from "electron"
import { Schema } from "effect"
import { HostSettings, hostProtocolVersion, hostSettingsVariable, type HostEvent } from "../src/schemas/HostProtocol.ts"
import { Captures } from "./Captures.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { Downloads } from "./Downloads.ts"
import { endWithParent, removeTemporary } from "./endWithParent.ts"
import { makeHandlers } from "./handlers.ts"
import { HostWindow } from "./HostWindow.ts"
import { disguise, hideElectron } from "./identity.ts"
import { type Link, openLink } from "./Link.ts"
import { Popups } from "./Popups.ts"
import { Views } from "./Views.ts"

/** Time (ms) that an orderly end may take when the parent is gone. */
const patience = 3_000

/** As for a Chromium that is started by us. */
const switches = [
  // a press that comes before a page has drawn itself for the first time would be dropped without a word
  "allow-pre-commit-input",
  // hidden pages go on, whatever covers the window
  "disable-backgrounding-occluded-windows",
  "disable-renderer-backgrounding",
  "disable-background-timer-throttling"
]

const readSettings = (): HostSettings => {
  const text = process.env[hostSettingsVariable]
  // the secret is for this process only
  delete process.env[hostSettingsVariable]
  return Schema.decodeUnknownSync(Schema.fromJsonString(HostSettings))(text)
}

let ending = false

/** Ends for certain; logins are written first, if that can be done in time. */
const end = (): void => {
  if (ending) return
  ending = true
  setTimeout(() => {
    removeTemporary(settings.temporary)
    process.kill(process.pid, "SIGKILL")
  }, patience)
  const written = app.isReady() ? session.defaultSession.cookies.flushStore() : Promise.resolve()
  const late = new Promise<void>((resolve) => setTimeout(resolve, 1_000))
  void Promise.race([written.catch(() => {}), late]).then(() => app.exit(0))
}

const serve = async (settings: HostSettings): Promise<void> => {
  let take = (_line: string): void => {}
  const link: Link = await openLink({
    port: settings.port,
    temporary: settings.temporary,
    line: (text) => take(text),
    gone: end
  })
  const greeting = {
    secret: settings.secret,
    protocol: hostProtocolVersion,
    pid: process.pid,
    chrome: process.versions["chrome"] ?? "",
    electron: process.versions["electron"] ?? "",
    userAgent: app.userAgentFallback
  }
  if (!app.requestSingleInstanceLock()) {
    link.greet({ ...greeting, problem: "profileInUse" })
    await link.drained(500)
    return end()
  }
  await app.whenReady()
  const tell = (event: HostEvent): void => link.tell(event)
  const window = new HostWindow({ title: settings.title, size: settings.window, tell })
  const downloads = new Downloads({ window, views: () => views })
  const popups = new Popups(window, () => views)
  const views: Views = new Views({
    window,
    tell,
    prepare: (session) => {
      disguise(session)
      downloads.follow(session)
      popups.follow(session)
    }
  })
  const captures = new Captures(window, views)
  const dispatcher = new Dispatcher(
    makeHandlers({ window, views, captures, downloads, popups, temporary: settings.temporary }),
    link
  )
  take = (line) => dispatcher.take(line)
  window.onClosed(() => {
    tell({ event: "ending", reason: "its window was closed" })
    void link.drained(500).then(end)
  })
  link.greet(greeting)
}

// what goes wrong in one page must not take the others with it
process.on("uncaughtException", (error) => console.error("view host:", error))
process.on("unhandledRejection", (reason) => console.error("view host:", reason))
app.on("window-all-closed", () => {})

for (const name of switches) app.commandLine.appendSwitch(name)
// it would write its advice for developers into the console of every page
process.env["ELECTRON_DISABLE_SECURITY_WARNINGS"] = "true"

const settings = readSettings()
process.on("exit", () => removeTemporary(settings.temporary))
endWithParent(end, { patience, temporary: settings.temporary })
mkdirSync(settings.temporary, { recursive: true, mode: 0o700 })
app.setPath("userData", settings.userData)
hideElectron()
serve(settings).catch((error: unknown) => {
  console.error("view host:", error)
  app.exit(1)
})
