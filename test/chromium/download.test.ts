import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { Progress } from "../../src/services/Progress.ts"
import { at, chromium, session } from "../support/ChromiumSession.ts"
import { endpointAt, endpointSession } from "../support/EndpointSession.ts"
import { type PortChromium, portChromium } from "../support/PortChromium.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { TestSite } from "../support/TestSite.ts"

const limit = 256 * 1024 * 1024
const piece = Buffer.alloc(1 << 16, 7)

/** Sends `count` pieces as fast as they are taken; for ever if `count` is not given. */
const pour = (response: ServerResponse, count = Number.POSITIVE_INFINITY, done: () => void = () => response.end()) => {
  let sent = 0
  const more = (): void => {
    while (sent < count && !response.destroyed) {
      sent++
      if (!response.write(piece)) return void response.once("drain", more)
    }
    if (!response.destroyed) done()
  }
  more()
}

const fetched = (browser: BrowserSession, url: string, maxBytes = limit) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const exit = yield* Effect.exit(Scope.provide(browser.download({ url, maxBytes }), scope))
    const content = Exit.isSuccess(exit) ? readFileSync(exit.value.file) : undefined
    yield* Scope.close(scope, Exit.void)
    if (Exit.isSuccess(exit)) assert.isFalse(existsSync(exit.value.file))
    return { exit, content }
  })

const failure = (browser: BrowserSession, url: string, maxBytes = limit) =>
  Effect.flip(Effect.scoped(browser.download({ url, maxBytes })))

// a temporary folder of these tests' own: others run beside them, and have downloads too
const shared = process.env["TMPDIR"]
const own = temporaryFolder("downloads")
process.env["TMPDIR"] = own
afterAll(() => {
  if (shared === undefined) delete process.env["TMPDIR"]
  else process.env["TMPDIR"] = shared
})

/** Files that are left of what was fetched. What pages download by themselves lies in folders with names of eight digits. */
const left = () =>
  readdirSync(own)
    .filter((name) => name.startsWith("effect-browser-downloads-"))
    .flatMap((name) => readdirSync(join(own, name)))
    .filter((name) => !/^[0-9a-f]{8}$/.test(name))

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("downloads in a real Chromium", (it) => {
  it.effect("a file is whole when the call returns, however slowly it came, whatever its kind", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const slow = site.page("/slow.bin", (_, response) => {
        response.writeHead(200, { "content-disposition": 'attachment; filename="big.bin"' })
        let count = 0
        const timer = setInterval(() => {
          response.write(piece)
          if (++count === 5) {
            clearInterval(timer)
            response.end()
          }
        }, 150)
      })
      const page = site.page(
        "/shown.html",
        (_, response) =>
          void response
            .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
            .end(gzipSync("<h1>a page</h1>"))
      )
      const { browser } = yield* at(site.body("<h1>Home</h1>"))
      const first = yield* fetched(browser, slow)
      assert.isTrue(Exit.isSuccess(first.exit))
      assert.strictEqual(first.content?.length, 5 * piece.length)
      if (Exit.isSuccess(first.exit)) {
        assert.deepInclude(first.exit.value, { name: "big.bin", bytes: 5 * piece.length, url: slow })
      }
      const second = yield* fetched(browser, page)
      assert.strictEqual(second.content?.toString(), "<h1>a page</h1>")
      // the page did not notice, and no tab is left
      assert.lengthOf(yield* browser.tabs, 1)
      assert.include((yield* browser.content({ format: "txt" })).content, "Home")
    })
  )

  it.effect("the server sees the cookies of the session and where the reader comes from", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let seen: IncomingMessage["headers"] = {}
      const file = site.page("/private.csv", (request, response) => {
        seen = request.headers
        response.writeHead(200, { "content-type": "text/csv; charset=utf-8" }).end("a,b")
      })
      const login = site.page(
        "/login",
        (_, response) =>
          void response
            .writeHead(200, { "content-type": "text/html", "set-cookie": "key=secret; HttpOnly; SameSite=Strict" })
            .end("<h1>in</h1>")
      )
      const { browser } = yield* at(login)
      const { exit } = yield* fetched(browser, file)
      assert.include(seen.cookie, "key=secret")
      assert.strictEqual(seen.referer, login)
      assert.deepInclude(Exit.isSuccess(exit) ? exit.value : {}, { mimeType: "text/csv", bytes: 3 })
    })
  )

  it.effect("an error of the server, of the network and a connection that breaks are failures, and leave no file", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const gone = site.page("/gone", (_, response) => void response.writeHead(404).end("not here"))
      const empty = site.page("/empty", (_, response) => void response.writeHead(204).end())
      const cut = site.page("/cut", (_, response) => {
        response.writeHead(200, { "content-length": "1000000", "content-type": "application/octet-stream" })
        response.write(piece)
        setTimeout(() => response.destroy(), 200)
      })
      const chunked = site.page("/chunked", (_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream" })
        response.write(piece)
        setTimeout(() => response.destroy(), 200)
      })
      const browser = yield* session
      for (const [url, words] of [
        [gone, "status 404"],
        [empty, "no content"],
        [cut, ""],
        [chunked, ""],
        ["http://127.0.0.1:1/x", "ERR_"]
      ] as const) {
        const error = yield* failure(browser, url)
        assert.strictEqual(error._tag, "DownloadFailed", url)
        assert.include(error.message, words)
      }
      assert.deepStrictEqual(left(), [])
      assert.lengthOf(yield* browser.tabs, 1)
    })
  )

  it.effect("the cap holds for what the server declares, and for what it pours without end", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const declared = site.page("/declared", (_, response) => {
        response.writeHead(200, { "content-length": String(10 * piece.length) })
        pour(response, 10)
      })
      const endless = site.page("/endless", (_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream" })
        pour(response)
      })
      const browser = yield* session
      assert.strictEqual((yield* failure(browser, declared, 5 * piece.length))._tag, "DownloadTooLarge")
      assert.strictEqual((yield* failure(browser, endless, 5 * piece.length))._tag, "DownloadTooLarge")
      assert.deepStrictEqual(left(), [])
    })
  )

  it.effect("an interrupted download frees its caller at once and leaves neither file nor tab", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let asked = false
      const endless = site.page("/hanging", (_, response) => {
        asked = true
        response.writeHead(200, { "content-type": "application/octet-stream" })
        response.write(piece)
      })
      const { browser } = yield* at(site.body("<h1>Home</h1>"))
      const fiber = yield* Effect.forkChild(Effect.scoped(browser.download({ url: endless, maxBytes: limit })), {
        startImmediately: true
      })
      while (!asked) yield* Effect.sleep(20)
      yield* Fiber.interrupt(fiber)
      yield* browser.open({ url: site.body("<h1>Next</h1>"), newTab: false })
      assert.lengthOf(yield* browser.tabs, 1)
      // the browser may have been about to make a file of it
      while (left().length > 0) yield* Effect.sleep(20)
    })
  )

  it.effect("one that runs out of time says how far it was, and leaves no file", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const silent = site.page("/silent", () => {})
      const stuck = site.page("/stuck", (_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream", "content-length": "5000000" })
        response.write(piece)
      })
      const { browser } = yield* at(site.body("<h1>Home</h1>"))
      const late = (url: string) =>
        failure(browser, url).pipe(Effect.provideService(Timeouts, { ...defaultTimeouts, download: 6_000 }))
      assert.match((yield* late(silent)).message, /within 6000 ms: the server has not answered; nothing was saved/)
      assert.match((yield* late(stuck)).message, /within 6000 ms: .* of 5\.0 MB had come; no partial file was left/)
      while (left().length > 0) yield* Effect.sleep(20)
    })
  )

  it.effect("200 MB cost less than 40 MB of our memory, and progress is told", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const pieces = (200 * 1024 * 1024) / piece.length
      const big = site.page("/big", (_, response) => {
        response.writeHead(200, { "content-length": String(pieces * piece.length) })
        pour(response, pieces)
      })
      const browser = yield* session
      const told: Array<string> = []
      globalThis.gc?.()
      const before = process.memoryUsage().rss
      let most = before
      const watch = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => {
              most = Math.max(most, process.memoryUsage().rss)
            }),
            Effect.sleep(50)
          )
        )
      )
      const { bytes } = yield* Effect.scoped(
        Effect.tap(browser.download({ url: big, maxBytes: limit }), ({ file }) =>
          Effect.sync(() => assert.strictEqual(statSync(file).size, pieces * piece.length))
        )
      ).pipe(Effect.provideService(Progress, (message) => Effect.sync(() => void told.push(message))))
      yield* Fiber.interrupt(watch)
      assert.strictEqual(bytes, pieces * piece.length)
      // the server of this test is in the same process and counts, too
      assert.isBelow((most - before) / (1024 * 1024), 40)
      for (const line of told) assert.match(line, /^downloaded [\d.]+ (bytes|KB|MB) of 210 MB$/)
    })
  )

  it.effect("what a page saves by itself is named, saved, and told with its place", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['x,y'])); a.download = '../../ev:il.csv'; a.click()">Export</button>`
        )
      )
      const { downloads } = yield* browser.click({ text: "Export", button: "left" })
      assert.lengthOf(downloads ?? [], 1)
      const [download] = downloads ?? []
      assert.strictEqual(download?.state, "saved", JSON.stringify(download))
      assert.strictEqual(readFileSync(download?.path ?? "", "utf8"), "x,y")
      assert.include(dirname(download?.path ?? ""), "effect-browser-downloads-")
    })
  )
})

const folder = temporaryFolder("kept")

layer(chromium({ downloadDir: folder, downloadMaxBytes: 1_000_000, deniedHosts: ["localhost"] }), {
  excludeTestServices: true,
  timeout: "90 seconds"
})("downloads under rules in a real Chromium", (it) => {
  it.effect("what a page saves stays in the configured folder, under a free name, and not beyond the cap", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const file = site.page(
        "/report",
        (_, response) =>
          void response.writeHead(200, { "content-disposition": "attachment; filename=report.csv" }).end("1,2")
      )
      const endless = site.page("/flood", (_, response) => {
        response.writeHead(200, { "content-disposition": "attachment; filename=flood.bin" })
        pour(response)
      })
      const { browser } = yield* at(site.body(`<a href="${file}">Report</a> <a href="${endless}">Flood</a>`))
      const one = yield* browser.click({ text: "Report", button: "left" })
      const two = yield* browser.click({ text: "Report", button: "left" })
      assert.deepStrictEqual(
        [...(one.downloads ?? []), ...(two.downloads ?? [])].map(({ path, state, bytes }) => [path, state, bytes]),
        [
          [join(folder, "report.csv"), "saved", 3],
          [join(folder, "report (2).csv"), "saved", 3]
        ]
      )
      const flood = yield* browser.click({ text: "Flood", button: "left" })
      assert.strictEqual(flood.downloads?.[0]?.state, "refused", JSON.stringify(flood.downloads))
      assert.include(flood.downloads?.[0]?.reason, "larger")
      assert.deepStrictEqual(readdirSync(folder).sort(), ["report (2).csv", "report.csv"])
    })
  )

  it.effect("a redirect to a host that is not allowed is stopped before anything is sent there", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let asked = 0
      site.page("/inner", (_, response) => {
        asked++
        response.end("secret")
      })
      const hop = site.page(
        "/hop",
        (_, response) => void response.writeHead(302, { location: `${site.otherOrigin}/inner` }).end()
      )
      const browser = yield* session
      assert.strictEqual((yield* failure(browser, hop))._tag, "NavigationBlocked")
      assert.strictEqual((yield* failure(browser, `${site.otherOrigin}/inner`))._tag, "NavigationBlocked")
      assert.strictEqual((yield* failure(browser, "file:///etc/hostname"))._tag, "NavigationBlocked")
      assert.strictEqual(asked, 0)
      const fine = site.page("/fine", (_, response) => void response.end("fine"))
      const through = site.page("/through", (_, response) => void response.writeHead(301, { location: fine }).end())
      const { content, exit } = yield* fetched(browser, through)
      assert.strictEqual(
        createHash("sha1")
          .update(content ?? "")
          .digest("hex"),
        createHash("sha1").update("fine").digest("hex")
      )
      assert.deepInclude(Exit.isSuccess(exit) ? exit.value : {}, { url: fine })
    })
  )
})

class Running extends Context.Service<Running, PortChromium>()("test/Running") {
  static readonly layer = Layer.effect(Running, portChromium)
}

layer(Layer.merge(Running.layer, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "downloads in somebody's browser",
  (it) => {
    it.effect(
      "come through the connection, whole or not at all, and leave what its owner set about downloads alone",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { webSocketUrl } = yield* Running
          const file = site.page("/medium", (_, response) => {
            response.writeHead(200, { "content-disposition": "attachment; filename=medium.bin" })
            pour(response, 20)
          })
          const cut = site.page("/broken", (_, response) => {
            response.writeHead(200, { "content-length": "1000000" })
            response.write(piece)
            setTimeout(() => response.destroy(), 200)
          })
          const endless = site.page("/flood2", (_, response) => {
            response.writeHead(200)
            pour(response)
          })
          yield* Effect.gen(function* () {
            const browser = yield* endpointSession
            const { exit, content } = yield* fetched(browser, file)
            assert.strictEqual(content?.length, 20 * piece.length)
            assert.isTrue(content?.every((byte) => byte === 7))
            assert.deepInclude(Exit.isSuccess(exit) ? exit.value : {}, { name: "medium.bin", url: file })
            assert.strictEqual((yield* failure(browser, cut))._tag, "DownloadFailed")
            assert.strictEqual((yield* failure(browser, endless, 5 * piece.length))._tag, "DownloadTooLarge")
            assert.deepStrictEqual(left(), [])
          }).pipe(Effect.scoped, Effect.provide(endpointAt(webSocketUrl)))
        })
    )
  }
)
