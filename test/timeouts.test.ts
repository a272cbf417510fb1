import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { defaultBrowserConfig } from "../src/schemas/config.ts"
import type { OperationName } from "../src/services/Timeouts.ts"
import { CurrentDeadline, defaultTimeouts, startWithin, within } from "../src/services/Timeouts.ts"
import { callBudget, workBudget } from "../src/tools/budgets.ts"
import { catalog } from "../src/tools/catalog.ts"

/** What an operation may do one after another: its budget holds all of it. */
const inside: Partial<Record<OperationName, ReadonlyArray<OperationName>>> = {
  act: ["input", "settle"],
  fill: ["act", "input"],
  openSession: ["attach", "command"],
  tool: ["openSession", "closeSession"]
}

describe("in the table of budgets", () => {
  const names = Object.keys(defaultTimeouts) as ReadonlyArray<OperationName>

  it("a tool call as a whole is longer than everything else", () => {
    assert.deepStrictEqual(
      names.filter((name) => name !== "tool" && defaultTimeouts[name] >= defaultTimeouts.tool),
      []
    )
    assert.strictEqual(defaultBrowserConfig.toolTimeoutMs, defaultTimeouts.tool)
  })

  it("an operation has room for what it contains", () => {
    for (const [outer, parts] of Object.entries(inside)) {
      const sum = parts.reduce((total, part) => total + defaultTimeouts[part], 0)
      assert.isBelow(sum, defaultTimeouts[outer as OperationName], `${parts.join(" + ")} in ${outer}`)
    }
  })

  it("the work of every tool ends before the call does", () => {
    for (const row of catalog) {
      assert.isBelow(workBudget(row, defaultTimeouts), callBudget(defaultTimeouts.tool, undefined), row.name)
    }
  })
})

const ms = Schema.Int.check(Schema.isBetween({ minimum: 50, maximum: 100_000 }))

/** How `effect` ends when time passes by itself. */
const elapsed = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(Effect.result(effect), { startImmediately: true })
  yield* TestClock.adjust(200_000)
  return yield* Fiber.join(fiber)
})

describe("a budget", () => {
  it.effect.prop(
    "inside another one ends first and is the one that is reported, however they were asked for",
    { outer: ms, inner: ms },
    ({ outer, inner }) =>
      Effect.gen(function* () {
        const result = yield* elapsed(within("outer", outer)(within("inner", inner)(Effect.never)))
        const error = Result.isFailure(result) ? result.failure : undefined
        assert.strictEqual(error?.operation, "inner")
        // by the limit that somebody knows, not by what was left of it
        assert.include([inner, outer], error?.budget)
        if (inner >= outer) assert.strictEqual(error?.budget, outer)
        if (inner <= outer - 200) assert.strictEqual(error?.budget, inner)
      }),
    { arbitrary: { runs: 50 } }
  )

  it.effect("that begins when some of it is spent already is told by the limit that the caller knows", () =>
    Effect.gen(function* () {
      const late = within("call", 600, 1_000)(Effect.andThen(Effect.sleep(300), within("inner", 5_000)(Effect.never)))
      const result = yield* elapsed(late)
      assert.deepInclude(Result.isFailure(result) ? result.failure : {}, { operation: "inner", budget: 1_000 })
    })
  )

  it.effect("leaves a result alone that comes in time", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* elapsed(within("operation", 100)(Effect.as(Effect.sleep(99), "done"))),
        Result.succeed("done")
      )
    })
  )

  it.effect("does not bind what outlives the operation around it", () =>
    Effect.gen(function* () {
      const late = within("later", 5_000)(Effect.never)
      const result = yield* elapsed(
        Effect.provideService(Effect.andThen(Effect.sleep(1_000), late), CurrentDeadline, 1_000)
      )
      assert.deepInclude(Result.isFailure(result) ? result.failure : undefined, { operation: "later", budget: 5_000 })
    })
  )

  it.effect("for a start bounds the start, and leaves no deadline to what it starts", () =>
    Effect.gen(function* () {
      const late = yield* elapsed(startWithin("opening", 1_000)(Effect.never))
      assert.deepInclude(Result.isFailure(late) ? late.failure : undefined, { operation: "opening", budget: 1_000 })
      assert.isUndefined(yield* startWithin("opening", 1_000)(CurrentDeadline))
      const bound = yield* elapsed(within("outer", 500)(startWithin("opening", 1_000)(Effect.never)))
      assert.deepInclude(Result.isFailure(bound) ? bound.failure : undefined, { operation: "opening" })
    })
  )
})
