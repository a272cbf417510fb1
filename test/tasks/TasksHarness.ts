/** The live service on a stub browser, and works that a test holds in its hands. */
import type { Scope } from "effect"
import { Context, Deferred, Effect, Exit, type Fiber, Layer } from "effect"
import * as TasksLive from "../../src/layers/tasks/TasksLive.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import type { TaskCall } from "../../src/services/Tasks.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import type { StubBrowser } from "../support/StubBrowser.ts"

export const task = TaskKey.make("task")
export const other = TaskKey.make("other")

/** The service, until the scope closes. */
export const start = (
  stub: StubBrowser,
  config: Partial<typeof defaultBrowserConfig> = {}
): Effect.Effect<Tasks["Service"], never, Scope.Scope> =>
  Effect.map(
    Layer.build(Layer.fresh(TasksLive.layer({ ...defaultBrowserConfig, ...config })).pipe(Layer.provide(stub.layer))),
    (context) => Context.get(context, Tasks)
  )

const call = (lane: TaskCall["lane"], operation: string, more: Partial<TaskCall>): TaskCall => ({
  operation,
  lane,
  session: "open",
  budget: 60_000,
  ...more
})
export const write = (operation = "write", more: Partial<TaskCall> = {}) => call("write", operation, more)
export const read = (operation = "read", more: Partial<TaskCall> = {}) => call("read", operation, more)
export const free = (operation = "free", more: Partial<TaskCall> = {}) => call("free", operation, more)

/** A work that goes on until the test ends it. */
export interface Held<A = string> {
  readonly use: (session: BrowserSession) => Effect.Effect<A>
  /** how often it was begun */
  readonly begun: () => number
  readonly interrupted: () => number
  readonly hasBegun: Effect.Effect<void>
  readonly end: (value: A) => Effect.Effect<boolean>
}

export const held = <A = string>(): Held<A> => {
  const begun = Deferred.makeUnsafe<void>()
  const end = Deferred.makeUnsafe<A>()
  let times = 0
  let interruptions = 0
  return {
    use: () =>
      Effect.suspend(() => {
        times++
        return Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end))
      }).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            interruptions++
          })
        )
      ),
    begun: () => times,
    interrupted: () => interruptions,
    hasBegun: Deferred.await(begun),
    end: (value) => Deferred.succeed(end, value)
  }
}

/** Starts an effect and lets it get as far as it gets by itself. */
export const launch = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.tap(Effect.forkChild(effect, { startImmediately: true }), () => quiet)

/** Lets every fiber run that can. */
export const quiet: Effect.Effect<void> = Effect.repeat(Effect.yieldNow, { times: 50 })

/** What a fiber has come to: its result, its error, "interrupted", or "running". */
export const state = (fiber: Fiber.Fiber<unknown, unknown>): unknown => {
  const exit = fiber.pollUnsafe()
  if (exit === undefined) return "running"
  if (Exit.isSuccess(exit)) return exit.value
  const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  return failure === undefined ? "interrupted" : failure.error
}
