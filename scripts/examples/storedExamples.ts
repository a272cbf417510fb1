/** The examples as they were recorded. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ExampleRecord } from "./record.ts"

/** Where they are kept. */
export const examplesFile = join(import.meta.dirname, "../../docs/examples.json")

/** Those of the last recording. */
export const storedExamples = (): ReadonlyArray<ExampleRecord> =>
  JSON.parse(readFileSync(examplesFile, "utf8")) as ReadonlyArray<ExampleRecord>
