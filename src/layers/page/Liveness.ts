/** Whether a page still answers, and the ways to get rid of what keeps it from answering. */
import { Effect } from "effect"
import type { CdpConnection, CdpError, CdpMethod, CdpParams, CdpResult } from "../../services/CdpConnection.ts"
import type { FrameModel } from "./FrameTable.ts"
import { timeLeft } from "../../services/Timeouts.ts"
import { endedAfter } from "../../services/endings.ts"

/** A page that does not answer within so long (ms) is busy. */
const busyAfterMs = 150

/** Whoever gives an operation up is kept so long (ms) at the most, to see whether it left a script running. */
const letGoMs = 80

/** Time (ms) for the browser to say that it has stopped a script. */
const stoppedMs = { least: 200, most: 2_000 }

/** The browser's word that it ends a renderer, and then the end itself, are waited for so long (ms). */
const crashMs = { word: 500, end: 1_500 }

/** What has to be known of a tab, and done with it. */
interface LivingPage {
  readonly connection: CdpConnection["Service"]
  /** `frame`: to the process that renders that one */
  readonly send: <M extends CdpMethod>(
    method: M,
    params?: CdpParams<M>,
    frame?: FrameModel
  ) => Effect.Effect<CdpResult<M>, CdpError>
  /** one frame for each process that renders frames of it, apart from its own */
  readonly frames: () => ReadonlyArray<FrameModel>
  /** why it does not answer is known: it crashed or was closed, or a dialog is open, seen or not */
  readonly isExcused: () => boolean
  /** no other tab is rendered by its process, as far as is known */
  readonly isAlone: () => boolean
  /** waits for its crash */
  readonly crash: Effect.Effect<void>
  /** counts its crashes */
  readonly crashes: () => number
  /** counts the documents that it has shown */
  readonly documents: () => number
}

export class Liveness {
  private readonly page: LivingPage
  /** the number of the crash that is wanted, or was */
  private wanted: number | undefined

  constructor(page: LivingPage) {
    this.page = page
  }

  /**
   * The crash that is told now, or that comes next, was asked for, so that it is no news, however late it comes: a page
   * that loads itself again and again shows further documents meanwhile.
   */
  get ending(): boolean {
    return this.wanted !== undefined && this.page.crashes() <= this.wanted
  }

  private answersBefore(end: Effect.Effect<unknown>, frame?: FrameModel): Effect.Effect<boolean> {
    return Effect.suspend(() =>
      this.page.isExcused()
        ? Effect.succeed(true)
        : Effect.raceFirst(
            Effect.as(this.page.send("Runtime.evaluate", { expression: "0" }, frame), true),
            Effect.as(end, false)
          ).pipe(Effect.catch(() => Effect.succeed(true)))
    )
  }

  private answersWithin(patience: number): Effect.Effect<boolean> {
    const half = Effect.sleep(patience / 2)
    const browser = Effect.suspend(() => Effect.ignore(this.page.connection.command("Browser.getVersion")))
    return this.answersBefore(Effect.andThen(half, Effect.andThen(browser, half)))
  }

  /**
   * If the page's main thread does not answer, stops the script that keeps it busy. Yields whether that was done; a
   * page that answers is left alone, for the termination would hit whatever runs next. A browser that has too much to do
   * gets longer to say that it was, as far as the surrounding budget lasts.
   */
  readonly stopIfBusy: Effect.Effect<boolean> = Effect.suspend(() => this.stopBusy())

  /** As {@link stopIfBusy}, for the frames that other processes render; yields those that were stopped. */
  readonly stopBusyFrames: Effect.Effect<ReadonlyArray<FrameModel>> = Effect.suspend(() =>
    Effect.filter(this.page.frames(), (frame) => this.stopBusy(frame), { concurrency: "unbounded" })
  )

  private stopBusy(frame?: FrameModel): Effect.Effect<boolean> {
    return Effect.flatMap(this.answersBefore(Effect.sleep(busyAfterMs), frame), (answers) =>
      answers ? Effect.succeed(false) : this.stop(frame)
    )
  }

  /** As {@link stopIfBusy}, once the page has not answered for so long (ms); see {@link endIfStuck} for how it is counted. */
  readonly stopIfStuck = (patience: number): Effect.Effect<boolean> =>
    Effect.flatMap(this.answersWithin(patience), (answers) => (answers ? Effect.succeed(false) : this.stop()))

  private stop(frame?: FrameModel): Effect.Effect<boolean> {
    return Effect.flatMap(timeLeft, (left) =>
      this.page.send("Runtime.terminateExecution", undefined, frame).pipe(
        Effect.as(true),
        endedAfter(Math.max(stoppedMs.least, Math.min(stoppedMs.most, left - stoppedMs.least)), () =>
          Effect.succeed(false)
        ),
        Effect.catch(() => Effect.succeed(false))
      )
    )
  }

  /**
   * The next document is there, and the page before makes no room for it. From then on no command reaches the script of
   * either, so that neither is stopped or ended: the browser says of the page that it is not active (measured in Chromium
   * 156). Yields true if that lasts for so long (ms).
   */
  readonly isHeld = (patience: number): Effect.Effect<boolean> => {
    const inactive = Effect.suspend(() => this.page.send("Page.getNavigationHistory")).pipe(
      Effect.as(false),
      Effect.catchTag("CdpFailed", ({ reason }) => Effect.succeed(reason.includes("Not attached to an active page"))),
      Effect.orElseSucceed(() => false)
    )
    return Effect.flatMap(inactive, (held) =>
      held ? Effect.andThen(Effect.sleep(patience), inactive) : Effect.succeed(false)
    )
  }

  /** For an operation that was given up: stops what is busy, frames too, without waiting for the browser's word. */
  readonly letGo: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(
      [undefined, ...this.page.frames()],
      (frame) =>
        Effect.flatMap(this.answersBefore(Effect.sleep(letGoMs), frame), (answers) =>
          answers
            ? Effect.void
            : Effect.forkDetach(Effect.ignore(this.page.send("Runtime.terminateExecution", undefined, frame)), {
                startImmediately: true
              })
        ),
      { concurrency: "unbounded", discard: true }
    )
  )

  /**
   * If the page's main thread does not answer in time (ms), ends the process that it runs in; loading a page starts
   * another. Yields whether that was done. Half of the time counts from when the browser itself has answered: one that
   * is far away or overloaded makes no page stuck.
   */
  readonly endIfStuck = (patience: number): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      // the process of a page that nothing was loaded in may still be starting
      if (this.page.documents() === 0) return Effect.succeed(false)
      return Effect.flatMap(this.answersWithin(patience), (answers) => (answers ? Effect.succeed(false) : this.end))
    })

  /**
   * As {@link endIfStuck}, whether the page answers or not. Everything of the page is lost, so that it is not done to one
   * that shares its process with another tab; and the browser refuses it while the next page takes the place of this one.
   */
  readonly end: Effect.Effect<boolean> = Effect.suspend(() => {
    if (!this.page.isAlone()) return Effect.succeed(false)
    this.wanted = this.page.crashes() + 1
    // a page that is on its way elsewhere is not ended; a crash is no answer, but fails the command (runtime fact 134)
    return Effect.forEach(
      ["Page.stopLoading", "Page.crash"] as const,
      (method) => Effect.ignore(this.page.send(method)),
      { concurrency: "unbounded" }
    ).pipe(
      endedAfter(crashMs.word, () => Effect.void),
      Effect.andThen(Effect.as(this.page.crash, true)),
      endedAfter(crashMs.end, () => Effect.succeed(false))
    )
  })
}
