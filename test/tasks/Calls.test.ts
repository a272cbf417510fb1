import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { NothingFocused } from "../../src/schemas/errors.ts"
import { CurrentDeadline, within } from "../../src/services/Timeouts.ts"
import * as StubBrowser from "../support/StubBrowser.ts"
import { free, held, launch, other, quiet, read, start, state, task, write } from "./TasksHarness.ts"

const service = Effect.suspend(() => start(StubBrowser.make()))
const done = () => Effect.succeed("done")

describe("the calls of a task", () => {
  it.effect("work one after another if they write, together if they read, and in the order of arrival", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const works = [held(), held(), held(), held(), held()] as const
      const calls = [read("r1"), read("r2"), write("w1"), read("r3"), write("w2")]
      yield* Effect.forEach(works, (work, index) => launch(tasks.run(task, calls[index] ?? write(), work.use)))
      const begun = () => works.map((work) => work.begun()).join("")
      assert.strictEqual(begun(), "11000")
      yield* works[1].end("")
      yield* quiet
      assert.strictEqual(begun(), "11000")
      yield* works[0].end("")
      yield* quiet
      assert.strictEqual(begun(), "11100")
      yield* works[2].end("")
      yield* quiet
      assert.strictEqual(begun(), "11110")
      yield* works[3].end("")
      yield* quiet
      assert.strictEqual(begun(), "11111")
    })
  )

  it.effect("that are free work beside the lane", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      yield* launch(tasks.run(task, write(), held().use))
      assert.strictEqual(yield* tasks.run(task, free(), done), "done")
    })
  )

  it.effect("do not wait for those of another task", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      yield* launch(tasks.run(task, write(), held().use))
      assert.strictEqual(yield* tasks.run(other, write(), done), "done")
    })
  )

  it.effect("do not fail because an earlier one failed, died or was interrupted from inside", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const error = new NothingFocused({ focused: "body" })
      const gate = held()
      yield* launch(tasks.run(task, write(), gate.use))
      const queue = <A, E>(effect: Effect.Effect<A, E>) => launch(tasks.run(task, write(), () => effect))
      const failing = yield* queue(Effect.fail(error))
      const dying = yield* queue(Effect.die("bug"))
      const interrupted = yield* queue(Effect.interrupt)
      const fine = yield* queue(Effect.succeed("fine"))
      yield* gate.end("")
      assert.strictEqual(yield* Effect.flip(Fiber.join(failing)), error)
      assert.isTrue(Exit.hasDies(yield* Fiber.await(dying)))
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(interrupted)))
      assert.strictEqual(yield* Fiber.join(fine), "fine")
    })
  )

  it.effect("are refused beyond the bound of the queue", () =>
    Effect.gen(function* () {
      const tasks = yield* start(StubBrowser.make(), { maxQueuedCalls: 2 })
      const gate = held()
      yield* launch(tasks.run(task, write(), gate.use))
      const waiting = yield* Effect.forEach([write(), read()], (call) => launch(tasks.run(task, call, done)))
      const refused = yield* Effect.flip(tasks.run(task, read(), done))
      assert.deepInclude(refused, { code: "BROWSER_QUEUE_FULL", limit: 2 })
      yield* gate.end("")
      assert.deepStrictEqual(yield* Effect.forEach(waiting, Fiber.join), ["done", "done"])
      assert.strictEqual(yield* tasks.run(task, write(), done), "done")
    })
  )
})

describe("a call that is given up", () => {
  it.effect("leaves the queue at once, and the next one does not wait for it", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const reading = held()
      yield* launch(tasks.run(task, read(), reading.use))
      const given = held()
      const queued = yield* launch(tasks.run(task, write(), given.use))
      const later = yield* launch(tasks.run(task, read(), done))
      assert.strictEqual(state(later), "running")
      yield* Fiber.interrupt(queued)
      assert.strictEqual(yield* Fiber.join(later), "done")
      yield* reading.end("")
      yield* quiet
      assert.strictEqual(given.begun(), 0)
    })
  )

  it.effect("is interrupted while it works, and the lane is free", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const work = held()
      const running = yield* launch(tasks.run(task, write(), work.use))
      yield* Fiber.interrupt(running)
      assert.strictEqual(yield* tasks.run(task, write(), done), "done")
      assert.strictEqual(work.interrupted(), 1)
    })
  )

  it.effect("in the moment of its start never begins, and the lane is free", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      yield* tasks.run(task, write(), done)
      let begun = false
      const call = tasks.run(task, write(), () =>
        Effect.sync(() => {
          begun = true
        })
      )
      const fiber = yield* Effect.forkChild(call, { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* tasks.run(task, write(), done), "done")
      assert.isFalse(begun)
    })
  )

  it.effect("is answered at once, but keeps the lane until its work has ended", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const ending = Deferred.makeUnsafe<void>()
      const slow = yield* launch(
        tasks.run(task, write("slow"), () => Effect.onInterrupt(Effect.never, () => Deferred.await(ending)))
      )
      yield* Fiber.interrupt(slow)
      const next = yield* launch(tasks.run(task, write(), done))
      assert.strictEqual(state(next), "running")
      yield* Deferred.succeed(ending, undefined)
      assert.strictEqual(yield* Fiber.join(next), "done")
    })
  )

  it.effect("keeps the lane for two seconds at the most", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const work = held()
      const stubborn = yield* launch(
        tasks.run(task, write("stubborn"), (session) => Effect.uninterruptible(work.use(session)))
      )
      yield* Fiber.interrupt(stubborn)
      const next = yield* launch(tasks.run(task, write(), done))
      yield* TestClock.adjust(1_999)
      yield* quiet
      assert.strictEqual(state(next), "running")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(next), "done")
      yield* work.end("")
      yield* quiet
      assert.strictEqual(yield* tasks.run(task, write(), done), "done")
    })
  )
})

describe("the budget of a call", () => {
  it.effect("counts the waiting: running out in the queue says what it waited for and lets the next one start", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const slow = held()
      const begun = held()
      yield* launch(tasks.run(task, read("browser_snapshot"), slow.use))
      yield* launch(tasks.run(task, read("browser_content"), slow.use))
      const queued = yield* launch(tasks.run(task, write("browser_click", { budget: 500 }), begun.use))
      const later = yield* launch(tasks.run(task, read(), done))
      yield* TestClock.adjust(499)
      yield* quiet
      assert.strictEqual(state(queued), "running")
      yield* TestClock.adjust(1)
      yield* quiet
      assert.deepInclude(state(queued), {
        code: "BROWSER_OPERATION_TIMEOUT",
        operation: "browser_click",
        budget: 500,
        detail: "it was waiting behind browser_snapshot and 1 other call"
      })
      assert.strictEqual(yield* Fiber.join(later), "done")
      assert.strictEqual(begun.begun(), 0)
    })
  )

  it.effect("interrupts the work when it runs out", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const work = held()
      const call = yield* launch(tasks.run(task, write("browser_click", { budget: 500 }), work.use))
      yield* TestClock.adjust(500)
      yield* quiet
      const error = state(call)
      assert.deepInclude(error, { code: "BROWSER_OPERATION_TIMEOUT", operation: "browser_click", budget: 500 })
      assert.notProperty(error, "detail")
      assert.strictEqual(work.interrupted(), 1)
    })
  )

  it.effect("bounds the budgets inside, so that the inner one is the one that is reported", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const call = yield* launch(
        tasks.run(task, write("browser_click", { budget: 500 }), () => within("pressing", 10_000)(Effect.never))
      )
      yield* TestClock.adjust(500)
      yield* quiet
      assert.deepInclude(state(call), { code: "BROWSER_OPERATION_TIMEOUT", operation: "pressing" })
    })
  )
})

describe("reads that share their work", () => {
  const shared = (operation = "browser_snapshot", budget = 60_000) => read(operation, { coalesce: "args", budget })

  it.effect("all get its outcome, and it is done once", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const work = held()
      const fibers = yield* Effect.forEach([1, 2, 3], () => launch(tasks.run(task, shared(), work.use)))
      yield* work.end("seen")
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["seen", "seen", "seen"])
      assert.strictEqual(work.begun(), 1)
    })
  )

  it.effect("share it while it is queued, too", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const gate = held()
      const work = held()
      yield* launch(tasks.run(task, write(), gate.use))
      const fibers = yield* Effect.forEach([1, 2], () => launch(tasks.run(task, shared(), work.use)))
      yield* gate.end("")
      yield* work.end("seen")
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["seen", "seen"])
      assert.strictEqual(work.begun(), 1)
    })
  )

  it.effect("never share with another tool, another task, after a write, or if they write", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const work = held()
      const calls = [
        [task, shared()],
        [task, shared("browser_find")],
        [other, shared()],
        [task, write("w1", { coalesce: "args" })],
        [task, shared()],
        [task, write("w1", { coalesce: "args" })]
      ] as const
      const fibers = yield* Effect.forEach(calls, ([key, call]) => launch(tasks.run(key, call, work.use)))
      yield* work.end("")
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(work.begun(), calls.length)
    })
  )

  it.effect("go on when the first of them gives up, and stop when the last one does", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const work = held()
      const first = yield* launch(tasks.run(task, shared(), work.use))
      const second = yield* launch(tasks.run(task, shared(), work.use))
      yield* Fiber.interrupt(first)
      yield* quiet
      assert.strictEqual(work.interrupted(), 0)
      yield* Fiber.interrupt(second)
      yield* quiet
      assert.deepStrictEqual([work.begun(), work.interrupted()], [1, 1])
    })
  )

  it.effect("each end by their own budget", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const seen: Array<number | undefined> = []
      const work = held()
      const use = (session: Parameters<typeof work.use>[0]) =>
        Effect.andThen(
          Effect.map(CurrentDeadline, (deadline) => seen.push(deadline)),
          work.use(session)
        )
      const hasty = yield* launch(tasks.run(task, shared("browser_snapshot", 500), use))
      const patient = yield* launch(tasks.run(task, shared("browser_snapshot", 5_000), use))
      yield* TestClock.adjust(500)
      yield* quiet
      assert.deepInclude(state(hasty), { code: "BROWSER_OPERATION_TIMEOUT", budget: 500 })
      assert.strictEqual(state(patient), "running")
      yield* work.end("seen")
      assert.strictEqual(yield* Fiber.join(patient), "seen")
      assert.deepStrictEqual(seen, [undefined])
    })
  )

  it.effect("do not join a work that is being stopped", () =>
    Effect.gen(function* () {
      const tasks = yield* service
      const ending = Deferred.makeUnsafe<void>()
      const first = yield* launch(
        tasks.run(task, shared(), () => Effect.onInterrupt(Effect.never, () => Deferred.await(ending)))
      )
      yield* Fiber.interrupt(first)
      assert.strictEqual(yield* tasks.run(task, shared(), done), "done")
      yield* Deferred.succeed(ending, undefined)
    })
  )
})
