/** Plays the examples of the documentation and writes docs/examples.json; `npm run docs` puts them into docs/tools.md. */
import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import { catalog } from "../src/tools/catalog.ts"
import { serveExamples } from "./examples/ExampleSite.ts"
import { exampleBrowser } from "./examples/exampleTools.ts"
import { recordExample } from "./examples/recordExamples.ts"
import { examplesFile } from "./examples/storedExamples.ts"

const records = await Effect.gen(function* () {
  const origin = yield* serveExamples
  return yield* Effect.forEach(catalog, (row) => recordExample(row.name, origin))
}).pipe(Effect.scoped, Effect.provide(exampleBrowser), Effect.runPromise)

writeFileSync(examplesFile, `${JSON.stringify(records, undefined, 2)}\n`)
