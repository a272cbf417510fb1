/** A session in memory: tabs, snapshots, dialogs and a few scripts, for tests of the layers above. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, Layer } from "effect"
import { type Cookie, cookieFits } from "../../src/schemas/cookies.ts"
import type { Dialog, DialogRecord } from "../../src/schemas/dialog.ts"
import * as E from "../../src/schemas/errors.ts"
import { DialogId, ProviderId, SessionId, SnapshotId, TabId } from "../../src/schemas/ids.ts"
import type { Snapshot, SnapshotElement, TabInfo } from "../../src/schemas/snapshot.ts"
import type { ExecuteResult } from "../../src/schemas/tools/reading.ts"
import { Browser } from "../../src/services/Browser.ts"
import type { BackgroundTab, BrowserSession } from "../../src/services/BrowserSession.ts"

/** 1 x 1 pixel */
export const onePixelPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64"
)

export const fakeElement = (ref: number, kind: string, label: string): SnapshotElement => ({
  ref,
  kind,
  label,
  loc: "main",
  x: 50,
  y: 20 * ref,
  width: 100,
  height: 20
})

/** A file of 5 bytes that goes with the scope, as one that was downloaded. */
const fakeDownload = Effect.acquireRelease(
  Effect.sync(() => {
    const file = join(mkdtempSync(join(tmpdir(), "fake-download-")), "file")
    writeFileSync(file, "a,b,c")
    return file
  }),
  (file) => Effect.sync(() => rmSync(dirname(file), { recursive: true, force: true }))
)

/** What a test can look at and steer. */
export interface FakeSession extends BrowserSession {
  /** operations in the order in which they were asked for */
  readonly log: Array<string>
  readonly openDialog: (message: string) => Dialog
}

/**
 * Scripts that `execute` knows: "hang" never ends, "defect" dies, "dialog" opens a dialog, anything else is its value.
 * URLs that contain "refused" cannot be opened.
 */
export const makeFakeSession = (overrides: Partial<BrowserSession> = {}): FakeSession => {
  const provider = ProviderId.make("fake")
  const log: Array<string> = []
  const tabs: Array<{ id: TabId; url: string; title: string }> = [
    { id: TabId.make("t1"), url: "about:blank", title: "" }
  ]
  let active = tabs[0]?.id ?? TabId.make("t1")
  let opened = 1
  let snapshots = 0
  const cookies: Array<Cookie> = []
  const pending: Array<Dialog> = []
  const recent: Array<DialogRecord> = []
  let dialogs = 0

  const note = <A, Err>(operation: string, effect: Effect.Effect<A, Err>): Effect.Effect<A, Err> =>
    Effect.suspend(() => {
      log.push(operation)
      return effect
    })
  const current = () => tabs.find((tab) => tab.id === active)
  const infos = (): ReadonlyArray<TabInfo> => tabs.map((tab) => ({ ...tab, active: tab.id === active }))
  const snapshot = (): Snapshot => ({
    snapshotId: SnapshotId.make(`s${++snapshots}`),
    tabId: active,
    url: current()?.url ?? "",
    title: current()?.title ?? "",
    elements: [
      fakeElement(1, "heading", "Orders"),
      fakeElement(2, "text", "Three orders"),
      fakeElement(3, "button", "Save")
    ],
    ...(pending.length === 0 ? {} : { pending_dialogs: [...pending] })
  })
  const openDialog = (message: string): Dialog => {
    const dialog: Dialog = {
      id: DialogId.make(`d-${++dialogs}`),
      type: "confirm",
      message,
      opened_at: 1,
      tab_id: active
    }
    pending.push(dialog)
    return dialog
  }
  const moved = (url: string) => ({ navigated: false, url })
  const blank = () => {
    const id = TabId.make(`t${++opened}`)
    tabs.push({ id, url: "about:blank", title: "" })
    active = id
  }
  const size = { x: 0, y: 0, maxX: 0, maxY: 0 }

  return {
    id: SessionId.make("fake-1"),
    provider,
    capabilities: {
      dialogs: true,
      frames: true,
      cdp: true,
      nativeCapture: false,
      cookies: true,
      downloads: true,
      visibleToHuman: false
    },
    log,
    openDialog,
    lost: Effect.never,
    tabs: Effect.sync(infos),
    switchTab: (id) =>
      note(
        "switchTab",
        Effect.suspend(() => {
          const tab = tabs.find((one) => one.id === id)
          if (tab === undefined) return Effect.fail(new E.TabUnknown({ tabId: id, known: tabs.map((one) => one.id) }))
          active = id
          return Effect.succeed({ ...tab, active: true })
        })
      ),
    closeTab: (id) =>
      note(
        "closeTab",
        Effect.sync(() => {
          tabs.splice(
            tabs.findIndex((tab) => tab.id === id),
            1
          )
          if (tabs.length === 0) blank()
          active = tabs[0]?.id ?? active
          return active
        })
      ),
    reset: note(
      "reset",
      Effect.sync(() => {
        tabs.length = 0
        blank()
      })
    ),
    open: ({ url, newTab }) =>
      note(
        "open",
        Effect.suspend(() => {
          if (url.includes("refused"))
            return Effect.fail(new E.NavigationFailed({ url, reason: "net::ERR_CONNECTION_REFUSED" }))
          if (newTab) blank()
          pending.length = 0
          const tab = current()
          if (tab !== undefined) Object.assign(tab, { url, title: "Shop" })
          return Effect.succeed(snapshot())
        })
      ),
    back: note(
      "back",
      Effect.sync(() => moved(current()?.url ?? ""))
    ),
    forward: note(
      "forward",
      Effect.sync(() => moved(current()?.url ?? ""))
    ),
    reload: note(
      "reload",
      Effect.sync(() => ({ reloaded: true, url: current()?.url ?? "" }))
    ),
    stop: note("stop", Effect.void),
    snapshot: () => note("snapshot", Effect.sync(snapshot)),
    find: () =>
      note(
        "find",
        Effect.sync(() => ({ snapshotId: SnapshotId.make("s1"), matches: [], total: 0, truncated: false }))
      ),
    content: () =>
      note("content", Effect.succeed({ content: "# Orders\n\nThree orders", truncated: false, total: 22 })),
    execute: ({ script }) =>
      note(
        `execute ${script}`,
        Effect.suspend((): Effect.Effect<typeof ExecuteResult.Type> => {
          if (script === "hang") return Effect.never
          if (script === "defect") return Effect.die(new Error("secret ws://127.0.0.1:9222/devtools/token"))
          if (script === "dialog")
            return Effect.succeed({ ok: true, kind: "undefined" as const, dialog: openDialog("Sure?") })
          return Effect.succeed({ ok: true, kind: "json" as const, value: JSON.stringify(script) })
        })
      ),
    screenshot: () =>
      note("screenshot", Effect.succeed({ data: onePixelPng, mimeType: "image/png", width: 1, height: 1, scale: 1 })),
    waitFor: () => note("waitFor", Effect.succeed({ found: true, waitedMs: 1 })),
    clickRef: ({ ref }) =>
      note(`clickRef ${ref}`, Effect.succeed({ clicked: true, target: 'button "Save"', x: 50, y: 60 })),
    click: () => note("click", Effect.succeed({ clicked: true })),
    hover: () => note("hover", Effect.succeed({ hovered: true })),
    drag: () => note("drag", Effect.succeed({ dragged: true })),
    scroll: () => note("scroll", Effect.succeed({ ...size, moved: false })),
    scrollIntoView: () => note("scrollIntoView", Effect.succeed({ ...size, scrolled: true })),
    type: ({ text }) => note("type", Effect.succeed({ typed: true, into: 'textbox "Name"', value: text })),
    pressKey: ({ key }) => note(`pressKey ${key}`, Effect.succeed({ pressed: true })),
    fill: ({ fields }) =>
      note("fill", Effect.succeed({ fields: fields.map(() => ({ ok: true, target: "textbox" })), submitted: false })),
    cookies: note(
      "cookies",
      Effect.sync(() => [...cookies])
    ),
    setCookies: (list) =>
      note(
        "setCookies",
        Effect.sync(() =>
          list.map((cookie) => {
            const reason = cookie.name.startsWith("bad") ? "Invalid cookie fields" : undefined
            if (reason === undefined) cookies.push(cookie)
            return { name: cookie.name, reason }
          })
        )
      ),
    clearCookies: (filter) =>
      note(
        "clearCookies",
        Effect.sync(() => {
          const gone = cookies.filter((cookie) => cookieFits(cookie, filter))
          cookies.splice(0, cookies.length, ...cookies.filter((cookie) => !gone.includes(cookie)))
          return gone
        })
      ),
    challenge: note("challenge", Effect.succeed({ present: false, blocked: false })),
    emulate: ({ clear }) => note("emulate", Effect.succeed({ applied: [], cleared: clear })),
    pdf: () =>
      Effect.gen(function* () {
        yield* note("pdf", Effect.void)
        return { file: yield* fakeDownload, bytes: 5 }
      }),
    highlight: ({ clear }) => note("highlight", Effect.succeed({ matched: !clear, cleared: clear })),
    background: Effect.acquireRelease(
      note(
        "background",
        Effect.sync((): BackgroundTab => {
          let at = ""
          return {
            visit: (url) =>
              Effect.gen(function* () {
                at = url
                if (url.includes("lost")) return yield* new E.SessionLost({ reason: "the browser died" })
                if (url.includes("hang")) return yield* Effect.never
                if (url.includes("refused")) {
                  return yield* new E.NavigationFailed({ url, reason: "net::ERR_CONNECTION_REFUSED" })
                }
              }),
            shown: () => at,
            failedStatus: () => undefined,
            waitFor: () => Effect.succeed({ found: true, waitedMs: 1 }),
            execute: ({ script }) =>
              Effect.succeed(
                script === "throw"
                  ? { ok: false, exception: "Error: no" }
                  : { ok: true, kind: "json" as const, value: JSON.stringify({ at, script }) }
              )
          }
        })
      ),
      () => note("background closed", Effect.void)
    ),
    setHumanControl: (human) => note(`setHumanControl ${human}`, Effect.void),
    present: () => {},
    download: ({ url }) =>
      Effect.gen(function* () {
        yield* note("download", Effect.void)
        if (url.includes("missing")) {
          return yield* new E.DownloadFailed({ url, reason: "the server answered with status 404" })
        }
        return { file: yield* fakeDownload, name: "report.csv", bytes: 5, url, mimeType: "text/csv" }
      }),
    uploadFiles: ({ files, selector }) =>
      note(`uploadFiles ${files.length} ${selector}`, Effect.succeed({ target: 'file "Attachment"' })),
    pendingDialogs: () => [...pending],
    blockedBy: () => pending.find((dialog) => dialog.tab_id === active),
    recentDialogs: () => [...recent],
    answerDialog: ({ dialog_id }) =>
      note(
        "answerDialog",
        Effect.suspend(() => {
          const index = dialog_id === undefined ? 0 : pending.findIndex((dialog) => dialog.id === dialog_id)
          const [dialog] = pending.splice(index, 1)
          return dialog === undefined ? Effect.fail(new E.DialogNone()) : Effect.succeed({ dialog })
        })
      ),
    cdp: ({ method }) =>
      note(
        `cdp ${method}`,
        method === "Browser.close"
          ? Effect.fail(new E.CdpRefused({ method, reason: "it would end the browser" }))
          : Effect.succeed({ success: true, method, result: { answer: 42 } })
      ),
    console: () =>
      note(
        "console",
        Effect.succeed({
          tabId: active,
          total: 1,
          truncated: false,
          messages: [
            { at: 1, level: "error" as const, text: "shelf is empty", url: "http://shop.test/app.js", line: 3 }
          ]
        })
      ),
    network: () =>
      note(
        "network",
        Effect.succeed({
          tabId: active,
          total: 1,
          truncated: false,
          requests: [{ at: 1, method: "GET", url: "http://shop.test/orders", type: "fetch", status: 500 }]
        })
      ),
    ...overrides
  }
}

/** A browser that opens `session` again and again. */
export const layerFakeBrowser = (session: () => BrowserSession): Layer.Layer<Browser> =>
  Layer.sync(Browser, () => {
    const provider = {
      id: ProviderId.make("fake"),
      available: () => true,
      capabilities: session().capabilities,
      open: () => Effect.sync(session)
    }
    return Browser.of({
      register: () => Effect.void,
      select: Effect.succeed(provider),
      open: provider.open,
      providers: () => [{ id: provider.id, available: true }]
    })
  })
