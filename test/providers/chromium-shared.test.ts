import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Latch, Scope } from "effect"
import { makeSharedChromium } from "../../src/layers/providers/chromium/Chromium.ts"
import type { LaunchError, RunningChromium } from "../../src/layers/providers/chromium/launch.ts"
import { ConnectionLost, LaunchFailed } from "../../src/schemas/errors.ts"

/** A launch that waits at a gate, and browsers that die when told to. */
const makeLauncher = Effect.gen(function* () {
  const gate = yield* Latch.make(true)
  const launched: Array<{ readonly die: Effect.Effect<unknown>; closed: boolean }> = []
  const state = { begun: 0, released: 0, failure: undefined as LaunchError | undefined }
  const launch = Effect.gen(function* () {
    state.begun++
    yield* Effect.addFinalizer(() => Effect.sync(() => state.released++))
    yield* gate.await
    if (state.failure !== undefined) return yield* state.failure
    const died = yield* Deferred.make<ConnectionLost>()
    const life = {
      closed: false,
      die: Effect.suspend(() => {
        life.closed = true
        return Deferred.succeed(died, new ConnectionLost({ reason: "the browser closed the pipe" }))
      })
    }
    launched.push(life)
    const connection: RunningChromium["connection"] = {
      command: () => Effect.never,
      raw: () => Effect.never,
      post: () => Effect.void,
      listen: () => Effect.void,
      closed: Deferred.await(died),
      isClosed: () => life.closed,
      endpoint: "pipe"
    }
    return { connection, pid: launched.length, exited: Effect.never }
  })
  return { gate, launch, launched, state }
})

describe("the shared browser", () => {
  it.effect("is started once however many wait for it, and not before", () =>
    Effect.gen(function* () {
      const { gate, launch, state } = yield* makeLauncher
      yield* gate.close
      const shared = yield* makeSharedChromium(launch)
      assert.strictEqual(state.begun, 0)
      const waiting = yield* Effect.forEach(Array.from({ length: 50 }), () => shared.get, {
        concurrency: "unbounded"
      }).pipe(Effect.forkChild({ startImmediately: true }))
      yield* Effect.yieldNow
      assert.isUndefined(shared.current())
      yield* gate.open
      const browsers = yield* Fiber.join(waiting)
      assert.strictEqual(new Set(browsers).size, 1)
      assert.strictEqual(state.begun, 1)
      assert.strictEqual(shared.current(), browsers[0])
    })
  )

  it.effect("outlives those who wait, unless all of them leave before it runs", () =>
    Effect.gen(function* () {
      const { gate, launch, state } = yield* makeLauncher
      yield* gate.close
      const shared = yield* makeSharedChromium(launch)
      const wait = Effect.forkChild(shared.get, { startImmediately: true })
      const [one, two] = [yield* wait, yield* wait]
      yield* Effect.yieldNow
      yield* Fiber.interrupt(one)
      assert.deepStrictEqual(state, { begun: 1, released: 0, failure: undefined })
      yield* Fiber.interrupt(two)
      assert.deepStrictEqual(state, { begun: 1, released: 1, failure: undefined })
      yield* gate.open
      const browser = yield* shared.get
      assert.strictEqual(state.begun, 2)
      assert.strictEqual(yield* shared.get, browser)
    })
  )

  it.effect("is replaced at the next use once it died, and its resources are released", () =>
    Effect.gen(function* () {
      const { launch, launched, state } = yield* makeLauncher
      const shared = yield* makeSharedChromium(launch)
      const first = yield* shared.get
      yield* launched[0]?.die ?? Effect.void
      assert.isUndefined(shared.current())
      // At once, before the death has been dealt with.
      const second = yield* shared.get
      assert.notStrictEqual(second, first)
      yield* Effect.yieldNow
      assert.strictEqual(state.released, 1)
      assert.strictEqual(yield* shared.get, second)
    })
  )

  it.effect("tells everyone who waits why it did not start, and tries again for the next one", () =>
    Effect.gen(function* () {
      const { launch, state } = yield* makeLauncher
      const shared = yield* makeSharedChromium(launch)
      state.failure = new LaunchFailed({ executable: "/x", reason: "no" })
      const results = yield* Effect.forEach([1, 2, 3], () => Effect.flip(shared.get), { concurrency: "unbounded" })
      assert.isTrue(results.every((error) => error === state.failure))
      assert.strictEqual(state.released, state.begun)
      state.failure = undefined
      yield* shared.get
    })
  )

  it.effect("ends with its owner", () =>
    Effect.gen(function* () {
      const { launch, state } = yield* makeLauncher
      const owner = yield* Scope.make()
      const shared = yield* Scope.provide(makeSharedChromium(launch), owner)
      yield* shared.get
      yield* Scope.close(owner, Exit.void)
      assert.strictEqual(state.released, 1)
    })
  )
})
