import { assert, describe, it } from "@effect/vitest"
import { BrowserError, HostRefused } from "../../src/schemas/errors.ts"
import { fromHostError, toHostError } from "../../src/schemas/HostProtocol.ts"

describe("an error on the way from the host", () => {
  it.prop(
    "keeps its class, its code and its fields, whichever it is",
    { error: BrowserError },
    ({ error }) => {
      const back = fromHostError(JSON.parse(JSON.stringify(toHostError(error))), "an operation")
      assert.strictEqual(back.constructor, error.constructor)
      assert.strictEqual(back.code, error.code)
      assert.strictEqual(back.message, error.message)
    },
    { arbitrary: { runs: 300 } }
  )

  it("of a class that is not known here is a refusal that keeps code and text", () => {
    const error = fromHostError(
      { code: "BROWSER_FROM_TOMORROW", message: "Something new", data: { odd: true } },
      "capture"
    )
    assert.instanceOf(error, HostRefused)
    assert.include(error.message, "BROWSER_FROM_TOMORROW")
    assert.include(error.message, "Something new")
  })
})
