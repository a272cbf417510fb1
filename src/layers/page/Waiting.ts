/** Waiting for a condition of the page, by events, across navigations and in all frames. */
import { Clock, Effect } from "effect"
import { SelectorInvalid, WaitInvalid, WaitTimeout } from "../../schemas/errors.ts"
import type { WaitCondition, WaitOutcome } from "../../schemas/page.ts"
import type { WaitParams, WaitResult } from "../../schemas/tools/reading.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents } from "./Agent.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Tab } from "./Tab.ts"
import { endedAfter } from "../../services/endings.ts"

type Params = typeof WaitParams.Type

/** What the parameters ask for, or why they make no sense. Pure. */
export const conditionOf = (params: Params): Omit<WaitCondition, "timeout"> | { readonly invalid: string } => {
  const state = params.state ?? (params.visible === false ? "attached" : "visible")
  if (params.gone !== undefined && (params.selector !== undefined || params.text !== undefined)) {
    return { invalid: "gone cannot be combined with selector or text" }
  }
  if (params.gone !== undefined && params.state !== undefined) return { invalid: "gone cannot be combined with state" }
  if (params.selector === undefined && params.text === undefined && params.gone === undefined) {
    return { invalid: "neither selector, text nor gone is given" }
  }
  return {
    state,
    ...(params.selector === undefined ? {} : { selector: params.selector }),
    ...(params.text === undefined ? {} : { text: params.text }),
    ...(params.gone === undefined ? {} : { gone: params.gone })
  }
}

/** The condition in words. Pure. */
export const describeCondition = (condition: Omit<WaitCondition, "timeout">): string =>
  condition.gone !== undefined
    ? `the text "${condition.gone}" to go`
    : `${[
        condition.selector === undefined ? undefined : `the selector ${condition.selector}`,
        condition.text === undefined ? undefined : `the text "${condition.text}"`
      ]
        .filter((part) => part !== undefined)
        .join(" with ")} to be ${condition.state}`

/** Conditions that must hold in every frame at once; the others need to hold in one. */
const inEvery = (condition: Omit<WaitCondition, "timeout">): boolean =>
  condition.gone !== undefined || condition.state === "hidden" || condition.state === "detached"

/** A frame is asked again after so many ms, so that frames that come later are asked, too. */
const roundMs = 1_000

/** Waits until the condition holds, for `budget` ms at the most. */
export const waitFor = (
  tab: Tab,
  agents: Agents,
  frames: () => ReadonlyArray<FrameModel>,
  params: Params,
  budget: number
): Effect.Effect<typeof WaitResult.Type, CdpError | WaitInvalid | WaitTimeout | SelectorInvalid> =>
  Effect.gen(function* () {
    const condition = conditionOf(params)
    if ("invalid" in condition) return yield* new WaitInvalid({ reason: condition.invalid })
    const start = yield* Clock.currentTimeMillis
    let seen = ""
    while (true) {
      const left = start + budget - (yield* Clock.currentTimeMillis)
      if (left <= 0) return yield* new WaitTimeout({ condition: describeCondition(condition), budget, seen })
      const outcome = yield* round(
        tab,
        agents,
        frames(),
        condition,
        Math.min(left, frames().length === 1 ? left : roundMs)
      )
      switch (outcome.is) {
        case "met":
          return {
            found: true,
            ...(params.selector === undefined ? {} : { selector: params.selector }),
            ...(outcome.tag === undefined ? {} : { tag: outcome.tag }),
            ...(outcome.text === undefined ? {} : { text: outcome.text }),
            waitedMs: Math.round((yield* Clock.currentTimeMillis) - start)
          }
        case "invalid":
          return yield* new SelectorInvalid({ selector: params.selector ?? "", reason: outcome.reason })
        case "timeout":
          seen = outcome.seen
          break
      }
    }
  })

const round = (
  tab: Tab,
  agents: Agents,
  frames: ReadonlyArray<FrameModel>,
  condition: Omit<WaitCondition, "timeout">,
  timeout: number
): Effect.Effect<WaitOutcome, CdpError> => {
  const commits = tab.model.commits
  const ask = (frame: FrameModel): Effect.Effect<WaitOutcome, CdpError> =>
    agents.call(frame, "waitFor", { ...condition, timeout }).pipe(
      Effect.catchTag("DocumentGone", () =>
        // the next document is asked in the next round; it is there when the model says so
        tab
          .until((model) =>
            model.commits > commits || model.frames.get(frame.id)?.loaderId !== frame.loaderId ? true : undefined
          )
          .pipe(
            endedAfter(timeout, () => Effect.succeed(true)),
            Effect.as({ is: "timeout", seen: "the page was replaced meanwhile" } as const)
          )
      )
    )
  const inner = (frame: FrameModel): Effect.Effect<WaitOutcome, CdpError> =>
    frame.id === tab.model.mainFrameId
      ? ask(frame)
      : ask(frame).pipe(Effect.catchTag("CdpFailed", () => Effect.succeed({ is: "timeout", seen: "" } as const)))
  const [first, ...rest] = frames
  if (first === undefined) return Effect.succeed({ is: "timeout", seen: "" })
  if (inEvery(condition)) {
    return Effect.map(Effect.forEach(frames, inner, { concurrency: "unbounded" }), (all) => {
      const open = all.find((outcome) => outcome.is !== "met")
      return open ?? (all[0] as WaitOutcome)
    })
  }
  // the first frame in which it holds decides; a frame that timed out leaves the decision to the others
  const met = (frame: FrameModel) =>
    Effect.flatMap(inner(frame), (outcome) =>
      outcome.is === "timeout" ? Effect.fail(outcome) : Effect.succeed(outcome)
    )
  return Effect.raceAll([met(first), ...rest.map(met)]).pipe(
    Effect.catchIf(
      (error): error is Extract<WaitOutcome, { readonly is: "timeout" }> => "is" in error,
      (outcome) => Effect.succeed<WaitOutcome>(outcome)
    )
  )
}
