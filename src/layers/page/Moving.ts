/** Loading pages in one tab, with a first look at what came. */
import { Effect } from "effect"
import type { BackgroundTab } from "../../services/BrowserSession.ts"
import { timeLeft } from "../../services/Timeouts.ts"
import { admit } from "./admission.ts"
import * as Navigation from "./Navigation.ts"
import type { Op, PageParts } from "./PageParts.ts"

/** Part of the time that is left which the first look at a page may take. */
const lookShare = 0.8

/** What is said of a page that had to be ended. */
const endedNotes = {
  stuck: "the page before did not answer any more and was ended to open this one",
  restless: "the page before kept navigating by itself and was ended to open this one"
} as const

const dialogNote = "a dialog is open; answer it with browser_dialog"
const askedNote =
  "not opened: the tab still shows the page before, whose dialog asks whether to leave it; answer it with browser_dialog, where accept leaves"
const againNote =
  "not opened: the page before opened a dialog once more while it was left; answer it with browser_dialog, open the address with newTab, or call browser_reset_session"

/** Why no page is there at the end of the time, by how far it came. */
const whyNotThere = {
  asked: "the server has not sent a page; the tab still shows the one before",
  ended: "the server has not sent a page; the one before did not answer any more and was ended",
  sent: "the page before does not answer and makes no room for the next one; browser_close_tab or browser_reset_session frees you of it"
} as const

/** A page that has brought more documents than this since it was opened keeps navigating by itself. */
const ownDocuments = 3

export class Moving {
  private readonly parts: PageParts
  constructor(parts: PageParts) {
    this.parts = parts
  }

  readonly open: Op<"open"> = ({ url }) =>
    Effect.gen({ self: this }, function* () {
      const address = yield* admit(this.parts.tab.admission, url)
      const { commits, documents } = this.parts.tab.model
      let step: "ended" | "sent" | undefined
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
            this.parts.tab.model.commits === commits ? whyNotThere[step ?? "asked"] : this.navigating(documents)
        },
        Effect.flatMap(
          Navigation.navigate(this.parts.tab, address, (next) => {
            step = next
          }),
          ({ ended }) =>
            ended === undefined
              ? this.firstLook
              : Effect.map(this.firstLook, (snapshot) => ({ note: endedNotes[ended], ...snapshot }))
        )
      )
    })

  /** Loads an address without looking at what came. */
  readonly visit: BackgroundTab["visit"] = (url) =>
    Effect.gen({ self: this }, function* () {
      const { tab } = this.parts
      const address = yield* admit(tab.admission, url)
      yield* tab.operate(
        { operation: "browser_scrape", budget: "navigate", escapes: true },
        Navigation.navigate(tab, address)
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

  /** Says so if the page keeps loading others by itself; `since`: how many documents there had been when it came. */
  private navigating(since: number): string | undefined {
    const { documents, main } = this.parts.tab.model
    return documents - since < ownDocuments
      ? undefined
      : `the page keeps navigating by itself, ${documents - since} times so far, now to ${main.url.slice(0, 500)}; browser_stop or another browser_open ends it`
  }

  /** The page is there, whatever the look at it comes to: one that is too busy for it is told of without its elements. */
  private readonly firstLook = Effect.gen({ self: this }, function* () {
    const { outcomes, snapshots, tab } = this.parts
    const { documents } = tab.model
    const left = yield* timeLeft
    return yield* Effect.andThen(outcomes.built, this.look).pipe(
      Effect.timeoutOrElse({
        duration: left * lookShare,
        orElse: () =>
          Effect.gen({ self: this }, function* () {
            const navigating = this.navigating(documents)
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
      })
    )
  })

  readonly back: Op<"back"> = Effect.suspend(() => this.move("browser_back", -1))
  readonly forward: Op<"forward"> = Effect.suspend(() => this.move("browser_forward", 1))

  private move(operation: string, delta: -1 | 1) {
    const mark = this.parts.outcomes.mark()
    return this.parts.tab.operate(
      {
        operation,
        budget: "historyMove",
        escapes: true,
        carried: (dialog) => ({
          navigated: false,
          url: this.parts.tab.model.main.url,
          ...this.parts.outcomes.known(mark, dialog)
        })
      },
      Effect.gen({ self: this }, function* () {
        const navigated = yield* Navigation.moveInHistory(this.parts.tab, delta)
        const outcome = navigated ? yield* this.parts.outcomes.loaded(mark) : {}
        return { navigated, url: this.parts.tab.model.main.url, ...outcome }
      })
    )
  }

  readonly reload: Op<"reload"> = Effect.suspend(() => {
    const mark = this.parts.outcomes.mark()
    return this.parts.tab.operate(
      {
        operation: "browser_reload",
        budget: "historyMove",
        escapes: true,
        carried: (dialog) => ({
          reloaded: false,
          url: this.parts.tab.model.main.url,
          ...this.parts.outcomes.known(mark, dialog)
        })
      },
      Effect.gen({ self: this }, function* () {
        yield* Navigation.reload(this.parts.tab)
        const outcome = yield* this.parts.outcomes.loaded(mark)
        return { reloaded: true as boolean, url: this.parts.tab.model.main.url, ...outcome }
      })
    )
  })

  readonly stop: Op<"stop"> = Effect.suspend(() =>
    this.parts.tab.operate(
      { operation: "browser_stop", budget: "stop", escapes: true },
      Effect.asVoid(this.parts.tab.send("Page.stopLoading"))
    )
  )
}
