/** What a look at a page does not show is said, and how to get at it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { elementLine } from "../../src/tools/render/snapshot.ts"
import { at, chromium, element, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("looks at a page", (it) => {
  it.effect("the options of a closed list are found with the list's reference, by which they are chosen", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<label>Country <select><option>Andorra</option><option>Belgium</option>
          <optgroup label=Asia><option value=jp>Japan</option></optgroup></select></label>
          <label>Other <select><option>Chile</option></select></label>`)
      )
      for (const option of ["Belgium", "Japan"]) {
        const found = yield* browser.find({ text: option.toUpperCase(), limit: 5 })
        assert.strictEqual(found.total, 1)
        const list = element({ elements: found.matches }, "combobox", "Country")
        assert.deepStrictEqual(list.options, [option])
        assert.include(elementLine(list), `"${option}": choose with browser_fill`)
        const { fields } = yield* browser.fill({
          fields: [{ snapshotId: found.snapshotId, ref: list.ref, value: option }],
          submit: false
        })
        assert.deepInclude(fields[0], { ok: true, value: option })
      }
      for (const { options } of (yield* browser.snapshot(whole)).elements) assert.isUndefined(options)
    })
  )

  it.effect("a text is found and shown wherever it stands in a long one", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const words = (count: number) => "word ".repeat(count)
      const { browser } = yield* at(site.body(`<p>${words(20_000)}needle in it ${words(2_000)}</p><p>needle apart</p>`))
      const found = yield* browser.find({ text: "Needle", limit: 5 })
      assert.strictEqual(found.total, 2)
      const [long, short] = found.matches.map(({ label }) => label)
      assert.match(long ?? "", /^….*word needle in it word.*…$/)
      assert.isAtMost(long?.length ?? 0, 240)
      assert.strictEqual(short, "needle apart")
    })
  )

  for (const [format, setUp] of [
    ["markdown", ""],
    ["txt", "<span id=host></span><script>host.attachShadow({ mode: 'open' }).textContent = 'shadow'</script>"]
  ] as const) {
    it.effect(`${format} says that it leaves out what is nested too deeply`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(
            `${setUp}<p>Top</p><main></main><script>
            let at = document.querySelector("main")
            for (let depth = 0; depth < DEPTH; depth++) { const inner = document.createElement("span"); at.append(inner); at = inner }
            at.textContent = "Bottom"</script>`.replace("DEPTH", "1600")
          )
        )
        const { content, note } = yield* browser.content({ format })
        assert.include(content, "Top")
        assert.notInclude(content, "Bottom")
        assert.include(note, "1,500")
      })
    )
  }

  it.effect(
    "content as data says which lists are cut, and what helps; a selector of nothing is told to be checked",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<a href=/x>x</a> ".repeat(50)))
        const { note, truncated } = yield* browser.content({ format: "json" })
        assert.isTrue(truncated)
        assert.include(note, "links after the first 40")
        const error = yield* Effect.flip(browser.content({ format: "json", selector: "#missing" }))
        assert.strictEqual(error._tag, "ContentFailed")
        assert.include(error.next, "Check the selector")
        assert.notInclude(error.next, "reload")
      })
  )
})
