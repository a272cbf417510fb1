/** A task of its own on the examples' site, in which each tool's example can be called. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { serveExamples } from "../../scripts/examples/ExampleSite.ts"
import { type Call, openPlace, prepareExample } from "../../scripts/examples/playExample.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import { Tools } from "../../src/services/Tools.ts"

let tasks = 0

/** Closed with the test. */
export const exampleTask = Effect.gen(function* () {
  const tools = yield* Tools
  const known = yield* Tasks
  const task = TaskKey.make(`example-${++tasks}`)
  const call: Call = (tool, args) => tools.invoke(task, tool, args)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "example-task-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const origin = yield* serveExamples
  yield* Effect.addFinalizer(() => known.resetSession(task))
  return {
    task,
    call,
    origin,
    /** Opens the first page anew, does what comes before the example, and gives the arguments of its call. */
    ready: (tool: string) =>
      Effect.flatMap(openPlace(call, origin, folder), (place) => prepareExample(call, tool, place)),
    session: Effect.suspend(() => {
      const session = known.peek(task)
      return session === undefined ? Effect.die("no session is open") : Effect.succeed(session)
    })
  }
})

/** What of a session is no operation. */
const facts = new Set(["lost", "setHumanControl", "present"])

/** Counts the operations that are begun on a session from now on. */
export const countOperations = (session: BrowserSession): (() => number) => {
  let begun = 0
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      begun++
      return effect
    })
  for (const [name, member] of Object.entries(session) as ReadonlyArray<[string, unknown]>) {
    if (facts.has(name)) continue
    if (Effect.isEffect(member)) Object.assign(session, { [name]: counted(member) })
    if (typeof member !== "function") continue
    const operation = (...given: ReadonlyArray<unknown>): unknown => {
      const result: unknown = Reflect.apply(member, session, given)
      return Effect.isEffect(result) ? counted(result) : result
    }
    Object.assign(session, { [name]: operation })
  }
  return () => begun
}
