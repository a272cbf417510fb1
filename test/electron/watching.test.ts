/** A person watches: what agents do never changes what they see, and every picture shows the page as it is now. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PNG } from "pngjs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { layerOverHost } from "../../src/layers/providers/electron/ElectronProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { HostTaskId } from "../../src/schemas/HostProtocol.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"
import { testViewHost } from "../support/ElectronSession.ts"
import { TestSite } from "../support/TestSite.ts"

const Watched = Layer.merge(
  layerOverHost(defaultBrowserConfig).pipe(
    Layer.orDie,
    Layer.provideMerge(Layer.merge(testViewHost(), BrowserSeam.layer(defaultBrowserConfig))),
    Layer.provide(NodeServices.layer)
  ),
  TestSite.layer
)

const openSession = (task: string) => Effect.flatMap(Browser, (browser) => browser.open({ task: TaskKey.make(task) }))

const running = Effect.flatMap(ViewHost, (host) => host.running)

const windowState = Effect.flatMap(running, (host) => host.call("window", {}))
const tasks = Effect.flatMap(running, (host) => Effect.map(host.call("listTasks", {}), (list) => list.tasks))

/** What a person sees: the visible task, its view, and the place of everything. */
const sight = Effect.gen(function* () {
  const { focused, minimized, title, views } = yield* windowState
  const visible = (yield* tasks).find((task) => task.visible)
  return { focused, minimized, title, shown: views.filter((view) => view.visible), task: visible?.label }
})

const paint = (browser: BrowserSession, colour: string) =>
  browser.execute({ script: `document.body.style.background = "${colour}"; 0` })

const picture = (browser: BrowserSession, more: { readonly fullPage?: boolean; readonly format?: "png" } = {}) =>
  Effect.map(browser.screenshot({ format: "png", fullPage: false, ...more }), ({ data }) =>
    PNG.sync.read(Buffer.from(data))
  )

const colourAt = ({ data, width }: PNG, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)
]

const blank = "<style>body { margin: 0; height: 100vh }</style>"

layer(Watched, { excludeTestServices: true, timeout: "60 seconds" })("before the eyes of a person", (it) => {
  it.effect("work in another task changes nothing, whatever it is: pages, clicks, tabs, pictures", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const seen = yield* openSession("seen")
      yield* seen.open({ url: site.body(`${blank}<h1>Seen</h1>`, "Seen"), newTab: false })
      const before = yield* sight
      assert.strictEqual(before.task, "seen")
      assert.lengthOf(before.shown, 1)
      const other = yield* openSession("other")
      const first = yield* other.open({
        url: site.body(`<button onclick="document.title = 'Pressed'">Press</button>`, "Other"),
        newTab: false
      })
      yield* other.clickRef({
        snapshotId: first.snapshotId,
        ref: first.elements.find((one) => one.label === "Press")?.ref ?? 0,
        button: "left"
      })
      yield* other.open({ url: site.body("<p>second</p>", "Second"), newTab: true })
      yield* picture(other)
      yield* picture(other, { fullPage: true })
      assert.deepStrictEqual(yield* sight, before)
    })
  )

  it.effect("a page that fills the screen fills its own place, and leaves the window as it is", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const full = `<button onclick="document.documentElement.requestFullscreen().then(() => document.title = 'full')">Full</button>`
      const popup = site.body(full, "Popup")
      const browser = yield* openSession("full")
      yield* browser.open({
        url: site.body(`${full}<button onclick="window.open('${popup}')">Open</button>`),
        newTab: false
      })
      const before = yield* windowState
      const fills = Effect.gen(function* () {
        const size = yield* browser.execute({ script: "[innerWidth, innerHeight].join()" })
        yield* browser.click({ text: "Full", button: "left" })
        yield* Effect.repeat(browser.execute({ script: "document.title" }), {
          until: ({ value }) => value === '"full"'
        })
        assert.deepStrictEqual(yield* browser.execute({ script: "[innerWidth, innerHeight].join()" }), size)
        const { bar, content, position } = yield* windowState
        assert.deepStrictEqual([content, position, bar.height], [before.content, before.position, before.bar.height])
        yield* browser.execute({ script: "document.exitFullscreen()" })
      })
      yield* fills
      const { newTabs } = yield* browser.click({ text: "Open", button: "left" })
      yield* browser.switchTab(newTabs![0]!.id)
      yield* fills
    })
  )

  it.effect("a picture of a hidden page shows what it is now, not what it was when it was last seen", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* openSession("in front")
      const hidden = yield* openSession("hidden")
      yield* hidden.open({ url: site.body(blank), newTab: false })
      for (const [colour, expected] of [
        ["rgb(200, 10, 10)", [200, 10, 10]],
        ["rgb(10, 200, 10)", [10, 200, 10]],
        ["rgb(10, 10, 200)", [10, 10, 200]]
      ] as const) {
        yield* paint(hidden, colour)
        for (const fullPage of [false, true]) {
          const shown = yield* picture(hidden, { fullPage })
          assert.deepStrictEqual(colourAt(shown, 20, 20), [...expected])
          assert.deepStrictEqual(colourAt(shown, shown.width - 5, shown.height - 5), [...expected])
        }
      }
    })
  )

  it.effect("a hidden page lives: its frames, timers and state go on as if it were seen", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* openSession("in front, too")
      const hidden = yield* openSession("lives")
      yield* hidden.open({ url: site.body(blank), newTab: false })
      const { value } = yield* hidden.execute({
        script: `const start = performance.now()
          for (let n = 0; n < 10; n++) await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 10))
          return [document.visibilityState, performance.now() - start < 9000].join()`
      })
      assert.strictEqual(value, '"visible,true"')
    })
  )

  it.effect("many pictures at once are each of their own page, and all of the window's size", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const sessions = yield* Effect.forEach([40, 90, 140, 190], (red) =>
        Effect.gen(function* () {
          const session = yield* openSession(`red ${red}`)
          yield* session.open({ url: site.body(blank), newTab: false })
          yield* paint(session, `rgb(${red}, 0, 0)`)
          return { red, session }
        })
      )
      const pictures = yield* Effect.forEach(
        sessions,
        ({ red, session }) => Effect.map(picture(session), (shown) => ({ red, shown })),
        { concurrency: "unbounded" }
      )
      for (const { red, shown } of pictures) {
        assert.deepStrictEqual(colourAt(shown, 10, 10), [red, 0, 0])
        assert.deepStrictEqual([shown.width, shown.height], [1280, 800])
      }
    })
  )

  it.effect(
    "the person's choice holds: a task that opens tabs does not come to the front, one that is chosen does",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const host = yield* running
        const one = yield* openSession("one")
        const two = yield* openSession("two")
        yield* one.open({ url: site.body("<p>one</p>", "Page one"), newTab: false })
        yield* two.open({ url: site.body("<p>two</p>", "Page two"), newTab: false })
        const idOf = (label: string) =>
          Effect.map(tasks, (all) => all.find((task) => task.label === label)?.id ?? HostTaskId.make("missing"))
        yield* host.call("selectTask", { taskId: yield* idOf("two") })
        assert.strictEqual((yield* sight).task, "two")
        assert.include((yield* sight).title, "Page two")
        yield* one.open({ url: site.body("<p>more</p>", "More"), newTab: true })
        assert.strictEqual((yield* sight).task, "two")
        yield* host.call("selectTask", { taskId: yield* idOf("one") })
        assert.include((yield* sight).title, "More")
        const [first] = yield* one.tabs
        yield* one.switchTab(first!.id)
        assert.include((yield* sight).title, "Page one")
      })
  )

  it.effect("a task that ends hands the window to another one, and its pages are gone", () =>
    Effect.gen(function* () {
      const host = yield* running
      yield* openSession("stays")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* openSession("goes")
          const goes = (yield* tasks).find((task) => task.label === "goes")
          yield* host.call("selectTask", { taskId: goes!.id })
          assert.strictEqual((yield* sight).task, "goes")
        })
      )
      assert.strictEqual((yield* sight).task, "stays")
      assert.isFalse((yield* tasks).some((task) => task.label === "goes"))
    })
  )

  it.effect("a thumbnail of the visible task is small, and only that of the visible task is taken", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const host = yield* running
      const one = yield* openSession("pictured")
      const two = yield* openSession("unseen")
      yield* one.open({ url: site.body(`${blank}<h1>Harbour</h1>`), newTab: false })
      yield* two.open({ url: site.body(`${blank}<h1>Hidden</h1>`), newTab: false })
      const all = yield* tasks
      const pictured = all.find((task) => task.label === "pictured")!.id
      const unseen = all.find((task) => task.label === "unseen")!.id
      yield* host.call("selectTask", { taskId: pictured })
      const { image = "", version } = yield* host.call("thumbnail", { taskId: pictured })
      assert.match(image, /^data:image\/jpeg;base64,/)
      assert.strictEqual(version, 1)
      assert.isAtMost(image.length, (180 * 1024 * 4) / 3 + 100)
      // asked again at once, it is the same one
      assert.deepStrictEqual(yield* host.call("thumbnail", { taskId: pictured }), { image, version })
      assert.deepStrictEqual(yield* host.call("thumbnail", { taskId: unseen }), { version: 0 })
    })
  )

  it.effect("the question of a page is answered by the agent, although Electron has no prompt", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const session = yield* openSession("asked")
      yield* session.open({ url: site.body("<p>Harbour</p>"), newTab: false })
      const asked = yield* session.execute({ script: "window.answer = prompt('Who?', 'nobody')" })
      assert.deepInclude(asked.dialog, { type: "prompt", default_prompt: "nobody" })
      // and the page can be looked at meanwhile
      assert.include(
        (yield* session.snapshot({ interactive: false, wholeFrameTree: false })).elements.map((one) => one.label),
        "Harbour"
      )
      yield* session.answerDialog({ action: "accept", prompt_text: "Noor" })
      assert.strictEqual((yield* session.execute({ script: "window.answer" })).value, '"Noor"')
    })
  )

  it.effect("servers and pages see a Chromium, not Electron", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let headers: { readonly [name: string]: unknown } = {}
      const url = site.page("/who", (request, response) => {
        headers = request.headers
        response.end("<title>who</title>")
      })
      const session = yield* openSession("disguised")
      yield* session.open({ url, newTab: false })
      assert.match(String(headers["user-agent"]), /Chrome\/[\d.]+ Safari/)
      assert.notMatch(String(headers["user-agent"]), /electron|effect-browser/i)
      assert.strictEqual(headers["accept-language"], "en-US,en;q=0.9")
      const { value } = yield* session.execute({
        script: `return JSON.stringify([navigator.userAgent, navigator.languages.join(), navigator.userAgentData.brands.map(({ brand, version }) => '"' + brand + '";v="' + version + '"').join(", "), navigator.webdriver, typeof require, typeof process])`
      })
      assert.deepStrictEqual(JSON.parse(JSON.parse(value as string)), [
        headers["user-agent"],
        "en-US,en",
        headers["sec-ch-ua"],
        false,
        "undefined",
        "undefined"
      ])
      assert.deepStrictEqual((yield* session.console({ clear: false, limit: 50 } as never)).messages, [])
    })
  )
})
