import { assert, it } from "@effect/vitest"
import { matchWindows } from "../../src/layers/page/openedWindows.ts"

it("windows are known by their addresses; those that nothing tells come first", () => {
  const tabs = [
    { id: "t2", url: "about:blank" },
    { id: "t3", url: "http://a/2" }
  ]
  const { addressOf, missing } = matchWindows(["http://a/1", "http://a/2", "http://a/3"], tabs)
  assert.deepStrictEqual([...addressOf].sort(), [
    ["t2", "http://a/1"],
    ["t3", "http://a/2"]
  ])
  assert.deepStrictEqual(missing, ["http://a/3"])
})

it("a window of each address is told apart from another of the same", () => {
  const { missing } = matchWindows(["http://a/", "http://a/"], [{ id: "t2", url: "http://a/" }])
  assert.deepStrictEqual(missing, ["http://a/"])
})

it("tabs that nobody asked for are no windows", () => {
  const { addressOf, missing } = matchWindows([], [{ id: "t2", url: "http://a/" }])
  assert.deepStrictEqual([addressOf.size, missing.length], [0, 0])
})
