/** The service `Control`: the state machine of each task, its timers, and those who wait. */
import { Cause, Clock, Effect, Exit, FiberMap, FiberSet, Layer, PubSub, Stream } from "effect"
import type { BrowserConfig } from "../../schemas/config.ts"
import { HumanInControl, isBrowserError, RestrictUnknown } from "../../schemas/errors.ts"
import type { TaskKey } from "../../schemas/ids.ts"
import { type TaskInfo, taskLimits } from "../../schemas/tasks.ts"
import type { BrowserSession, PersonAct } from "../../services/BrowserSession.ts"
import { type Begin, Control } from "../../services/Control.ts"
import { Tasks } from "../../services/Tasks.ts"
import { within } from "../../services/Timeouts.ts"
import * as Machine from "./Control.ts"

/** Tasks whose state is kept; beyond it the one that was quiet for longest is forgotten. */
export const maxKnownTasks = 1_000

interface Known {
  state: Machine.State
  label: string | undefined
  /** narrower than the operator's list */
  allowed: ReadonlyArray<string> | undefined
  acts: number
  readonly waiters: Set<() => void>
}

/** What failed, in the words of its error; undefined for an act that was broken off. */
const errorOf = (cause: Cause.Cause<unknown>): string | undefined => {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined) return isBrowserError(failure.error) ? failure.error.message : "it failed"
  return Cause.hasInterruptsOnly(cause) ? undefined : "it failed by a fault of effect-browser"
}

export const layer = (
  config: Pick<BrowserConfig, "allowedTools" | "humanControlTimeoutMs">
): Layer.Layer<Control, never, Tasks> =>
  Layer.effect(
    Control,
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const known = new Map<TaskKey, Known>()
      const changed = yield* PubSub.sliding<TaskKey>(256)
      const timers = yield* FiberMap.make<TaskKey>()
      const react = yield* FiberSet.makeRuntime()

      const forgetOne = (): void => {
        for (const [key, { state, label, allowed }] of known) {
          const quiet = state.owner === "agent" && state.acts.length === 0 && state.waiting === 0
          if (quiet && label === undefined && allowed === undefined && tasks.peek(key) === undefined) {
            known.delete(key)
            return
          }
        }
      }

      const of = (key: TaskKey, now: number): Known => {
        const present = known.get(key)
        if (present !== undefined) return present
        if (known.size >= maxKnownTasks) forgetOne()
        const made: Known = {
          state: Machine.initial(config.humanControlTimeoutMs, now),
          label: undefined,
          allowed: undefined,
          acts: 0,
          waiters: new Set()
        }
        known.set(key, made)
        return made
      }

      /** Tells whoever watches the pages how the task stands. */
      const present = (key: TaskKey, { label, state }: Known, session: BrowserSession | undefined): void =>
        session?.present({
          label: label ?? key,
          control: state.owner,
          status: Machine.statusOf(state),
          waiting: state.waiting
        })

      /** What a command asks for, if it is not the caller's. */
      const execute = (key: TaskKey, task: Known, command: Machine.Command): Effect.Effect<void> | undefined => {
        switch (command._tag) {
          case "StartTimer":
            return Effect.asVoid(
              FiberMap.run(
                timers,
                key,
                // a timer that fires may start the next one, which ends this fiber
                Effect.andThen(
                  Effect.interruptible(Effect.sleep(command.ms)),
                  Effect.suspend(() => Effect.forkDetach(feed(key, (at) => ({ _tag: "TimeoutFired", at }))))
                )
              )
            )
          case "CancelTimer":
            return FiberMap.remove(timers, key)
          case "Announce": {
            const session = tasks.peek(key)
            if (command.owner === "agent") for (const wake of [...task.waiters]) wake()
            return session?.setHumanControl(command.owner === "human")
          }
          case "Admit":
          case "Refuse":
            return undefined
        }
      }

      /** Changes the state at once; whether an act was admitted is in the commands. */
      const feed = (
        key: TaskKey,
        event: (at: number) => Machine.Event
      ): Effect.Effect<ReadonlyArray<Machine.Command>> =>
        Effect.withFiber((fiber) => {
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          const task = of(key, now)
          const before = task.state
          const { state, commands } = Machine.transition(before, event(now))
          task.state = state
          const tell = Effect.sync(() => {
            if (state === before) return commands
            present(key, task, tasks.peek(key))
            // it slides, so that there is always room
            PubSub.publishUnsafe(changed, key)
            return commands
          })
          const effects = commands.flatMap((command) => execute(key, task, command) ?? [])
          return effects.length === 0 ? tell : Effect.andThen(Effect.all(effects, { discard: true }), tell)
        }).pipe(Effect.uninterruptible)

      const control = (key: TaskKey, event: (at: number) => Machine.Event) => Effect.asVoid(feed(key, event))

      const inControl = (key: TaskKey): boolean => known.get(key)?.state.owner !== "human"

      /** Waits until the agent is in control; calls go on in the order in which they began to wait. */
      const agentInControl = (key: TaskKey): Effect.Effect<void> =>
        Effect.suspend(() => {
          const task = known.get(key)
          if (task === undefined || task.state.owner === "agent") return Effect.void
          return Effect.acquireUseRelease(
            control(key, (at) => ({ _tag: "WaitBegan", at })),
            () =>
              Effect.callback<void>((resume) => {
                if (inControl(key)) return resume(Effect.void)
                const wake = (): void => {
                  task.waiters.delete(wake)
                  resume(Effect.void)
                }
                task.waiters.add(wake)
                return Effect.sync(() => task.waiters.delete(wake))
              }),
            () => control(key, (at) => ({ _tag: "WaitEnded", at }))
          )
        })

      const bracket =
        (key: TaskKey, action: string, refuse: () => HumanInControl): Begin =>
        <A, Err, R>(work: Effect.Effect<A, Err, R>) =>
          Effect.uninterruptibleMask((restore) => {
            let act = Machine.ActId.make(0)
            return Effect.flatMap(
              feed(key, (at) => {
                act = Machine.ActId.make(++of(key, at).acts)
                return { _tag: "ActAsked", at, act, action }
              }),
              (commands): Effect.Effect<A, Err | HumanInControl, R> =>
                !commands.some((command) => command._tag === "Admit")
                  ? Effect.fail(refuse())
                  : Effect.onExit(restore(work), (exit) => {
                      const error = Exit.isFailure(exit) ? errorOf(exit.cause) : undefined
                      return feed(key, (at) => ({
                        _tag: "ActEnded",
                        at,
                        act,
                        ...(error === undefined ? {} : { error })
                      }))
                    })
            )
          })

      const act: Control["Service"]["act"] = Effect.fnUntraced(function* (key, action, budget, perform) {
        const clock = yield* Clock.Clock
        const start = clock.currentTimeMillisUnsafe()
        const spent = () => clock.currentTimeMillisUnsafe() - start
        while (true) {
          if (!inControl(key)) {
            yield* agentInControl(key).pipe(
              within("waiting for control", Math.max(1, budget - spent())),
              Effect.catchTag("OperationTimeout", () => Effect.fail(new HumanInControl({ waited: spent() })))
            )
          }
          // tells the refusal of this attempt from one that the work itself met
          let refused: HumanInControl | undefined
          const refuse = () => (refused = new HumanInControl({ waited: 0 }))
          const outcome = yield* perform(bracket(key, action, refuse), Math.max(1, budget - spent())).pipe(
            Effect.map((value) => ({ value })),
            Effect.catchIf(
              (error) => (error as unknown) === refused,
              () => Effect.void
            )
          )
          if (outcome !== undefined) return outcome.value
        }
      })

      const infoOf = (key: TaskKey) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const task = known.get(key)
          const state = task?.state ?? Machine.initial(config.humanControlTimeoutMs, now)
          const session = tasks.peek(key)
          const tabs = session === undefined ? [] : yield* Effect.orElseSucceed(session.tabs, () => [])
          const info: TaskInfo = {
            key,
            label: task?.label ?? key,
            active: session !== undefined,
            tabs: tabs.length,
            status: Machine.statusOf(state),
            control: state.owner,
            ...(state.latestAction === undefined ? {} : { latestAction: state.latestAction }),
            ...(state.waiting === 0 ? {} : { waiting: state.waiting }),
            updatedAt: state.updatedAt / 1000,
            ...(state.error === undefined ? {} : { error: state.error })
          }
          return info
        })

      const acts: Record<PersonAct, Machine.Event["_tag"] & ("TakenOver" | "HandedBack" | "PersonSeen")> = {
        tookOver: "TakenOver",
        handedBack: "HandedBack",
        seen: "PersonSeen"
      }
      yield* tasks.listen((event) => {
        if (event._tag === "PersonActed") {
          react(control(event.task, (at) => ({ _tag: acts[event.act], at })))
          return
        }
        // what was said and decided before it was there
        const task = known.get(event.task)
        if (task === undefined) return
        present(event.task, task, event.session)
        if (task.state.owner === "human") react(event.session.setHumanControl(true))
      })

      const allowed = (key: TaskKey) => known.get(key)?.allowed ?? config.allowedTools

      return Control.of({
        takeOver: (key) => control(key, (at) => ({ _tag: "TakenOver", at })),
        handBack: (key) => control(key, (at) => ({ _tag: "HandedBack", at })),
        personSeen: (key) => control(key, (at) => ({ _tag: "PersonSeen", at })),
        state: infoOf,
        states: Effect.suspend(() => Effect.forEach([...new Set([...known.keys(), ...tasks.keys()])], infoOf)),
        changes: Stream.mapEffect(Stream.fromPubSub(changed), (key) => infoOf(key)),
        setLabel: (key, label) =>
          Effect.gen(function* () {
            const task = of(key, yield* Clock.currentTimeMillis)
            task.label = label.slice(0, taskLimits.label)
            present(key, task, tasks.peek(key))
            yield* PubSub.publish(changed, key)
          }),
        act,
        allowed,
        restrict: (key, names, all) =>
          Effect.gen(function* () {
            const bound = config.allowedTools
            const wrong = names.filter((name) => !all.includes(name) || !(bound?.includes(name) ?? true))
            if (wrong.length > 0) return yield* new RestrictUnknown({ names: wrong })
            of(key, yield* Clock.currentTimeMillis).allowed = names.length === 0 ? undefined : [...new Set(names)]
            return allowed(key) ?? []
          })
      })
    })
  )
