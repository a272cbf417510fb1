/** The options of `npm run bench`. */
import { parseArgs } from "node:util"

export interface BenchOptions {
  /** few rounds, no cold start, a short memory run */
  readonly quick: boolean
  /** ids of the steps to run; empty: all */
  readonly only: ReadonlyArray<string>
  /** file for all numbers as JSON */
  readonly json: string | undefined
  /** timed rounds of a step */
  readonly rounds: number
  /** calls of the memory run */
  readonly calls: number
}

export const usage = `node bench/run.ts [--quick] [--only id,id] [--rounds N] [--calls N] [--json FILE]

  --quick      5 rounds, no cold start, 300 calls for memory
  --only       run these steps only
  --rounds     timed rounds of each step (15)
  --calls      calls of the memory run (2000; the issue asks for 10000)
  --json       write every number to a file

bench/RESULTS.md is written by a run of all steps without --quick.`

const natural = (text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${text} is not a whole number above zero\n\n${usage}`)
  return value
}

/** Reads the options; throws an `Error` with the usage if they make no sense. */
export const parseOptions = (args: ReadonlyArray<string>): BenchOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      json: { type: "string" },
      rounds: { type: "string" },
      calls: { type: "string" }
    }
  })
  return {
    quick: values.quick,
    only: (values.only ?? "").split(",").filter((id) => id !== ""),
    json: values.json,
    rounds: natural(values.rounds, values.quick ? 5 : 15),
    calls: natural(values.calls, values.quick ? 300 : 2_000)
  }
}
