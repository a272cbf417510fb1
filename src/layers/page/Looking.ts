/** Looking at the page of one tab: nothing here changes it. */
import { Effect } from "effect"
import { ChallengeDetectFailed, DialogOpen, WaitTimeout } from "../../schemas/errors.ts"
import type { ExecuteResult } from "../../schemas/tools/reading.ts"
import { Timeouts } from "../../services/Timeouts.ts"
import { capture } from "./Capture.ts"
import { readContent } from "./Content.ts"
import { execute } from "./Execute.ts"
import { withoutChoosers } from "./fileChoosers.ts"
import { toTop } from "./Frames.ts"
import type { Op, PageParts } from "./PageParts.ts"
import type { Found } from "./Finder.ts"
import type { ScriptResult } from "./script.ts"
import { conditionOf, describeCondition, waitFor } from "./Waiting.ts"

/** Time (ms) for a look at a page whose dialog waits. */
const pastDialogMs = 900

/** Time (ms) for a picture of a page whose dialog waits. */
const picturePastDialogMs = 2_000

export class Looking {
  private readonly parts: PageParts
  constructor(parts: PageParts) {
    this.parts = parts
  }

  readonly snapshot: Op<"snapshot"> = (params) =>
    Effect.suspend(() => {
      const { dialogs, id } = this.parts.tab
      const waits = dialogs.blocking(id).length > 0
      if (waits && !dialogs.readable(id)) return Effect.succeed(this.behindDialog())
      const taken = this.parts.snapshots.take(params)
      return this.parts.tab.operate(
        { operation: "browser_snapshot", budget: "snapshot", past: "looks", carried: () => this.behindDialog() },
        // what is known of the dialog is never kept waiting for the page
        waits
          ? Effect.timeoutOrElse(taken, {
              duration: pastDialogMs,
              orElse: () => Effect.sync(() => this.behindDialog())
            })
          : taken
      )
    })

  private behindDialog() {
    return this.parts.snapshots.unanswered("a dialog is open; answer it with browser_dialog")
  }

  readonly find: Op<"find"> = ({ text, limit }) =>
    this.parts.tab.operate(
      { operation: "browser_find", budget: "snapshot", past: "looks" },
      this.parts.snapshots.find(text, limit).pipe(
        Effect.catchTags({
          SelectorInvalid: (error) => Effect.die(error),
          TargetNotFound: (error) => Effect.die(error)
        })
      )
    )

  readonly content: Op<"content"> = (params) =>
    this.parts.tab.operate(
      { operation: "browser_content", budget: "content", past: "looks" },
      Effect.suspend(() =>
        readContent(this.parts.tab, this.parts.agents, this.parts.finder.inOrder(), {
          ...params,
          maxChars: params.maxChars ?? this.parts.config.contentMaxChars
        })
      )
    )

  readonly challenge: Op<"challenge"> = Effect.suspend(() =>
    this.parts.tab.operate(
      { operation: "browser_challenge", budget: "input", past: "looks" },
      this.parts.agents
        .call(this.parts.tab.model.main, "challenge", {})
        .pipe(
          Effect.catchTag("DocumentGone", () =>
            Effect.fail(new ChallengeDetectFailed({ reason: "the page was replaced meanwhile" }))
          )
        )
    )
  )

  readonly execute: Op<"execute"> = (params) =>
    Effect.suspend(() => {
      const { outcomes } = this.parts
      const mark = outcomes.mark()
      let given: ScriptResult = { ok: true }
      return this.parts.tab.operate(
        {
          operation: "browser_execute",
          // the script's own budget is kept by `execute`, which needs time beyond it to stop what does not end
          budget: "tool",
          past: "runs",
          carried: (dialog): typeof ExecuteResult.Type => ({ ok: true, ...outcomes.known(mark, dialog) }),
          closed: () => Effect.map(outcomes.closed(mark), (outcome) => ({ ...given, ...outcome }))
        },
        Effect.flatMap(execute(this.parts.tab, params, this.parts.config.contentMaxChars), (result) => {
          const { model } = this.parts.tab
          given = result
          // a script that sends the page elsewhere is answered with where it went
          const left = model.navigating || model.commits !== mark.commits
          const outcome = left ? outcomes.settled(mark) : Effect.map(outcomes.closings, () => outcomes.known(mark))
          return Effect.map(outcome, (known): typeof ExecuteResult.Type => ({ ...result, ...known }))
        }).pipe(withoutChoosers(this.parts.tab))
      )
    })

  readonly screenshot: Op<"screenshot"> = (params) =>
    this.parts.tab.operate(
      { operation: "browser_screenshot", budget: "screenshot", past: "looks" },
      Effect.gen({ self: this }, function* () {
        const { snapshotId, ref } = params
        const box =
          snapshotId === undefined || ref === undefined
            ? undefined
            : yield* this.boxOf(yield* this.parts.finder.byReference(snapshotId, ref))
        return yield* capture(this.parts.tab, { format: params.format, fullPage: params.fullPage, box })
      }).pipe((picture) => Effect.raceFirst(picture, this.undrawn))
    )

  /**
   * Fails once a dialog has waited too long for a picture. A page answers while it stops at the gate, but it draws
   * nothing new: none comes of a page that asks before it was ever drawn, or from its animation frame.
   */
  private readonly undrawn: Effect.Effect<never, DialogOpen> = Effect.suspend(() => {
    const { dialogs, id } = this.parts.tab
    const opened = Effect.callback<void>((resume) => {
      const stop = dialogs.onBlocked(id, () => resume(Effect.void))
      if (dialogs.blocking(id).length > 0) resume(Effect.void)
      return Effect.sync(stop)
    })
    return Effect.flatMap(Effect.andThen(opened, Effect.sleep(picturePastDialogMs)), () => {
      const dialog = dialogs.blocking(id)[0]
      return dialog === undefined
        ? this.undrawn
        : Effect.fail(new DialogOpen({ dialog, operation: "browser_screenshot" }))
    })
  })

  private boxOf(found: Found) {
    return Effect.gen({ self: this }, function* () {
      yield* this.parts.agents.call(found.frame, "scrollTo", { key: found.key, block: "nearest" })
      const box = yield* this.parts.agents.call(found.frame, "box", { key: found.key })
      return box === null ? undefined : yield* toTop(this.parts.tab, this.parts.agents, found.frame, box)
    }).pipe(Effect.catchTag("DocumentGone", () => Effect.succeed(undefined)))
  }

  readonly waitFor: Op<"waitFor"> = (params) =>
    Effect.gen({ self: this }, function* () {
      const table = yield* Timeouts
      const budget = params.timeoutMs ?? table.waitFor
      const condition = conditionOf(params)
      const words = "invalid" in condition ? "" : describeCondition(condition)
      return yield* Effect.raceFirst(
        this.parts.tab.operate(
          { operation: "browser_wait_for", budget: "tool" },
          waitFor(this.parts.tab, this.parts.agents, this.parts.finder.inOrder, params, budget)
        ),
        // a document that does not answer at all is no reason to wait longer than asked
        Effect.andThen(
          Effect.sleep(budget + 250),
          Effect.fail(new WaitTimeout({ condition: words, budget, seen: "the page did not answer" }))
        )
      )
    })
}
