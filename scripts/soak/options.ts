/** The options of `npm run soak`. */
import { parseArgs } from "node:util"

export interface SoakOptions {
  readonly minutes: number
  readonly tasks: number
  readonly seed: number
}

const usage = `node --expose-gc scripts/soak.ts [--minutes N] [--tasks N] [--seed N]

  --minutes  how long tools are called (480: eight hours)
  --tasks    tasks at once (8)
  --seed     the same seed gives each task the same calls; when they come, and what they meet, differs`

const positive = (text: string | undefined, standard: number): number => {
  const value = text === undefined ? standard : Number(text)
  if (!(value > 0)) throw new Error(`${text} is not a number above zero\n\n${usage}`)
  return value
}

/** Reads the options; throws an `Error` with the usage if they make no sense. */
export const parseOptions = (args: ReadonlyArray<string>): SoakOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: "string" }, tasks: { type: "string" }, seed: { type: "string" } }
  })
  return {
    minutes: positive(values.minutes, 480),
    tasks: Math.round(positive(values.tasks, 8)),
    seed: Math.round(positive(values.seed, Date.now() % 1_000_000))
  }
}
