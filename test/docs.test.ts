/** What the generated pages promise: that nothing is missing. */
import { assert, describe, it } from "@effect/vitest"
import { configurationPage } from "../scripts/docs/configurationPage.ts"
import { errorsPage } from "../scripts/docs/errorsPage.ts"
import { toolsPage } from "../scripts/docs/toolsPage.ts"
import { exampleCalls } from "../scripts/examples/exampleCalls.ts"
import { storedExamples } from "../scripts/examples/storedExamples.ts"
import { settingSources } from "../src/cli/settingSources.ts"
import { defaultBrowserConfig } from "../src/schemas/config.ts"
import { catalog } from "../src/tools/catalog.ts"

/** The rows of a page's tables, as lists of cells. */
const rowsOf = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ \| /)
        .map((cell) => cell.trim())
    )

const isSize = (value: object): boolean => Object.values(value).every((inner) => typeof inner === "number")

/** Names of settings as the page spells them; a size is one setting. */
const settingsOf = (value: object, above = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([key, inner]: readonly [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) && !isSize(inner)
      ? settingsOf(inner, `${above}${key}.`)
      : [`${above}${key}`]
  )

describe("the page of settings", () => {
  const rows = rowsOf(configurationPage())
  const names = rows.map(([name = ""]) => name.replaceAll("`", ""))

  it("tells of every setting what it means", () => {
    assert.includeMembers(names, [...settingsOf(defaultBrowserConfig)])
    assert.strictEqual(new Set(names).size, names.length)
    for (const [name, type, , meaning] of rows) {
      assert.isNotEmpty(meaning, name)
      assert.isNotEmpty(type, name)
    }
  })

  it("knows every setting that has an option or a variable", () => {
    assert.includeMembers(names, Object.keys(settingSources))
  })
})

describe("the pages of tools and errors", () => {
  it("leave no backtick open, and none empty", () => {
    for (const page of [toolsPage(storedExamples()), errorsPage(), configurationPage()]) {
      for (const line of page.split("\n").filter((one) => one.startsWith("|"))) {
        assert.strictEqual((line.match(/`/g) ?? []).length % 2, 0, line)
        assert.notInclude(line, "``")
      }
    }
  })

  it("show no message with a number that is made up", () => {
    assert.notInclude(errorsPage(), "1 elements")
  })
})

describe("the examples", () => {
  it("are one for each tool, in the order of the catalog", () => {
    const names = catalog.map((row) => row.name as string)
    assert.deepStrictEqual(
      storedExamples().map(({ tool }) => tool),
      names
    )
    assert.sameMembers(Object.keys(exampleCalls), names)
  })

  it("hold nothing of the machine that they were recorded on", () => {
    const text = JSON.stringify(storedExamples())
    assert.notMatch(text, /127\.0\.0\.1|localhost|\/tmp\/|[0-9A-F]{32}|session-(?!1\b)/)
  })
})
