/** The examples of the documentation still come out as they were recorded. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { serveExamples } from "../../scripts/examples/ExampleSite.ts"
import { comparable } from "../../scripts/examples/record.ts"
import { recordExample } from "../../scripts/examples/recordExamples.ts"
import { storedExamples } from "../../scripts/examples/storedExamples.ts"
import { chromium } from "../support/ChromiumSession.ts"

layer(chromium(), { excludeTestServices: true, timeout: "60 seconds" })("the example of", (it) => {
  for (const stored of storedExamples()) {
    it.effect(`${stored.tool} comes out as it is documented`, () =>
      Effect.gen(function* () {
        const played = yield* recordExample(stored.tool, yield* serveExamples)
        assert.deepStrictEqual(comparable(played), comparable(stored))
      })
    )
  }
})
