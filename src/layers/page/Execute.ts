/** Runs an agent's script in the main world of the page. */
import { Clock, Effect } from "effect"
import { ExecuteFailed, ExecuteTimeout } from "../../schemas/errors.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { endedAfter } from "../../services/endings.ts"
import { CurrentDeadline, CurrentLimit, Timeouts } from "../../services/Timeouts.ts"
import { runScript, type ScriptResult } from "./script.ts"
import type { Tab } from "./Tab.ts"

/** Kept of the budget (ms) for stopping a script that does not end. */
const stopMs = 400

/**
 * Runs a script once.
 *
 * Fails with `ExecuteTimeout` at the end of the budget: the script is then stopped if it keeps the page busy (an
 * endless loop); one that only awaits something goes on, and the error says so. Fails with `ExecuteFailed` when the
 * page was replaced before the value could be read.
 */
export const execute = (
  tab: Tab,
  params: { readonly script: string; readonly args?: ReadonlyArray<string> },
  maxChars: number
): Effect.Effect<ScriptResult, CdpError | ExecuteFailed | ExecuteTimeout> =>
  Effect.withFiber((fiber) => {
    const deadline = fiber.getRef(CurrentDeadline)
    const usual = fiber.getRef(Timeouts).execute
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const given = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - now
    const left = Math.min(usual, given)
    const limit = given < usual ? (fiber.getRef(CurrentLimit) ?? Math.round(given)) : usual
    const budget = Math.max((left * 3) / 4, left - stopMs)
    return runScript((method, parameters) => tab.send(method, parameters), {
      script: params.script,
      args: params.args,
      maxChars,
      awaits: tab.dialogs.blocking(tab.id).length === 0
    }).pipe(
      Effect.catchTag(
        "CdpFailed",
        (error): Effect.Effect<never, CdpError | ExecuteFailed> =>
          /context|navigated|closed/.test(error.reason) && !tab.model.crashed
            ? Effect.flatMap(tab.closesItself, () =>
                Effect.fail(
                  tab.closed
                    ? error
                    : new ExecuteFailed({
                        reason: "the page was replaced before the value could be read; the script has run"
                      })
                )
              )
            : Effect.fail(error)
      ),
      endedAfter(budget, () =>
        Effect.flatMap(tab.liveness.stopIfBusy, (terminated) =>
          Effect.fail(new ExecuteTimeout({ budget: limit, terminated }))
        )
      )
    )
  })
