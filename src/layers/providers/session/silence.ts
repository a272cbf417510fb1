/**
 * A browser of our own that answers nothing: stopped by a signal or by the system, or stuck for good. It cannot be asked
 * to close anything, so it is ended, and the next session gets a new one.
 */
import { Effect } from "effect"
import { CurrentDeadline } from "../../../services/Timeouts.ts"
import type { Silence } from "./CdpSessionOptions.ts"

/** Time (ms) for an answer that a healthy browser gives at once, whatever its pages do; one on a busy machine, later. */
const patience = 1_700

/**
 * Questions that stay unanswered, one after another, before it counts as silent. Were it one, a program that was itself
 * suspended would find its time up before it had read the answer.
 */
const questions = 2

/** Time (ms) in which the end of a killed browser is known. */
const endNotice = 2_000

const why = "its browser did not answer any more and was ended"

/** A browser that was started here. */
export interface Owned {
  /** number of its main process, and of the group of all of them */
  readonly pid: number
  /** something that it always answers; a refusal is an answer, too */
  readonly ask: Effect.Effect<unknown, unknown>
  /** true once its number may be another's */
  readonly isGone: Effect.Effect<boolean>
  /** Waits until its end is known to those who use it. */
  readonly gone: Effect.Effect<unknown>
}

export const makeSilence = ({ ask, gone, isGone, pid }: Owned): Silence => {
  let ended: string | undefined

  const kill = Effect.gen(function* () {
    if (yield* isGone) return
    ended = why
    yield* Effect.logWarning(`The browser (process ${pid}) does not answer any more and is ended`)
    // a signal for the group reaches processes that are stopped, too
    yield* Effect.ignore(Effect.try(() => process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")))
    yield* Effect.timeoutOption(gone, endNotice)
  })

  const answers = ask.pipe(
    // whoever is refused or has lost the connection was answered
    Effect.exit,
    Effect.as(true),
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
    // a budget around this says nothing about the browser
    Effect.provideService(CurrentDeadline, undefined)
  )

  return {
    ended: () => ended,
    endIfSilent: Effect.gen(function* () {
      for (let asked = 0; asked < questions; asked++) if (yield* answers) return ended
      yield* kill
      return ended
    })
  }
}
