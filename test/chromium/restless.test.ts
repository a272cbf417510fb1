/** Pages that go on loading others by themselves are left, stopped and closed like any other. */
import { assert, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit } from "effect"
import { TabId } from "../../src/schemas/ids.ts"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { chromium, session, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

/** The script of each page, which loads the next one. */
const cycles = {
  "two pages": ["/p1", "/p2"].map((path, at, all) => [path, `location.replace("${all[(at + 1) % all.length]}")`]),
  "three pages": ["/q1", "/q2", "/q3"].map((path, at, all) => [
    path,
    `location.replace("${all[(at + 1) % all.length]}")`
  ]),
  "addresses that are never the same": [
    ["/count", `location.replace("/count?n=" + (Number(new URLSearchParams(location.search).get("n")) + 1))`]
  ]
} as const

/** Nobody looks at the pages of a cycle before they bounce. */
const shorter = Effect.provideService(Timeouts, { ...defaultTimeouts, navigate: 3_000 })

/** So many pages of it came before anything else is asked for. */
const many = 20

/** Serves the pages of a cycle; yields their addresses. */
const serve = (site: TestSite["Service"], cycle: ReadonlyArray<ReadonlyArray<string>>, served: () => void) =>
  cycle.map(([path = "", script]) =>
    site.page(path, (_, response) => {
      served()
      response.writeHead(200, { "content-type": "text/html" })
      response.end(`<!doctype html><title>bounces</title><h1>Bounces</h1><script>${script}</script>`)
    })
  )

/** Serves the pages of a cycle, and opens it: it has shown many of them by then. */
const bouncing = (cycle: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.gen(function* () {
    const site = yield* TestSite
    const browser = yield* session
    const goes = yield* Deferred.make<void>()
    let served = 0
    const [first] = serve(site, cycle, () => {
      if (++served === many) Deferred.doneUnsafe(goes, Exit.void)
    })
    yield* browser.open({ url: site.body("<h1>First</h1>", "first"), newTab: false })
    // what its first look says depends on how fast the machine is
    yield* Effect.ignore(browser.open({ url: first ?? "", newTab: true }).pipe(shorter))
    const tabId = (yield* browser.tabs).find(({ active }) => active)?.id ?? TabId.make("none")
    yield* Deferred.await(goes)
    return { browser, site, tabId, served: () => served }
  })

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    const result = yield* effect
    return { result, took: (yield* Clock.currentTimeMillis) - start }
  })

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a page that loads others by itself", (it) => {
  for (const [what, cycle] of Object.entries(cycles)) {
    it.effect(`is left for the address that is opened, when it goes through ${what}`, () =>
      Effect.gen(function* () {
        const { browser, site, served } = yield* bouncing(cycle)
        const url = site.body("<h1>Calm</h1>", "calm")
        const { result, took } = yield* timed(browser.open({ url, newTab: false }))
        assert.deepInclude(result, { title: "calm", url })
        assert.notInclude(result.note ?? "", "browser_stop")
        assert.isBelow(took, 8_000)
        const before = served()
        yield* browser.execute({ script: "new Promise((done) => setTimeout(done, 300))" })
        assert.strictEqual(served(), before)
        assert.strictEqual((yield* browser.snapshot(whole)).title, "calm")
      })
    )
  }

  for (const [what, cycle] of Object.entries(cycles)) {
    it.effect(`is told of soon after it is opened, or reached by a click, when it goes through ${what}`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const browser = yield* session
        const [first = ""] = serve(site, cycle, () => {})
        const opened = yield* timed(browser.open({ url: first, newTab: false }))
        assert.include(opened.result.note, "keeps navigating by itself")
        assert.isBelow(opened.took, 7_000)
        yield* browser.open({ url: site.body(`<a href="${first}">Go</a>`, "calm"), newTab: false })
        const clicked = yield* timed(browser.click({ text: "Go", button: "left" }))
        assert.isTrue(clicked.result.unsettled)
        assert.include(clicked.result.note, "keeps navigating by itself")
        assert.isBelow(clicked.took, 7_000)
      })
    )
  }

  it.effect("stays where it is when it is stopped, and its scripts run again in the pages that are opened then", () =>
    Effect.gen(function* () {
      const { browser, site, served } = yield* bouncing(cycles["two pages"])
      yield* browser.stop
      const before = served()
      const seen = yield* browser.snapshot(whole)
      assert.strictEqual(seen.title, "bounces")
      yield* browser.execute({ script: "new Promise((done) => setTimeout(done, 300))" })
      assert.strictEqual(served(), before)
      const next = yield* browser.open({ url: site.body("<script>document.title = 'ran'</script>"), newTab: false })
      assert.strictEqual(next.title, "ran")
    })
  )

  it.effect("is stopped without turning scripts on that were turned off", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const browser = yield* session
      const next = (path: string, to: string) =>
        site.page(path, `<!doctype html><title>bounces</title><meta http-equiv=refresh content="0;url=${to}">`)
      const first = next("/r1", "/r2")
      next("/r2", "/r1")
      const scripts = (value: boolean) =>
        browser.cdp({ method: "Emulation.setScriptExecutionDisabled", params: { value }, timeoutMs: 5_000 })
      const titleOf = Effect.map(
        browser.open({ url: site.body("<script>document.title = 'ran'</script>", "quiet"), newTab: false }),
        ({ title }) => title
      )
      yield* scripts(true)
      assert.include((yield* browser.open({ url: first, newTab: false })).note, "keeps navigating by itself")
      yield* browser.stop
      // by its address: it may be stopped before its title has come
      assert.match((yield* browser.snapshot(whole)).url, /\/r[12]$/)
      assert.strictEqual(yield* titleOf, "quiet")
      yield* scripts(false)
      assert.strictEqual(yield* titleOf, "ran")
    })
  )

  it.effect("is closed with its tab", () =>
    Effect.gen(function* () {
      const { browser, tabId } = yield* bouncing(cycles["two pages"])
      yield* browser.closeTab(tabId)
      assert.notInclude(
        (yield* browser.tabs).map(({ id }) => id),
        tabId
      )
    })
  )

  it.effect("is not what a page is taken for that leads to another one and back once", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const browser = yield* session
      const calm = (title: string) => site.body(`<h1>${title}</h1>`, title)
      const login = site.page(
        "/login",
        `<!doctype html><title>login</title><h1>Login</h1><script>
        if (!sessionStorage.tried) { sessionStorage.tried = 1; location.replace("/app") }</script>`
      )
      site.page("/app", `<!doctype html><title>app</title><h1>App</h1><script>location.replace("/login")</script>`)
      yield* browser.open({ url: calm("before"), newTab: false })
      const opened = yield* browser.open({ url: login, newTab: false })
      assert.strictEqual(opened.title, "login")
      assert.isUndefined(opened.note)
      assert.isUndefined((yield* browser.open({ url: calm("after"), newTab: false })).note)
    })
  )
})
