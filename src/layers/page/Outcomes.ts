/**
 * After an act: waits for what it began, by events and no longer than needed, and tells what came of it.
 */
import { Clock, Effect } from "effect"
import type { Dialog } from "../../schemas/dialog.ts"
import type { TabId } from "../../schemas/ids.ts"
import type { TabInfo } from "../../schemas/snapshot.ts"
import type { ActOutcome, Outcome } from "../../schemas/tools/common.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { Timeouts } from "../../services/Timeouts.ts"
import type { Agents } from "./Agent.ts"
import { matchWindows } from "./openedWindows.ts"
import { isForeign, whyRefused } from "./refusedAddresses.ts"
import type { Snapshots } from "./Snapshots.ts"
import type { Tab } from "./Tab.ts"
import { chooserNote } from "./fileChoosers.ts"
import { isRestless, saidRestless, unlessRestless } from "./restlessness.ts"
import { endedAfter, endedBy } from "../../services/endings.ts"

/** Rest means: no change of the document for so many ms, and an animation frame or two where it did not react. */
const idleMs = 6

/**
 * A page that keeps changing, without any request, is watched for so long (ms) until it is taken for one that never
 * rests; from then on, and right after it was opened, only for the shorter time, until it is seen at rest once.
 */
const churnMs = 1_500
const restlessMs = 250

/** A navigation that an act began is waited for so long (ms); a page that still loads then is reported as unsettled. */
const navigationMs = 10_000

/**
 * A navigation that a form or script asked for has begun after so long (ms), or else the page itself kept it from that,
 * as a router does that takes it over.
 */
const unbegunMs = 1_000

/** An answer of a server of which nothing more comes for so long (ms) is taken for one that the page does not read. */
const unreadMs = 300

const windowReason =
  "the browser did not let the page open this window; one window for each act is what it lets through"

const printNote = "the page has called for being printed, which is not done here: browser_pdf makes a file of it"

/** A title that changes so often while nothing is done counts or blinks: its changes say nothing of acts. */
const ownTitles = 3

/** An address that something was led to and did not reach. */
type Blocked = Pick<NonNullable<Outcome["blocked"]>, "url" | "reason">

const notLoaded = (failure: string): string =>
  `it could not be loaded: ${failure}; the tab shows the browser's error page`

const eachOnce = (blocked: ReadonlyArray<Blocked>): ReadonlyArray<Blocked> => [
  ...new Map(blocked.map((one) => [`${one.url} ${one.reason}`, one])).values()
]

/** The state before an act. */
export interface Mark {
  readonly sequence: number
  readonly commits: number
  /** documents shown so far */
  readonly documents: number
  readonly tabs: number
  /** tabs that had closed by then, and were told of */
  readonly closedTabs: number
  readonly windowsOpened: number
  readonly windowsToLoad: number
  readonly refusals: number
  /** title of the page, if that says something of what acts do to it */
  readonly title: string | undefined
}

/** A tab that has closed; `active`: the one that is active in its place, if it was that. */
export interface ClosedTab {
  readonly tab: TabInfo
  readonly active: TabInfo | undefined
}

const nameOf = ({ id, url }: TabInfo): string => `tab ${id} (${url.slice(0, 200)})`

const closedNotes = (closed: ReadonlyArray<ClosedTab>): ReadonlyArray<string> => {
  const active = closed.find((one) => one.active !== undefined)?.active
  return [
    ...closed.map(({ tab }) => `${nameOf(tab)} has closed`),
    ...(active === undefined ? [] : [`${nameOf(active)} is active now`])
  ]
}

/** The session's tabs, as far as an act must know of them. */
export interface TabsView {
  /** a mark in time */
  readonly mark: () => number
  /** tabs that came after the mark, those that have closed again included */
  readonly since: (mark: number) => ReadonlyArray<TabInfo>
  /** a dialog that is open in a tab that came after the mark */
  readonly dialogSince: (mark: number) => Dialog | undefined
  /** what tabs that came after the mark were led to and did not go to */
  readonly refusedSince: (mark: number) => ReadonlyArray<Blocked>
  /** brings the titles up to date */
  readonly refresh: Effect.Effect<void>
  /** how many tabs that closed were told of */
  readonly closedMark: () => number
  /**
   * Tabs that were there at the mark `tabs` and have closed by themselves since the mark `closed`, and the tab that is
   * active since then, if one of them was. They count as told of.
   */
  readonly closedSince: (closed: number, tabs: number) => ReadonlyArray<ClosedTab>
  /** waits for tabs that are closing, among those that share the tab's process; ends at once if there are none */
  readonly closings: (tab: TabId) => Effect.Effect<void>
  /** waits for the tab that takes the place of the last one */
  readonly replaced: Effect.Effect<void>
  /** how many came, and how many of them show a document by now */
  readonly cameSince: (mark: number) => { readonly attached: number; readonly loaded: number }
}

export class Outcomes {
  private readonly tab: Tab
  private readonly agents: Agents
  private readonly snapshots: Snapshots
  private readonly tabs: TabsView
  /** the page was last seen changing without end */
  private restless = false
  /** how often the title of which document had changed at the end of the latest act, and whether it does so by itself */
  private titles = { loaderId: "", changes: 0, restless: false }
  constructor(options: {
    readonly tab: Tab
    readonly agents: Agents
    readonly snapshots: Snapshots
    readonly tabs: TabsView
  }) {
    this.tab = options.tab
    this.agents = options.agents
    this.snapshots = options.snapshots
    this.tabs = options.tabs
  }

  mark(): Mark {
    this.agents.forgetActs()
    this.lookAtTitle()
    return {
      sequence: this.tab.model.mark(),
      commits: this.tab.model.commits,
      documents: this.tab.model.documents,
      tabs: this.tabs.mark(),
      closedTabs: this.tabs.closedMark(),
      windowsOpened: this.tab.model.windows.count,
      windowsToLoad: this.tab.model.windows.toLoad,
      refusals: this.tab.model.refusals,
      title: this.titles.restless ? undefined : this.tab.title
    }
  }

  /** Learns whether the title changes while nothing is done. */
  private lookAtTitle(atEnd = false): void {
    const { loaderId } = this.tab.model.main
    const known = this.titles.loaderId === loaderId
    const changes = this.tab.titleChanges
    const restless = known && (this.titles.restless || (!atEnd && changes - this.titles.changes >= ownTitles))
    this.titles = { loaderId, changes: known && !atEnd ? this.titles.changes : changes, restless }
  }

  /** What is known to have come of an act so far, without asking the page. */
  known(mark: Mark, dialog?: Dialog, atEnd = false): Outcome {
    const { model } = this.tab
    const { addressOf, missing } = this.windows(mark)
    const newTabs = this.tabs
      .since(mark.tabs)
      // one that closed before it got anywhere has no other address
      .map((tab) => (tab.closed === true ? { ...tab, url: addressOf.get(tab.id) ?? tab.url } : tab))
    const [blocked, ...also] = eachOnce([
      ...(model.documents > mark.documents && model.failure !== undefined
        ? [{ url: model.main.url, reason: notLoaded(model.failure) }]
        : []),
      ...(model.refusals > mark.refusals && model.lastRefusal !== undefined ? [model.lastRefusal] : []),
      ...this.tabs.refusedSince(mark.tabs),
      ...model.kept.since(mark.sequence),
      ...[...addressOf.values()].filter(isForeign).map((url) => ({ url, reason: whyRefused(url) })),
      // what was opened and has not come by the end does not come
      ...(atEnd ? missing.map((url) => ({ url, reason: isForeign(url) ? whyRefused(url) : windowReason })) : [])
    ])
    const open = dialog ?? this.tabs.dialogSince(mark.tabs)
    const { chooser, printed } = model
    const notes = [
      ...closedNotes(this.tabs.closedSince(mark.closedTabs, mark.tabs)),
      ...(chooser !== undefined && chooser.seq > mark.sequence ? [chooserNote(chooser.wants)] : []),
      ...(printed > mark.sequence ? [printNote] : [])
    ]
    const downloads = model.downloads.filter((download) => download.seq > mark.sequence)
    return {
      ...(open === undefined ? {} : { dialog: open }),
      ...(model.commits > mark.commits && model.lastCommit !== undefined ? { navigatedTo: model.lastCommit.url } : {}),
      ...(model.documents > mark.documents && model.failedStatus !== undefined ? { status: model.failedStatus } : {}),
      ...(blocked === undefined ? {} : { blocked: also.length === 0 ? blocked : { ...blocked, also } }),
      ...(newTabs.length === 0 ? {} : { newTabs }),
      ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
      ...(downloads.length === 0 ? {} : { downloads: downloads.map(({ seq: _, ...download }) => download) })
    }
  }

  /** Waits for tabs that a script has begun to close, this one or windows that it can reach. */
  readonly closings: Effect.Effect<void> = Effect.suspend(() => this.tabs.closings(this.tab.id))

  /** What is known of an act at which its tab closed. */
  closed(mark: Mark): Effect.Effect<Outcome> {
    return Effect.map(this.tabs.replaced, () => this.known(mark))
  }

  /** Waits until the page is at rest and tells what changed. */
  settled(mark: Mark): Effect.Effect<ActOutcome, CdpError> {
    return Effect.flatMap(this.rest(mark), (atRest) => this.told(mark, atRest))
  }

  /**
   * As {@link settled}, for a page that was just loaded: waits only for requests that it made meanwhile. One that never
   * ends loading has been waited for enough.
   */
  loaded(mark: Mark): Effect.Effect<Outcome, CdpError> {
    return Effect.map(Effect.andThen(this.built, this.told(mark, true)), ({ unsent: _, ...outcome }) => outcome)
  }

  /** Waits for what a page asked for while it loaded, and for what it does right after; one kept in memory is built. */
  readonly built: Effect.Effect<void, CdpError> = Effect.suspend(() => {
    const { model } = this.tab
    const mark = this.mark()
    return model.navigating || (model.loaded && model.lastCommit?.restored !== true)
      ? Effect.asVoid(this.rest({ ...mark, sequence: -1, documents: mark.documents - 1 }, restlessMs))
      : Effect.void
  })

  private told(mark: Mark, atRest: boolean): Effect.Effect<ActOutcome, CdpError> {
    return Effect.gen({ self: this }, function* () {
      if (this.tabs.since(mark.tabs).length > 0) yield* this.tabs.refresh
      // a page that waits for the next one answers nothing
      const restless = isRestless(this.tab, mark.documents)
      const changes =
        this.tab.model.navigating || restless
          ? Effect.succeed({})
          : this.snapshots.changes(this.tab.model.documents !== mark.documents, mark.title).pipe(
              Effect.catchTags({
                SnapshotFailed: () => Effect.succeed({}),
                SelectorInvalid: () => Effect.succeed({}),
                TargetNotFound: () => Effect.succeed({})
              })
            )
      const [seen] = yield* Effect.all([changes, this.closings], { concurrency: "unbounded" })
      this.lookAtTitle(true)
      const { note, ...known } = this.known(mark, undefined, true)
      const notes = [
        ...(note === undefined ? [] : [note]),
        ...(restless ? [saidRestless(this.tab, mark.documents)] : [])
      ]
      return {
        ...known,
        ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
        // windows that do not come are waited for in vain; that is no unrest of the page
        ...(atRest || (this.windows(mark).missing.length > 0 && this.idle(mark)) ? {} : { unsettled: true }),
        ...seen
      }
    })
  }

  /** The windows that the page opened since the mark: which tab is which, and those that are no tabs. */
  private windows(mark: Mark) {
    const came = this.tabs.since(mark.tabs).filter(({ opener }) => opener === this.tab.id)
    return matchWindows(this.tab.model.windows.since(mark.windowsOpened), came)
  }

  /** Nothing that began in the page after the mark is under way, as far as is known without asking it. */
  private idle(mark: Mark, requests: "all" | "unanswered" = "all"): boolean {
    const { model } = this.tab
    return (
      !model.navigating &&
      (model.commits === mark.commits || model.loaded) &&
      model.requestsSince(mark.sequence)[requests] === 0 &&
      model.downloadsSince(mark.sequence) === 0
    )
  }

  /** Every window that was opened since the mark is a tab, and shows its document if it was given one. */
  private windowsCame(mark: Mark): boolean {
    const { count, toLoad } = this.tab.model.windows
    if (count === mark.windowsOpened) return true
    const came = this.tabs.cameSince(mark.tabs)
    return came.attached >= count - mark.windowsOpened && came.loaded >= toLoad - mark.windowsToLoad
  }

  /**
   * All requests are answered: whether more of an answer comes. Nothing tells that the page does not read the rest of one,
   * but that nothing more comes.
   */
  private comesMore(mark: Mark): Effect.Effect<boolean> {
    const { received } = this.tab.model
    return this.tab
      .until((now) =>
        this.idle(mark) ? false : now.received > received || !this.idle(mark, "unanswered") ? true : undefined
      )
      .pipe(endedAfter(unreadMs, () => Effect.succeed(false)))
  }

  /**
   * Waits until nothing that began after the mark is under way; false if the time for that ran out, or the page goes on
   * loading others by itself.
   */
  private rest(mark: Mark, patience = churnMs): Effect.Effect<boolean, CdpError> {
    return this.atRest(mark, patience).pipe(
      endedBy([unlessRestless(this.tab, mark.documents, () => Effect.succeed(false))])
    )
  }

  private atRest(mark: Mark, patience: number): Effect.Effect<boolean, CdpError> {
    return Effect.gen({ self: this }, function* () {
      const { model } = this.tab
      const { settle } = yield* Timeouts
      const start = yield* Clock.currentTimeMillis
      while (true) {
        const moving = model.navigating || (model.commits > mark.commits && !model.loaded)
        const left = start + (moving ? navigationMs : settle) - (yield* Clock.currentTimeMillis)
        if (left <= 0) return false
        const unbegun = model.isRequested && left > unbegunMs
        const idle = yield* this.tab
          .until((now) =>
            this.windowsCame(mark) && this.idle(mark, "unanswered")
              ? "idle"
              : !moving && now.navigating
                ? "moved"
                : undefined
          )
          .pipe(endedAfter(unbegun ? unbegunMs : left, () => Effect.succeed("late" as const)))
        if (idle === "late" && unbegun) {
          yield* this.tab.abandoned(left - unbegunMs)
          continue
        }
        if (idle === "late") return false
        if (idle === "moved") continue
        if (!this.idle(mark) && (yield* this.comesMore(mark))) continue
        const before = model.mark()
        const remaining = start + settle - (yield* Clock.currentTimeMillis)
        const churn = this.restless ? restlessMs : patience
        const timeout = Math.max(idleMs, remaining)
        const options = { idle: idleMs, timeout, churn, fresh: model.documents > mark.documents }
        const [rest, ...inFrames] = yield* Effect.all(
          [
            this.snapshots.rest(options),
            // one that does not answer holds nobody up for longer than that
            ...this.agents
              .acted()
              .map((frame) =>
                this.agents
                  .call(frame, "quiet", { ...options, fresh: false })
                  .pipe(endedAfter(timeout, () => Effect.succeed({ quiet: false, changed: false })))
              )
          ].map(Effect.catchTag("DocumentGone", () => Effect.succeed(undefined))),
          { concurrency: "unbounded" }
        )
        if (inFrames.some((one) => one?.quiet === false)) return false
        if (rest !== undefined) this.restless = !rest.quiet
        if (this.restless) return false
        if (rest !== undefined && model.mark() === before) return true
      }
    })
  }
}
