/** The service `Tasks`: one session and one lane for each task key, and nothing shared between tasks. */
import { Clock, Effect, Layer } from "effect"
import type { BrowserConfig } from "../../schemas/config.ts"
import { OperationTimeout, SessionLost } from "../../schemas/errors.ts"
import type { TaskKey } from "../../schemas/ids.ts"
import { Browser } from "../../services/Browser.ts"
import type { BrowserSession } from "../../services/BrowserSession.ts"
import type { TaskCall, TaskError, TaskEvent } from "../../services/Tasks.ts"
import { Tasks } from "../../services/Tasks.ts"
import { startWithin, Timeouts, within } from "../../services/Timeouts.ts"
import * as Background from "./Background.ts"
import { stopGrace } from "./LaneRunner.ts"
import * as Task from "./Task.ts"

/**
 * The tasks of one browser. The end of the layer ends every call with `SessionLost` and closes all sessions at the
 * same time, each within the budget `closeSession`.
 */
export const layer = (config: Pick<BrowserConfig, "isolated" | "maxQueuedCalls">): Layer.Layer<Tasks, never, Browser> =>
  Layer.effect(
    Tasks,
    Effect.gen(function* () {
      const browser = yield* Browser
      const timeouts = yield* Timeouts
      const background = Background.make(yield* Effect.context<never>())
      const tasks = new Map<TaskKey, Task.Task>()
      const listeners = new Set<(event: TaskEvent) => void>()
      const tell = (event: TaskEvent): void => {
        for (const listener of [...listeners]) listener(event)
      }
      let ended = false

      const known = (key: TaskKey): Task.Task => {
        const present = tasks.get(key)
        if (present !== undefined) return present
        const task = Task.make({
          key,
          open: startWithin(
            "opening the browser session",
            timeouts.openSession
          )(
            browser.open({
              task: key,
              isolated: config.isolated,
              person: (act) => tell({ _tag: "PersonActed", task: key, act })
            })
          ).pipe(Effect.tap((session) => Effect.sync(() => tell({ _tag: "SessionOpened", task: key, session })))),
          closeBudget: timeouts.closeSession,
          maxQueuedCalls: config.maxQueuedCalls,
          background,
          onIdle: () => {
            if (tasks.get(key) === task) tasks.delete(key)
          }
        })
        tasks.set(key, task)
        return task
      }

      /** Looking for the task and taking the call are one step: between them the task could be forgotten. */
      const submit = <A, Err>(
        key: TaskKey,
        call: TaskCall,
        use: (session: BrowserSession) => Effect.Effect<A, Err>,
        onLeave: (waitingFor: string | undefined) => void
      ): Effect.Effect<A, Err | TaskError> =>
        Effect.flatMap(Effect.context<never>(), (context) =>
          Effect.uninterruptibleMask((restore) => {
            if (ended) return Effect.fail(new SessionLost({ reason: "the browser service has ended" }))
            // callers that share a work have the same tool and arguments, hence the same types
            return known(key).submit(call, use, { context, restore, onLeave }) as Effect.Effect<A, Err | TaskError>
          })
        )

      const run = Effect.fn("Tasks.run")(function* <A, Err>(
        key: TaskKey,
        call: TaskCall,
        use: (session: BrowserSession) => Effect.Effect<A, Err>
      ) {
        yield* Effect.annotateCurrentSpan({ task: key, operation: call.operation })
        let detail: string | undefined
        return yield* submit(key, call, use, (waitingFor) => {
          detail = waitingFor
        }).pipe(
          within(call.operation, call.budget, call.limit),
          Effect.mapError((error) =>
            error instanceof OperationTimeout && detail !== undefined
              ? new OperationTimeout({ operation: error.operation, budget: error.budget, detail })
              : error
          )
        )
      })

      const resetSession = Effect.fn("Tasks.resetSession")((key: TaskKey) =>
        Effect.suspend(() => tasks.get(key)?.reset("it was reset") ?? Effect.succeed(false))
      )

      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          ended = true
          const began = yield* Clock.currentTimeMillis
          yield* Effect.forEach(Array.from(tasks.values()), (task) => task.reset("the browser service has ended"), {
            concurrency: "unbounded",
            discard: true
          })
          const spent = (yield* Clock.currentTimeMillis) - began
          yield* background.settled(Math.max(0, Math.max(timeouts.closeSession, stopGrace) - spent))
        })
      )

      return Tasks.of({
        run,
        resetSession,
        peek: (key) => tasks.get(key)?.session(),
        listen: (listener) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => {
                const own = (event: TaskEvent): void => listener(event)
                listeners.add(own)
                return own
              }),
              (own) => Effect.sync(() => listeners.delete(own))
            )
          ),
        keys: () => Array.from(tasks.keys())
      })
    })
  )
