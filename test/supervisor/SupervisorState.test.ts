import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { initialState, transition } from "../../src/layers/supervisor/SupervisorState.ts"
import { SupervisorState } from "../../src/schemas/supervisor.ts"
import { SupervisorCommand } from "../../src/schemas/supervisorCommand.ts"
import { SupervisorEvent } from "../../src/schemas/supervisorEvent.ts"
import { arrowsOf, everyArrow, rareArrows } from "./model/arrows.ts"
import { chaos } from "./model/chaos.ts"
import { checkRun, checkStep, checkTruth } from "./model/check.ts"
import { Engine, type Step, weightedStep } from "./model/Step.ts"
import { story } from "./model/story.ts"
import { type Machine, type Told, World } from "./model/World.ts"

const rules = { policy: "must_respond", timeoutMs: 1000, humanControl: false } as const
const steps = Arbitrary.array(Arbitrary.schema(weightedStep), { maxLength: 60 })
const engine = Arbitrary.schema(Engine)

/** Plays the steps; a failure tells the story up to it. */
const play = (machine: Machine, which: Engine, sequence: ReadonlyArray<Step>, check: (world: World) => void): World => {
  const world = new World(machine, initialState(rules), which)
  try {
    world.step({ _tag: "OpenTab" })
    for (const step of sequence) world.step(step)
    check(world)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}, in ${which}, after\n${story(world.told)}`)
  }
  return world
}

const believesTheTruth = (world: World): void => {
  world.settle()
  checkTruth(world)
}

it.prop(
  "holds every guarantee after each event",
  { engine, steps },
  ({ engine: which, steps: sequence }) => {
    play(transition, which, sequence, (world) => {
      for (const told of world.told) checkStep(told)
      checkRun(world.told)
    })
  },
  { arbitrary: { runs: 400, size: 60 } }
)

it.prop(
  "believes what is true once everything has been told, whoever raced whom",
  { engine, steps },
  ({ engine: which, steps: sequence }) => {
    play(transition, which, sequence, believesTheTruth)
  },
  { arbitrary: { runs: 1500, size: 60, maxShrinks: 3000 } }
)

it.prop(
  "an orderly stop ends by itself, answers every dialog that can be answered and tells every asker",
  { engine, steps },
  ({ engine: which, steps: sequence }) => {
    play(transition, which, sequence, (world) => {
      // what the browser has not told yet cannot be answered
      for (const tab of world.tabs) while (tab.queue.length > 0) world.deliver(tab)
      const told = world.state.status === "stopped" ? [] : world.dialogs
      const unheard = new Set(world.dialogs.filter(({ doubtful }) => doubtful))
      world.step({ _tag: "Stop" })
      world.settle()
      assert.strictEqual(world.state.status, "stopped")
      assert.deepStrictEqual(world.state.dialogs, [])
      for (const dialog of told) {
        if (dialog.closedBy === undefined && !dialog.stuck && !unheard.has(dialog)) {
          throw new Error(`dialog ${dialog.number} still blocks its page`)
        }
      }
      for (const [asker, answer] of world.askers)
        if (answer === "waiting") throw new Error(`asker ${asker} waits for ever`)
    })
  },
  { arbitrary: { runs: 400, size: 60, maxShrinks: 3000 } }
)

it.prop(
  "keeps its invariants under events that no browser would send, in any order",
  { events: Arbitrary.array(chaos, { maxLength: 80 }) },
  ({ events }) => {
    const told: Array<Told> = []
    let state = initialState(rules)
    try {
      for (const event of events) {
        const before = state
        const next = transition(before, event)
        state = next.state
        told.push({ event, before, after: state, commands: next.commands })
      }
      for (const entry of told) checkStep(entry)
      checkRun(told)
      const asked = told.flatMap(({ commands }) => commands.filter(({ _tag }) => _tag.startsWith("Report")))
      const askers = asked.map((command) => ("asker" in command ? command.asker : -1))
      assert.strictEqual(new Set(askers).size, askers.length, "an asker is told twice")
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}, after\n${story(told)}`)
    }
  },
  { arbitrary: { runs: 150, size: 80, maxShrinks: 500 } }
)

it.prop(
  "never changes a snapshot that a reader holds, and every state and command is what the schemas say",
  { engine, steps },
  ({ engine: which, steps: sequence }) => {
    const plain = (state: SupervisorState) =>
      JSON.stringify(state, (_, value) => (value instanceof Map ? [...value.entries()] : value))
    const held: Array<readonly [SupervisorState, string]> = []
    const watching: Machine = (state, event) => {
      held.push([state, plain(state)])
      return transition(state, event)
    }
    const world = play(watching, which, sequence, () => {})
    for (const [state, text] of held) assert.strictEqual(plain(state), text)
    assert.isTrue(Schema.is(SupervisorState)(world.state))
    for (const { commands, event } of world.told) {
      assert.isTrue(Schema.is(SupervisorEvent)(event))
      for (const command of commands) assert.isTrue(Schema.is(SupervisorCommand)(command))
    }
  },
  { arbitrary: { runs: 60, size: 60 } }
)

it.effect("the generator reaches every event, every command and every way that a dialog can go", () =>
  Effect.gen(function* () {
    const events = new Set<string>()
    const commands = new Set<string>()
    const arrows = new Set<string>()
    const sequences = yield* Arbitrary.sampleEffect(steps, { count: 6000, size: 60, seed: 4 })
    for (const [index, sequence] of sequences.entries()) {
      const world = play(transition, index % 2 === 0 ? "chrome 156" : "chrome 130", sequence, (each) => each.settle())
      for (const told of world.told) {
        events.add(told.event._tag)
        for (const command of told.commands) commands.add(command._tag)
        for (const arrow of arrowsOf(told)) arrows.add(arrow)
      }
    }
    assert.deepStrictEqual([...events].toSorted(), Object.keys(SupervisorEvent.cases).toSorted())
    assert.deepStrictEqual([...commands].toSorted(), Object.keys(SupervisorCommand.cases).toSorted())
    assert.deepStrictEqual(
      everyArrow.filter((arrow) => !arrows.has(arrow)),
      []
    )
    assert.deepStrictEqual(
      [...arrows].filter((arrow) => ![...everyArrow, ...rareArrows].includes(arrow)),
      []
    )
  })
)

it.effect("a broken machine is caught, and its counterexample shrinks to a story of a few lines", () =>
  Effect.gen(function* () {
    // the fault of the system that this one descends from: what closes before the reply was closed by somebody else
    const broken: Machine = (state, event) =>
      event._tag === "AnswerAcknowledged"
        ? transition(state, { ...event, _tag: "AnswerRefused", reason: "" })
        : transition(state, event)
    const result = yield* Arbitrary.checkEffect(
      Arbitrary.all({ engine, steps }),
      ({ engine: which, steps: sequence }) =>
        Effect.as(
          Effect.try({
            try: () => play(broken, which, sequence, believesTheTruth),
            catch: (error) => (error instanceof Error ? error.message : String(error))
          }),
          true
        ),
      { runs: 500, size: 60, maxShrinks: 3000, seed: 1 }
    )
    assert.strictEqual(result._tag, "Falsified")
    if (result._tag !== "Falsified" || result.failure._tag !== "PropertyError") return
    const told = result.failure.error.split("\n")
    assert.include(told[0], "is filed as closed by remote, in truth it was")
    assert.isAtMost(told.filter((line) => /^ *\d+\./.test(line)).length, 8)
    assert.isAtMost(result.shrunkInput.steps.length, 4)
  })
)
