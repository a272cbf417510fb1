/** Keeps a page that goes on loading others by itself where it is. */
import { Effect } from "effect"
import type { Tab } from "./Tab.ts"
import { endedAfter } from "../../services/endings.ts"

/** A page that brings no other document for so long (ms) stays. */
const calmMs = 500

/** It is tried for so long (ms) at the most. */
const patienceMs = 4_000

/** So many documents may still come once scripts do not run any more: they were on their way. */
const patientRounds = 3

/** The browser's word that scripts may run again is waited for so long (ms). */
const wordMs = 300

/**
 * The scripts of documents that come meanwhile do not run, so that none of them loads the next one; afterwards they do
 * again, unless an agent has turned them off. Yields whether the page stays where it is now.
 */
export const calm = (tab: Tab): Effect.Effect<boolean> => {
  const scripts = (value: boolean) => Effect.ignore(tab.send("Emulation.setScriptExecutionDisabled", { value }))
  const goesOn = (documents: number) =>
    tab
      .until((now) => (now.documents !== documents ? true : undefined))
      .pipe(endedAfter(calmMs, () => Effect.succeed(false)))
  const { model } = tab
  // not awaited: a document that goes takes the answer along
  const begin = (commands: Effect.Effect<void>) => Effect.forkChild(commands, { startImmediately: true })
  const stop = Effect.ignore(tab.send("Page.stopLoading"))
  const rounds = Effect.gen(function* () {
    let came = true
    for (let round = 0; came || model.navigating; round++) {
      const { documents } = model
      yield* begin(scripts(true))
      // the last one is to be there whole; what is on its way without a script, or for long, is not
      if (!came || round >= patientRounds) yield* begin(stop)
      came = yield* goesOn(documents)
    }
    model.recent.forget()
    return true
  })
  const withoutScripts = rounds.pipe(
    endedAfter(patienceMs, () => Effect.succeed(false)),
    Effect.ensuring(Effect.suspend(() => scripts(tab.scriptsDisabled)).pipe(endedAfter(wordMs, () => Effect.void)))
  )
  return Effect.gen(function* () {
    // a page that was led on by clicks, or is on its way to the last one, stays by the usual means
    if (yield* goesOn(model.documents)) return yield* withoutScripts
    yield* begin(stop)
    return true
  })
}
