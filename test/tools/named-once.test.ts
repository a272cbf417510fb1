import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { findRow } from "../../src/tools/catalog.ts"
import { issueTexts } from "../../src/tools/issues.ts"

const prepare = (tool: string, args: object) => findRow(tool)?.prepare(args) ?? Effect.die(`no tool ${tool}`)

/** What is wrong with the arguments, in one text. */
const issuesOf = (tool: string, args: object) =>
  Effect.map(Effect.flip(prepare(tool, args)), (error) => issueTexts(error).join("; "))

const reference = { snapshotId: "s1", ref: 1 }
const point = { x: 1, y: 2 }

/** Arguments that say in two ways what is meant. */
const contradictions: ReadonlyArray<readonly [string, object]> = [
  ["browser_click", { ...point, text: "Save" }],
  ["browser_click", { ...point, selector: "#save" }],
  ["browser_click", { selector: "#save", text: "Save" }],
  ["browser_click", { x: 1, text: "Save" }],
  ["browser_double_click", { ...point, text: "Save" }],
  ["browser_hover", { selector: "a", text: "Save" }],
  ["browser_drag", { from: { ...point, text: "A" }, to: point }],
  ["browser_drag", { from: point, to: { selector: "a", text: "B" } }],
  ["browser_fill", { fields: [{ ...reference, label: "Name", value: "a" }] }],
  ["browser_fill", { fields: [{ selector: "#a", placeholder: "Name", value: "a" }] }],
  ["browser_snapshot", { ...reference, selector: "main" }],
  ["browser_highlight", { ...reference, selector: "main" }],
  ["browser_upload_file", { ...reference, selector: "#file", filePath: "a" }]
]

describe("a tool that acts on one thing", () => {
  it.effect.each(contradictions)("refuses two names for it: %s %o", ([tool, args]) =>
    Effect.map(issuesOf(tool, args), (issues) => assert.match(issues, /in one way only, not by .+ and by .+/))
  )

  it.effect("says which argument it means when it is a nested one", () =>
    Effect.gen(function* () {
      assert.match(yield* issuesOf("browser_drag", { from: { ...point, text: "A" }, to: point }), /^from must name/)
      assert.match(
        yield* issuesOf("browser_fill", { fields: [{ selector: "#a", label: "Name", value: "a" }] }),
        /^fields\[0\] must name the field/
      )
    })
  )

  it.effect("refuses half a point", () =>
    Effect.gen(function* () {
      for (const tool of ["browser_click", "browser_double_click", "browser_hover", "browser_scroll"]) {
        assert.strictEqual(yield* issuesOf(tool, { x: 1 }), "the arguments must give x and y together")
      }
      assert.strictEqual(
        yield* issuesOf("browser_drag", { from: { y: 1 }, to: point }),
        "from must give x and y together"
      )
    })
  )

  it.effect("takes each name by itself, and none where there is a default", () =>
    Effect.gen(function* () {
      for (const name of [point, { selector: "a" }, { text: "Save" }]) {
        yield* prepare("browser_click", name)
        yield* prepare("browser_drag", { from: name, to: name })
      }
      for (const name of [reference, { selector: "a" }, {}]) {
        yield* prepare("browser_snapshot", name)
        yield* prepare("browser_upload_file", { ...name, filePath: "a" })
      }
      yield* prepare("browser_scroll", {})
      yield* prepare("browser_scroll", point)
    })
  )
})

describe("a picture's format", () => {
  it.effect("is that of the file's extension, and refused if the call asks for another", () =>
    Effect.gen(function* () {
      yield* prepare("browser_screenshot", { savePath: "a.jpg" })
      yield* prepare("browser_screenshot", { savePath: "a.JPEG", format: "jpeg" })
      assert.include(
        yield* issuesOf("browser_screenshot", { savePath: "a.jpg", format: "png" }),
        "format png in a file named as jpeg"
      )
      assert.include(yield* issuesOf("browser_screenshot", { savePath: "a.gif" }), ".png, .jpg, .jpeg or .webp")
    })
  )
})
