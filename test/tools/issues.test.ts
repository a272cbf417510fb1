import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { catalog, findRow } from "../../src/tools/catalog.ts"
import { issueTexts } from "../../src/tools/issues.ts"

const issuesOf = (tool: string, args: object) => {
  const row = findRow(tool)
  if (row === undefined) return Effect.die(`no tool ${tool}`)
  return Effect.map(Effect.flip(row.prepare(args)), (error) => issueTexts(error, row.parameters).join("; "))
}

describe("an argument that is not known", () => {
  it.effect("comes with the one that may have been meant, inside of lists too", () =>
    Effect.gen(function* () {
      for (const [tool, args, meant] of [
        ["browser_open", { urll: "https://a.test" }, "did you mean url?"],
        ["browser_open", { url: "https://a.test", new_tab: true }, "did you mean newTab?"],
        ["browser_click", { txt: "Save" }, "did you mean text?"],
        ["browser_click_ref", { snapshot_id: "s1", ref: 1 }, "did you mean snapshotId?"],
        ["browser_drag", { from: { x: 1, y: 2 }, to: { x: 1, yy: 2 } }, "did you mean y?"],
        ["browser_fill", { fields: [{ lable: "Name", value: "x" }] }, "did you mean label?"]
      ] as const) {
        assert.include(yield* issuesOf(tool, args), meant, `${tool} ${JSON.stringify(args)}`)
      }
    })
  )

  it.effect("comes with all that are known where none is close, and alone where there is none", () =>
    Effect.gen(function* () {
      assert.include(yield* issuesOf("browser_open", { url: "x", zzz: 1 }), "zzz is not known; known are url, newTab")
      const bare = catalog.find((row) => row.name === "browser_stop")
      assert.isDefined(bare)
      assert.strictEqual(yield* issuesOf("browser_stop", { zzz: 1 }), "zzz is not known")
    })
  )
})
