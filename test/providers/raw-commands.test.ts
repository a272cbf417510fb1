import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { boundedJson } from "../../src/layers/providers/session/boundedJson.ts"
import { maskTokens } from "../../src/layers/providers/session/maskTokens.ts"
import { answersWhileDialog, refusalOf } from "../../src/layers/providers/session/refusedCommands.ts"
import { latest } from "../../src/layers/providers/session/Rings.ts"

const Big = Schema.Struct({
  text: Schema.String.check(Schema.isMaxLength(200)),
  repeat: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })),
  inner: Schema.Json
})

describe("a result that is bounded", () => {
  it.effect.prop(
    "is JSON within the limit; what fits is left alone",
    { big: Big },
    ({ big: { inner, repeat, text } }) =>
      Effect.sync(() => {
        const nested = Array.from({ length: repeat % 50 }).reduce<Schema.Json>((value) => ({ value }), inner)
        const value: Schema.Json = {
          long: text.repeat(repeat),
          list: Array.from({ length: repeat }, (_, index) => ({ [text + index]: inner, index })),
          nested
        }
        const whole = JSON.stringify(value)
        for (const limit of [1_000, 25_000]) {
          const { truncated, value: cut } = boundedJson(value, limit)
          assert.isAtMost(JSON.stringify(cut).length, limit)
          // compared as text: JSON has no negative zero
          assert.strictEqual(JSON.stringify(JSON.parse(JSON.stringify(cut))), JSON.stringify(cut))
          assert.strictEqual(truncated, whole.length > limit)
          if (!truncated) assert.strictEqual(cut, value)
        }
      }),
    { arbitrary: { runs: 60 } }
  )

  it("keeps its shape and says at each place what is missing", () => {
    const { value } = boundedJson({ data: "a".repeat(90_000), nodes: [1, 2, 3], deep: { list: [true] } }, 25_000)
    assert.deepStrictEqual(value, {
      data: `${"a".repeat(4_000)}… (90000 characters)`,
      nodes: [1, 2, 3],
      deep: { list: [true] }
    })
  })
})

describe("a command", () => {
  it("that only asks is never refused", () => {
    for (const method of [
      "Runtime.evaluate",
      "DOM.getDocument",
      "Target.getTargets",
      "Page.navigate",
      "Network.getCookies",
      "Page.captureScreenshot",
      "Accessibility.getFullAXTree",
      "Input.dispatchMouseEvent",
      "Emulation.setUserAgentOverride"
    ]) {
      assert.isUndefined(refusalOf(method, {}), method)
    }
  })

  it("of the Fetch domain is refused whatever it is, and a drop of files but not one of text", () => {
    assert.isString(refusalOf("Fetch.continueRequest", {}))
    assert.isString(refusalOf("Input.dispatchDragEvent", { data: { files: ["/etc/hosts"] } }))
    assert.isUndefined(refusalOf("Input.dispatchDragEvent", { data: { items: [], files: [] } }))
  })

  it("that runs in the page waits for its dialog; one that the browser itself answers does not", () => {
    for (const method of ["Runtime.evaluate", "DOM.getDocument", "Page.captureScreenshot", "Page.getFrameTree"]) {
      assert.isFalse(answersWhileDialog(method), method)
    }
    for (const method of ["Target.getTargets", "Page.getNavigationHistory", "Network.getCookies", "Page.navigate"]) {
      assert.isTrue(answersWhileDialog(method), method)
    }
  })
})

const Entry = Schema.Struct({ at: Schema.Natural, text: Schema.String })

describe("the latest of a ring", () => {
  it.effect.prop(
    "are the newest ones that match, in order, as many as asked for and no more",
    {
      entries: Arbitrary.schema(Schema.Array(Entry)),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
      since: Schema.UndefinedOr(Schema.Natural)
    },
    ({ entries, limit, since }) =>
      Effect.sync(() => {
        const matches = ({ text }: typeof Entry.Type) => text.length % 2 === 0
        const found = entries.filter((entry) => matches(entry) && (since === undefined || entry.at > since))
        assert.deepStrictEqual(latest(entries, { limit, since }, matches), {
          kept: found.slice(-limit),
          total: found.length,
          truncated: found.length > limit
        })
      })
  )

  it("have at most 25,000 characters, but one is always given", () => {
    const entries = Array.from({ length: 20 }, (_, at) => ({ at, text: "x".repeat(5_000) }))
    const { kept, total, truncated } = latest(entries, { limit: 200 }, () => true)
    assert.deepStrictEqual([kept.length, total, truncated], [4, 20, true])
    assert.lengthOf(latest([{ at: 1, text: "x".repeat(90_000) }], { limit: 5 }, () => true).kept, 1)
  })
})

describe("a secret that shows by its form", () => {
  it("is masked wherever it stands, and what is no secret stays", () => {
    const url = "https://shop.test/items/42?page=2&hash=0123456789abcdef&q=a%20b"
    assert.strictEqual(maskTokens(url), url)
    for (const secret of [
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
      "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
      "sk-proj-abcdefghijklmnop",
      "AKIAIOSFODNN7EXAMPLE",
      "xoxb-123456789012-abcdef"
    ]) {
      assert.strictEqual(maskTokens(`https://a.test/x?v=${secret}&z=1`), "https://a.test/x?v=***&z=1")
    }
  })
})
