/** Reading what stands in frames. */
import { Effect } from "effect"
import { assert, layer } from "@effect/vitest"
import { outcomeLines } from "../../src/tools/render/outcome.ts"
import { elementLines } from "../../src/tools/render/snapshot.ts"
import { at, chromium, element, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

/** A page with a frame of its own site, one of another site in which there is a third, and one that nobody sees. */
const framed = Effect.map(TestSite, (site) => {
  const inner = site.page("/inner", "<title>i</title><p>Deep <b>words</b></p>")
  const other = `${site.otherOrigin}/other`
  site.page(
    "/other",
    `<p>Foreign words</p><button onclick="this.textContent='Pressed'">Press</button><iframe src="${inner}"></iframe>`
  )
  site.page("/same", "<h2>Same site</h2>")
  site.page("/unseen", "<p>Nobody sees me</p>")
  return {
    site,
    other,
    inner,
    url: site.body(
      `<h1>Top</h1><iframe src="/same"></iframe><iframe src="${other}"></iframe><iframe src="/unseen" style="display:none"></iframe><p>End</p>`
    )
  }
})

layer(chromium({ chromium: { args: ["--site-per-process"] } }), { excludeTestServices: true, timeout: "60 seconds" })(
  "frames",
  (it) => {
    it.effect("are part of a page that is read as text or Markdown, each under its address", () =>
      Effect.gen(function* () {
        const { inner, other, site, url } = yield* framed
        const { browser } = yield* at(url)
        const txt = yield* browser.content({ format: "txt" })
        assert.strictEqual(
          txt.content.replace(/\n+/g, "\n"),
          `Top\nEnd\n[frame ${site.origin}/same]\nSame site\n[frame ${other}]\nForeign words\nPress\n[frame ${inner}]\nDeep words`
        )
        assert.isFalse(txt.truncated)
        assert.strictEqual(txt.total, txt.content.length)
        const { content } = yield* browser.content({ format: "markdown" })
        assert.include(content, `Frame <${inner}>:\n\nDeep **words**`)
        const short = yield* browser.content({ format: "txt", maxChars: 20 })
        assert.strictEqual(short.content.length, 20)
        assert.isTrue(short.truncated)
      })
    )

    it.effect("are said to be left out where only a part, or HTML, is read, and can be read by selector", () =>
      Effect.gen(function* () {
        const { url } = yield* framed
        const { browser } = yield* at(url)
        for (const read of [{ format: "html" }, { format: "txt", selector: "body" }] as const) {
          assert.include((yield* browser.content(read)).note, "2 frames")
        }
        assert.notProperty(yield* browser.content({ format: "txt", selector: "h1" }), "note")
        assert.strictEqual((yield* browser.content({ format: "txt", selector: "b" })).content, "words")
      })
    )

    it.effect("are named by their address where a search or an act shows what stands in them", () =>
      Effect.gen(function* () {
        const { inner, other, url } = yield* framed
        const { browser, first } = yield* at(url)
        const found = yield* browser.find({ text: "deep", limit: 5 })
        assert.deepStrictEqual(
          elementLines(found.matches, found.frames).map((line) => line.replace(/^( *)- .*/, "$1- …")),
          [`frame ${other}:`, `  frame ${inner}:`, "    - …"]
        )
        const { ref } = element(first, "button", "Press")
        const clicked = yield* browser.clickRef({ snapshotId: first.snapshotId, ref, button: "left" })
        assert.include(outcomeLines(clicked), `frame ${other}:`)
        const frames = (yield* browser.snapshot(whole)).elements.map((one) => one.frame)
        for (const line of [...outcomeLines(clicked), ...elementLines(found.matches, found.frames)]) {
          for (const frame of frames) if (frame !== undefined) assert.notInclude(line, frame)
        }
      })
    )

    it.effect("a cursor that fits nothing any more says so, and what to leave out", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const rows = Array.from({ length: 30 }, (_, index) => `<button>Row ${index}</button>`).join("")
        const { browser } = yield* at(site.body(rows))
        const bad = yield* Effect.flip(browser.snapshot({ ...whole, cursor: "nonsense" }))
        assert.strictEqual(bad._tag, "InvalidArguments")
        assert.include(bad.message, "leave it out")
        const first = yield* browser.snapshot({ ...whole, query: "row", limit: 10 })
        const next = yield* browser.snapshot({ ...whole, cursor: first.cursor ?? "", limit: 10 })
        assert.strictEqual(next.elements[0]?.label, "Row 10")
        const same = yield* browser.snapshot({ ...whole, query: "row", cursor: first.cursor ?? "", limit: 10 })
        assert.strictEqual(same.elements[0]?.label, "Row 10")
        const other = yield* Effect.flip(browser.snapshot({ ...whole, query: "other", cursor: first.cursor ?? "" }))
        assert.include(other.message, "other filters begin anew")
        yield* browser.open({ url: site.body("<p>Elsewhere</p>"), newTab: false })
        const gone = yield* Effect.flip(browser.snapshot({ ...whole, cursor: first.cursor ?? "" }))
        assert.include(gone.message, "from a page that is gone")
      })
    )
  }
)
