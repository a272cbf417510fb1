import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { within } from "../../src/services/Timeouts.ts"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const labels = (outcome: { readonly changes?: { readonly elements: ReadonlyArray<{ readonly label: string }> } }) =>
  outcome.changes?.elements.map((one) => one.label)

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("what an act began is waited for", (it) => {
  it.effect("waits for what a click began: a request and the change that follows it are in the answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const data = site.page("/slow-data", (_, response) => {
        setTimeout(() => response.end("fresh"), 300)
      })
      const { browser } = yield* at(
        site.body(
          `<button onclick="fetch('${data}').then(r => r.text()).then(t => { out.textContent = 'answer: ' + t })">Load</button><p id=out></p>`
        )
      )
      const clicked = yield* browser.click({ text: "Load", button: "left" })
      assert.deepStrictEqual(
        clicked.changes?.elements.map((one) => one.label),
        ["answer: fresh"]
      )
      assert.isUndefined(clicked.unsettled)
    })
  )

  it.effect("does not wait for an answer that the page never reads, and waits for one that comes piece by piece", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const whole = site.page("/whole", (_, response) => void response.end("x".repeat(200_000)))
      const pieces = site.page("/pieces", (_, response) => {
        let count = 0
        const next = () => {
          if (count++ === 8) return void response.end("last")
          response.write("piece ")
          setTimeout(next, 100)
        }
        next()
      })
      const { browser } = yield* at(
        site.body(
          `<button onclick="fetch('${whole}').then(r => { out.textContent = 'unread ' + r.status })">Unread</button>
           <button onclick="fetch('${pieces}').then(r => r.text()).then(t => { out.textContent = t.slice(-4) })">Pieces</button>
           <p id=out></p>`
        )
      )
      const unread = yield* browser.click({ text: "Unread", button: "left" })
      assert.deepStrictEqual(labels(unread), ["unread 200"])
      assert.isUndefined(unread.unsettled)
      const read = yield* browser.click({ text: "Pieces", button: "left" })
      assert.deepStrictEqual(labels(read), ["last"])
      assert.isUndefined(read.unsettled)
    })
  )

  it.effect("waits for the timers that a click set, and for those only", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<button onclick="setTimeout(() => setTimeout(() => { out.textContent = 'later' }, 200), 200)">Start</button><p id=out></p><script>
            setTimeout(function tick() { document.body.dataset.tick = 1; setTimeout(tick, 1000) }, 1000)</script>`
        )
      )
      const clicked = yield* browser.click({ text: "Start", button: "left" })
      assert.deepStrictEqual(
        clicked.changes?.elements.map((one) => one.label),
        ["later"]
      )
      assert.isUndefined(clicked.unsettled)
      assert.strictEqual(
        (yield* browser.execute({ script: "setTimeout.toString() + setTimeout.name" })).value,
        '"function () { [native code] }setTimeout"'
      )
    })
  )

  for (const where of ["origin", "otherOrigin"] as const) {
    it.effect(
      `waits for what a click began in a frame of ${where === "origin" ? "its own" : "another"} site, too`,
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const begins = {
            timer: "setTimeout(() => { out.textContent = 'by timer' }, 100)",
            frames: "requestAnimationFrame(() => requestAnimationFrame(() => { out.textContent = 'by frames' }))",
            message:
              "{ const c = new MessageChannel(); c.port1.onmessage = () => { out.textContent = 'by message' }; c.port2.postMessage(0) }"
          }
          const buttons = Object.entries(begins).map(
            ([name, script]) => `<button onclick="${script}">Go ${name}</button>`
          )
          const inner = site.body(`${buttons.join("")}<p id=out></p>`, "inner").replace(site.origin, site[where])
          const { browser } = yield* at(site.body(`<h1>Outside</h1><iframe src="${inner}"></iframe>`))
          for (const name of Object.keys(begins)) {
            const clicked = yield* browser.click({ text: `Go ${name}`, button: "left" })
            assert.include(labels(clicked) ?? [], `by ${name}`)
            assert.isUndefined(clicked.unsettled)
          }
        })
    )
  }

  it.effect("a click that navigates answers with the new page", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.body("<h1>Arrived</h1>", "next")
      const { browser } = yield* at(site.body(`<a href="${next}">Go</a>`))
      const clicked = yield* browser.click({ text: "Go", button: "left" })
      assert.strictEqual(clicked.navigatedTo, next)
      assert.deepStrictEqual(
        clicked.changes?.elements.map((one) => one.label),
        ["Arrived"]
      )
    })
  )

  it.effect.each([
    ["in its first animation frame", "requestAnimationFrame(show)"],
    [
      "in an animation frame that its load asks for",
      "onload = () => requestAnimationFrame(() => requestAnimationFrame(show))"
    ],
    ["by a timer", "onload = () => setTimeout(show, 120)"],
    [
      "by a message to itself",
      "onload = () => { const { port1, port2 } = new MessageChannel(); port1.onmessage = show; port2.postMessage(0) }"
    ]
  ] as const)("a page that builds itself %s is in the answer, opened or by a click", ([, script]) =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.body(`<script>const show = () => document.body.append("Built"); ${script}</script>`)
      const { browser, first } = yield* at(next)
      assert.deepStrictEqual(
        first.elements.map((one) => one.label),
        ["Built"]
      )
      yield* browser.open({ url: site.body(`<a href="${next}">Go</a>`), newTab: false })
      assert.deepStrictEqual(labels(yield* browser.click({ text: "Go", button: "left" })), ["Built"])
    })
  )

  it.effect("an icon that never comes holds up no answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const icon = site.page("/icon-that-never-comes", () => {})
      const next = site.page("/with-icon", (_request, response) =>
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(`<link rel=icon href="${icon}"><h1>Arrived</h1><button onclick="this.after('pressed')">Press</button>`)
      )
      const { browser } = yield* at(site.body(`<a href="${next}">Go</a>`))
      const arrived = yield* browser.click({ text: "Go", button: "left" })
      assert.deepStrictEqual(labels(arrived), ["Arrived", "Press"])
      assert.isUndefined(arrived.unsettled)
      const pressed = yield* browser.click({ text: "Press", button: "left" })
      assert.deepStrictEqual(labels(pressed), ["pressed"])
      assert.isUndefined(pressed.unsettled)
    })
  )

  it.effect("what belongs to workers, or may never end, holds up no answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const never = site.page("/never-ends", () => {})
      const script = site.page("/worker", (_, response) => {
        response.writeHead(200, { "content-type": "text/javascript" }).end("onmessage = () => {}")
      })
      const begins = {
        worker: `new Worker("${script}")`,
        module: `new Worker("${script}", { type: "module" })`,
        inline: `new Worker(window.URL.createObjectURL(new Blob([""], { type: "text/javascript" })))`,
        shared: `new SharedWorker("${script}")`,
        endless: `new Worker("${never}?worker")`,
        track: `out.innerHTML = '<video><track default src="${never}?track"></video>'`,
        beacon: `navigator.sendBeacon("${never}?beacon", "")`,
        events: `new EventSource("${never}?events")`
      }
      const { browser } = yield* at(
        site.body(
          `${Object.entries(begins)
            .map(
              ([name, begin]) =>
                `<button onclick='${begin.replaceAll("'", "&apos;")}; said.append("${name}")'>${name}</button>`
            )
            .join("")}<p id=said></p><p id=out></p>`
        )
      )
      let said = ""
      for (const name of Object.keys(begins)) {
        const clicked = yield* browser.click({ text: name, button: "left" })
        said += name
        assert.include(labels(clicked) ?? [], said)
        assert.isUndefined(clicked.unsettled, name)
      }
    })
  )

  it.effect("a call that is given up leaves no script running for the next one", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<button onclick='for (;;) {}'>Spin</button>"))
      const giveUp = <A, E>(call: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const running = yield* Effect.forkChild(Effect.exit(call), { startImmediately: true })
          // the page is in it once it answers nothing
          while (true) {
            const answer = browser.cdp({ method: "Runtime.evaluate", params: { expression: "0" }, timeoutMs: 200 })
            if ((yield* Effect.exit(answer))._tag === "Failure") break
          }
          yield* Fiber.interrupt(running)
        })
      yield* giveUp(browser.execute({ script: "for (;;) {}" }))
      assert.strictEqual((yield* browser.execute({ script: "1 + 1" })).value, "2")
      yield* giveUp(browser.click({ text: "Spin", button: "left" }))
      assert.strictEqual((yield* browser.execute({ script: "1 + 2" })).value, "3")
    })
  )

  it.effect("a link whose server never answers is told as that, and takes nothing from the page", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const never = site.page("/never-answered", () => {})
      const { browser } = yield* at(site.body(`<a href="${never}">Never</a><input id=kept>`))
      yield* browser.execute({ script: "kept.value = 'typed'" })
      const error = yield* Effect.flip(within("a click", 3_000)(browser.click({ text: "Never", button: "left" })))
      assert.strictEqual(error._tag, "OperationTimeout")
      assert.include((error as { readonly detail?: string }).detail, "whose server has not answered")
      yield* browser.stop
      assert.strictEqual((yield* browser.execute({ script: "kept.value" })).value, '"typed"')
    })
  )
})
