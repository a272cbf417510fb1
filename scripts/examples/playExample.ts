/** Plays the examples in a real browser. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Effect as EffectType } from "effect"
import { Effect, Schema } from "effect"
import type { BrowserError } from "../../src/schemas/errors.ts"
import { Snapshot } from "../../src/schemas/snapshot.ts"
import type { ToolAnswer } from "../../src/services/Tools.ts"
import { exampleCalls, type Place } from "./exampleCalls.ts"
import { papers } from "./pages.ts"

export type Call = (tool: string, args: object) => EffectType.Effect<ToolAnswer, BrowserError>

const decodeSnapshot = Schema.decodeUnknownSync(Snapshot)

/** What an example can name, once the site's first page is open in the task. */
export const openPlace = (call: Call, origin: string, folder: string): EffectType.Effect<Place, BrowserError> =>
  Effect.map(call("browser_open", { url: `${origin}/` }), ({ structured }) => {
    writeFileSync(join(folder, "papers.txt"), papers)
    const { elements, snapshotId } = decodeSnapshot(structured)
    return {
      url: (path) => `${origin}${path}`,
      file: (name) => join(folder, name),
      element: (label) => {
        const found = elements.find((one) => one.label === label && one.kind !== "text")
        if (found === undefined) throw new Error(`no element is labelled "${label}"`)
        return { snapshotId, ref: found.ref }
      }
    }
  })

/** Makes ready for the example of a tool; yields the arguments of its call. */
export const prepareExample = (call: Call, tool: string, place: Place): EffectType.Effect<object, BrowserError> =>
  Effect.gen(function* () {
    const example = exampleCalls[tool]
    if (example === undefined) return yield* Effect.die(`${tool} has no example`)
    for (const step of example.before?.(place) ?? []) yield* call(step.tool, step.args)
    return example.args(place)
  })
