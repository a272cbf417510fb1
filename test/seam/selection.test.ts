import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { selectProvider } from "../../src/layers/providers/seam/selection.ts"
import { ProviderId } from "../../src/schemas/ids.ts"

const id = (name: string) => ProviderId.make(name)
const Name = Schema.Literals(["a", "b", "c", "d"])

const outcome = (configured: string | undefined, candidates: ReadonlyArray<readonly [string, boolean]>) =>
  Result.match(
    selectProvider(
      configured === undefined ? undefined : id(configured),
      candidates.map(([name, available]) => ({ id: id(name), available }))
    ),
    { onSuccess: (candidate) => candidate.id as string, onFailure: (error) => error }
  )

describe("selection of a provider", () => {
  it("takes the configured provider if it is available, whatever else is", () => {
    assert.strictEqual(
      outcome("b", [
        ["a", true],
        ["b", true]
      ]),
      "b"
    )
  })

  it("refuses a configured provider that is not registered and lists what is", () => {
    assert.deepInclude(
      outcome("x", [
        ["b", true],
        ["a", false]
      ]),
      {
        code: "BROWSER_PROVIDER_CONFIGURED_MISSING",
        provider: "x",
        registered: ["a", "b"]
      }
    )
  })

  it("refuses a configured provider that is not available, even if another one is", () => {
    assert.deepInclude(
      outcome("a", [
        ["a", false],
        ["b", true]
      ]),
      {
        code: "BROWSER_PROVIDER_CONFIGURED_UNAVAILABLE",
        provider: "a"
      }
    )
  })

  it("takes the only available provider if none is configured", () => {
    assert.strictEqual(
      outcome(undefined, [
        ["a", false],
        ["b", true]
      ]),
      "b"
    )
  })

  it("refuses to choose among several available providers and lists them", () => {
    assert.deepInclude(
      outcome(undefined, [
        ["c", true],
        ["b", false],
        ["a", true]
      ]),
      {
        code: "BROWSER_PROVIDER_AMBIGUOUS",
        available: ["a", "c"]
      }
    )
  })

  it("fails if none is available and lists what is registered", () => {
    assert.deepInclude(
      outcome(undefined, [
        ["b", false],
        ["a", false]
      ]),
      {
        code: "BROWSER_PROVIDER_UNAVAILABLE",
        registered: ["a", "b"]
      }
    )
    assert.deepInclude(outcome(undefined, []), { code: "BROWSER_PROVIDER_UNAVAILABLE", registered: [] })
  })

  it.prop(
    "does not depend on the order of registration",
    {
      configured: Schema.UndefinedOr(Name),
      available: Schema.Record(Name, Schema.Boolean),
      order: Schema.Array(Name)
    },
    ({ configured, available, order }) => {
      const sorted = [...new Set(order)].sort().map((name) => [name, available[name] ?? false] as const)
      const given = [...new Set(order)].map((name) => [name, available[name] ?? false] as const)
      assert.deepStrictEqual(outcome(configured, given), outcome(configured, sorted))
    }
  )
})
