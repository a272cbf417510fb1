import type { ServerResponse } from "node:http"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Redacted } from "effect"
import { connect } from "../../src/layers/cdp/CdpWebSocket.ts"
import type { DialogWay } from "../../src/schemas/config.ts"
import type { CdpSessionId } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { whole } from "../support/ChromiumSession.ts"
import { type DismissingProxy, type DismissingProxyOptions, dismissingProxy } from "../support/DismissingProxy.ts"
import { endpointAt, endpointSession } from "../support/EndpointSession.ts"
import { type PortChromium, portChromium } from "../support/PortChromium.ts"
import { TestSite } from "../support/TestSite.ts"

describe("the proxy that dismisses dialogs", () => {
  it.live(
    "lets a client see a confirm open and close by itself, and the page gets false",
    () =>
      Effect.gen(function* () {
        const browser = yield* portChromium
        const proxy = yield* dismissingProxy(browser.webSocketUrl)
        const connection = yield* connect(Redacted.make(proxy.webSocketUrl))
        const { targetId } = yield* connection.command("Target.createTarget", { url: "about:blank" })
        const { sessionId } = yield* connection.command("Target.attachToTarget", { targetId, flatten: true })
        const page = { sessionId: sessionId as CdpSessionId }
        yield* connection.command("Page.enable", undefined, page)
        const seen: Array<string> = []
        const closed = yield* Deferred.make<void>()
        yield* connection.listen("all", (event) => {
          if (event.method === "Page.javascriptDialogOpening") {
            seen.push(`opening ${event.params.message}`)
          }
          if (event.method === "Page.javascriptDialogClosed") {
            seen.push(`closed ${event.params.result}`)
            Deferred.doneUnsafe(closed, Effect.void)
          }
        })
        const { result } = yield* connection.command("Runtime.evaluate", { expression: "confirm('Really?')" }, page)
        assert.strictEqual(result.value, false)
        yield* Deferred.await(closed)
        assert.deepStrictEqual(seen, ["opening Really?", "closed false"])
        assert.strictEqual(proxy.dismissed(), 1)
        assert.deepInclude(
          yield* Effect.flip(connection.command("Page.handleJavaScriptDialog", { accept: true }, page)),
          { _tag: "CdpFailed", reason: "No dialog is showing" }
        )
      }),
    60_000
  )

  it.live(
    "can be cut off while the browser lives on",
    () =>
      Effect.gen(function* () {
        const browser = yield* portChromium
        const proxy = yield* dismissingProxy(browser.webSocketUrl)
        const first = yield* connect(Redacted.make(proxy.webSocketUrl))
        yield* first.command("Browser.getVersion")
        assert.strictEqual(yield* proxy.cut, 1)
        yield* first.closed
        const second = yield* connect(Redacted.make(proxy.webSocketUrl))
        assert.isString((yield* second.command("Browser.getVersion")).product)
      }),
    60_000
  )
})

class Running extends Context.Service<Running, PortChromium>()("test/Running") {
  static readonly layer = Layer.effect(Running, portChromium)
}

/** A session behind a proxy of its own, for as long as it is used. */
const behind = <A, E, R>(
  dialogWay: DialogWay,
  use: (parts: { readonly session: BrowserSession; readonly proxy: DismissingProxy }) => Effect.Effect<A, E, R>,
  options: DismissingProxyOptions = {}
) =>
  Effect.gen(function* () {
    const proxy = yield* dismissingProxy((yield* Running).webSocketUrl, options)
    return yield* Effect.flatMap(endpointSession, (session) => use({ session, proxy })).pipe(
      Effect.scoped,
      Effect.provide(endpointAt(proxy.webSocketUrl, { dialogWay }))
    )
  })

const answers = [
  [`String(alert("Saved"))`, { action: "accept" }, '"undefined"'],
  [`prompt("Name?", "quay")`, { action: "accept", prompt_text: "Harbour" }, '"Harbour"'],
  [`confirm("Leave?")`, { action: "accept" }, "true"],
  [`confirm("Leave?")`, { action: "dismiss" }, "false"]
] as const

/** A page whose policy forbids the requests of the bridge. */
const strict = (headers: Readonly<Record<string, string>>) => (_: unknown, response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/html", ...headers })
  response.end("<button>Berth</button>")
}

const policies = {
  "connect-src": { "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'" },
  "sync-xhr": { "permissions-policy": "sync-xhr=()" }
} as const

const pages = Effect.gen(function* () {
  const site = yield* TestSite
  return {
    gate: site.page("/both-policies", strict({ ...policies["connect-src"], ...policies["sync-xhr"] })),
    bridge: site.body("<button>Berth</button>"),
    both: site.page("/one-policy", strict(policies["sync-xhr"]))
  }
})

layer(Layer.merge(Running.layer, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "a session behind the proxy that dismisses dialogs",
  (it) => {
    for (const way of ["gate", "bridge", "both"] as const) {
      it.effect(
        `gives each page the answer that the agent gave (${way}): alert, prompt with text, confirm accepted, confirm dismissed`,
        () =>
          behind(way, ({ proxy, session }) =>
            Effect.gen(function* () {
              yield* session.open({ url: (yield* pages)[way], newTab: false })
              for (const [question, answer, expected] of answers) {
                const asked = yield* session.execute({ script: `window.got = ${question}` })
                assert.isDefined(asked.dialog, question)
                // the proxy has had time enough, and had nothing to dismiss
                yield* Effect.sleep(50)
                let seen = yield* session.snapshot(whole)
                // what is said of a dialog does not wait for a machine that is slow to look behind it
                while (way !== "bridge" && seen.elements.length === 0) seen = yield* session.snapshot(whole)
                assert.lengthOf(seen.pending_dialogs ?? [], 1)
                assert.deepStrictEqual(
                  seen.elements.map(({ label }) => label),
                  way === "bridge" ? [] : ["Berth"]
                )
                yield* session.answerDialog(answer)
                assert.strictEqual((yield* session.execute({ script: "window.got" })).value, expected, question)
              }
              assert.deepStrictEqual(
                session.recentDialogs().map(({ closed_by }) => closed_by),
                ["agent", "agent", "agent", "agent"]
              )
              assert.strictEqual(proxy.dismissed(), 0)
            })
          )
      )
    }

    for (const [policy, headers] of Object.entries(policies)) {
      it.effect(`a page whose ${policy} forbids the bridge gets no answer of ours: its native dialog opens`, () =>
        behind("bridge", ({ proxy, session }) =>
          Effect.gen(function* () {
            const site = yield* TestSite
            yield* session.open({ url: site.page(`/strict-${policy}`, strict(headers)), newTab: false })
            yield* session.execute({ script: `window.got = confirm("Really?")` })
            while (session.recentDialogs().length === 0) yield* Effect.sleep(5)
            assert.deepInclude(session.recentDialogs()[0], { message: "Really?", closed_by: "remote" })
            assert.strictEqual((yield* session.execute({ script: "window.got" })).value, "false")
            assert.strictEqual(proxy.dismissed(), 1)
          })
        )
      )
    }

    it.effect("a document for which the gate is taken down asks over the bridge", () =>
      behind("both", ({ proxy, session }) =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const url = site.body(`<script>for (let i = 0; i < 600; i++) (0, eval)("window.n" + i + " = " + i)</script>`)
          yield* session.open({ url, newTab: false })
          const asked = yield* session.execute({ script: `window.got = prompt("Name?")` })
          assert.strictEqual(asked.dialog?.message, "Name?")
          assert.deepStrictEqual((yield* session.snapshot(whole)).elements, [])
          yield* session.answerDialog({ action: "accept", prompt_text: "Harbour" })
          assert.strictEqual((yield* session.execute({ script: "window.got" })).value, '"Harbour"')
          assert.strictEqual(proxy.dismissed(), 0)
        })
      )
    )

    it.effect("frames ask over the bridge as well: of this site, of another, without an address", () =>
      behind("bridge", ({ proxy, session }) =>
        Effect.gen(function* () {
          const site = yield* TestSite
          site.page("/asks", `<script>onmessage = ({ data }) => parent.postMessage(prompt(data), "*")</script>`)
          const frames = [
            `src="${site.origin}/asks"`,
            `src="${site.otherOrigin}/asks"`,
            `srcdoc="<script>onmessage = ({ data }) => parent.postMessage(prompt(data), '*')</script>"`
          ]
          yield* session.open({
            url: site.body(
              `<script>onmessage = ({ data }) => { got = data }</script>${frames.map((frame) => `<iframe ${frame}></iframe>`).join("")}`
            ),
            newTab: false
          })
          for (const [index] of frames.entries()) {
            yield* session.execute({ script: `setTimeout(() => frames[${index}].postMessage("Frame ${index}", "*"))` })
            while (session.pendingDialogs().length === 0) yield* Effect.sleep(5)
            assert.strictEqual(session.pendingDialogs()[0]?.message, `Frame ${index}`)
            yield* session.answerDialog({ action: "accept", prompt_text: `answer ${index}` })
            const script = `new Promise((done) => { const look = () => (window.got === "answer ${index}" ? done(true) : setTimeout(look, 5)); look() })`
            assert.strictEqual((yield* session.execute({ script })).value, "true")
          }
          assert.strictEqual(proxy.dismissed(), 0)
        })
      )
    )

    it.effect("a page that is left takes its question along", () =>
      behind("bridge", ({ session }) =>
        Effect.gen(function* () {
          const site = yield* TestSite
          yield* session.open({ url: site.body("one"), newTab: false })
          yield* session.execute({ script: `confirm("Stay?")` })
          assert.lengthOf(session.pendingDialogs(), 1)
          const next = yield* session.open({ url: site.body("two", "second"), newTab: false })
          assert.strictEqual(next.title, "second")
          while (session.pendingDialogs().length > 0) yield* Effect.sleep(5)
          // who leaves it dismisses what it asks
          assert.strictEqual(session.recentDialogs()[0]?.closed_by, "agent")
        })
      )
    )

    it.effect("a page whose supervisor is gone without a word opens its native dialog, for whoever comes next", () =>
      behind(
        "bridge",
        ({ proxy, session }) =>
          Effect.gen(function* () {
            const site = yield* TestSite
            const first = yield* session.open({ url: site.body("left alone"), newTab: false })
            const { target_id } = yield* session.cdp({
              method: "Runtime.evaluate",
              params: { expression: "1" },
              target_id: first.tabId,
              timeoutMs: 5_000
            })
            const next = yield* connect(Redacted.make((yield* Running).webSocketUrl))
            const { sessionId } = yield* next.command("Target.attachToTarget", {
              targetId: target_id ?? "",
              flatten: true
            })
            const page = { sessionId: sessionId as CdpSessionId }
            yield* next.command("Page.enable", undefined, page)
            const opened = yield* Deferred.make<string>()
            yield* next.listen("all", (event) => {
              if (event.method === "Page.javascriptDialogOpening") {
                Deferred.doneUnsafe(opened, Effect.succeed(event.params.message))
              }
            })
            yield* session.execute({ script: `window.got = confirm("Anybody?")` })
            assert.lengthOf(session.pendingDialogs(), 1)
            yield* proxy.cut
            assert.strictEqual(yield* Deferred.await(opened), "Anybody?")
            // the browser may notice the end of the connection before the session does
            yield* session.lost
            while (session.pendingDialogs().length > 0) yield* Effect.sleep(1)
            assert.strictEqual(session.recentDialogs()[0]?.closed_by, "lost")
            yield* next.command("Page.handleJavaScriptDialog", { accept: true }, page)
            const { result } = yield* next.command("Runtime.evaluate", { expression: "window.got" }, page)
            assert.strictEqual(result.value, true)
          }),
        { dismisses: false }
      )
    )

    it.effect("under human control the native dialog opens at once", () =>
      behind(
        "both",
        ({ session }) =>
          Effect.gen(function* () {
            const site = yield* TestSite
            yield* session.open({ url: site.body("mine"), newTab: false })
            yield* session.setHumanControl(true)
            const asked = yield* session.execute({ script: `window.got = confirm("Human?")` })
            assert.strictEqual(asked.dialog?.message, "Human?")
            assert.deepStrictEqual((yield* session.snapshot(whole)).elements, [])
            yield* session.answerDialog({ action: "accept" })
            yield* session.setHumanControl(false)
            assert.strictEqual((yield* session.execute({ script: "window.got" })).value, "true")
          }),
        { dismisses: false }
      )
    )
  }
)
