/**
 * Whatever the browser sends and in whatever order: each command ends exactly once and as it should, events keep their
 * order, and nothing stays behind.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { CdpSessionId } from "../../src/schemas/ids.ts"
import type { CdpError } from "../../src/services/CdpConnection.ts"
import { makeSimulatedConnection } from "../support/SimulatedCdpServer.ts"

const Session = Schema.Literals(["A", "B", "C"])
/** Stands for one of the commands sent so far. */
const Which = Schema.Natural

const Step = Schema.TaggedUnion({
  Command: { session: Session, timeout: Schema.Literals([10, 100, 1_000]) },
  Reply: { which: Which },
  Refuse: { which: Which },
  UnknownReply: { id: Schema.Int.check(Schema.isGreaterThan(1_000_000)) },
  Garbage: { text: Schema.String },
  Event: { session: Session },
  Interrupt: { which: Which },
  Pass: { ms: Schema.Literals([1, 5, 50, 500]) },
  Crash: { session: Session },
  Reload: { session: Session },
  Detach: { session: Session }
})
type Step = typeof Step.Type

type Ending = "open" | "result" | "refused" | "timeout" | "interrupted" | "crashed" | "detached" | "lost"

interface ModelCommand {
  readonly session: string
  readonly deadline: number
  ending: Ending
}

/** What should become of the commands: the same story without fibers, clocks and messages. */
const makeModel = () => {
  const commands: Array<ModelCommand> = []
  const sent: Array<ModelCommand> = []
  const crashed = new Set<string>()
  let now = 0
  const finish = (command: ModelCommand | undefined, ending: Ending) => {
    if (command?.ending === "open") command.ending = ending
  }
  const finishSession = (session: string, ending: Ending) => {
    for (const command of commands) if (command.session === session) finish(command, ending)
  }
  return {
    commands,
    sent,
    step: (step: Step) => {
      switch (step._tag) {
        case "Command": {
          const refused = crashed.has(step.session)
          const command: ModelCommand = {
            session: step.session,
            deadline: now + step.timeout,
            ending: refused ? "crashed" : "open"
          }
          commands.push(command)
          if (!refused) sent.push(command)
          return
        }
        case "Reply":
          return finish(sent[step.which % Math.max(1, sent.length)], "result")
        case "Refuse":
          return finish(sent[step.which % Math.max(1, sent.length)], "refused")
        case "Interrupt":
          return finish(commands[step.which % Math.max(1, commands.length)], "interrupted")
        case "Pass":
          now += step.ms
          for (const command of commands) if (command.deadline <= now) finish(command, "timeout")
          return
        case "Crash":
          crashed.add(step.session)
          return finishSession(step.session, "crashed")
        case "Reload":
          crashed.delete(step.session)
          return
        case "Detach":
          crashed.delete(step.session)
          return finishSession(step.session, "detached")
        default:
          return
      }
    },
    close: () => {
      for (const command of commands) finish(command, "lost")
    }
  }
}

const endingOf = (exit: Exit.Exit<unknown, CdpError>): Ending => {
  if (Exit.isSuccess(exit)) return "result"
  if (Exit.hasInterrupts(exit)) return "interrupted"
  const [reason] = exit.cause.reasons
  if (reason?._tag !== "Fail") return "open"
  switch (reason.error._tag) {
    case "ConnectionLost":
      return "lost"
    case "OperationTimeout":
      return "timeout"
    case "CdpFailed":
      return reason.error.cdpCode === -32001
        ? "detached"
        : reason.error.reason === "target crashed"
          ? "crashed"
          : "refused"
    default:
      return "open"
  }
}

const run = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, closing: "close" | "half") {
  const { connection, server, statistics } = yield* makeSimulatedConnection()
  const model = makeModel()
  const fibers: Array<Fiber.Fiber<unknown, CdpError>> = []
  const events: Array<string> = []
  const expectedEvents: Array<string> = []
  const bySession: Record<string, Array<number>> = { A: [], B: [], C: [] }
  let serial = 0
  for (const session of Session.literals) {
    yield* connection.listen(CdpSessionId.make(session), (event) => {
      if (event.method !== "Page.domContentEventFired") return
      events.push(`${session} ${event.params.timestamp}`)
      bySession[session]?.push(event.params.timestamp)
    })
  }
  for (const step of steps) {
    const sentId = "which" in step ? (step.which % Math.max(1, model.sent.length)) + 1 : 0
    switch (step._tag) {
      case "Command":
        fibers.push(
          yield* connection
            .raw("Runtime.evaluate", {}, { sessionId: CdpSessionId.make(step.session), timeout: step.timeout })
            .pipe(Effect.forkChild({ startImmediately: true }))
        )
        break
      case "Reply":
        if (model.sent.length > 0) server.reply(sentId)
        break
      case "Refuse":
        if (model.sent.length > 0) server.refuse(sentId, "refused by the test")
        break
      case "UnknownReply":
        server.reply(step.id)
        break
      case "Garbage":
        server.text(`#${step.text}`)
        break
      case "Event":
        serial += 1
        expectedEvents.push(`${step.session} ${serial}`)
        server.event("Page.domContentEventFired", { timestamp: serial }, step.session)
        break
      case "Interrupt": {
        const fiber = fibers[step.which % Math.max(1, fibers.length)]
        if (fiber !== undefined) yield* Fiber.interrupt(fiber)
        break
      }
      case "Pass":
        yield* TestClock.adjust(step.ms)
        break
      case "Crash":
        server.event("Inspector.targetCrashed", {}, step.session)
        break
      case "Reload":
        server.event("Inspector.targetReloadedAfterCrash", {}, step.session)
        break
      case "Detach":
        server.event("Target.detachedFromTarget", { sessionId: step.session })
        break
    }
    model.step(step)
    assert.strictEqual(statistics().inFlight, model.commands.filter(({ ending }) => ending === "open").length)
  }
  if (closing === "half") server.half(`{"id":1,"resu`)
  else server.close()
  model.close()
  const exits = yield* Effect.forEach(fibers, Fiber.await)
  assert.deepStrictEqual(
    exits.map(endingOf),
    model.commands.map(({ ending }) => ending)
  )
  assert.deepStrictEqual(events, expectedEvents)
  for (const numbers of Object.values(bySession)) {
    assert.deepStrictEqual(
      numbers,
      [...numbers].sort((a, b) => a - b)
    )
  }
  assert.strictEqual(statistics().inFlight, 0)
  assert.strictEqual(statistics().garbage, steps.filter(({ _tag }) => _tag === "Garbage").length)
  assert.strictEqual(statistics().unknownReplies, steps.filter(({ _tag }) => _tag === "UnknownReply").length)
  assert.isTrue(connection.isClosed())
})

it.effect.prop(
  "every command ends once, as its story says, wherever the connection closes",
  { steps: Schema.Array(Step).check(Schema.isMaxLength(60)), closing: Schema.Literals(["close", "half"]) },
  ({ steps, closing }) => Effect.scoped(run(steps, closing)),
  { arbitrary: { runs: 300 } }
)
