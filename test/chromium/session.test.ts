import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { TabId } from "../../src/schemas/ids.ts"
import { at, chromium, element, session, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a session in a real Chromium", (it) => {
  it.effect("opens a page and shows it in the same call", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { first } = yield* at(
        site.body("<h1>Harbour</h1><button>Book</button><p>Three berths are free.</p>", "Harbour")
      )
      assert.strictEqual(first.title, "Harbour")
      assert.deepStrictEqual(
        first.elements.map((one) => `${one.kind} ${one.label}`),
        ["heading Harbour", "button Book", "text Three berths are free."]
      )
      assert.isUndefined(first.truncated)
    })
  )

  it.effect(
    "clicks a reference with real input and reports what changed, with references that can be used at once",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser, first } = yield* at(
          site.body(
            `<button id=b onclick="out.insertAdjacentHTML('beforeend', event.isTrusted ? '<button onclick=document.title=1>More</button>' : 'fake')">Show</button><div id=out></div>`
          )
        )
        const clicked = yield* browser.clickRef({
          snapshotId: first.snapshotId,
          ref: element(first, "button", "Show").ref,
          button: "left"
        })
        assert.isTrue(clicked.clicked)
        const more = clicked.changes?.elements.find((one) => one.label === "More")
        assert.isDefined(more)
        yield* browser.clickRef({ snapshotId: clicked.changes!.snapshotId, ref: more!.ref, button: "left" })
        assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"1"')
      })
  )

  it.effect("refuses to press what another element covers, names the cover, and presses nothing", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<button id=a onclick="n++">Order</button><div id=cover class=consent onclick="n++" style="position:fixed;inset:0">We use cookies</div><script>n=0</script>`
        )
      )
      const error = yield* Effect.flip(browser.click({ selector: "#a", button: "left" }))
      assert.strictEqual(error._tag, "TargetCovered")
      assert.include(error.message, "cover")
      assert.strictEqual((yield* browser.execute({ script: "n" })).value, "0")
    })
  )

  it.effect("popups become tabs with their opener, and the opener can still reach them", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const pop = site.body("<p>popup</p><script>opener.greeted = true</script>", "pop")
      const { browser } = yield* at(site.body(`<button onclick="w = window.open('${pop}')">Pop</button>`))
      const clicked = yield* browser.click({ text: "Pop", button: "left" })
      assert.strictEqual(clicked.newTabs?.length, 1)
      const tabs = yield* browser.tabs
      assert.strictEqual(tabs.length, 2)
      assert.deepInclude(tabs[1], { url: pop, opener: TabId.make("t1"), active: false })
      yield* browser.switchTab(tabs[1]!.id)
      assert.strictEqual((yield* browser.snapshot(whole)).title, "pop")
      yield* browser.switchTab(TabId.make("t1"))
      assert.strictEqual((yield* browser.execute({ script: "greeted && w.document.title" })).value, '"pop"')
    })
  )

  it.effect(
    "a dialog ends the click that opened it early, other tools say what to do, and answering sets the page free",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(`<button onclick="document.title = confirm('Really?') ? 'yes' : 'no'">Ask</button>`)
        )
        const clicked = yield* browser.click({ text: "Ask", button: "left" })
        assert.isTrue(clicked.clicked)
        assert.deepInclude(clicked.dialog, { type: "confirm", message: "Really?" })
        const refused = yield* Effect.flip(browser.click({ text: "Ask", button: "left" }))
        assert.strictEqual(refused._tag, "DialogOpen")
        const seen = yield* browser.snapshot(whole)
        assert.strictEqual(seen.pending_dialogs?.[0]?.message, "Really?")
        yield* browser.answerDialog({ action: "accept" })
        assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"yes"')
        const after = yield* browser.snapshot(whole)
        assert.deepStrictEqual(after.pending_dialogs, [])
        assert.strictEqual(after.recent_dialogs?.[0]?.closed_by, "agent")
      })
  )

  it.effect("a page that has been loaded for a while can be looked at while its dialog waits", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body(`<button onclick="confirm('Really?')">Ask</button>`))
      const asked = Effect.gen(function* () {
        yield* browser.click({ text: "Ask", button: "left" })
        const seen = yield* browser.snapshot(whole)
        yield* browser.answerDialog({ action: "accept" })
        return seen.elements.length
      })
      const readable = yield* Effect.repeat(asked, {
        until: (elements) => elements > 0,
        schedule: Schedule.spaced("200 millis"),
        times: 50
      })
      assert.isAbove(readable, 0)
    })
  )

  it.effect("a script that asks a question gets its answer, and goes on", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body(""))
      const asked = yield* browser.execute({ script: "window.answer = prompt('Who?', 'nobody')" })
      assert.deepInclude(asked.dialog, { type: "prompt", default_prompt: "nobody" })
      yield* browser.answerDialog({ action: "accept", prompt_text: "Noor" })
      assert.strictEqual((yield* browser.execute({ script: "window.answer" })).value, '"Noor"')
    })
  )

  it.effect("an alert while the page loads does not hang the opening", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(site.body("<script>alert('Maintenance')</script><h1>Welcome</h1>"))
      assert.strictEqual(first.pending_dialogs?.[0]?.message, "Maintenance")
      yield* browser.answerDialog({ action: "accept" })
      yield* browser.waitFor({ text: "Welcome" })
    })
  )

  it.effect("a dialog in the first script of a popup without an opener is seen and answered", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const pop = site.body("<script>document.title = String(confirm('First?'))</script>")
      const { browser } = yield* at(site.body(`<a href="${pop}" target=_blank rel=noopener>Pop</a>`))
      const clicked = yield* browser.click({ text: "Pop", button: "left" })
      assert.strictEqual(clicked.dialog?.message, "First?")
      while (browser.pendingDialogs().length === 0) yield* Effect.sleep(20)
      const pending = browser.pendingDialogs()
      assert.strictEqual(pending[0]?.message, "First?")
      // the page that opened it is not blocked
      assert.strictEqual((yield* browser.execute({ script: "1 + 1" })).value, "2")
      yield* browser.answerDialog({ action: "accept" })
    })
  )

  it.effect("a click waits for the first question of a popup without an opener whose script comes late", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const pop = site.page("/late-question", (_, response) => {
        response.writeHead(200, { "content-type": "text/html" }).write("<title>Late</title><p>Please wait</p>")
        setTimeout(() => response.end("<script>document.title = String(confirm('Late?'))</script>"), 400)
      })
      const { browser } = yield* at(site.body(`<a href="${pop}" target=_blank rel=noopener>Pop</a>`))
      const clicked = yield* browser.click({ text: "Pop", button: "left" })
      assert.strictEqual(clicked.dialog?.message, "Late?")
      yield* browser.answerDialog({ action: "accept" })
      yield* browser.switchTab(clicked.newTabs![0]!.id)
      yield* browser.waitFor({ text: "Please wait" })
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"true"')
    })
  )

  it.effect("elements of frames, also of another site, are in the snapshot and can be pressed", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = site.body(`<button onclick="parent.postMessage('inner', '*')">Deep</button>`)
      const innerUrl = new URL(inner)
      const child = site.body(
        `<button onclick="parent.postMessage('paid', '*')">Pay</button><iframe src="${site.origin}${innerUrl.pathname}" style="margin:30px"></iframe>`
      )
      const { browser } = yield* at(
        site.body(
          `<div style="height:1500px"></div><iframe style="border:7px solid; margin-left:50px; width:400px; height:300px" src="${site.otherOrigin}${new URL(child).pathname}"></iframe><script>got=[];onmessage=e=>got.push(e.data); </script><iframe srcdoc="<button onclick='parent.got.push(&quot;draft&quot;)'>Approve</button>"></iframe>`
        )
      )
      yield* browser.waitFor({ text: "Deep" })
      const seen = yield* browser.snapshot(whole)
      for (const [label, index] of [
        ["Pay", 0],
        ["Approve", 1],
        ["Deep", 2]
      ] as const) {
        const found = element(seen, "button", label)
        assert.isDefined(found.frame)
        const result = yield* browser.clickRef({ snapshotId: seen.snapshotId, ref: found.ref, button: "left" })
        assert.isTrue(result.clicked, `${label} ${index}`)
      }
      // a message of the innermost frame reaches its parent only
      assert.strictEqual((yield* browser.execute({ script: "got.join()" })).value, '"paid,draft"')
    })
  )

  it.effect("what stands in frames is there at the first look, in its place, and nothing is said to be cut", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = new URL(site.body("<button>Inner</button>"))
      const { first } = yield* at(
        site.body(
          `<p>Before</p><iframe src="${inner}"></iframe><p>Between</p><iframe src="${site.otherOrigin}${inner.pathname}"></iframe><p>After</p>`
        )
      )
      assert.deepStrictEqual(
        first.elements.filter((one) => one.kind !== "frame").map((one) => one.label),
        ["Before", "Inner", "Between", "Inner", "After"]
      )
      assert.isUndefined(first.truncated)
    })
  )

  it.effect("controls in closed shadow roots are listed and can be used", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(
        site.body(`<x-card></x-card><script>
          customElements.define('x-card', class extends HTMLElement { connectedCallback() {
            const r = this.attachShadow({ mode: 'closed' }); r.innerHTML = '<label>Mail <input></label><button>Join</button>';
            r.querySelector('button').onclick = () => { document.title = 'joined ' + r.querySelector('input').value } } })</script>`)
      )
      const field = element(first, "textbox", "Mail")
      const filled = yield* browser.fill({
        fields: [{ snapshotId: first.snapshotId, ref: field.ref, value: "kit@post" }],
        submit: false
      })
      assert.deepInclude(filled.fields[0], { ok: true, value: "kit@post" })
      yield* browser.clickRef({
        snapshotId: first.snapshotId,
        ref: element(first, "button", "Join").ref,
        button: "left"
      })
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"joined kit@post"')
    })
  )

  it.effect("a reference of the page before is refused, also if the number exists again", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(site.body("<button>One</button>"))
      const ref = element(first, "button", "One").ref
      yield* browser.open({ url: site.body("<button onclick=\"document.title='wrong'\">Two</button>"), newTab: false })
      const error = yield* Effect.flip(browser.clickRef({ snapshotId: first.snapshotId, ref, button: "left" }))
      assert.strictEqual(error._tag, "SnapshotStale")
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"test"')
    })
  )

  it.effect("goes back to a page kept in memory, and forward again", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>First</h1>", "first"))
      yield* browser.open({ url: site.body("<h1>Second</h1>", "second"), newTab: false })
      const back = yield* browser.back
      assert.isTrue(back.navigated)
      assert.strictEqual((yield* browser.snapshot(whole)).title, "first")
      assert.isTrue((yield* browser.forward).navigated)
      assert.strictEqual((yield* browser.snapshot(whole)).title, "second")
      assert.isFalse((yield* browser.forward).navigated)
      assert.isTrue((yield* browser.reload).reloaded)
    })
  )

  it.effect(
    "an address that fails, an empty answer and a download are told apart, and the page before stays usable",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<h1>Still here</h1>", "still"))
        const nothing = site.page("/204", (_, response) => void response.writeHead(204).end())
        const file = site.page(
          "/file",
          (_, response) =>
            void response
              .writeHead(200, {
                "content-type": "application/pdf",
                "content-disposition": "attachment; filename=year.pdf"
              })
              .end("x")
        )
        const empty = yield* Effect.flip(browser.open({ url: nothing, newTab: false }))
        assert.strictEqual(empty._tag, "NavigationFailed")
        const download = yield* Effect.flip(browser.open({ url: file, newTab: false }))
        assert.include(download.message, "download")
        assert.include(download.message, "year.pdf")
        assert.strictEqual((yield* browser.snapshot(whole)).title, "still")
        const refused = yield* Effect.flip(browser.open({ url: "http://127.0.0.1:1/", newTab: false }))
        assert.include(refused.message, "net::ERR_")
        const blocked = yield* Effect.flip(browser.open({ url: "file:///etc/passwd", newTab: true }))
        assert.strictEqual(blocked._tag, "NavigationBlocked")
        assert.strictEqual((yield* browser.tabs).length, 1)
      })
  )

  it.effect("a page that crashes says so, and opening one revives the tab", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>Fine</h1>"))
      yield* Effect.ignore(browser.open({ url: "chrome://crash", newTab: false }))
      const hanging = yield* Effect.forkChild(Effect.flip(browser.execute({ script: "new Promise(() => {})" })))
      yield* Effect.void
      yield* Fiber.interrupt(hanging)
      const next = yield* browser.open({ url: site.body("<h1>Again</h1>", "again"), newTab: false })
      assert.strictEqual(next.title, "again")
    })
  )

  it.effect("an endless loop is stopped at the end of the budget, and the page answers again", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>Fine</h1>"))
      const { Timeouts, defaultTimeouts } = yield* Effect.promise(() => import("../../src/services/Timeouts.ts"))
      const error = yield* Effect.flip(
        browser
          .execute({ script: "while (true) {}" })
          .pipe(Effect.provideService(Timeouts, { ...defaultTimeouts, execute: 1_500 }))
      )
      assert.deepInclude(error, { _tag: "ExecuteTimeout", terminated: true })
      assert.strictEqual((yield* browser.execute({ script: "1 + 1" })).value, "2")
    })
  )

  it.effect("closing the last tab leaves a blank one; reset closes all", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const browser = yield* session
      yield* browser.open({ url: site.body("a"), newTab: false })
      yield* browser.open({ url: site.body("b"), newTab: true })
      assert.strictEqual((yield* browser.tabs).length, 2)
      const tabs = yield* browser.tabs
      yield* browser.closeTab(tabs[1]!.id)
      yield* browser.closeTab(tabs[0]!.id)
      const left = yield* browser.tabs
      assert.deepStrictEqual(
        left.map((tab) => [tab.url, tab.active]),
        [["about:blank", true]]
      )
      const unknown = yield* Effect.flip(browser.closeTab(tabs[0]!.id))
      assert.strictEqual(unknown._tag, "TabUnknown")
      yield* browser.open({ url: site.body("c"), newTab: true })
      yield* browser.reset
      assert.strictEqual((yield* browser.tabs).length, 1)
    })
  )
})
