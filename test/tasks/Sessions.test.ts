import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { LaunchFailed } from "../../src/schemas/errors.ts"
import { CurrentDeadline } from "../../src/services/Timeouts.ts"
import * as StubBrowser from "../support/StubBrowser.ts"
import { free, held, launch, other, quiet, read, start, state, task, write } from "./TasksHarness.ts"

const sessionId = (session: { readonly id: string }) => Effect.succeed(session.id as string)
const required = { session: "required" } as const
const launchFailed = new LaunchFailed({ executable: "x", reason: "no" })

describe("the session of a task", () => {
  it.effect("is opened once however many callers race for it", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make({ opening: () => Effect.sleep(10) })
      const tasks = yield* start(stub)
      const calls = [free(), read("a"), read("b"), write(), free(), read("c")]
      const racing = yield* launch(
        Effect.forEach(calls, (call) => tasks.run(task, call, sessionId), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(yield* Fiber.join(racing), Array(6).fill("s1"))
      assert.strictEqual(stub.opens(), 1)
      assert.strictEqual(tasks.peek(task)?.id, "s1")
      assert.deepStrictEqual(tasks.keys(), [task])
    })
  )

  it.effect("is one for each task, in a browser context as configured", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const stub = StubBrowser.make({
        opening: ({ isolated, task }) => Effect.sync(() => seen.push({ task, isolated }))
      })
      const tasks = yield* start(stub, { isolated: true })
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s1")
      assert.strictEqual(yield* tasks.run(other, write(), sessionId), "s2")
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s1")
      assert.deepStrictEqual(seen, [
        { task, isolated: true },
        { task: other, isolated: true }
      ])
    })
  )

  it.effect("is told of before it is used, and so is what a person at its window does", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      let person = (_: "tookOver" | "handedBack" | "seen"): void => {}
      const stub = StubBrowser.make({
        opening: (options) =>
          Effect.sync(() => {
            person = options.person ?? person
          })
      })
      const tasks = yield* start(stub)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* tasks.listen((event) => told.push(event._tag === "PersonActed" ? event.act : event.session.id))
          yield* tasks.run(task, write(), (session) => Effect.sync(() => told.push(`used ${session.id}`)))
          person("tookOver")
        })
      )
      person("handedBack")
      assert.deepStrictEqual(told, ["s1", "used s1", "tookOver"])
    })
  )

  it.effect("that cannot be opened fails all who wait for it, and the next call tries anew", () =>
    Effect.gen(function* () {
      let broken = true
      const stub = StubBrowser.make({
        opening: () =>
          Effect.andThen(
            Effect.yieldNow,
            Effect.suspend(() => (broken ? Effect.fail(launchFailed) : Effect.void))
          )
      })
      const tasks = yield* start(stub)
      const failures = yield* Effect.forEach(
        [free(), read()],
        (call) => Effect.flip(tasks.run(task, call, sessionId)),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(failures, [launchFailed, launchFailed])
      assert.strictEqual(stub.opens(), 1)
      assert.deepStrictEqual(tasks.keys(), [])
      broken = false
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s1")
    })
  )

  it.effect("goes on being opened when one of those who wait for it gives up, and stops when the last one does", () =>
    Effect.gen(function* () {
      const opening = held<void>()
      const stub = StubBrowser.make({ opening: () => opening.use({} as never) })
      const tasks = yield* start(stub)
      const first = yield* launch(tasks.run(task, free(), sessionId))
      const second = yield* launch(tasks.run(task, free(), sessionId))
      yield* Fiber.interrupt(first)
      yield* quiet
      assert.strictEqual(opening.interrupted(), 0)
      yield* Fiber.interrupt(second)
      yield* quiet
      assert.strictEqual(opening.interrupted(), 1)
      assert.deepStrictEqual([stub.opens(), tasks.keys()], [1, []])
    })
  )

  it.effect("is opened anew by a call that comes after everybody gave up, and the late one is closed", () =>
    Effect.gen(function* () {
      let slow = true
      const stub = StubBrowser.make({
        stubborn: true,
        opening: () => Effect.suspend(() => (slow ? Effect.sleep(1000) : Effect.void))
      })
      const tasks = yield* start(stub)
      const first = yield* launch(tasks.run(task, free(), sessionId))
      yield* Fiber.interrupt(first)
      slow = false
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s1")
      yield* TestClock.adjust(1000)
      yield* quiet
      assert.deepStrictEqual(
        stub.sessions.map(({ session, state }) => [session.id, state]),
        [
          ["s1", "open"],
          ["s2", "closed"]
        ]
      )
    })
  )

  it.effect("is not known to a call that requires one before it was opened", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make()
      const tasks = yield* start(stub)
      const error = yield* Effect.flip(tasks.run(task, read("read", required), sessionId))
      assert.deepInclude(error, { code: "BROWSER_SESSION_UNKNOWN", task })
      assert.deepStrictEqual([stub.opens(), tasks.keys()], [0, []])
    })
  )

  it.effect("that gets lost ends the calls that use it at once, is told of once, and only opening starts afresh", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make()
      const tasks = yield* start(stub)
      const work = held()
      const beside = held()
      const running = yield* launch(tasks.run(task, write("work"), work.use))
      const freely = yield* launch(tasks.run(task, free("free", required), beside.use))
      yield* stub.sessions[0]?.lose("it died") ?? Effect.void
      yield* quiet
      const lost = { code: "BROWSER_SESSION_LOST", reason: "it died" } as const
      assert.deepInclude(state(running), lost)
      assert.deepInclude(state(freely), lost)
      assert.deepStrictEqual([work.interrupted(), beside.interrupted()], [1, 1])
      assert.strictEqual(stub.sessions[0]?.state, "closed")
      assert.isUndefined(tasks.peek(task))
      assert.deepInclude(yield* Effect.flip(tasks.run(task, read("a", required), sessionId)), lost)
      assert.deepInclude(yield* Effect.flip(tasks.run(task, read("a", required), sessionId)), {
        code: "BROWSER_SESSION_UNKNOWN"
      })
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s2")
    })
  )

  it.effect("that gets lost is lost for every call that was queued before, and still news for the next one", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make()
      const tasks = yield* start(stub)
      yield* launch(Effect.exit(tasks.run(task, write(), held().use)))
      const queued = yield* Effect.forEach(["a", "b"], (name) =>
        launch(tasks.run(task, write(name, required), sessionId))
      )
      yield* stub.sessions[0]?.lose("it died") ?? Effect.void
      yield* quiet
      for (const fiber of [...queued, yield* launch(tasks.run(task, write("c", required), sessionId))]) {
        assert.deepInclude(state(fiber), { code: "BROWSER_SESSION_LOST" })
      }
      assert.strictEqual(stub.opens(), 1)
    })
  )

  it.effect("that is lost already when it is opened fails the call that opened it", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make({ opening: () => Effect.sleep(10) })
      const tasks = yield* start(stub)
      const opening = yield* launch(tasks.run(task, write(), held().use))
      yield* launch(
        Effect.gen(function* () {
          while (stub.sessions[0] === undefined) yield* Effect.yieldNow
          yield* stub.sessions[0].lose("stillborn")
        })
      )
      yield* TestClock.adjust(10)
      yield* quiet
      assert.deepInclude(state(opening), { code: "BROWSER_SESSION_LOST", reason: "stillborn" })
      assert.strictEqual(stub.sessions[0]?.state, "closed")
    })
  )

  it.effect("opens and lives outside the deadline of the call that opened it", () =>
    Effect.gen(function* () {
      const seen: Array<number | undefined> = []
      const note = Effect.map(CurrentDeadline, (deadline) => seen.push(deadline))
      const stub = StubBrowser.make({ opening: () => note, closing: () => note })
      const tasks = yield* start(stub)
      yield* tasks.run(task, write("write", { budget: 500 }), () => note)
      yield* tasks.resetSession(task)
      assert.deepStrictEqual(seen, [undefined, 500, undefined])
    })
  )

  it.effect("that does not open in time is reported as such", () =>
    Effect.gen(function* () {
      const tasks = yield* start(StubBrowser.make({ opening: () => Effect.never }))
      const patient = yield* launch(tasks.run(task, free("patient"), sessionId))
      const hasty = yield* launch(tasks.run(task, free("hasty", { budget: 1000 }), sessionId))
      yield* TestClock.adjust(1000)
      assert.deepInclude(state(hasty), {
        code: "BROWSER_OPERATION_TIMEOUT",
        operation: "hasty",
        budget: 1000,
        detail: "the browser session was still being opened"
      })
      yield* TestClock.adjust(44_000)
      yield* quiet
      assert.deepInclude(state(patient), { operation: "opening the browser session", budget: 45_000 })
    })
  )
})

describe("resetting a session", () => {
  it.effect("ends running and queued calls, closes the session, and the next call opens a new one", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make()
      const tasks = yield* start(stub)
      const work = held()
      const fibers = yield* Effect.forEach([write(), write("b", required), read("c"), free()], (call) =>
        launch(tasks.run(task, call, work.use))
      )
      assert.isTrue(yield* tasks.resetSession(task))
      yield* quiet
      for (const fiber of fibers) {
        assert.deepInclude(state(fiber), { code: "BROWSER_SESSION_LOST", reason: "it was reset" })
      }
      assert.deepStrictEqual([work.begun(), work.interrupted()], [2, 2])
      assert.deepStrictEqual([stub.sessions[0]?.state, tasks.keys()], ["closed", []])
      assert.deepInclude(yield* Effect.flip(tasks.run(task, read("a", required), sessionId)), {
        code: "BROWSER_SESSION_UNKNOWN"
      })
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s2")
    })
  )

  it.effect("says that there was none, and forgets an untold loss", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make()
      const tasks = yield* start(stub)
      assert.isFalse(yield* tasks.resetSession(task))
      yield* tasks.run(task, write(), sessionId)
      yield* stub.sessions[0]?.lose("it died") ?? Effect.void
      yield* quiet
      assert.deepStrictEqual(tasks.keys(), [task])
      assert.isFalse(yield* tasks.resetSession(task))
      assert.deepStrictEqual(tasks.keys(), [])
      assert.deepInclude(yield* Effect.flip(tasks.run(task, read("a", required), sessionId)), {
        code: "BROWSER_SESSION_UNKNOWN"
      })
    })
  )

  it.effect(
    "forgets a session whose closing hangs, waits for it no longer than its budget, and works on a new one",
    () =>
      Effect.gen(function* () {
        const stub = StubBrowser.make({ closing: ({ session }) => (session.id === "s1" ? Effect.never : Effect.void) })
        const scope = yield* Scope.make()
        const tasks = yield* start(stub).pipe(Scope.provide(scope))
        yield* tasks.run(task, write(), sessionId)
        const reset = yield* launch(tasks.resetSession(task))
        assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s2")
        yield* TestClock.adjust(4_999)
        assert.strictEqual(state(reset), "running")
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* Fiber.join(reset), true)
        const ending = yield* launch(Scope.close(scope, Exit.void))
        yield* TestClock.adjust(5_000)
        yield* Fiber.join(ending)
      })
  )

  it.effect("forgets a session whose closing fails", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make({ closing: () => Effect.die("cannot close") })
      const tasks = yield* start(stub)
      yield* tasks.run(task, write(), sessionId)
      assert.isTrue(yield* tasks.resetSession(task))
      assert.isUndefined(tasks.peek(task))
    })
  )

  it.effect("stops an opening", () =>
    Effect.gen(function* () {
      const opening = held<void>()
      const tasks = yield* start(StubBrowser.make({ opening: () => opening.use({} as never) }))
      const waiting = yield* launch(tasks.run(task, write(), sessionId))
      assert.isTrue(yield* tasks.resetSession(task))
      yield* quiet
      assert.strictEqual(opening.interrupted(), 1)
      assert.deepInclude(state(waiting), { code: "BROWSER_SESSION_LOST" })
    })
  )

  it.effect("does not wait for a work that does not stop", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make()
      const tasks = yield* start(stub)
      const work = held()
      const stubborn = yield* launch(tasks.run(task, write(), (session) => Effect.uninterruptible(work.use(session))))
      assert.isTrue(yield* tasks.resetSession(task))
      yield* quiet
      assert.deepInclude(state(stubborn), { code: "BROWSER_SESSION_LOST" })
      assert.strictEqual(yield* tasks.run(task, write(), sessionId), "s2")
      assert.strictEqual(work.interrupted(), 0)
      yield* work.end("at last")
    })
  )
})

describe("the end of the layer", () => {
  it.effect("closes all sessions at the same time, ends all calls, and refuses later ones", () =>
    Effect.gen(function* () {
      const stub = StubBrowser.make({ closing: () => Effect.sleep(1000) })
      const scope = yield* Scope.make()
      const tasks = yield* start(stub).pipe(Scope.provide(scope))
      const running = yield* launch(tasks.run(task, write(), held().use))
      yield* tasks.run(other, write(), sessionId)
      const ending = yield* launch(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(1000)
      yield* Fiber.join(ending)
      assert.deepStrictEqual(
        stub.sessions.map(({ state }) => state),
        ["closed", "closed"]
      )
      assert.deepInclude(state(running), { code: "BROWSER_SESSION_LOST" })
      assert.deepInclude(yield* Effect.flip(tasks.run(task, write(), sessionId)), { code: "BROWSER_SESSION_LOST" })
      assert.strictEqual(stub.opens(), 2)
    })
  )

  it.effect("closes a session whose opening could not be interrupted any more", () =>
    Effect.gen(function* () {
      const hold = Deferred.makeUnsafe<void>()
      const stub = StubBrowser.make({ stubborn: true, opening: () => Deferred.await(hold) })
      const scope = yield* Scope.make()
      const tasks = yield* start(stub).pipe(Scope.provide(scope))
      const opening = yield* launch(tasks.run(task, write(), sessionId))
      const ending = yield* launch(Scope.close(scope, Exit.void))
      assert.strictEqual(state(ending), "running")
      yield* Deferred.succeed(hold, undefined)
      yield* Fiber.join(ending)
      assert.deepInclude(state(opening), { code: "BROWSER_SESSION_LOST" })
      assert.deepStrictEqual(
        stub.sessions.map(({ state }) => state),
        ["closed"]
      )
    })
  )
})
