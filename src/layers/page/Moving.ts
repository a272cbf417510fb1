/** Loading pages in one tab, with a first look at what came. */
import { Effect } from "effect"
import { OperationTimeout } from "../../schemas/errors.ts"
import type { Outcome } from "../../schemas/tools/common.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { timeLeft, Timeouts } from "../../services/Timeouts.ts"
import { admit } from "./admission.ts"
import { calm } from "./calming.ts"
import * as Navigation from "./Navigation.ts"
import type { Op, PageParts } from "./PageParts.ts"
import { saidRestless, unlessRestless } from "./restlessness.ts"
import { endedAfter, endedBy } from "../../services/endings.ts"

/** Part of the time that is left which the first look at a page may take. */
const lookShare = 0.8

/** Why a page had to be ended. */
const whyEnded = {
  stuck: "did not answer any more",
  restless: "kept navigating by itself",
  asking: "opened one dialog after the other"
} as const

const stoppedNote = "the page before did not answer any more; what ran in it was stopped"

const dialogNote = "a dialog is open; answer it with browser_dialog"
const askedNote =
  "not opened: the tab still shows the page before, whose dialog asks whether to leave it; answer it with browser_dialog, where accept leaves"
const againNote =
  "not opened: the page before opened a dialog once more while it was left; answer it with browser_dialog, open the address with newTab, or call browser_reset_session"

/** Why the page before is still there when it was left through the history or was to be loaded again. */
const stays = {
  asked: "the page asks whether to leave it; answer its dialog with browser_dialog, where accept leaves",
  again:
    "a dialog opened meanwhile, of this page or of the one that comes; answer it with browser_dialog, which tells whether the page went on"
} as const

const heldNote =
  "the page does not answer any more, holds its tab and cannot be ended; browser_open opens an address in a tab in its place"

const whyNotMoved =
  "no page came: its server has not sent it, or the page before makes no room; browser_open leaves for another address, and browser_close_tab or browser_reset_session frees you of it"

/** Why no page is there at the end of the time, by how far it came. */
const whyNotThere = {
  asked: "the server has not sent a page; the tab still shows the one before",
  ended: "the server has not sent a page; the one before did not answer any more and was ended",
  sent: "the page before does not answer and makes no room for the next one; browser_close_tab or browser_reset_session frees you of it"
} as const

/** A page that has brought as many documents as this since it was asked for keeps navigating by itself. */
const ownDocuments = 3

/** The same of a page that was seen: one that is sent on a few times may stay where it is then. */
const manyDocuments = 6

/** What there is to say, as one note. */
const noted = (...parts: ReadonlyArray<string | undefined>): { readonly note?: string } => {
  const said = parts.filter((part) => part !== undefined)
  return said.length === 0 ? {} : { note: said.join("; ") }
}

export class Moving {
  private readonly parts: PageParts
  constructor(parts: PageParts) {
    this.parts = parts
  }

  /** Fails with `TabHeld` when the page can only be opened in another tab. */
  readonly open = ({ url }: { readonly url: string }) =>
    Effect.gen({ self: this }, function* () {
      const address = yield* admit(this.parts.tab.admission, url)
      const { commits } = this.parts.tab.model
      // those that the page before went on to while it was left are no others of this one's
      let { documents } = this.parts.tab.model
      let step: "ended" | "sent" | "come" | undefined
      return yield* this.parts.tab.operate(
        {
          operation: "browser_open",
          budget: "navigate",
          escapes: true,
          carried: ({ type }) =>
            this.parts.snapshots.unanswered(
              type === "beforeunload" ? askedNote : this.parts.tab.model.commits === commits ? againNote : dialogNote
            ),
          late: () =>
            step === "come" || this.parts.tab.model.commits !== commits
              ? this.navigating(documents)
              : whyNotThere[step ?? "asked"]
        },
        Effect.flatMap(
          Navigation.navigate(this.parts.tab, address, (next) => {
            step = next
            if (next === "come") documents = this.parts.tab.model.documents - 1
          }),
          ({ ended }) =>
            ended === undefined
              ? this.firstLook(documents)
              : Effect.map(this.firstLook(documents), (snapshot) => ({
                  note: `the page before ${whyEnded[ended]} and was ended to open this one`,
                  ...snapshot
                }))
        )
      )
    })

  /**
   * Loads an address without looking at what came. Always brings a new document, though it be the one before at another
   * fragment: what a script or an application did to that one is not what the address shows. Fails with `TabHeld` as
   * `open` does.
   */
  readonly visit = (url: string) =>
    Effect.gen({ self: this }, function* () {
      const { tab } = this.parts
      const address = yield* admit(tab.admission, url)
      const { documents } = tab.model
      const stays = () => tab.model.documents === documents
      yield* tab.operate(
        { operation: "browser_scrape", budget: "navigate", escapes: true },
        Effect.tap(Navigation.navigate(tab, address), () => (stays() ? Navigation.reload(tab, () => {}) : Effect.void))
      )
    })

  private readonly look = Effect.suspend(() =>
    this.parts.snapshots.take({ interactive: false, wholeFrameTree: false }).pipe(
      Effect.catchTags({
        InvalidArguments: (error) => Effect.die(error),
        SnapshotUnknown: (error) => Effect.die(error),
        SnapshotStale: (error) => Effect.die(error),
        RefUnknown: (error) => Effect.die(error),
        SelectorInvalid: (error) => Effect.die(error),
        TargetNotFound: (error) => Effect.die(error)
      })
    )
  )

  /** Says so if the page keeps loading others by itself; `since`: how many documents there had been before it came. */
  private navigating(since: number, least: number = ownDocuments): string | undefined {
    const { documents } = this.parts.tab.model
    return documents - since < least ? undefined : saidRestless(this.parts.tab, since)
  }

  /**
   * The page is there, whatever the look at it comes to: one that is too busy for it is told of without its elements.
   * `since`: how many documents there had been before it came; one that loads others by itself does so while it is
   * waited for already, and leaves little of the time for this.
   */
  private readonly firstLook = (since: number) =>
    Effect.gen({ self: this }, function* () {
      const { outcomes, snapshots, tab } = this.parts
      const left = yield* timeLeft
      return yield* Effect.andThen(outcomes.built, this.look).pipe(
        Effect.map((snapshot) => {
          const restless = this.navigating(since, manyDocuments)
          return restless === undefined ? snapshot : { note: restless, ...snapshot }
        }),
        Effect.catchTag("SnapshotFailed", ({ reason }) =>
          Effect.sync(() =>
            snapshots.unanswered(this.navigating(since) ?? `the page could not be looked at: ${reason}`)
          )
        ),
        endedAfter(left * lookShare, () =>
          Effect.gen({ self: this }, function* () {
            const navigating = this.navigating(since)
            if (navigating !== undefined) return snapshots.unanswered(navigating)
            const stopped = yield* tab.liveness.stopIfBusy
            const note = `the page was too busy to be looked at${stopped ? ", and what ran in it was stopped" : ""}; try browser_snapshot`
            const unanswered = () => Effect.sync(() => snapshots.unanswered(note))
            return stopped
              ? yield* Effect.timeoutOrElse(
                  Effect.map(this.look, (snapshot) => ({ ...snapshot, note })),
                  { duration: left * ((1 - lookShare) / 2), orElse: unanswered }
                )
              : yield* unanswered()
          })
        ),
        endedBy([unlessRestless(tab, since, () => Effect.sync(() => snapshots.unanswered(saidRestless(tab, since))))])
      )
    })

  readonly back: Op<"back"> = Effect.suspend(() => this.move("browser_back", -1))
  readonly forward: Op<"forward"> = Effect.suspend(() => this.move("browser_forward", 1))

  private move(operation: string, delta: -1 | 1) {
    return this.moving(
      operation,
      (navigated) => ({ navigated }),
      (tell) => Navigation.moveInHistory(this.parts.tab, delta, tell)
    )
  }

  readonly reload: Op<"reload"> = Effect.suspend(() =>
    this.moving(
      "browser_reload",
      (reloaded) => ({ reloaded }),
      (tell) => Navigation.reload(this.parts.tab, tell)
    )
  )

  /** Brings a document by other means than its address; `go` yields undefined if there is none to bring. */
  private moving<Done extends object>(
    operation: string,
    done: (moved: boolean) => Done,
    go: (
      tell: (step: "ended") => void
    ) => Effect.Effect<Navigation.Navigated | undefined, CdpError | Navigation.TabHeld>
  ) {
    const { outcomes, tab } = this.parts
    const mark = outcomes.mark()
    const { commits } = tab.model
    let ended = false
    return tab.operate(
      {
        operation,
        budget: "historyMove",
        escapes: true,
        // the dialog may be one of the page that came
        carried: (dialog) => {
          const moved = tab.model.commits > commits
          const why = dialog.type === "beforeunload" ? stays.asked : stays.again
          const { note, ...outcome } = outcomes.known(mark, dialog)
          return { ...done(moved), url: tab.model.main.url, ...noted(moved ? undefined : why, note), ...outcome }
        },
        late: () => (tab.model.commits > commits ? undefined : ended ? whyNotThere.ended : whyNotMoved)
      },
      Effect.gen({ self: this }, function* () {
        const left = yield* go(() => {
          ended = true
        })
        const { note, ...outcome }: Outcome = left === undefined ? {} : yield* outcomes.loaded(mark)
        const ending = left?.ended === undefined ? undefined : `the page before ${whyEnded[left.ended]} and was ended`
        return {
          ...done(left !== undefined),
          url: tab.model.main.url,
          ...noted(ending ?? (left?.stopped === true ? stoppedNote : undefined), note),
          ...outcome
        }
      }).pipe(
        Effect.catchIf(
          (error): error is Navigation.TabHeld => error instanceof Navigation.TabHeld,
          () => Effect.succeed({ ...done(false), url: tab.model.main.url, note: heldNote })
        )
      )
    )
  }

  readonly stop: Op<"stop"> = Effect.suspend(() =>
    this.parts.tab.operate(
      { operation: "browser_stop", budget: "stop", escapes: true },
      Effect.suspend(() => {
        const { tab } = this.parts
        tab.stops++
        return tab.model.recent.restless
          ? Effect.flatMap(calm(tab), (stays) =>
              stays
                ? Effect.void
                : Effect.flatMap(Timeouts, ({ stop }) =>
                    Effect.fail(
                      new OperationTimeout({
                        operation: "browser_stop",
                        budget: stop,
                        detail: "the page goes on loading others by itself",
                        remedy: "Call browser_open for another address, or browser_close_tab."
                      })
                    )
                  )
            )
          : Effect.asVoid(tab.send("Page.stopLoading"))
      })
    )
  )
}
