/** What a page asks of its browser, beyond the page, is told: files, paper, and keys that are the browser's own. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ReadablePath } from "../../src/services/FileAccess.ts"
import { at, chromium } from "../support/ChromiumSession.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const
const packing = join(temporaryFolder("asks-outside"), "packing.txt") as ReadablePath
writeFileSync(packing, "rope, lamp")

const waits = "the page waits for a file: browser_upload_file gives it"

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a page that asks its browser", (it) => {
  for (const [what, body] of [
    ["an input", `<input type=file aria-label=Choose>`],
    ["a label", `<label for=f>Choose</label><input id=f type=file hidden>`],
    [
      "an input that is in no page",
      `<button onclick="Object.assign(document.createElement('input'), { type: 'file' }).click()">Choose</button>`
    ]
  ] as const) {
    it.effect(`for a file is told to wait for it, when ${what} is clicked`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body(body))
        const clicked = yield* browser.click({ text: "Choose", ...left })
        assert.isTrue(clicked.clicked)
        assert.include(clicked.note, waits)
      })
    )
  }

  it.effect("for a file in a frame of another site is told to wait for it", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = site.body(`<input type=file multiple aria-label=Choose>`).replace(site.origin, site.otherOrigin)
      const { browser } = yield* at(site.body(`<iframe src="${inner}"></iframe>`))
      const { note } = yield* browser.click({ text: "Choose", ...left })
      assert.include(note, "the page waits for files: browser_upload_file gives it")
    })
  )

  it.effect("for a picker of the system is told that there is none", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<button onclick="showOpenFilePicker().catch((e) => { this.textContent = e.name })">Pick</button>`)
      )
      const { note } = yield* browser.click({ text: "Pick", ...left })
      assert.include(note, "which nothing here can serve")
      assert.notInclude(note, waits)
      assert.strictEqual((yield* browser.execute({ script: "document.body.innerText" })).value, '"AbortError"')
    })
  )

  it.effect("for a file at a key or a script is told to wait for it, and gets it then", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<button autofocus onclick="f.click()">Choose</button><input id=f type=file hidden>`)
      )
      assert.include((yield* browser.pressKey({ key: "Enter" })).note, waits)
      assert.include((yield* browser.execute({ script: "f.click()" })).note, waits)
      const given = yield* browser.uploadFiles({ files: [packing], selector: "button" })
      assert.isUndefined(given.note)
      assert.strictEqual((yield* browser.execute({ script: "f.files[0].name" })).value, '"packing.txt"')
    })
  )

  it.effect("to print it is told to have done so, once, and printing it by a tool is not", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body(`<button onclick="print()">Print</button><button>Other</button>`))
      assert.include((yield* browser.click({ text: "Print", ...left })).note, "called for being printed")
      assert.isUndefined((yield* browser.click({ text: "Other", ...left })).note)
      yield* Effect.scoped(browser.pdf({ landscape: false, printBackground: false }))
      assert.isUndefined((yield* browser.click({ text: "Other", ...left })).note)
    })
  )

  it.effect("to print it by a script is told to have done so", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body("<h1>Bill</h1>"))
      assert.include((yield* browser.execute({ script: "print(); 1" })).note, "browser_pdf")
    })
  )

  for (const [key, tool] of [
    ["F5", "browser_reload"],
    ["Control+Shift+r", "browser_reload"],
    ["Control+F5", "browser_reload"],
    ["Alt+ArrowLeft", "browser_back"],
    ["Alt+ArrowRight", "browser_forward"],
    ["Meta+t", "browser_open with newTab"]
  ] as const) {
    it.effect(`for what ${key} does is told of the tool that does it, and stays as it is`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<h1>First</h1>"))
        yield* browser.open({ url: site.body("<h1>Second</h1>", "second"), newTab: false })
        yield* browser.execute({ script: "kept = 7" })
        const { note, pressed } = yield* browser.pressKey({ key })
        assert.isTrue(pressed)
        assert.strictEqual(note, `the page got the key; what a browser itself does at it, ${tool} does here`)
        assert.strictEqual((yield* browser.execute({ script: "kept" })).value, "7")
      })
    )
  }

  it.effect("for nothing is told of no tool: keys that are the page's, and one that it goes elsewhere at", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<input autofocus><script>onkeydown = (e) => { if (e.key === "F5") location.reload() }</script>`)
      )
      for (const key of ["a", "Control+a", "ArrowLeft", "Escape"]) {
        assert.isUndefined((yield* browser.pressKey({ key })).note)
      }
      const reloaded = yield* browser.pressKey({ key: "F5" })
      assert.isDefined(reloaded.navigatedTo)
      assert.isUndefined(reloaded.note)
    })
  )
})
