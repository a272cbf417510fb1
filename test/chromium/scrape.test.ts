import { mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { ScrapeLine } from "../../src/schemas/scrapes.ts"
import type { ScrapeResult } from "../../src/schemas/tools/scrape.ts"
import { Tools } from "../../src/services/Tools.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { TestSite } from "../support/TestSite.ts"

const task = TaskKey.make("scrape")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const scrape = (args: object) =>
  Effect.map(call("browser_scrape", args), ({ structured }) => structured as unknown as ScrapeResult)
const ended = (id: string | undefined) => scrape({ action: "status", id, timeoutMs: 50_000 })
const folder = temporaryFolder("scrape")
const out = () => join(mkdtempSync(`${folder}/`), "out.jsonl")
const lines = (path: string): ReadonlyArray<ScrapeLine> =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ScrapeLine)
    .toSorted((a, b) => a.seq - b.seq)

layer(chromiumTools(), { excludeTestServices: true, timeout: "90 seconds" })("a batch in a real Chromium", (it) => {
  it.effect(
    "reads pages with the session's cookies, past dialogs, popups and broken pages, beside the active tab",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const login = site.page(
          "/login",
          (_, response) =>
            void response.writeHead(200, { "content-type": "text/html", "set-cookie": "key=1" }).end("<h1>Home</h1>")
        )
        const private_ = site.page(
          "/private",
          (request, response) =>
            void response
              .writeHead(200, { "content-type": "text/html" })
              .end(`<h1>${request.headers.cookie ?? "nobody"}</h1>`)
        )
        const path = out()
        yield* call("browser_open", { url: login })
        const { id } = yield* scrape({
          action: "start",
          urls: [
            private_,
            site.body(`<script>alert("stop")</script><h1>after a dialog</h1>`),
            site.body(`<h1>popup</h1><script>window.open("about:blank")</script>`),
            site.body(
              `<script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<h1>late</h1>"), 300)</script>`
            ),
            "http://127.0.0.1:1/",
            "file:///etc/hostname",
            site.body(`<script>for (;;) {}</script>`),
            site.page(
              "/missing",
              (_, response) => void response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>")
            )
          ],
          script: "document.querySelector('h1').textContent",
          waitFor: "h1",
          outPath: path,
          timeoutMs: 8_000,
          concurrency: 3
        })
        // the tab that tools act on is still the one before, and no other is listed
        yield* Effect.sleep("300 millis")
        assert.include((yield* call("browser_snapshot")).structured["url"], "/login")
        assert.lengthOf((yield* call("browser_list_tabs")).structured["tabs"] as ReadonlyArray<unknown>, 1)
        const status = yield* ended(id)
        assert.deepInclude(status, { state: "done", total: 8, done: 5, failed: 3 })
        const read = lines(path)
        assert.deepStrictEqual(
          read.slice(0, 4).map(({ data }) => data),
          ["key=1", "after a dialog", "popup", "late"]
        )
        assert.include(read[4]?.error, "BROWSER_NAVIGATION_FAILED")
        assert.include(read[5]?.error, "BROWSER_NAVIGATION_BLOCKED")
        assert.isDefined(read[6]?.error)
        // read, and said to be not what was asked for
        assert.deepInclude(read[7], { ok: true, status: 404 })
        assert.notProperty(read[0], "status")
      })
  )

  it.effect("as many pages are under way at once as its concurrency says", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* call("browser_open", { url: "about:blank" })
      // a server that answers nobody before `concurrency` pages are waiting for it: with fewer at once none would end
      const most = (concurrency: number) =>
        Effect.gen(function* () {
          const waiting: Array<() => void> = []
          let atOnce = 0
          const urls = Array.from({ length: 16 }, (_, index) => {
            const url = site.page(`/of-${concurrency}-${index}`, (_request, response) => {
              waiting.push(() => response.writeHead(200, { "content-type": "text/html" }).end(`<h1>${index}</h1>`))
              atOnce = Math.max(atOnce, waiting.length)
              if (waiting.length >= concurrency) for (const answer of waiting.splice(0)) answer()
            })
            // two hosts, since a browser asks one for no more than six things at once
            return index % 2 === 0 ? url : url.replace(site.origin, site.otherOrigin)
          })
          const { id } = yield* scrape({ action: "start", urls, script: "document.title", outPath: out(), concurrency })
          const status = yield* ended(id)
          assert.deepInclude(status, { state: "done", done: urls.length, failed: 0 })
          return atOnce
        })
      assert.strictEqual(yield* most(8), 8)
      assert.strictEqual(yield* most(1), 1)
    })
  )

  it.effect(
    "the script finds a page that draws, gives a long value whole, and a selector that never comes is named",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        yield* call("browser_open", { url: "about:blank" })
        const drawn = `new Promise((done) => {
        const seen = new IntersectionObserver(() => requestAnimationFrame(() => requestIdleCallback(() => done("drawn"))))
        seen.observe(document.querySelector("h1"))
      })`
        const path = out()
        const read = Effect.fnUntraced(function* (args: object) {
          const { id } = yield* scrape({ action: "start", outPath: path, ...args })
          yield* ended(id)
          return lines(path)
        })
        const pages = [0, 1, 2, 3].map((n) => site.body(`<h1>${n}</h1>`))
        assert.deepStrictEqual(
          (yield* read({ urls: pages, script: drawn, concurrency: 4 })).map(({ data }) => data),
          ["drawn", "drawn", "drawn", "drawn"]
        )
        const [long] = yield* read({ urls: pages.slice(0, 1), script: "'x'.repeat(1_000_000)" })
        assert.strictEqual(long?.data, "x".repeat(1_000_000))
        assert.isUndefined(long?.truncated)
        const [cut] = yield* read({ urls: pages.slice(0, 1), script: "'x'.repeat(3_000_000)" })
        assert.match(String(cut?.data), /^x{1000000,}$/)
        assert.isTrue(cut?.truncated)
        const [missing] = yield* read({ urls: pages.slice(0, 1), script: "1", waitFor: "#never", timeoutMs: 4_000 })
        assert.include(missing?.error, "BROWSER_WAIT_TIMEOUT")
        assert.include(missing?.error, "#never")
      })
  )

  it.effect(
    "each address has a document of its own, though only the fragment differs, and a page cannot keep its tab",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        yield* call("browser_open", { url: "about:blank" })
        const routed = site.body(`<h1></h1><script>document.querySelector("h1").textContent = location.hash</script>`)
        const keeps = site.body(`<h1>keeps</h1><script>onbeforeunload = (event) => event.preventDefault()</script>`)
        const path = out()
        const { id } = yield* scrape({
          action: "start",
          urls: [`${routed}#a`, `${routed}#b`, `${routed}#b`, keeps, `${routed}#c`],
          script:
            "({ seen: document.querySelector('h1').textContent, runs: globalThis.runs = (globalThis.runs ?? 0) + 1 })",
          outPath: path,
          concurrency: 1
        })
        yield* ended(id)
        assert.deepStrictEqual(
          lines(path).map(({ data }) => data),
          ["#a", "#b", "#b", "keeps", "#c"].map((seen) => ({ runs: 1, seen }))
        )
      })
  )

  it.effect("ends with its session", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const hanging = site.page("/hanging", () => {})
      yield* call("browser_open", { url: site.body("<h1>Home</h1>") })
      const { id } = yield* scrape({ action: "start", urls: [hanging, hanging], script: "1", outPath: out() })
      yield* call("browser_reset_session")
      const status = yield* ended(id)
      assert.strictEqual(status.state, "failed")
      assert.include(status.error, "BROWSER_SESSION_LOST")
    })
  )
})
