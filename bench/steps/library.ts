/** Short steps once more, by the library in a program of its own: what is left is what the protocol above it costs. */
import type { Step } from "../Bench.ts"
import { Library } from "../ours/Library.ts"
import * as acting from "./acting.ts"
import * as looking from "./looking.ts"
import * as reading from "./reading.ts"

const steps = [
  looking.open,
  looking.lookSmall,
  acting.click,
  reading.evaluate,
  reading.tabs,
  reading.back,
  reading.content
]

export const library: Step = {
  id: "library",
  quick: true,
  play: async (bench) => {
    const server = new Library(bench.browser)
    try {
      const results = []
      for (const step of steps) results.push(await step.play({ ...bench, server }))
      return {
        rows: results.flatMap(({ rows }) => rows).map((row) => ({ ...row, name: `by the library: ${row.name}` }))
      }
    } finally {
      await server.stop()
    }
  }
}
