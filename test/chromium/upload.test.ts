import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ReadablePath } from "../../src/services/FileAccess.ts"
import { at, chromium, whole } from "../support/ChromiumSession.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { TestSite } from "../support/TestSite.ts"

const folder = temporaryFolder("upload")
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name) as ReadablePath
}
const packing = file("packing.txt", "rope, lamp")
const weights = file("weights.csv", "1,2,3")

/** What the page's own handler saw. */
const log = `<pre id=log>none</pre><script>
  let changes = 0
  async function took(input) {
    const seen = []
    for (const one of input.files) seen.push(one.name + ':' + await one.text())
    log.textContent = ++changes + ' ' + seen.join(' ')
  }</script>`
const logged = (
  browser: { readonly waitFor: (p: { text: string }) => Effect.Effect<unknown, unknown> },
  text: string
) => browser.waitFor({ text })

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("uploads in a real Chromium", (it) => {
  it.effect("gives a file to the input itself, found by default, with one change event", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body(`${log}<input type=file onchange="took(this)">`))
      const done = yield* browser.uploadFiles({ files: [packing], selector: "input[type=file]" })
      assert.include(done.target, "file")
      yield* logged(browser, "1 packing.txt:rope, lamp")
    })
  )

  it.effect("gives it to the hidden input behind a label, a wrapper and a word inside the label", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      for (const selector of ["#lab", "#wrap", "#word"]) {
        const { browser } = yield* at(
          site.body(
            `${log}<div id=wrap><input id=f type=file style="display:none" onchange="took(this)"></div><label id=lab for=f><b id=word>Choose</b></label>`
          )
        )
        yield* browser.uploadFiles({ files: [packing], selector })
        yield* logged(browser, "1 packing.txt:rope, lamp")
      }
    })
  )

  it.effect("presses the button that opens the file chooser, and answers the chooser", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `${log}<button id=pick onclick="const i = document.createElement('input'); i.type = 'file'; i.multiple = true; i.onchange = () => took(i); i.click()">Choose</button>`
        )
      )
      yield* browser.uploadFiles({ files: [packing, weights], selector: "#pick" })
      yield* logged(browser, "1 packing.txt:rope, lamp weights.csv:1,2,3")
    })
  )

  it.effect("does so in a frame of another site, too", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const inner = site.body(
        `${log}<button id=pick onclick="real.click()">Choose</button><input id=real type=file style="display:none" onchange="took(this)">`
      )
      const { browser } = yield* at(
        site.body(`<iframe width=600 height=300 src="${inner.replace(site.origin, site.otherOrigin)}"></iframe>`)
      )
      yield* browser.waitFor({ text: "Choose" })
      yield* browser.uploadFiles({ files: [packing], selector: "#pick" })
      yield* logged(browser, "1 packing.txt:rope, lamp")
    })
  )

  it.effect("takes a reference", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(
        site.body(`${log}<label>Attachment <input type=file onchange="took(this)"></label>`)
      )
      const input = first.elements.find((one) => one.label.includes("Attachment"))
      assert.isDefined(input, JSON.stringify(first.elements))
      yield* browser.uploadFiles({
        files: [weights],
        selector: "input[type=file]",
        snapshotId: first.snapshotId,
        ref: input!.ref
      })
      yield* logged(browser, "1 weights.csv:1,2,3")
    })
  )

  it.effect("counts a page that empties its input at once as one that took the file", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`${log}<input type=file onchange="took(this).then(() => 0); this.value = ''">`)
      )
      yield* browser.uploadFiles({ files: [packing], selector: "input[type=file]" })
    })
  )

  it.effect("refuses several files for a single input, a disabled input, and an element that opens nothing", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          `<input id=one type=file><input id=off type=file disabled><input id=text><p id=p>Words</p><button id=none onclick="document.title = 'pressed'">Nothing</button>`
        )
      )
      const failed = (selector: string, files: ReadonlyArray<ReadablePath>) =>
        Effect.flip(browser.uploadFiles({ files, selector }))
      assert.include((yield* failed("#one", [packing, weights])).message, "one file only")
      assert.include((yield* failed("#off", [packing])).message, "disabled")
      assert.strictEqual((yield* failed("#missing", [packing]))._tag, "UploadNoInput")
      assert.strictEqual((yield* failed("#((", [packing]))._tag, "SelectorInvalid")
      const nothing = yield* failed("#none", [packing])
      assert.strictEqual(nothing._tag, "UploadFailed")
      assert.include(nothing.message, "no file chooser opened")
    })
  )

  it.effect("names the inputs where a selector means several, and gives the file to none", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`${log}<input type=file name=a onchange="took(this)"><input type=file name=b onchange="took(this)">`)
      )
      const error = yield* Effect.flip(browser.uploadFiles({ files: [packing], selector: "input[type=file]" }))
      assert.include(error.message, "means 2 file inputs: file (input[name=a]); file (input[name=b])")
      assert.include(JSON.stringify((yield* browser.snapshot(whole)).elements), "none")
    })
  )

  it.effect("says what came of it: a request that the page sends is waited for", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const target = site.page("/take", (request, response) => {
        let size = 0
        request.on("data", (part: Buffer) => {
          size += part.length
        })
        request.on("end", () => response.end(`got ${size}`))
      })
      const { browser } = yield* at(
        site.body(
          `<input type=file onchange="fetch('${target}', { method: 'POST', body: this.files[0] }).then(r => r.text()).then(t => { out.textContent = t })"><p id=out></p>`
        )
      )
      const done = yield* browser.uploadFiles({ files: [packing], selector: "input[type=file]" })
      assert.include(JSON.stringify(done.changes?.elements), "got 10")
    })
  )
})
