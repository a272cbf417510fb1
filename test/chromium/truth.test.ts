/** What a result says of an act is what happened in the page. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { outcomeLines } from "../../src/tools/render/outcome.ts"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const shorter = (table: Partial<Record<keyof typeof defaultTimeouts, number>>) =>
  Effect.provideService(Timeouts, { ...defaultTimeouts, ...table })

const left = { button: "left" } as const

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("what is said of an act", (it) => {
  for (const [how, script] of [
    ["moves away", "this.style.marginTop = '300px'"],
    ["is removed", "this.remove()"],
    ["is drawn anew", "this.outerHTML = this.outerHTML"]
  ] as const) {
    it.effect(`a press at which the target ${how} is told as one that was no click`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(
            `<script>clicks = 0</script><button onmousedown="${script}" onclick="clicks++">Save</button><p>below</p>`
          )
        )
        const pressed = yield* browser.click({ text: "Save", ...left })
        assert.strictEqual((yield* browser.execute({ script: "clicks" })).value, "0")
        assert.isFalse(pressed.clicked)
        assert.include(pressed.reason, "no click")
      })
    )
  }

  it.effect("a press that the page takes for its own is one that did what it was to do", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<ul role=listbox><li role=option>Lisbon</li></ul><p>below</p>
          <script>const list = document.querySelector("ul")
          list.onmousedown = (e) => { e.preventDefault(); document.title = e.target.textContent; list.hidden = true }</script>`
        )
      )
      const pressed = yield* browser.click({ text: "Lisbon", ...left })
      assert.isTrue(pressed.clicked)
      assert.notProperty(pressed, "reason")
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"Lisbon"')
    })
  )

  it.effect("a page that hides clicks from everybody after it is not said to have got none", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<button>Save</button><script>addEventListener("click", (e) => e.stopImmediatePropagation(), true)</script>`
        )
      )
      assert.isTrue((yield* browser.click({ text: "Save", ...left })).clicked)
    })
  )

  it.effect("a list that is drawn anew all the time is clicked by its text, and what is said of it is true", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<div id=d></div><script>clicks = 0
          const draw = () => { d.innerHTML = '<ul>' + ['Ann', 'Bob', 'Cid'].map((name) => '<li><button onclick="clicks++">Open ' + name + '</button></li>').join('') + '</ul>' }; draw(); setInterval(draw, 30)</script>`)
      )
      // the list may be drawn anew between the press and the release: then it was no click, and is to be said to be none
      let clicks = 0
      for (let attempt = 0; attempt < 4 && clicks === 0; attempt++) {
        const { clicked } = yield* browser.click({ text: "Open Bob", ...left })
        if (clicked) clicks++
        assert.strictEqual((yield* browser.execute({ script: "clicks" })).value, String(clicks))
      }
      assert.strictEqual(clicks, 1)
    })
  )

  it.effect("a drag that puts an element elsewhere in its list says where it is now", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<ul id=l><li draggable=true>Alpha<li draggable=true>Beta<li draggable=true>Gamma</ul><script>let held
          l.ondragstart = (e) => { held = e.target; e.dataTransfer.setData("text", "x") }
          l.ondragover = (e) => e.preventDefault()
          l.ondrop = (e) => { e.preventDefault(); e.target.before(held) }</script>`)
      )
      const { changes } = yield* browser.drag({ from: { text: "Gamma" }, to: { text: "Alpha" }, steps: 12 })
      assert.deepStrictEqual(
        changes?.moved?.map(({ before, label }) => [label, before?.label]),
        [["Gamma", "Alpha"]]
      )
    })
  )

  it.effect("a press whose handler never ends is said to have been delivered", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body(`<button onclick="while (true) {}">Pay</button>`))
      const error = yield* Effect.flip(browser.click({ text: "Pay", ...left }).pipe(shorter({ act: 2_000 })))
      assert.strictEqual(error._tag, "OperationTimeout")
      assert.match(error.message, /button "Pay".* had been pressed/)
      assert.include(error.message, "was stopped")
    })
  )

  it.effect(
    "links that the browser refuses without a word are told as blocked; those that the page handles are not",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(
            `<a href="file:///etc/passwd">File</a> <a href="data:text/html,x">Data</a> <a href="nothing-here:x">Scheme</a>
           <a href="nothing-here:y" onclick="event.preventDefault()">Handled</a> <a href="#here">Here</a>`
          )
        )
        for (const [text, scheme] of [
          ["File", "file:"],
          ["Data", "data:"],
          ["Scheme", "nothing-here:"]
        ] as const) {
          const { blocked } = yield* browser.click({ text, ...left })
          assert.include(blocked?.url, scheme)
          assert.include(blocked?.reason, scheme === "file:" ? "files" : scheme)
        }
        assert.isUndefined((yield* browser.click({ text: "Handled", ...left })).blocked)
        assert.isUndefined((yield* browser.click({ text: "Here", ...left })).blocked)
      })
  )

  it.effect("a window that the browser does not let the page open is told as blocked", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const other = site.body("<h1>Window</h1>")
      const { browser } = yield* at(
        site.body(`<button onclick="for (const n of [1, 2]) window.open('${other}?' + n)">Open two</button>`)
      )
      const { blocked, newTabs } = yield* browser.click({ text: "Open two", ...left })
      // whether a second window is let through differs from browser to browser
      assert.strictEqual((newTabs?.length ?? 0) + (blocked === undefined ? 0 : 1), 2)
      if (blocked !== undefined) assert.strictEqual(blocked.url, `${other}?2`)
    })
  )

  it.effect("what a field of several lines holds keeps its lines, in the answer, in a snapshot and as text", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<textarea aria-label=Note></textarea><div contenteditable role=textbox aria-multiline=true aria-label=Rich></div>`
        )
      )
      const filled = yield* browser.fill({
        fields: [
          { label: "Note", value: "one  more\n\ntwo\\n" },
          { label: "Rich", value: "one\ntwo" }
        ],
        submit: false
      })
      assert.deepStrictEqual(
        filled.changes?.elements.filter(({ kind }) => kind === "textarea").map(({ value }) => value),
        ["one more\n\ntwo\\n", "one\ntwo"]
      )
      const lines = outcomeLines(filled).join("\n")
      assert.include(lines, String.raw`"one more\n\ntwo\\n"`)
      assert.include(lines, String.raw`"one\ntwo"`)
    })
  )

  it.effect("what covers a target is told with whole numbers", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<button>Under</button><div style="position:fixed;inset:0.37px;background:red">Cover</div>`)
      )
      const error = yield* Effect.flip(browser.click({ text: "Under", ...left }))
      assert.match(error.message, /covered by div "Cover" \(at 0, 0, \d+ by \d+\)/)
    })
  )

  it.effect("a field is told to be invalid, and to have been changed by the page when the focus left it", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<form><label>Mail <input type=email></label><label>Code <input onblur="this.value = ''"></label>
          <label>Name <input onblur="this.value = this.value.toUpperCase()"></label><label>Note <input></label></form>`)
      )
      const filled = yield* browser.fill({
        fields: [
          { label: "Mail", value: "nobody" },
          { label: "Code", value: "42" },
          { label: "Name", value: "ada" },
          { label: "Note", value: "last" }
        ],
        submit: false
      })
      const [mail, code, name, note] = filled.fields
      assert.isTrue(mail?.ok)
      assert.include(mail?.invalid, "@")
      assert.deepInclude(code, { ok: false, value: "" })
      assert.include(code?.error, "the page changed it")
      assert.strictEqual(name?.value, "ADA")
      assert.deepInclude(note, { ok: true, value: "last" })
      assert.isUndefined(note?.invalid)
    })
  )

  it.effect("a title that an act changed is told, and that of a page that came; one that counts or blinks is not", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.body("<h1>Next</h1>", "The next page")
      const { browser } = yield* at(
        site.body(
          `<button onclick="document.title = 'Saved'">Save</button><button onclick="document.title = 'Draft 7'">Count</button>
          <button onclick="history.pushState(null, '', '#step'); document.title = 'Step two'">Step</button>
          <button onclick="document.title = 'x'.repeat(5000)">Long</button>
          <button onclick="blink()">Blink</button><a href="${next}">Next</a><script>
          const blink = () => { let on = 0; setInterval(() => { document.title = on++ % 2 ? 'Chat' : 'New message' }, 50) }</script>`,
          "Draft 6"
        )
      )
      const titleAfter = (text: string) => Effect.map(browser.click({ text, ...left }), ({ changes }) => changes?.title)
      assert.isUndefined(yield* titleAfter("Count"))
      assert.strictEqual(yield* titleAfter("Save"), "Saved")
      assert.isUndefined(yield* titleAfter("Save"))
      assert.strictEqual(yield* titleAfter("Step"), "Step two")
      assert.lengthOf((yield* titleAfter("Long")) ?? "", 200)
      yield* titleAfter("Blink")
      yield* browser.execute({ script: "new Promise((done) => setTimeout(done, 500))" })
      for (let turn = 0; turn < 3; turn++) assert.isUndefined(yield* titleAfter("Save"))
      const { changes } = yield* browser.click({ text: "Next", ...left })
      assert.strictEqual(changes?.title, "The next page")
    })
  )

  it.effect("opening a page that is answered by the question whether to leave is told as not opened", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const draft = site.body(`<input id=i><script>onbeforeunload = (e) => { e.preventDefault() }</script>`, "draft")
      const { browser } = yield* at(draft)
      yield* browser.click({ selector: "#i", ...left })
      yield* browser.type({ text: "text" })
      const asked = yield* browser.open({ url: site.body("<h1>Next</h1>"), newTab: false })
      assert.strictEqual(asked.url, draft)
      assert.match(asked.note ?? "", /^not opened/)
      yield* browser.answerDialog({ action: "accept" })
    })
  )

  it.effect("dialogs that follow each other are answered one after the other, without a look in between", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<button onclick="ask()">Ask</button><script>
          async function ask() { answers = []; for (const n of [1, 2, 3]) { answers.push(confirm('question ' + n)); await new Promise((go) => setTimeout(go, 100)) } document.title = answers.join() }</script>`)
      )
      yield* browser.click({ text: "Ask", ...left })
      for (const [index, action] of (["accept", "dismiss", "accept"] as const).entries()) {
        const { dialog } = yield* browser.answerDialog({ action })
        assert.strictEqual(dialog.message, `question ${index + 1}`)
      }
      assert.strictEqual((yield* Effect.flip(browser.answerDialog({ action: "accept" })))._tag, "DialogNone")
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"true,false,true"')
    })
  )

  it.effect("a page that loads itself again and again is told as one that keeps navigating, and where to", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let served = 0
      const url = site.page("/again", (_, response) => {
        served++
        response
          .writeHead(200, { "content-type": "text/html" })
          .end("<!doctype html><title>again</title><h1>Again</h1><script>location.reload()</script>")
      })
      const { browser } = yield* at(site.body("<h1>Calm</h1>"))
      const opened = (navigate: number) =>
        Effect.suspend(() => {
          served = 0
          return browser.open({ url, newTab: false })
        }).pipe(
          shorter({ navigate }),
          Effect.match({ onSuccess: ({ note }) => note, onFailure: ({ message }) => message })
        )
      let told = yield* opened(4_000)
      // a machine so slow that it came to few pages in that time
      for (let navigate = 8_000; served < 8 && navigate < 30_000; navigate *= 2) told = yield* opened(navigate)
      assert.include(told, "keeps navigating")
      assert.include(told, url)
      const out = yield* browser.open({ url: site.body("<h1>Out</h1>", "out"), newTab: false })
      assert.strictEqual(out.title, "out")
      assert.notInclude(out.note ?? "", "keeps navigating")
    })
  )
})
