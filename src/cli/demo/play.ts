/** Plays a story: calls its tools one after the other, prints each step, and stops where one is not as expected. */
import { Clock, Console, Effect, Result, Schema } from "effect"
import { BrowserError } from "../../schemas/errors.ts"
import type { ToolAnswer } from "../../services/Tools.ts"
import { beginning, duration, type Paper, refusal, success, trouble } from "./stepText.ts"
import type { StoryStep, Told, Verdict } from "./StoryStep.ts"

/** A step did not go as the story says. */
export class StoryBroken extends Schema.TaggedError<StoryBroken>()("StoryBroken", {
  step: Schema.Int,
  tool: Schema.String,
  problem: Schema.String,
  /** what the tool failed with, if it did */
  error: Schema.optionalKey(BrowserError)
}) {
  override get message() {
    return `Step ${this.step} (${this.tool}) did not go as expected: ${this.problem}`
  }
}

/** Calls a tool by name, as an adapter does. */
export type CallTool = (tool: string, args: unknown) => Effect.Effect<ToolAnswer, BrowserError>

export interface PlayOptions {
  readonly call: CallTool
  readonly paper: Paper
  /** lines shown of each result at the most */
  readonly limit: number
}

const say = (lines: ReadonlyArray<string>) => Console.log(lines.join("\n"))

const verdict = (step: StoryStep, outcome: Result.Result<ToolAnswer, BrowserError>): Verdict => {
  if (Result.isSuccess(outcome)) return step.judge(outcome.success.structured)
  const { code, message } = outcome.failure
  return code === step.refusedWith ? { shows: [] } : { problem: `${code}: ${message}` }
}

/**
 * Plays the steps in their order. Yields how many were played and how long they took (ms).
 *
 * Fails with `StoryBroken` at the first step whose tool fails unexpectedly, succeeds unexpectedly, or gives something
 * else than the story says; it has been printed by then.
 */
export const play = (
  story: ReadonlyArray<StoryStep>,
  { call, limit, paper }: PlayOptions
): Effect.Effect<{ readonly steps: number; readonly ms: number }, StoryBroken> =>
  Effect.gen(function* () {
    const told: Map<string, unknown> & Told = new Map()
    let total = 0
    let number = 0
    for (const step of story) {
      if (step.onlyIf?.(told) === false) continue
      number++
      const at = number
      const prepared = step.args(told)
      const broken = (problem: string, ms: number, error?: BrowserError) =>
        Effect.andThen(
          say(trouble(paper, { problem, ms })),
          Effect.fail(
            new StoryBroken({ step: at, tool: step.tool, problem, ...(error === undefined ? {} : { error }) })
          )
        )
      yield* say(beginning(paper, { ...step, number, args: "args" in prepared ? prepared.args : {} }))
      if ("problem" in prepared) return yield* broken(prepared.problem, 0)
      const began = yield* Clock.currentTimeMillis
      const outcome = yield* Effect.result(call(step.tool, prepared.args))
      const ms = (yield* Clock.currentTimeMillis) - began
      total += ms
      const judged = verdict(step, outcome)
      if ("problem" in judged) {
        return yield* broken(judged.problem, ms, Result.isFailure(outcome) ? outcome.failure : undefined)
      }
      if (Result.isSuccess(outcome)) {
        told.set(step.id, outcome.success.structured)
        yield* say(success(paper, { shows: judged.shows, ms, limit }))
      } else {
        yield* say(refusal(paper, { code: outcome.failure.code, message: outcome.failure.message, ms }))
      }
    }
    return { steps: number, ms: total }
  })

/** The last line of a story that went well. */
export const summary = ({ style }: Paper, played: { readonly steps: number; readonly ms: number }): string =>
  `\n${style.green("✓")} ${style.bold(`${played.steps} steps in ${duration(played.ms)}`)}, all as expected.`
