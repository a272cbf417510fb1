import { assert, layer } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer } from "effect"
import * as BrowserbaseProvider from "../../src/layers/providers/browserbase/BrowserbaseProvider.ts"
import { launchChromium, launchPlatform } from "../../src/layers/providers/chromium/launch.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { openCdpSession } from "../../src/layers/providers/session/CdpSession.ts"
import { makeTargets } from "../../src/layers/page/Targets.ts"
import { decodeBrowserConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"
import { ProviderId, TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { browserbaseStandIn } from "../support/BrowserbaseStandIn.ts"
import { chromium, whole } from "../support/ChromiumSession.ts"
import { endpointAt } from "../support/EndpointSession.ts"
import { portChromium } from "../support/PortChromium.ts"
import { TestSite } from "../support/TestSite.ts"

/** Browserbase's service, with its proxy that dismisses dialogs, stood in for before a real browser. */
const browserbase = Layer.unwrap(
  Effect.gen(function* () {
    const { webSocketUrl } = yield* portChromium
    const { apiUrl, key } = yield* browserbaseStandIn(webSocketUrl)
    const config = yield* Effect.orDie(decodeBrowserConfig({ provider: "browserbase", browserbase: { apiUrl } }))
    return BrowserbaseProvider.layer(config).pipe(
      Layer.orDie,
      Layer.provideMerge(BrowserSeam.layer(config)),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { BROWSERBASE_API_KEY: key } })))
    )
  })
)

const endpoint = Layer.unwrap(Effect.map(portChromium, ({ webSocketUrl }) => endpointAt(webSocketUrl)))

let tasks = 0

const open = Effect.flatMap(Browser, (browser) => browser.open({ task: TaskKey.make(`backend-${++tasks}`) }))

const frames = ["the page", "a frame of its own site", "a frame of another site"] as const

/** A page with a srcdoc frame and one of another site; each asks what it is told to, and keeps what it gets. */
const visit = Effect.fnUntraced(function* (session: BrowserSession) {
  const site = yield* TestSite
  const keep = `onmessage = ({ data }) => { if (data.ask) window.got = eval(data.ask) }`
  site.page("/elsewhere", `<!doctype html><title>Elsewhere</title><script>${keep}</script>`)
  yield* session.open({
    url: site.body(
      `<script>${keep}</script><iframe srcdoc="<script>${keep.replaceAll('"', "&quot;")}</script>"></iframe><iframe src="${site.otherOrigin}/elsewhere"></iframe>`
    ),
    newTab: false
  })
  for (;;) {
    const { frame_tree } = yield* session.snapshot(whole)
    if (frame_tree?.children.length === 2) return frame_tree
    yield* Effect.sleep(10)
  }
})

/** Makes the page or one of its frames ask, and waits until the dialog is seen. */
const ask = Effect.fnUntraced(function* (session: BrowserSession, where: number, question: string) {
  const to = where === 0 ? "window" : `frames[${where - 1}]`
  const message = JSON.stringify({ ask: question })
  yield* session.execute({ script: `${to}.postMessage(${message}, "*"); 0` })
  while (session.pendingDialogs().length === 0) yield* Effect.sleep(2)
  const [dialog] = session.pendingDialogs()
  assert.isDefined(dialog)
  return dialog
})

const evaluate = (session: BrowserSession, frame_id: string, expression: string) =>
  Effect.map(
    session.cdp({
      method: "Runtime.evaluate",
      params: { expression, returnByValue: true },
      frame_id,
      timeoutMs: 10_000
    }),
    ({ result }) => (result as { readonly result?: { readonly value?: unknown } }).result?.value
  )

const backends = {
  "our own Chromium": chromium(),
  "a browser at an endpoint": endpoint,
  Browserbase: browserbase
} as const

for (const [name, backend] of Object.entries(backends)) {
  layer(Layer.provideMerge(backend, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
    `with ${name}`,
    (it) => {
      it.effect(`${name}: a dialog is seen wherever it opens`, () =>
        Effect.gen(function* () {
          const session = yield* open
          const tree = yield* visit(session)
          const ids = [tree.top, ...tree.children].map((frame) => frame?.frame_id)
          for (const [index, where] of frames.entries()) {
            const dialog = yield* ask(session, index, `alert("Saved in ${where}")`)
            assert.deepInclude(dialog, { type: "alert", message: `Saved in ${where}` })
            assert.strictEqual(dialog.frame_id, ids[index])
            assert.strictEqual((yield* session.snapshot(whole)).pending_dialogs?.[0]?.id, dialog.id)
            yield* session.answerDialog({ action: "accept" })
          }
        })
      )

      it.effect(`${name}: the page gets each answer of the agent`, () =>
        Effect.gen(function* () {
          const session = yield* open
          const tree = yield* visit(session)
          const ids = [tree.top, ...tree.children].map((frame) => frame?.frame_id ?? "")
          for (const [index] of frames.entries()) {
            for (const [question, answer, expected] of [
              [`String(alert("Saved"))`, { action: "accept" }, "undefined"],
              [`prompt("Name?", "quay")`, { action: "accept", prompt_text: "Harbour" }, "Harbour"],
              [`confirm("Leave?")`, { action: "accept" }, true],
              [`confirm("Leave?")`, { action: "dismiss" }, false]
            ] as const) {
              const dialog = yield* ask(session, index, question)
              yield* session.answerDialog({ ...answer, dialog_id: dialog.id })
              assert.strictEqual(yield* evaluate(session, ids[index] ?? "", "window.got"), expected, question)
              assert.deepInclude(session.recentDialogs().at(-1), { id: dialog.id, closed_by: "agent" })
            }
          }
        })
      )

      it.effect(`${name}: the tree has frames of the page's own process and of others`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const session = yield* open
          const { children, top, truncated } = yield* visit(session)
          assert.strictEqual(top?.origin, site.origin)
          assert.deepStrictEqual(
            children.map(({ is_oopif, parent_frame_id, url }) => ({ is_oopif, parent_frame_id, url })),
            [
              { is_oopif: false, parent_frame_id: top?.frame_id, url: "about:srcdoc" },
              { is_oopif: true, parent_frame_id: top?.frame_id, url: `${site.otherOrigin}/elsewhere` }
            ]
          )
          assert.isFalse(truncated)
        })
      )

      it.effect(`${name}: a script runs in a frame of another process`, () =>
        Effect.gen(function* () {
          const session = yield* open
          const { children } = yield* visit(session)
          const frame = children.find(({ is_oopif }) => is_oopif)
          assert.strictEqual(yield* evaluate(session, frame?.frame_id ?? "", "document.title"), "Elsewhere")
        })
      )
    }
  )
}

/** A session as of a provider that has neither dialogs nor frames nor the protocol to offer. */
const bare = Effect.gen(function* () {
  const { connection } = yield* launchChromium(defaultBrowserConfig.chromium)
  return yield* openCdpSession({
    connection,
    targets: yield* makeTargets(connection),
    provider: ProviderId.make("bare"),
    capabilities: {
      dialogs: false,
      frames: false,
      cdp: false,
      nativeCapture: false,
      cookies: false,
      downloads: false,
      visibleToHuman: false
    },
    config: defaultBrowserConfig,
    browserContextId: undefined,
    viewport: undefined
  })
}).pipe(Effect.provide(launchPlatform))

layer(Layer.merge(TestSite.layer, NodeServices.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "with a browser that has no such capability",
  (it) => {
    it.effect(
      "a browser without dialogs and frames: snapshots leave their fields out, and show the frames' elements",
      () =>
        Effect.gen(function* () {
          const session = yield* bare
          const site = yield* TestSite
          yield* session.open({ url: site.body(`<iframe srcdoc="<button>Inner</button>"></iframe>`), newTab: false })
          const seen = yield* session.snapshot(whole)
          for (const field of ["pending_dialogs", "recent_dialogs", "frame_tree"]) assert.notProperty(seen, field)
          assert.isTrue(seen.elements.some(({ label }) => label === "Inner"))
        })
    )
  }
)
