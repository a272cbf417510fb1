/** The catalog's columns about whose turn it is: control, lane, shared execution. Each row, in a real browser. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { Control } from "../../src/services/Control.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { countOperations, exampleTask } from "../support/exampleTask.ts"

type Task = Effect.Success<typeof exampleTask>

/** A call that is under way. */
const begun = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.forkChild(call, { startImmediately: true })

/** Asks the page something that needs neither a turn nor the page's own scripts to be at rest. */
const ask = ({ call }: Task, expression: string) =>
  call("browser_cdp", { method: "Runtime.evaluate", params: { expression, awaitPromise: true } })

/** A call that holds the lane until the page is told to let it go. */
const holders = {
  write: { tool: "browser_execute", args: { script: "await new Promise((done) => { globalThis.letGo = done })" } },
  read: { tool: "browser_wait_for", args: { text: "the lane is free", timeoutMs: 30_000 } }
} as const
const release = {
  write: "new Promise((done) => { const look = () => globalThis.letGo ? done(letGo()) : setTimeout(look, 5); look() })",
  read: "document.body.append('the lane is free')"
} as const

/** Whether a call of that lane goes on while such a holder has it. */
const passes = (lane: "write" | "read" | "free", held: "write" | "read") =>
  lane === "free" || (lane === "read" && held === "read")

/** The holders that tell a lane from the others: who waits for a read waits for a write, who passes a write passes a read. */
const telling = { write: ["read"], read: ["write", "read"], free: ["write"] } as const

/** A dialog ends every call that could hold the lane, so its answer cannot be beside one; the others can. */
const laned = catalog.filter((row) => row.name !== "browser_dialog")

layer(chromiumTools(), { excludeTestServices: true, timeout: "90 seconds" })("the catalog says truly that", (it) => {
  for (const row of catalog) {
    it.effect(
      row.guarded
        ? `${row.name} waits for the person in control and goes on when they hand it back`
        : `${row.name} works while a person is in control`,
      () =>
        Effect.gen(function* () {
          const control = yield* Control
          const { call, ready, task } = yield* exampleTask
          const prepared = yield* ready(row.name)
          // the start of a batch is an act, though the tool is none
          const args = row.name === "browser_scrape" ? { action: "list" } : prepared
          yield* control.takeOver(task)
          const waits = yield* begun(
            control.changes.pipe(
              Stream.filter((info) => info.key === task && info.waiting === 1),
              Stream.runHead
            )
          )
          const answer = yield* begun(call(row.name, args))
          if (row.guarded) {
            yield* Fiber.join(waits)
            assert.isUndefined(answer.pollUnsafe())
            yield* control.handBack(task)
          }
          yield* Fiber.join(answer)
          if (!row.guarded) assert.strictEqual((yield* control.state(task)).control, "human")
        })
    )
  }

  for (const row of laned) {
    for (const held of telling[row.lane]) {
      const passing = passes(row.lane, held)
      it.effect(`${row.name} ${passing ? "does not wait" : "waits"} for a ${held} that holds the lane`, () =>
        Effect.gen(function* () {
          const control = yield* Control
          const example = yield* exampleTask
          const { call, ready, task } = example
          const args = yield* ready(row.name)
          const { args: holding, tool } = holders[held]
          const holder = yield* begun(Effect.exit(call(tool, holding)))
          const answer = yield* begun(Effect.exit(call(row.name, args)))
          if (passing) yield* Fiber.join(answer)
          else {
            yield* ask(example, "1")
            assert.isUndefined(answer.pollUnsafe())
          }
          // what the tool itself may have changed: who is in control, what is allowed
          yield* control.handBack(task)
          yield* call("browser_restrict", {})
          yield* Effect.ignore(ask(example, release[held]))
          yield* Fiber.join(holder)
          assert.strictEqual((yield* Fiber.join(answer))._tag, "Success")
        })
      )
    }
  }

  for (const row of catalog.filter((one) => one.session !== "none")) {
    it.effect(`two equal calls of ${row.name} ${row.coalesced ? "share one execution" : "are two executions"}`, () =>
      Effect.gen(function* () {
        const { call, ready, session } = yield* exampleTask
        const prepared = yield* ready(row.name)
        // one that writes a file is done for each caller
        const args = row.name === "browser_screenshot" ? {} : prepared
        const operations = countOperations(yield* session)
        const both = Effect.exit(call(row.name, args))
        const [first, second] = yield* Effect.all([both, both], { concurrency: 2 })
        assert.strictEqual(operations(), row.coalesced ? 1 : 2)
        if (row.coalesced) assert.deepStrictEqual(second, first)
      })
    )
  }
})
