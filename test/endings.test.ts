import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { after, type End, endedAfter, endedBy, type Watch } from "../src/services/endings.ts"

/** What may happen to a work that waits, in any order and any number. */
const Happening = Schema.Literals(["the work ends", "the work fails", "first watch", "second watch", "interrupted"])

/** A work that waits, with two watches, and what was seen of it. */
const make = () => {
  const seen: Array<string> = []
  const gate = Deferred.makeUnsafe<string, string>()
  const ends: Array<End<string, string>> = []
  const stops = [0, 0]
  const watch =
    (index: number): Watch<string, string> =>
    (end) => {
      ends[index] = end
      return () => {
        stops[index] = (stops[index] ?? 0) + 1
      }
    }
  const work = Deferred.await(gate).pipe(
    Effect.onInterrupt(() =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => seen.push("tidied"))
      )
    )
  )
  const whole = work.pipe(endedBy([watch(0), watch(1)]), Effect.ensuring(Effect.sync(() => seen.push("over"))))
  return { seen, gate, ends, stops, whole }
}

describe("a work that something else may end", () => {
  it.effect.prop(
    "ends once, by what came first, after its own finalizers, and leaves no watch behind",
    { happenings: Schema.NonEmptyArray(Happening) },
    ({ happenings }) =>
      Effect.gen(function* () {
        const { ends, gate, seen, stops, whole } = make()
        const fiber = yield* Effect.forkChild(whole, { startImmediately: true })
        for (const happening of happenings) {
          if (happening === "the work ends") yield* Deferred.succeed(gate, "done")
          else if (happening === "the work fails") yield* Deferred.fail(gate, "failed")
          else if (happening === "first watch") ends[0]?.(Effect.sync(() => `one, ${seen.join()}`))
          else if (happening === "second watch") ends[1]?.(Effect.suspend(() => Effect.fail(`two, ${seen.join()}`)))
          else fiber.interruptUnsafe()
        }
        const exit = yield* Fiber.await(fiber)
        const [first] = happenings
        const tidied = first === "the work ends" || first === "the work fails" ? [] : ["tidied"]
        assert.deepStrictEqual(seen, [...tidied, "over"])
        assert.deepStrictEqual(stops, [1, 1])
        // whoever is interrupted while the watch's outcome is made ready is interrupted
        if (happenings.includes("interrupted") && first !== "the work ends" && first !== "the work fails") {
          assert.isTrue(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause))
          return
        }
        const expected = {
          "the work ends": Exit.succeed("done"),
          "the work fails": Exit.fail("failed"),
          "first watch": Exit.succeed("one, tidied"),
          "second watch": Exit.fail("two, tidied"),
          interrupted: undefined
        }[first]
        if (!happenings.includes("interrupted")) assert.deepStrictEqual(exit, expected)
      })
  )

  it.effect("is not watched if it ends at once", () =>
    Effect.gen(function* () {
      const watch: Watch = () => assert.fail("it was watched")
      assert.strictEqual(yield* Effect.succeed(1).pipe(endedBy([watch])), 1)
    })
  )

  it.effect("takes back the watches of an end that comes while they are set up", () =>
    Effect.gen(function* () {
      const taken: Array<string> = []
      const watches: ReadonlyArray<Watch<string>> = [
        () => () => taken.push("first"),
        (end) => {
          end(Effect.succeed("at once"))
          return () => taken.push("second")
        },
        () => assert.fail("it is over")
      ]
      assert.strictEqual(yield* Effect.never.pipe(endedBy(watches)), "at once")
      assert.deepStrictEqual(taken, ["first", "second"])
    })
  )

  it.effect("ends by the clock of its program", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.never.pipe(endedAfter(1_000, () => Effect.succeed("late"))), {
        startImmediately: true
      })
      yield* TestClock.adjust(999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(fiber), "late")
    })
  )

  it.live("ends by the real clock, and is not ended by one that never comes", () =>
    Effect.gen(function* () {
      const ended = Effect.never.pipe(endedBy([after(Number.POSITIVE_INFINITY, () => Effect.die("never"))]))
      assert.strictEqual(yield* ended.pipe(endedAfter(1, () => Effect.succeed("late"))), "late")
    })
  )
})
