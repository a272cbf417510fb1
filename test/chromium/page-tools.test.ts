import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const off = { clear: false } as const
const letter = { landscape: false, printBackground: true } as const

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })(
  "a page as a whole in a real Chromium",
  (it) => {
    it.effect("a bot check that is merely there does not block; one that covers the page does", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<h1>Shop</h1>"))
        assert.deepStrictEqual(yield* browser.challenge, { present: false, blocked: false })
        yield* browser.open({
          url: site.body(
            `<h1>Shop</h1><p>${"words ".repeat(200)}</p><div class="g-recaptcha" style="width:256px;height:60px;position:fixed;right:0;bottom:0"></div>`
          ),
          newTab: false
        })
        assert.deepInclude(yield* browser.challenge, { present: true, blocked: false, kind: "recaptcha" })
        yield* browser.open({
          url: site.body(`<div class="h-captcha" style="width:100vw;height:100vh"></div>`),
          newTab: false
        })
        assert.deepInclude(yield* browser.challenge, { present: true, blocked: true, kind: "hcaptcha" })
      })
    )

    it.effect("what is emulated holds for the document, for those that follow, and for frames of other sites", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const inner = site.body("<p>inner</p>")
        const agents: Array<string | undefined> = []
        const page = site.page("/phone", (request, response) => {
          agents.push(request.headers["user-agent"])
          response
            .writeHead(200, { "content-type": "text/html" })
            .end(
              `<meta name=viewport content="width=device-width"><iframe src="${inner.replace(site.origin, site.otherOrigin)}"></iframe>`
            )
        })
        const { browser } = yield* at(site.body("<p>first</p>"))
        const facts = `[innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches, navigator.maxTouchPoints > 0, navigator.userAgent]`
        const read = Effect.map(
          browser.execute({ script: facts }),
          ({ value }) => JSON.parse(value ?? "") as Array<unknown>
        )
        const before = yield* read
        const done = yield* browser.emulate({
          ...off,
          width: 390,
          height: 844,
          deviceScaleFactor: 3,
          mobile: true,
          userAgent: "Phone/1.0",
          colorScheme: "dark"
        })
        assert.deepStrictEqual(
          [...done.applied],
          ["viewport", "deviceScaleFactor", "mobile", "userAgent", "colorScheme"]
        )
        yield* browser.open({ url: page, newTab: false })
        assert.deepStrictEqual(yield* read, [390, 844, 3, true, true, "Phone/1.0"])
        assert.strictEqual(agents.at(-1), "Phone/1.0")
        const frame = [...((yield* browser.snapshot(whole)).frame_tree?.children ?? [])][0]
        const inFrame = yield* browser.cdp({
          method: "Runtime.evaluate",
          params: { expression: "navigator.userAgent + matchMedia('(prefers-color-scheme: dark)').matches" },
          frame_id: frame?.frame_id ?? "",
          timeoutMs: 5_000
        } as never)
        assert.include(JSON.stringify(inFrame), "Phone/1.0true")

        const part = yield* browser.emulate({ clear: true, colorScheme: "dark" })
        assert.deepStrictEqual([...part.applied], ["colorScheme"])
        yield* browser.open({ url: site.body("<p>last</p>"), newTab: false })
        const after = yield* read
        assert.deepStrictEqual(after, before.with(3, true))
      })
    )

    it.effect("another density alone leaves no size of an emulation before", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<p>dense</p>"))
        const size = Effect.map(
          browser.execute({ script: "[innerWidth, innerHeight, devicePixelRatio].join()" }),
          ({ value }) => value
        )
        yield* browser.emulate({ ...off, width: 500, height: 400 })
        assert.strictEqual(yield* size, '"500,400,1"')
        yield* browser.emulate({ clear: true, deviceScaleFactor: 2 })
        assert.strictEqual(yield* size, '"1280,800,2"')
      })
    )

    it.effect("a page that prints goes on: nobody is there who could close a dialog of the system", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const print = `<button onclick="window.print(); document.title = 'went on'">Print</button>`
        const { browser } = yield* at(
          site.body(`${print}<button onclick="window.open('${site.body(print, "Ticket")}')">Ticket</button>`)
        )
        yield* browser.click({ text: "Print", button: "left" })
        assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"went on"')
        const { newTabs } = yield* browser.click({ text: "Ticket", button: "left" })
        yield* browser.switchTab(newTabs![0]!.id)
        yield* browser.click({ text: "Print", button: "left" })
        assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"went on"')
      })
    )

    it.effect("another tab is not touched by what one tab emulates", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<p>first</p>"))
        yield* browser.emulate({ ...off, width: 400, height: 300 })
        yield* browser.open({ url: site.body("<p>second</p>"), newTab: true })
        assert.strictEqual((yield* browser.execute({ script: "innerWidth" })).value, "1280")
      })
    )

    it.effect("a page is printed to a PDF of the paper that was asked for", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body(`<h1>Report</h1>${"<p>line</p>".repeat(200)}`))
        const boxes = yield* Effect.forEach(
          [letter, { ...letter, landscape: true }, { ...letter, paperWidth: 4, paperHeight: 6 }],
          (params) =>
            Effect.scoped(
              Effect.map(browser.pdf(params), ({ file, bytes }) => {
                const content = readFileSync(file)
                assert.strictEqual(content.length, bytes)
                assert.strictEqual(content.subarray(0, 5).toString(), "%PDF-")
                return /MediaBox \[([^\]]+)\]/.exec(content.toString("latin1"))?.[1]
              })
            )
        )
        assert.deepStrictEqual(boxes, ["0 0 612 792", "0 0 792 612", "0 0 288 432"])
      })
    )

    it.effect("an element is marked by selector or reference, and the mark is taken away", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser, first } = yield* at(site.body(`<div style="height:2000px"></div><button id=b>Go</button>`))
        const marked = yield* browser.highlight({ ...off, selector: "#b" })
        assert.deepInclude(marked, { matched: true, cleared: false })
        assert.isTrue((marked.box?.y ?? -1) >= 0 && (marked.box?.y ?? 9_999) < 800, JSON.stringify(marked.box))
        const button = first.elements.find((one) => one.label === "Go")
        assert.isTrue(
          (yield* browser.highlight({ ...off, snapshotId: first.snapshotId, ref: button?.ref ?? 0 })).matched
        )
        assert.deepStrictEqual(yield* browser.highlight({ ...off, selector: "#missing" }), {
          matched: false,
          cleared: false
        })
        assert.deepStrictEqual(yield* browser.highlight({ clear: true }), { matched: false, cleared: true })
        assert.strictEqual((yield* Effect.flip(browser.highlight(off)))._tag, "HighlightInvalid")
        assert.strictEqual((yield* Effect.flip(browser.highlight({ ...off, selector: "((" })))._tag, "SelectorInvalid")
      })
    )
  }
)
