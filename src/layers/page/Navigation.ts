/** Loading pages: by address, through the history, again. */
import { Data, Effect } from "effect"
import { NavigationBlocked, NavigationFailed } from "../../schemas/errors.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { timeLeft, within } from "../../services/Timeouts.ts"
import { leave } from "./leaving.ts"
import type { Commit } from "./PageModel.ts"
import type { Tab } from "./Tab.ts"
import { unlessRestless } from "./restlessness.ts"
import { endedAfter, endedBy } from "../../services/endings.ts"

/** After the document is parsed, its load event is waited for so long (ms): a frame or picture may never come. */
const loadAfterReadyMs = 5_000

/** After the commit, the document's end is waited for so long (ms): a response may never end. */
const readyAfterCommitMs = 10_000

/** Part of the time that is left which a page may take to load: what is there then is still to be looked at. */
const loadShare = 0.6

/** The event that tells of a download is waited for so long (ms) once a navigation came to nothing. */
const downloadEventMs = 300

/** A page that does not answer for so long (ms) when it is to be left is stuck. */
const patienceMs = 1_000

/** A page that brings no other document for so long (ms) waits for a server. */
const stillMs = 150

/** How often an address is asked for at the most when the page before makes nothing come of it. */
const attempts = 4

/** The browser's word that it has stopped a load is waited for so long (ms): whoever gave up waits for it, too. */
const stopMs = 300

/** A page that makes no room for the next one for so long (ms), and cannot be reached meanwhile, never will. */
const heldMs = 1_200

/**
 * The tab is lost: the page before holds it, and nothing reaches that page any more (`Liveness.isHeld`). Closing the tab
 * is what is left.
 */
export class TabHeld extends Data.TaggedError("TabHeld")<{
  /** it answers, but goes on loading other pages by itself */
  readonly restless: boolean
}> {}

/** A document that a page began to load before it was left is waited for so long (ms). */
const overtakenMs = 1_000

/** So long (ms) a page that is being left may take before it is looked whether it is stuck. */
const roomMs = 300

/**
 * Waits until the document of the latest commit is loaded, within bounds; false if it still loads then, or goes on to
 * others by itself.
 */
export const loaded = (tab: Tab): Effect.Effect<boolean> => {
  const since = tab.model.documents - 1
  const when = (what: "domReady" | "loaded", atMost: number) =>
    Effect.flatMap(timeLeft, (left) =>
      tab
        .until((model) => (model[what] ? true : undefined))
        .pipe(endedAfter(Math.min(atMost, left * loadShare), () => Effect.succeed(false)))
    )
  return Effect.flatMap(when("domReady", readyAfterCommitMs), (ready) =>
    ready ? when("loaded", loadAfterReadyMs) : Effect.succeed(false)
  ).pipe(endedBy([unlessRestless(tab, since, () => Effect.succeed(false))]))
}

/**
 * Stops what was begun when a navigation is given up, so that the tab stays usable. A page that only waits for the
 * answer to a dialog goes on loading.
 */
const stopLoading = (tab: Tab) =>
  Effect.suspend(() =>
    tab.dialogs.blocking(tab.id).length > 0
      ? Effect.void
      : Effect.ignore(tab.send("Page.stopLoading").pipe(within("stop", stopMs)))
  )

/** How the page before was left. */
export interface Navigated {
  /** why the process that rendered it had to be ended to get away from it: it was stuck, kept navigating, or kept asking */
  readonly ended?: "stuck" | "restless" | "asking"
  /** it was stuck, and its script was stopped */
  readonly stopped?: boolean
}

/**
 * Waits for what only the page before can hold up: that it lets itself be left, and makes room for the next one in its
 * process. If it is stuck its script is stopped, or it is ended, which yields undefined. Fails if neither can be done.
 *
 * @param onward says that what is waited for is no longer up to the page before
 * @param stuck told that the page did not answer
 */
const unlessStuck = <A, E>(
  tab: Tab,
  wait: Effect.Effect<A, E>,
  onward: () => boolean,
  stuck: () => void
): Effect.Effect<A | undefined, E | TabHeld> => {
  const lost = Effect.flatMap(tab.liveness.isHeld(heldMs), (held) =>
    held ? Effect.fail(new TabHeld({ restless: false })) : Effect.void
  )
  const guard = Effect.gen(function* () {
    do {
      yield* Effect.andThen(Effect.sleep(roomMs), lost)
      if (yield* tab.liveness.stopIfBusy) stuck()
    } while (!(yield* tab.liveness.endIfStuck(roomMs)))
    return "ended" as const
  })
  // from then on the page before answers nothing, stuck or not
  const isOnward = tab.until(() => (onward() ? ("onward" as const) : undefined))
  const watch = Effect.flatMap(Effect.raceFirst(guard, isOnward), (came) =>
    came === "ended" ? Effect.succeed(undefined) : Effect.forever(Effect.andThen(Effect.sleep(roomMs), lost))
  )
  return Effect.raceFirst(wait, watch)
}

/** What came of an attempt to leave a page: it was left, it held everything up, or it loaded itself again meanwhile. */
type Came = "there" | "stuck" | "restless"

/**
 * Makes the page before ready to be left, and tries to leave it until that succeeds. A page that does not answer is
 * ended, and so is one that never makes room for the next; `gently`: if stopping its script does not help.
 *
 * @param once one attempt; it calls the function that it is given once it has met a script that had to be stopped
 * @param tell told when the page before was ended
 */
const getAway = <E>(
  tab: Tab,
  gently: boolean,
  once: (stuck: () => void) => Effect.Effect<Came, E>,
  tell: (step: "ended") => void
): Effect.Effect<Navigated, E | TabHeld> =>
  Effect.gen(function* () {
    const { model } = tab
    if (model.navigating) {
      const { commits } = model
      const comes = tab.until((now) => (now.commits > commits || !now.navigating ? false : undefined))
      if (yield* Effect.raceFirst(tab.liveness.isHeld(heldMs), comes)) return yield* new TabHeld({ restless: false })
    }
    // one that waits for another page answers nothing, stuck or not; one that loads itself again and again is not helped
    if (model.navigating) {
      const { documents } = model
      yield* Effect.sleep(stillMs)
      if (model.navigating && model.documents === documents) yield* stopLoading(tab)
    }
    const wasStopped = gently && (yield* tab.liveness.stopIfStuck(patienceMs))
    // a timer of it may start the next endless script as soon as it has answered
    if (wasStopped) yield* Effect.sleep(stillMs)
    let ended: Navigated["ended"] = (yield* tab.liveness.endIfStuck(wasStopped ? roomMs : patienceMs))
      ? "stuck"
      : undefined
    if (ended !== undefined) tell("ended")
    let stopped = false
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (yield* leave(tab)) {
        ended = "asking"
        tell("ended")
      }
      const came = yield* once(() => {
        stopped = true
      })
      // the timers of a page whose script was stopped start others, and hold up the page that took its place
      if (came === "there" && !(stopped && (yield* tab.liveness.endIfStuck(roomMs)))) break
      // one that shares its process is not ended; another tab in its place is as good
      if (came === "restless" && !(yield* tab.liveness.end)) return yield* new TabHeld({ restless: true })
      model.recent.forget()
      stopped = false
      ended = came === "restless" ? came : "stuck"
      tell("ended")
    }
    model.recent.forget()
    return ended !== undefined ? { ended } : wasStopped || stopped ? { stopped: true } : {}
  })

/**
 * Loads an address and waits for its document. A page before that never makes room for it is ended.
 *
 * Fails with `NavigationFailed` when the browser has no document for it: the connection failed, the answer has no
 * content (204), the address is a download. Fails with `NavigationBlocked` when a redirect leads to an address that may
 * not be loaded; nothing was sent to that one. Fails with `TabHeld` when only another tab can show a page.
 *
 * @param tell told when the page before was ended, when the server's answer is there, and when its document is
 */
export const navigate = (
  tab: Tab,
  url: string,
  tell: (step: "ended" | "sent" | "come") => void = () => {}
): Effect.Effect<Navigated, CdpError | NavigationBlocked | NavigationFailed | TabHeld> => {
  const { model } = tab
  const once = (stuck: () => void) =>
    Effect.suspend((): Effect.Effect<Came, CdpError | NavigationBlocked | NavigationFailed | TabHeld> => {
      const { commits, documents, navigationsBegun } = model
      const left = model.main.url
      /**
       * The page loaded itself again meanwhile, or one of those that it goes on loading by itself, so that nothing came of
       * what was asked for. A page that was asked for, and went on to another one when it was there, is no such one.
       */
      const overtaken = () =>
        model.documents > documents && model.main.url !== url && (model.main.url === left || model.recent.restless)
      const onward = () => model.navigationsBegun > navigationsBegun
      return Effect.gen(function* () {
        const document = yield* unlessStuck(tab, request(tab, url), onward, stuck)
        if (document === undefined) return "stuck"
        tell("sent")
        const { loaderId } = document
        // without a loader id the document stays: only the fragment changed
        if (loaderId === undefined) return "there"
        const arrived = tab.until((now) =>
          now.main.loaderId === loaderId ? "there" : now.commits > commits ? "other" : undefined
        )
        const came = yield* unlessStuck(tab, arrived, () => false, stuck)
        // it began to load itself again before it had to go: what was asked for is there, and is about to be replaced
        const { overtakenBy } = model
        if (
          came === "there" &&
          overtakenBy !== undefined &&
          overtakenBy !== url &&
          (overtakenBy === left || model.recent.restless)
        ) {
          const shown = model.documents
          yield* tab
            .until((now) => (now.documents > shown ? true : undefined))
            .pipe(endedAfter(overtakenMs, () => Effect.succeed(false)))
          return overtaken() ? "restless" : "there"
        }
        if (came === undefined) return "stuck"
        if (came === "other" && !model.recent.has(loaderId) && overtaken()) return "restless"
        tell("come")
        return "there"
      }).pipe(
        Effect.catchIf(
          (error): error is NavigationFailed => error._tag === "NavigationFailed" && overtaken(),
          () => Effect.succeed("restless" as const)
        )
      )
    })
  return getAway(tab, false, once, tell).pipe(
    Effect.tap(() => loaded(tab)),
    Effect.onInterrupt(() => stopLoading(tab))
  )
}

/** Asks for an address; yields the document that the server sent, by name if it is another one. */
const request = (
  tab: Tab,
  url: string
): Effect.Effect<{ readonly loaderId?: string | undefined }, CdpError | NavigationBlocked | NavigationFailed> =>
  Effect.gen(function* () {
    const { model } = tab
    const mark = model.mark()
    const { refusals } = model
    const { stops } = tab
    const reply = yield* tab.send("Page.navigate", { url })
    if (model.refusals > refusals && model.lastRefusal !== undefined) {
      return yield* new NavigationBlocked(model.lastRefusal)
    }
    if (reply.isDownload === true || (reply.errorText !== undefined && reply.errorText !== "")) {
      const aborted = reply.isDownload === true || reply.errorText === "net::ERR_ABORTED"
      // the event that names the file may come after the reply
      const download = aborted
        ? yield* tab
            .until((now) => now.downloads.find((one) => one.seq > mark))
            .pipe(endedAfter(downloadEventMs, () => Effect.succeed(undefined)))
        : undefined
      return yield* new NavigationFailed({
        url,
        reason:
          download === undefined && reply.isDownload !== true
            ? explain(
                reply.errorText ?? "",
                model.statusOf(reply.loaderId ?? ""),
                tab.stops > stops,
                model.ledNowhere ? model.kept.since(mark).at(-1) : undefined
              )
            : `the address is a download (${download?.suggestedName ?? "a file"}), not a page; use browser_download, which is done when the file is whole`
      })
    }
    return { loaderId: reply.loaderId }
  })

/** The browser says of an answer without a page, or to somebody without a login, only that it is none. */
const withStatus = (errorText: string, answered: number | undefined): string => {
  const status = answered ?? (errorText === "net::ERR_INVALID_AUTH_CREDENTIALS" ? 401 : undefined)
  if (status === undefined || status < 400) return errorText
  const wants = status === 401 || status === 407 ? " and asks for a login" : ""
  return `the server has answered with HTTP status ${status}${wants} (${errorText})`
}

const explain = (
  errorText: string,
  status: number | undefined,
  stopped: boolean,
  kept: { readonly reason: string } | undefined
): string =>
  errorText !== "net::ERR_ABORTED"
    ? withStatus(errorText, status)
    : stopped
      ? "browser_stop stopped it before the server had sent a page; the tab still shows the page before"
      : kept !== undefined
        ? `${kept.reason}; the tab still shows the page before`
        : "net::ERR_ABORTED (the server sent no page, or another navigation or a dialog took its place)"

/**
 * Moves by `delta` entries in the history of the tab.
 *
 * @returns undefined if there is no such entry
 */
export const moveInHistory = (
  tab: Tab,
  delta: -1 | 1,
  tell: (step: "ended") => void
): Effect.Effect<Navigated | undefined, CdpError | TabHeld> =>
  Effect.gen(function* () {
    const { currentIndex, entries } = yield* tab.send("Page.getNavigationHistory")
    const entry = entries[currentIndex + delta]
    return entry === undefined
      ? undefined
      : yield* committed(tab, tab.send("Page.navigateToHistoryEntry", { entryId: entry.id }), tell)
  })

/** Loads the document again. */
export const reload = (tab: Tab, tell: (step: "ended") => void): Effect.Effect<Navigated, CdpError | TabHeld> =>
  committed(tab, tab.send("Page.reload"), tell)

/**
 * Sends a command that brings a document, and waits for that. A page that does not answer is freed before the command:
 * the browser stops no script of a page that waits for its own reload.
 */
const committed = (
  tab: Tab,
  command: Effect.Effect<unknown, CdpError>,
  tell: (step: "ended") => void
): Effect.Effect<Navigated, CdpError | TabHeld> => {
  const { model } = tab
  let commit: Commit | undefined
  const once = (stuck: () => void) =>
    Effect.gen(function* () {
      const { commits, navigationsBegun } = model
      const came = Effect.andThen(
        command,
        tab.until((now): Commit | undefined => (now.commits > commits ? now.lastCommit : undefined))
      )
      commit = yield* unlessStuck(tab, came, () => model.navigationsBegun > navigationsBegun, stuck)
      return commit === undefined ? "stuck" : "there"
    })
  return getAway(tab, true, once, tell).pipe(
    Effect.tap(() =>
      commit === undefined || commit.sameDocument || commit.restored ? Effect.void : Effect.asVoid(loaded(tab))
    ),
    Effect.onInterrupt(() => stopLoading(tab))
  )
}
