import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { FrameNode } from "../../src/schemas/snapshot.ts"
import type { CdpParams } from "../../src/schemas/tools/diagnostics.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { at, chromium, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const send = (browser: BrowserSession, command: CdpParams, timeoutMs = 10_000) => browser.cdp({ ...command, timeoutMs })

/** Evaluates in the page, or where `to` says. */
const evaluate = (
  browser: BrowserSession,
  expression: string,
  to: Pick<CdpParams, "frame_id" | "target_id"> = {},
  more: CdpParams["params"] = {}
) => send(browser, { method: "Runtime.evaluate", params: { expression, returnByValue: true, ...more }, ...to })

const valueOf = ({ result }: { readonly result?: unknown }): unknown =>
  (result as { readonly result?: { readonly value?: unknown } } | undefined)?.result?.value

/** The frame whose address ends so, once it is known. */
const frameAt = (browser: BrowserSession, ending: string): Effect.Effect<FrameNode> =>
  Effect.gen(function* () {
    for (;;) {
      const { frame_tree } = yield* browser.snapshot({ ...whole, wholeFrameTree: true })
      const found = frame_tree?.children.find((frame) => frame.url.endsWith(ending))
      if (found !== undefined) return found
      yield* Effect.sleep(20)
    }
  }).pipe(Effect.orDie)

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a raw command in a real Chromium", (it) => {
  it.effect("goes to the active tab, to a tab that is named, or to the browser", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(site.body("<p>one", "first"))
      yield* browser.open({ url: site.body("<p>two", "second"), newTab: true })
      const title = "document.title"
      assert.strictEqual(valueOf(yield* evaluate(browser, title)), "second")
      const named = yield* evaluate(browser, title, { target_id: first.tabId })
      assert.strictEqual(valueOf(named), "first")
      assert.isString(named.target_id)
      assert.strictEqual(valueOf(yield* evaluate(browser, title, { target_id: named.target_id! })), "first")
      const version = yield* send(browser, { method: "Browser.getVersion" })
      assert.property(version.result, "product")
      assert.deepInclude(yield* Effect.flip(evaluate(browser, title, { target_id: "t9" })), {
        _tag: "TabUnknown",
        known: ["t1", "t2"]
      })
    })
  )

  it.effect("reaches frames of other processes at any depth, each through its own session", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/third", "<!doctype html><title>third</title><script>where = 'third'</script>")
      site.page(
        "/second",
        `<!doctype html><iframe src="${site.origin}/third"></iframe><script>where = 'second'</script>`
      )
      const { browser } = yield* at(site.body(`<iframe src="${site.otherOrigin}/second"></iframe>`))
      for (const name of ["second", "third"]) {
        const frame = yield* frameAt(browser, `/${name}`)
        assert.isTrue(frame.is_oopif)
        const reached = yield* evaluate(browser, "where", { frame_id: frame.frame_id })
        assert.strictEqual(valueOf(reached), name)
        assert.deepInclude(reached, { frame_id: frame.frame_id, reached_by: "session" })
        // what a session alone can do: the document of that frame and of no other
        const { result } = yield* send(browser, { method: "DOM.getDocument", frame_id: frame.frame_id })
        assert.include(JSON.stringify(result), `/${name}`)
      }
    })
  )

  it.effect("reaches frames without a process of their own by their main world, and only with scripts", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/inner", "<!doctype html><title>inner</title><script>secret = 'of the frame'</script>")
      const { browser } = yield* at(
        site.body(`<script>secret = 'of the page'</script><div id=host></div><script>
          const root = host.attachShadow({ mode: 'closed' })
          root.innerHTML = '<iframe src="/inner"></iframe>'</script>`)
      )
      const frame = yield* frameAt(browser, "/inner")
      assert.isFalse(frame.is_oopif)
      const to = { frame_id: frame.frame_id }
      const reached = yield* evaluate(browser, "secret", to)
      assert.strictEqual(valueOf(reached), "of the frame")
      assert.deepInclude(reached, { reached_by: "execution_context", frame_id: frame.frame_id })
      const called = yield* send(browser, {
        method: "Runtime.callFunctionOn",
        params: { functionDeclaration: "function (a) { return secret + a }", arguments: [{ value: "!" }] },
        ...to
      })
      assert.strictEqual(valueOf(called), "of the frame!")
      const refused = yield* Effect.flip(send(browser, { method: "DOM.getDocument", ...to }))
      assert.strictEqual(refused._tag, "FrameInProcess")
      assert.include((refused as { next: string }).next, "Runtime.evaluate")
      // frame_id wins over target_id
      assert.strictEqual(valueOf(yield* evaluate(browser, "secret", { ...to, target_id: "t9" })), "of the frame")
      yield* browser.reload
      assert.strictEqual(
        (yield* Effect.flip(send(browser, { method: "Runtime.evaluate", params: { expression: "1" }, ...to })))._tag,
        "FrameUnknown"
      )
    })
  )

  it.effect("is refused when it would end the browser, take the screen, read files or answer dialogs past us", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(site.body("<input type=file id=f>"))
      const { target_id } = yield* evaluate(browser, "1")
      for (const [method, params] of [
        ["Browser.close", {}],
        ["Target.closeTarget", { targetId: target_id! }],
        ["Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false }],
        ["Page.bringToFront", {}],
        ["Page.handleJavaScriptDialog", { accept: true }],
        ["Page.disable", {}],
        ["Fetch.enable", {}],
        ["DOM.setFileInputFiles", { files: ["/etc/passwd"] }],
        ["Input.dispatchDragEvent", { type: "drop", data: { files: ["/etc/passwd"] } }],
        ["Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" }]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(send(browser, { method, params })), { _tag: "CdpRefused", method })
      }
      for (const url of ["file:///etc/passwd", "chrome://settings", "http://a:b@localhost/"]) {
        const error = yield* Effect.flip(send(browser, { method: "Page.navigate", params: { url } }))
        assert.strictEqual(error._tag, "NavigationBlocked")
      }
      assert.strictEqual((yield* browser.snapshot(whole)).url, first.url)
    })
  )

  it.effect("says what the browser refused, and ends at its time limit", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<p>here"))
      assert.deepInclude(yield* Effect.flip(send(browser, { method: "Page.fly" })), {
        _tag: "CdpFailed",
        cdpCode: -32601
      })
      const slow = { method: "Runtime.evaluate", params: { expression: "new Promise(() => {})", awaitPromise: true } }
      assert.deepInclude(yield* Effect.flip(send(browser, slow, 300)), { _tag: "OperationTimeout", budget: 300 })
      assert.strictEqual(valueOf(yield* evaluate(browser, "1 + 1")), 2)
    })
  )

  it.effect("gives at most 25,000 characters of a result, which stays JSON and says what is cut", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<p>here"))
      const long = yield* evaluate(browser, "'x'.repeat(1e6)")
      assert.isTrue(long.truncated)
      assert.match(String(valueOf(long)), /^x{4000}… \(1000000 characters\)$/)
      const list = yield* evaluate(browser, "Array.from({ length: 5000 }, (_, i) => ({ i, text: 'x'.repeat(i) }))")
      assert.isTrue(list.truncated)
      assert.isAtMost(JSON.stringify(list.result).length, 25_000)
    })
  )

  it.effect("that opens a dialog answers with it; one that the page could not answer meanwhile is not sent", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<p>here"))
      yield* evaluate(browser, "ran = 0")
      const opened = yield* evaluate(browser, "answer = confirm('Really?')")
      assert.strictEqual(opened.dialog?.message, "Really?")
      assert.isUndefined(opened.result)
      // what needs no page is answered all the same
      const history = yield* send(browser, { method: "Page.getNavigationHistory" })
      assert.property(history.result, "currentIndex")
      assert.property((yield* send(browser, { method: "Target.getTargets" })).result, "targetInfos")
      assert.property((yield* send(browser, { method: "Network.getCookies" })).result, "cookies")
      const during = yield* Effect.exit(evaluate(browser, "++ran"))
      yield* browser.answerDialog({ action: "accept" })
      // refused, it did not run; answered, it ran once: never late and unseen
      const ran = valueOf(yield* evaluate(browser, "ran"))
      assert.strictEqual(ran, during._tag === "Success" ? 1 : 0)
      assert.strictEqual(valueOf(yield* evaluate(browser, "answer")), true)
    })
  )

  it.effect("reaches the frames of other processes while the page itself shows a dialog", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/apart", "<!doctype html><script>where = 'apart'</script>")
      const { browser } = yield* at(site.body(`<iframe src="${site.otherOrigin}/apart"></iframe>`))
      const frame = yield* frameAt(browser, "/apart")
      yield* evaluate(browser, "setTimeout(() => alert('wait'), 0)")
      while (browser.pendingDialogs().length === 0) yield* Effect.sleep(5)
      assert.strictEqual(valueOf(yield* evaluate(browser, "where", { frame_id: frame.frame_id })), "apart")
      yield* browser.answerDialog({ action: "accept" })
    })
  )

  it.effect("is interrupted with its call", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<p>here"))
      const call = yield* Effect.forkChild(evaluate(browser, "new Promise(() => {})", {}, { awaitPromise: true }), {
        startImmediately: true
      })
      yield* Fiber.interrupt(call)
      assert.strictEqual(valueOf(yield* evaluate(browser, "'alive'")), "alive")
    })
  )
})
