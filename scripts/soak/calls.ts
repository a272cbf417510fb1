/** Which call comes next: one of the examples, or one that was generated from the tool's schema. */
import { Arbitrary, Effect, type Schema } from "effect"
import type { ToolRow } from "../../src/tools/ToolRow.ts"
import { catalog } from "../../src/tools/catalog.ts"
import type { Place } from "../examples/exampleCalls.ts"
import { exampleCalls } from "../examples/exampleCalls.ts"
import type { Chance } from "./Chance.ts"
import { paths } from "./SoakSite.ts"

export interface NextCall {
  readonly tool: string
  readonly args: object
  /** ms after which the caller gives up; undefined: it does not */
  readonly cancelAfter: number | undefined
}

/** Of ten calls, so many load a page: without one, tools have nothing to do. */
const opening = 3

/** Of ten calls, so many have generated arguments. */
const generated = 3

const argumentsOf = new Map<string, Arbitrary.Arbitrary<unknown>>(
  catalog.map((row) => [row.name, Arbitrary.schema(row.parameters as Schema.Codec<unknown, unknown>)])
)

const generatedArgs = (row: ToolRow, chance: Chance): Effect.Effect<object> => {
  const arbitrary = argumentsOf.get(row.name)
  if (arbitrary === undefined) return Effect.succeed({})
  return Arbitrary.sampleEffect(arbitrary, { count: 1, seed: chance.below(2 ** 31) }).pipe(
    Effect.map(([args]) => (typeof args === "object" && args !== null ? args : {})),
    Effect.orElseSucceed(() => ({}))
  )
}

/** The next call of a task; without a session it is, as a rule, one that starts one. */
export const nextCall = (chance: Chance, place: Place, hasSession: boolean): Effect.Effect<NextCall> =>
  Effect.gen(function* () {
    const cancelAfter = chance.below(10) === 0 ? chance.below(1_500) : undefined
    if (chance.below(10) < (hasSession ? opening : 9)) {
      const args = { url: place.url(chance.one(paths)), newTab: chance.below(8) === 0 }
      return { tool: "browser_open", args, cancelAfter }
    }
    const row = chance.one(catalog)
    const args =
      chance.below(10) < generated ? yield* generatedArgs(row, chance) : (exampleCalls[row.name]?.args(place) ?? {})
    return { tool: row.name, args, cancelAfter }
  })
