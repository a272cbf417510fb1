import { Effect, Exit, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import type { HumanInControl, RestrictUnknown, ToolRestricted } from "../../src/schemas/errors.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { TaskInfo } from "../../src/schemas/tasks.ts"
import { Control } from "../../src/services/Control.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import { Tools } from "../../src/services/Tools.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { makeFakeSession } from "../support/FakeSession.ts"
import { layerTools } from "../support/ToolsHarness.ts"

const mine = TaskKey.make("mine")
const other = TaskKey.make("other")
const callOf = (task: TaskKey, name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const call = (name: string, args: unknown = {}) => callOf(mine, name, args)
const open = call("browser_open", { url: "http://shop.test/" })
const take = Control.use((control) => control.takeOver(mine))
const back = Control.use((control) => control.handBack(mine))
const state = Control.use((control) => control.state(mine))
const started = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

describe("while a person is in control", () => {
  it.effect("an acting call waits and goes on when control is handed back; reading goes on all the time", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      yield* take
      const click = yield* started(call("browser_click", { text: "Save" }))
      yield* TestClock.adjust("10 seconds")
      yield* call("browser_snapshot")
      assert.notInclude(session.log, "click")
      assert.deepInclude(yield* state, { status: "waiting-user", control: "human", waiting: 1 })
      yield* back
      yield* Fiber.join(click)
      assert.deepStrictEqual(session.log, [
        "open",
        "setHumanControl true",
        "snapshot",
        "setHumanControl false",
        "click"
      ])
      assert.deepInclude(yield* state, { status: "idle", control: "agent" })
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("a session that opens then is told so, and how its task is called", () => {
    const session = makeFakeSession()
    const presented: Array<unknown> = []
    const watched = { ...session, present: (task: unknown) => presented.push(task) }
    return Effect.gen(function* () {
      yield* call("browser_space", { label: "Orders" })
      yield* take
      yield* Tasks.use((tasks) =>
        tasks.run(mine, { operation: "looking", lane: "read", session: "open", budget: 1_000 }, () => Effect.yieldNow)
      )
      assert.deepStrictEqual(session.log, ["setHumanControl true"])
      assert.deepInclude(presented.at(-1) as object, { label: "Orders", control: "human", status: "waiting-user" })
    }).pipe(Effect.provide(layerTools(watched)))
  })

  it.effect("an acting call refuses with a code when its time is over, and says how long it waited", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      yield* take
      const click = yield* started(Effect.flip(call("browser_click", { text: "Save", timeoutMs: 5_000 })))
      yield* TestClock.adjust("5 seconds")
      const error = (yield* Fiber.join(click)) as HumanInControl
      assert.strictEqual(error.code, "BROWSER_HUMAN_IN_CONTROL")
      assert.isAtLeast(error.waited, 4_000)
      assert.deepInclude(yield* state, { status: "waiting-user" })
      assert.isUndefined((yield* state).waiting)
      assert.notInclude(session.log, "click")
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("an interrupted call leaves the waiting at once", () =>
    Effect.gen(function* () {
      yield* open
      yield* take
      const click = yield* started(call("browser_click", { text: "Save" }))
      assert.strictEqual((yield* state).waiting, 1)
      yield* Fiber.interrupt(click)
      assert.isUndefined((yield* state).waiting)
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("what is queued when a person takes over does not begin, and holds up no reader", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      const hanging = yield* started(call("browser_execute", { script: "hang" }))
      const click = yield* started(call("browser_click", { text: "Save" }))
      yield* take
      yield* Fiber.interrupt(hanging)
      yield* call("browser_snapshot")
      assert.notInclude(session.log, "click")
      yield* back
      yield* Fiber.join(click)
      assert.include(session.log, "click")
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("calls go on in the order in which they came", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* open
      yield* take
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], (ref) =>
        started(call("browser_click_ref", { snapshotId: "s1", ref }))
      )
      yield* back
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        session.log.filter((line) => line.startsWith("clickRef")),
        [1, 2, 3, 4, 5].map((ref) => `clickRef ${ref}`)
      )
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.effect("the agent cannot take control back; the person can give it, and so can a long silence", () =>
    Effect.gen(function* () {
      yield* open
      yield* call("browser_handoff", { state: "waiting-user" })
      const error = yield* Effect.flip(call("browser_handoff", { state: "agent" }))
      assert.strictEqual(error.code, "BROWSER_HANDOFF_REFUSED")
      assert.strictEqual((yield* state).control, "human")
      yield* back
      const mineAgain = yield* call("browser_handoff", { state: "agent" })
      assert.deepInclude(mineAgain.structured, { control: "agent", status: "idle" })

      yield* call("browser_handoff", { state: "waiting-user" })
      yield* TestClock.adjust("50 seconds")
      yield* Control.use((control) => control.personSeen(mine))
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual((yield* state).control, "human")
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual((yield* state).control, "agent")
    }).pipe(Effect.provide(layerTools(makeFakeSession(), { humanControlTimeoutMs: 60_000 })))
  )

  it.effect("another task is not touched", () =>
    Effect.gen(function* () {
      yield* open
      yield* take
      yield* callOf(other, "browser_open", { url: "http://shop.test/" })
      yield* callOf(other, "browser_click", { text: "Save" })
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )
})

describe("the state of a task", () => {
  it.effect("goes from running to idle or failed, with the reason, and is told to whoever listens", () =>
    Effect.gen(function* () {
      const control = yield* Control
      const seen: Array<string> = []
      const listener = yield* started(
        Stream.runForEach(control.changes, (info: TaskInfo) => Effect.sync(() => void seen.push(info.status)))
      )
      yield* open
      const failure = yield* Effect.flip(call("browser_open", { url: "http://refused.test/" }))
      assert.deepInclude(yield* state, { status: "failed", error: failure.message, latestAction: "browser_open" })
      const hanging = yield* started(call("browser_execute", { script: "hang" }))
      while ((yield* state).status !== "running") yield* Effect.yieldNow
      assert.strictEqual((yield* state).latestAction, "browser_execute")
      yield* Fiber.interrupt(hanging)
      assert.deepInclude(yield* state, { status: "idle" })
      yield* Effect.yieldNow
      assert.isNotEmpty(seen)
      yield* Fiber.interrupt(listener)
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("is listed without opening a session, with the names that people gave", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* call("browser_tasks")).structured, { tasks: [] })
      yield* callOf(other, "browser_space", { label: "Orders" })
      yield* call("browser_open", { url: "http://shop.test/", space: "Returns" })
      const { tasks } = (yield* call("browser_tasks")).structured as unknown as { tasks: ReadonlyArray<TaskInfo> }
      assert.deepStrictEqual(
        tasks.map(({ key, label, active, tabs, status, control }) => [key, label, active, tabs, status, control]),
        [
          ["other", "Orders", false, 0, "idle", "agent"],
          ["mine", "Returns", true, 1, "idle", "agent"]
        ]
      )
      assert.deepStrictEqual((yield* call("browser_space")).structured, {
        spaces: [
          { key: "other", label: "Orders" },
          { key: "mine", label: "Returns" }
        ]
      })
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )
})

describe("a restriction", () => {
  it.effect("holds for its task only, refuses misspelt names as a whole, and can be lifted", () =>
    Effect.gen(function* () {
      yield* open
      const wrong = (yield* Effect.flip(
        call("browser_restrict", { allowed: ["browser_snapshot", "browser_snapshto"] })
      )) as RestrictUnknown
      assert.deepStrictEqual(wrong.names, ["browser_snapshto"])
      yield* call("browser_click", { text: "Save" })

      const done = yield* call("browser_restrict", { allowed: ["browser_snapshot"] })
      assert.deepStrictEqual(done.structured, { restrictedTo: ["browser_snapshot"] })
      yield* call("browser_snapshot")
      const refused = (yield* Effect.flip(call("browser_click", { text: "Save" }))) as ToolRestricted
      assert.strictEqual(refused.code, "BROWSER_TOOL_RESTRICTED")
      yield* callOf(other, "browser_open", { url: "http://shop.test/" })
      assert.deepStrictEqual((yield* call("browser_restrict", { allowed: [] })).structured, { restrictedTo: [] })
      yield* call("browser_click", { text: "Save" })
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.effect("never goes beyond what the operator allows, and lifting it leads back to that", () =>
    Effect.gen(function* () {
      yield* open
      assert.strictEqual((yield* Effect.flip(call("browser_click", { text: "Save" }))).code, "BROWSER_TOOL_RESTRICTED")
      const beyond = (yield* Effect.flip(call("browser_restrict", { allowed: ["browser_click"] }))) as RestrictUnknown
      assert.deepStrictEqual(beyond.names, ["browser_click"])
      yield* call("browser_restrict", { allowed: ["browser_open"] })
      assert.strictEqual((yield* Effect.flip(call("browser_snapshot"))).code, "BROWSER_TOOL_RESTRICTED")
      assert.deepStrictEqual((yield* call("browser_restrict")).structured, {
        restrictedTo: ["browser_open", "browser_snapshot"]
      })
      yield* call("browser_snapshot")
    }).pipe(Effect.provide(layerTools(makeFakeSession(), { allowedTools: ["browser_open", "browser_snapshot"] })))
  )

  it.effect("of an operator that names a tool that does not exist is a fault of the settings, not a silent ban", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Effect.scoped(Layer.build(layerTools(makeFakeSession(), { allowedTools: ["browser_opne"] })))
      )
      assert.isTrue(Exit.isFailure(exit) && JSON.stringify(exit.cause).includes("browser_opne"))
    })
  )

  it.effect("of nothing at all leaves only the tool that tells of it", () =>
    Effect.gen(function* () {
      const needed: Record<string, object> = {
        browser_handoff: { state: "agent" },
        browser_scrape: { action: "list" }
      }
      for (const row of catalog.filter((one) => one.name !== "browser_restrict" && one.session === "none")) {
        const error = yield* Effect.flip(call(row.name, needed[row.name] ?? {}))
        assert.strictEqual(error.code, "BROWSER_TOOL_RESTRICTED", row.name)
      }
      yield* call("browser_restrict")
    }).pipe(Effect.provide(layerTools(makeFakeSession(), { allowedTools: [] })))
  )
})
