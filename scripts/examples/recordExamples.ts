/** Plays the example of a tool and records it. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import type { BrowserError } from "../../src/schemas/errors.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { Browser } from "../../src/services/Browser.ts"
import { Tools } from "../../src/services/Tools.ts"
import { exampleTools } from "./exampleTools.ts"
import { type Call, openPlace, prepareExample } from "./playExample.ts"
import { type ExampleRecord, recordOf } from "./record.ts"

/** A folder that is gone with the scope. */
const ownFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "example-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Plays one example on the site at `origin`, from a first page that nobody has touched. */
export const recordExample = (tool: string, origin: string): Effect.Effect<ExampleRecord, BrowserError, Browser> =>
  Effect.gen(function* () {
    const tools = yield* Tools
    const folder = yield* ownFolder
    const call: Call = (name, args) => tools.invoke(TaskKey.make("harbour"), name, args)
    const args = yield* prepareExample(call, tool, yield* openPlace(call, origin, folder))
    return recordOf(tool, args, yield* call(tool, args), { origin, folder })
  }).pipe(Effect.scoped, Effect.provide(exampleTools))
