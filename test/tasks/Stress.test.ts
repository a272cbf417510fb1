import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema, Scheduler, Scope } from "effect"
import { TestClock } from "effect/testing"
import { LaunchFailed } from "../../src/schemas/errors.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import type { TaskCall } from "../../src/services/Tasks.ts"
import * as StubBrowser from "../support/StubBrowser.ts"
import { other, quiet, start, task } from "./TasksHarness.ts"

const Key = Schema.Literals(["task", "other"])
const pick = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))

const Call = Schema.Struct({
  task: Key,
  lane: Schema.Literals(["write", "read", "free"]),
  session: Schema.Literals(["open", "required"]),
  share: Schema.Boolean,
  work: Schema.Literals(["held", "instant", "fails", "slow to stop"]),
  budget: Schema.Literals([50, 100_000])
})

const Incident = Schema.TaggedUnion({
  Nothing: {},
  Cancel: { pick },
  End: { pick },
  Lose: { task: Key },
  Reset: { task: Key },
  /** what openings do from now on */
  Opening: { how: Schema.Literals(["instant", "slow", "fails"]) },
  Pass: { ms: Schema.Literals([1, 10, 60]) },
  Settle: {}
})
const Step = Schema.Struct({ call: Call, incident: Incident })
const Steps = Schema.Array(Step).check(Schema.isMaxLength(30))

/** A work that was begun: by which call, on which session, and whether it goes on. */
interface Work {
  readonly call: number
  readonly session: string
  readonly lane: TaskCall["lane"]
  readonly wasClosed: boolean
  readonly end: Deferred.Deferred<void>
  readonly besides: ReadonlyArray<Work>
  active: boolean
}

const play = Effect.fnUntraced(function* (steps: typeof Steps.Type) {
  const works: Array<Work> = []
  const calls: Array<{
    readonly step: typeof Call.Type
    readonly fiber: Fiber.Fiber<number, unknown>
  }> = []
  const cancelled = new Set<number>()
  const openings = { running: { task: 0, other: 0 }, most: 0 }
  let how: "instant" | "slow" | "fails" = "instant"

  const stub = StubBrowser.make({
    opening: (options) => {
      const key = options.task as "task" | "other"
      return Effect.acquireUseRelease(
        Effect.sync(() => {
          openings.most = Math.max(openings.most, ++openings.running[key])
          return how
        }),
        (then) =>
          then === "instant"
            ? Effect.void
            : then === "slow"
              ? Effect.sleep(20)
              : Effect.fail(new LaunchFailed({ executable: "x", reason: "no" })),
        () => Effect.sync(() => openings.running[key]--)
      )
    }
  })
  const scope = yield* Scope.make()
  const tasks = yield* start(stub, { maxQueuedCalls: 4 }).pipe(Scope.provide(scope))
  const keys = { task, other }

  const use = (call: number, step: typeof Call.Type) => (session: BrowserSession) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const work: Work = {
          call,
          session: session.id,
          lane: step.lane,
          wasClosed: stub.sessions.find((candidate) => candidate.session === session)?.state === "closed",
          end: Deferred.makeUnsafe(),
          besides: works.filter((candidate) => candidate.active && candidate.session === session.id),
          active: true
        }
        works.push(work)
        return work
      }),
      (work): Effect.Effect<number, "boom"> => {
        if (step.work === "fails") return Effect.fail("boom")
        if (step.work === "instant") return Effect.succeed(call)
        return Effect.as(Deferred.await(work.end), call)
      },
      (work, exit) =>
        Effect.andThen(
          step.work === "slow to stop" && Exit.hasInterrupts(exit) ? Effect.sleep(100) : Effect.void,
          Effect.sync(() => {
            work.active = false
          })
        )
    )

  const at = <A>(items: ReadonlyArray<A>, index: number): A | undefined =>
    items.length === 0 ? undefined : items[index % items.length]

  for (const { call: step, incident } of steps) {
    const call: TaskCall = {
      operation: "call",
      lane: step.lane,
      session: step.session,
      budget: step.budget,
      ...(step.share ? { coalesce: "key" } : {})
    }
    const run = tasks.run(keys[step.task], call, use(calls.length, step))
    calls.push({ step, fiber: yield* Effect.forkChild(run, { startImmediately: true }) })

    switch (incident._tag) {
      case "Nothing":
        break
      case "Cancel": {
        const running = calls.filter(({ fiber }) => fiber.pollUnsafe() === undefined)
        const call = at(running, incident.pick)
        if (call === undefined) break
        cancelled.add(calls.indexOf(call))
        call.fiber.interruptUnsafe()
        break
      }
      case "End": {
        const work = at(
          works.filter((candidate) => candidate.active),
          incident.pick
        )
        if (work !== undefined) yield* Deferred.succeed(work.end, undefined)
        break
      }
      case "Lose": {
        const session = stub.sessions.findLast((candidate) => candidate.task === incident.task)
        if (session?.state === "open") yield* session.lose("it died")
        break
      }
      case "Reset":
        yield* tasks.resetSession(keys[incident.task])
        break
      case "Opening":
        how = incident.how
        break
      case "Pass":
        yield* TestClock.adjust(incident.ms)
        break
      case "Settle":
        yield* quiet
    }
  }

  // now everything that goes on is let go, again and again
  how = "instant"
  for (let round = 0; round < 50 && calls.some(({ fiber }) => fiber.pollUnsafe() === undefined); round++) {
    yield* Effect.forEach(works, (work) => Deferred.succeed(work.end, undefined))
    yield* TestClock.adjust(200)
    yield* quiet
  }
  const exits = calls.map(({ fiber }) => fiber.pollUnsafe())
  const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
  // a work may need 100 ms to stop
  yield* TestClock.adjust(100)
  yield* Fiber.join(closing)
  return { calls, works, exits, cancelled, openings, stub, left: tasks.keys() }
})

/** The tag of the error, or the error itself. */
const failure = (exit: Exit.Exit<unknown, unknown>): unknown => {
  const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
  const error = reason?._tag === "Fail" ? reason.error : reason
  return typeof error === "object" && error !== null && "_tag" in error ? error._tag : error
}

it.effect.prop(
  "whatever calls, cancellations, failures, losses and resets do to each other, every promise of the service holds",
  {
    steps: Steps,
    // operations of a fiber before another one has its turn: with few of them everything comes between everything
    turn: Schema.Literals([4, 6, 11, 2048])
  },
  ({ steps, turn }) =>
    Effect.gen(function* () {
      const { calls, works, exits, cancelled, openings, stub, left } = yield* play(steps).pipe(
        Effect.provideService(Scheduler.MaxOpsBeforeYield, turn)
      )

      for (const [index, exit] of exits.entries()) {
        assert.isDefined(exit, `call ${index} was never answered`)
        if (exit === undefined || Exit.isSuccess(exit)) continue
        if (Exit.hasInterrupts(exit)) {
          assert.isTrue(cancelled.has(index), `call ${index} was interrupted`)
          continue
        }
        assert.include(
          ["SessionLost", "SessionUnknown", "OperationTimeout", "LaunchFailed", "QueueFull", "boom"],
          failure(exit)
        )
      }

      for (const work of works) {
        assert.isFalse(work.wasClosed, `call ${work.call} began on a session that was closed`)
        if (work.lane === "free") continue
        const besides = work.besides.filter((candidate) => candidate.lane !== "free")
        assert.isTrue(
          work.lane === "write" ? besides.length === 0 : besides.every((candidate) => candidate.lane === "read"),
          `call ${work.call} worked beside ${besides.map((candidate) => candidate.call).join(", ")}`
        )
      }

      for (const key of ["task", "other"] as const) {
        const ordered = works.filter(({ call, lane }) => calls[call]?.step.task === key && lane !== "free")
        ordered.forEach((work, index) => {
          const overtaken = ordered
            .slice(index + 1)
            .filter((later) => later.call < work.call && (later.lane === "write" || work.lane === "write"))
          assert.deepStrictEqual(overtaken, [], `call ${work.call} overtook`)
        })
      }

      for (const [index, exit] of exits.entries()) {
        if (exit === undefined || Exit.isFailure(exit) || exit.value === index) continue
        const own = calls[index]?.step
        // a write that was cancelled may have been so before it came to the lane
        const between = calls.slice(exit.value + 1, index).filter(({ step }, offset) => {
          const call = exit.value + 1 + offset
          const then = exits[call]
          const came = then !== undefined && failure(then) !== "QueueFull" && !cancelled.has(call)
          return step.task === own?.task && step.lane === "write" && came
        })
        assert.deepStrictEqual([own?.lane, own?.share, between.length], ["read", true, 0], `call ${index} joined`)
        assert.strictEqual(calls[exit.value]?.step.task, own?.task)
      }

      if (turn === 2048) assert.isAtMost(openings.most, 1)
      assert.deepStrictEqual(openings.running, { task: 0, other: 0 })
      assert.isTrue(stub.sessions.every((session) => session.state === "closed"))
      assert.deepStrictEqual(left, [])
    }),
  { arbitrary: { runs: 100, size: 60 }, timeout: 60_000 }
)
