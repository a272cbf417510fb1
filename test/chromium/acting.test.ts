import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { sizeOf } from "../../src/layers/page/picture.ts"
import { at, chromium, element, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("acting in a real Chromium", (it) => {
  it.effect("presses what says just the text in a frame, before what only contains it in the page around", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<button onclick="out.textContent = 'everything'">Delete all files</button><p id=out></p>
           <iframe srcdoc="<button onclick=&quot;this.textContent = 'Gone'&quot;>Delete</button>"></iframe>`
        )
      )
      const clicked = yield* browser.click({ text: "Delete", button: "left" })
      assert.strictEqual(clicked.target, 'button "Delete"')
      const { value } = yield* browser.execute({ script: "out.textContent" })
      assert.strictEqual(value, '""')
      // where nothing says just that, what contains it is meant
      const near = yield* browser.click({ text: "all files", button: "left" })
      assert.include(near.target, "Delete all files")
    })
  )

  it.effect("presses with every button and modifier, once and twice, by selector, text and point", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<style>body{margin:0}</style><button id=b style="width:200px;height:80px">Press me</button><script>
            log = []
            for (const t of ['click', 'dblclick', 'contextmenu', 'auxclick']) b.addEventListener(t, (e) => { e.preventDefault(); log.push([t, e.button, e.shiftKey && 'shift', e.ctrlKey && 'ctrl', e.detail].filter((x) => x !== false).join(' ')) })
          </script>`
        )
      )
      yield* browser.click({ selector: "#b", button: "left" })
      yield* browser.click({ text: "Press me", button: "right" })
      yield* browser.click({ x: 20, y: 20, button: "middle", modifiers: ["shift"] })
      yield* browser.click({ selector: "#b", button: "left", modifiers: ["ctrl"] })
      yield* browser.click({ selector: "#b", button: "left", count: 2 })
      assert.deepStrictEqual(JSON.parse((yield* browser.execute({ script: "log" })).value ?? ""), [
        "click 0 1",
        "contextmenu 2 0",
        "auxclick 2 1",
        "auxclick 1 shift 1",
        "click 0 ctrl 1",
        "click 0 1",
        "click 0 2",
        "dblclick 0 2"
      ])
      const outside = yield* Effect.flip(browser.click({ x: 5_000, y: 10, button: "left" }))
      assert.strictEqual(outside._tag, "TargetOffscreen")
      const nothing = yield* Effect.flip(browser.click({ x: 5, button: "left" }))
      assert.strictEqual(nothing._tag, "TargetMissing")
    })
  )

  it.effect(
    "a text that several elements have is refused with the candidates; an exact match wins over a longer one",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(
            `<button>Delete</button><button>Delete</button><button onclick="document.title='exact'">Save</button><button>Save as</button>`
          )
        )
        const several = yield* Effect.flip(browser.click({ text: "Delete", button: "left" }))
        assert.strictEqual(several._tag, "TargetAmbiguous")
        yield* browser.click({ text: "Save", button: "left" })
        assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"exact"')
        const none = yield* Effect.flip(browser.click({ text: "Remove", button: "left" }))
        assert.strictEqual(none._tag, "TargetNotFound")
      })
  )

  it.effect("hovering opens a menu, and what it shows is in the answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<style>#m ul{display:none} #m:hover ul{display:block}</style><div id=m tabindex=0>Menu<ul><li><a href=#x>Export</a></li></ul></div>`
        )
      )
      const hovered = yield* browser.hover({ text: "Menu" })
      assert.isTrue(hovered.hovered)
      assert.include(
        (hovered.changes?.elements ?? []).map((one) => one.label),
        "Export"
      )
    })
  )

  it.effect("drags with pointer events and with HTML5 drag and drop", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<style>div{width:120px;height:60px;margin:30px;background:#ccc}</style><div id=a draggable=true>Card</div><div id=z>Zone</div><div id=p>Handle</div><div id=q>Goal</div><script>
            log = []; moves = 0
            a.ondragstart = (e) => { e.dataTransfer.setData('text', 'card 7'); log.push('start') }
            z.ondragover = (e) => e.preventDefault(); z.ondrop = (e) => { e.preventDefault(); log.push('drop ' + e.dataTransfer.getData('text')) }; a.ondragend = () => log.push('end')
            p.onpointerdown = () => { document.onpointermove = () => moves++; document.onpointerup = (e) => { document.onpointermove = null; log.push('up on ' + document.elementFromPoint(e.clientX, e.clientY).id) } }
          </script>`
        )
      )
      yield* browser.drag({ from: { selector: "#a" }, to: { selector: "#z" }, steps: 12 })
      yield* browser.drag({ from: { text: "Handle" }, to: { text: "Goal" }, steps: 20 })
      assert.deepStrictEqual(JSON.parse((yield* browser.execute({ script: "log" })).value ?? ""), [
        "start",
        "drop card 7",
        "end",
        "up on q"
      ])
      assert.isAtLeast(Number((yield* browser.execute({ script: "moves" })).value), 12)
    })
  )

  it.effect("scrolls the page or what lies under a point, and tells where it is and whether it moved", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(
        site.body(
          `<div id=s style="height:150px;width:300px;overflow:auto"><div style="height:900px">Inner</div></div><div style="height:3000px"></div><button>Bottom</button>`
        )
      )
      const page = yield* browser.scroll({ deltaX: 0, deltaY: 400, x: 600, y: 400 })
      assert.deepInclude(page, { moved: true, y: 400 })
      yield* browser.execute({ script: "scrollTo(0, 0)" })
      const inner = yield* browser.scroll({ deltaX: 0, deltaY: 200, x: 50, y: 50 })
      assert.isTrue(inner.moved)
      assert.strictEqual((yield* browser.execute({ script: "[scrollY, s.scrollTop].join()" })).value, '"0,200"')
      const far = yield* browser.scroll({ deltaX: 0, deltaY: 100_000, x: 600, y: 400 })
      const end = yield* browser.scroll({ deltaX: 0, deltaY: 100, x: 600, y: 400 })
      assert.deepInclude(end, { moved: false, y: far.maxY })
      yield* browser.execute({ script: "scrollTo(0, 0)" })
      const bottom = element(first, "button", "Bottom")
      const shown = yield* browser.scrollIntoView({ snapshotId: first.snapshotId, ref: bottom.ref, block: "center" })
      assert.isAbove(shown.y, 1_000)
    })
  )

  it.effect("pages through a long snapshot, filters it, takes a part of it, and tells what changed since", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(
        site.body(
          `<ul>${Array.from({ length: 90 }, (_, i) => `<li>Row ${i} <button>Open ${i}</button></li>`).join("")}</ul><form id=f><label>Name <input></label></form>`
        )
      )
      const seen = new Set<number>()
      let page = yield* browser.snapshot({ ...whole, limit: 50 })
      for (;;) {
        for (const { ref } of page.elements) {
          assert.isFalse(seen.has(ref), `reference ${ref} twice`)
          seen.add(ref)
        }
        if (page.cursor === undefined) break
        page = yield* browser.snapshot({ ...whole, limit: 50, cursor: page.cursor })
      }
      assert.strictEqual(seen.size, first.total ?? first.elements.length)
      const found = yield* browser.snapshot({ ...whole, query: "open 8" })
      assert.deepStrictEqual(
        found.elements.map((one) => one.label),
        ["Open 8", ...Array.from({ length: 10 }, (_, i) => `Open 8${i}`)]
      )
      const part = yield* browser.snapshot({ ...whole, selector: "#f" })
      assert.deepStrictEqual(
        part.elements.map((one) => one.kind),
        ["textbox"]
      )
      const only = yield* browser.snapshot({ ...whole, interactive: true })
      assert.isEmpty(only.elements.filter((one) => one.kind === "text"))
      yield* browser.execute({ script: "document.querySelector('button').textContent = 'Close 0'; f.remove()" })
      const since = yield* browser.snapshot({ ...whole, since: first.snapshotId })
      assert.deepStrictEqual(
        since.elements.map((one) => one.label),
        ["Close 0"]
      )
      const searched = yield* browser.find({ text: "row 7", limit: 20 })
      assert.strictEqual(searched.total, 11)
      yield* browser.clickRef({ snapshotId: searched.snapshotId, ref: searched.matches[0]!.ref, button: "left" })
    })
  )

  it.effect(
    "takes pictures of the viewport, the whole page and one element, in three formats, without moving anything",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser, first } = yield* at(
          site.body(`<div style="height:2000px"></div><button style="width:150px;height:50px">Far</button>`)
        )
        const view = yield* browser.screenshot({ fullPage: false, format: "png" })
        assert.deepStrictEqual(
          { width: view.width, height: view.height, scale: view.scale },
          { width: 1280, height: 800, scale: 1 }
        )
        const page = yield* browser.screenshot({ fullPage: true, format: "jpeg" })
        assert.isAbove(page.height, 2_000)
        assert.deepStrictEqual(sizeOf(page.data), { width: page.width, height: page.height })
        const far = element(first, "button", "Far")
        const one = yield* browser.screenshot({
          fullPage: false,
          format: "webp",
          snapshotId: first.snapshotId,
          ref: far.ref
        })
        assert.deepStrictEqual([one.width, one.height], [150, 50])
      })
  )

  it.effect("waits for things to come, to go and to show, across a navigation, and says what it saw in vain", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.body("<h1>Second</h1>")
      const { browser } = yield* at(
        site.body(
          `<p id=gone>Loading</p><p id=late hidden>Late</p><script>setTimeout(() => { gone.remove(); late.hidden = false }, 200)</script>`
        )
      )
      yield* browser.waitFor({ gone: "Loading" })
      const late = yield* browser.waitFor({ selector: "#late" })
      assert.deepInclude(late, { found: true, tag: "p", text: "Late" })
      yield* browser.execute({ script: `setTimeout(() => { location = "${next}" }, 300); 0` })
      yield* browser.waitFor({ text: "Second" })
      const vain = yield* Effect.flip(browser.waitFor({ selector: "#never", timeoutMs: 300 }))
      assert.strictEqual(vain._tag, "WaitTimeout")
      assert.strictEqual((yield* Effect.flip(browser.waitFor({ selector: "p[" })))._tag, "SelectorInvalid")
      assert.strictEqual((yield* Effect.flip(browser.waitFor({})))._tag, "WaitInvalid")
    })
  )

  it.effect("stopping ends an opening whose server has sent nothing, and is named as the reason", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const asked = yield* Deferred.make<void>()
      const silent = site.page("/stopped", () => {
        Deferred.doneUnsafe(asked, Exit.void)
      })
      const { browser } = yield* at(site.body("<h1>Before</h1>"))
      const opening = yield* Effect.forkChild(Effect.flip(browser.open({ url: silent, newTab: false })), {
        startImmediately: true
      })
      yield* Deferred.await(asked)
      yield* browser.stop
      const error = yield* Fiber.join(opening)
      assert.strictEqual(error._tag, "NavigationFailed")
      assert.include(error.message, "browser_stop stopped it")
    })
  )

  it.effect("stopping ends a load that does not end by itself", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const slow = site.page("/slow-image", () => {})
      const url = site.body(`<h1>Shown</h1><img src="${slow}">`, "shown")
      const { browser } = yield* at(site.body(""))
      const opening = yield* Effect.forkChild(browser.open({ url, newTab: false }), { startImmediately: true })
      yield* browser.waitFor({ text: "Shown" })
      yield* browser.stop
      const opened = yield* Fiber.join(opening)
      assert.strictEqual(opened.title, "shown")
    })
  )

  it.effect("keys go where the focus is, also into frames; typing with nothing focused is refused", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = new URL(site.body("<input id=i oninput='parent.postMessage(i.value, \"*\")'>"))
      const { browser } = yield* at(
        site.body(
          `<iframe src="${site.otherOrigin}${inner.pathname}"></iframe><p id=o></p><script>onmessage = (e) => { o.textContent = e.data }</script>`
        )
      )
      const refused = yield* Effect.flip(browser.type({ text: "lost" }))
      assert.strictEqual(refused._tag, "NothingFocused")
      yield* browser.click({ selector: "#i", button: "left" })
      const typed = yield* browser.type({ text: "Grüße, 世界" })
      assert.deepInclude(typed, { typed: true, value: "Grüße, 世界" })
      yield* browser.waitFor({ text: "Grüße, 世界" })
      yield* browser.pressKey({ key: "a", modifiers: ["ctrl"] })
      yield* browser.pressKey({ key: "Delete" })
      assert.strictEqual((yield* browser.execute({ script: "o.textContent" })).value, '""')
      assert.deepInclude(yield* browser.pressKey({ key: "é" }), { pressed: true, inserted: true })
      assert.strictEqual((yield* browser.execute({ script: "o.textContent" })).value, '"é"')
      const unknown = yield* Effect.flip(browser.pressKey({ key: "Entr" }))
      assert.strictEqual(unknown._tag, "KeyUnknown")
      // no key has it, and nothing here takes text
      yield* browser.click({ selector: "#o", button: "left" })
      const nowhere = yield* Effect.flip(browser.pressKey({ key: "é" }))
      assert.strictEqual(nowhere._tag, "NothingFocused")
    })
  )

  it.effect("what stands behind thousands of characters is clicked by its text, too", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const terms = "All of this is to be agreed to. ".repeat(400)
      const { browser } = yield* at(
        site.body(
          `<label><input type=checkbox id=c>${terms} I agree to all of it</label><button id=b onclick="document.title = 'pressed'">${terms} and send it</button>`
        )
      )
      yield* browser.click({ text: "I agree to all of it", button: "left" })
      assert.strictEqual((yield* browser.execute({ script: "c.checked" })).value, "true")
      yield* browser.click({ text: "and send it", button: "left" })
      assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"pressed"')
    })
  )
})
