/** The catalog's column of budgets: each row, on a page whose script never ends. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit } from "effect"
import { Control } from "../../src/services/Control.ts"
import { Timeouts, defaultTimeouts } from "../../src/services/Timeouts.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { exampleTask } from "../support/exampleTask.ts"
import { TestSite } from "../support/TestSite.ts"

/** ms that each operation may take here, so that nobody waits for the real ones */
const short = 700

/**
 * Tells a hang from a slow machine: far beyond the budgets above, and less than the time that a tool's call has as a
 * whole, so that one that only this ends is found. How soon they are back is measured in `bench/`.
 */
const hangs = "30 seconds"

const table = Object.fromEntries(Object.keys(defaultTimeouts).map((name) => [name, short])) as typeof Timeouts.Service

layer(chromiumTools(), { excludeTestServices: true, timeout: "120 seconds" })("a page in an endless loop", (it) => {
  for (const row of catalog) {
    it.effect(`${row.name} is back within its budget, and a new session works`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { call, ready, task } = yield* exampleTask
        const prepared = yield* ready(row.name)
        // a raw command has a limit of its own, in seconds
        const args = row.name === "browser_cdp" ? { ...prepared, timeout: 1 } : prepared
        const looping = yield* Deferred.make<void>()
        const url = site.page("/looping", (_, response) => {
          response.writeHead(200, { "access-control-allow-origin": "*" }).end()
          Deferred.doneUnsafe(looping, Exit.void)
        })
        if (row.name !== "browser_dialog") {
          yield* call("browser_execute", {
            script: `setTimeout(() => { const x = new XMLHttpRequest(); x.open("GET", "${url}", false); x.send(); while (true) {} }, 20); 0`
          })
          yield* Deferred.await(looping)
        }
        // its own answer, or its own word that there was no time for one
        const error = yield* Effect.flip(call(row.name, args).pipe(Effect.provideService(Timeouts, table))).pipe(
          Effect.catch(() => Effect.succeed(undefined)),
          Effect.timeoutOrElse({
            duration: hangs,
            orElse: () => Effect.die(`${row.name} was not back after ${hangs}`)
          })
        )
        assert.notStrictEqual(error?.code, "BROWSER_INTERNAL")
        // what the tool itself may have changed: who is in control, what is allowed
        yield* (yield* Control).handBack(task)
        yield* call("browser_restrict", {})
        yield* call("browser_reset_session", {})
        assert.strictEqual(
          (yield* call("browser_open", { url: site.body("<p>Free</p>", "free") })).structured["title"],
          "free"
        )
      })
    )
  }
})
