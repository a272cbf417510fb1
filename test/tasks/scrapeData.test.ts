import { Arbitrary, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { dataOf } from "../../src/layers/tasks/scrapeData.ts"

describe("the data of a line", () => {
  it.prop("is the script's value, if it is JSON", { value: Arbitrary.schema(Schema.Json) }, ({ value }) => {
    const json = JSON.stringify(value)
    assert.deepStrictEqual(dataOf(json, "json", false), JSON.parse(json))
  })

  it.prop(
    "is the beginning of a text that was cut, wherever that was",
    {
      text: Arbitrary.schema(Schema.String),
      cut: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 80 })))
    },
    ({ cut, text }) => {
      const whole = `${text}\u0001"\\${text}`
      const kept = JSON.stringify(whole).slice(0, -1).slice(0, cut)
      const data = dataOf(kept, "json", true)
      if (typeof data !== "string") return assert.fail("no text")
      assert.isTrue(whole.startsWith(data))
      // no more is lost than a character that is not there as a whole
      assert.isAtLeast(JSON.stringify(data).length, kept.length - 4)
    }
  )

  it("is null for nothing, and a description for what is no JSON", () => {
    assert.isNull(dataOf(undefined, "undefined", false))
    assert.isNull(dataOf("null", "json", false))
    assert.strictEqual(dataOf("button#pay", "node", false), "button#pay")
    assert.strictEqual(dataOf("12", "bigint", false), "12")
    assert.strictEqual(dataOf("[1,2", "json", true), "[1,2")
  })
})
