/** The tabs of one session: opened, adopted when the page opens them, switched, closed, replaced when the last one goes. */
import { Deferred, Effect, Fiber, FiberSet, type Scope } from "effect"
import { type OperationTimeout, SessionLost, TabUnknown } from "../../../schemas/errors.ts"
import { type CdpSessionId, type FrameId, TabId, type TargetId } from "../../../schemas/ids.ts"
import type { TabInfo } from "../../../schemas/snapshot.ts"
import type { BrowserSession, PageError } from "../../../services/BrowserSession.ts"
import type { CdpError } from "../../../services/CdpConnection.ts"
import { endedAfter } from "../../../services/endings.ts"
import { within, withinBudget } from "../../../services/Timeouts.ts"
import { type Admission, makeAdmission } from "../../page/admission.ts"
import { calm } from "../../page/calming.ts"
import { Page } from "../../page/Page.ts"
import { Tab } from "../../page/Tab.ts"
import type { AttachedPage } from "../../page/Targets.ts"
import type { Supervisor } from "../../supervisor/SupervisorLive.ts"
import type { CdpSessionOptions } from "./CdpSessionOptions.ts"
import { makePageDownloads } from "./PageDownloads.ts"
import { dialogsOfTabs, relatedTabs } from "./relatedTabs.ts"
import { noteSilence, setUpPage } from "./setUp.ts"
import { tabEvents } from "./tabEvents.ts"
import { type Closed, makeTabsView } from "./tabsView.ts"
import { titlesOf } from "./tabTitles.ts"
import { makeWorkers, type Workers } from "./Workers.ts"

export interface Tabs {
  /** The tabs, titles as the browser knows them now. */
  readonly list: Effect.Effect<ReadonlyArray<TabInfo>, SessionLost>
  /** Fails once the browser is gone. */
  readonly alive: Effect.Effect<void, SessionLost>
  readonly activePage: Effect.Effect<Page, PageError>
  /** The page of the active tab, set up or not; undefined between the end of the last tab and the next. */
  readonly active: () => Page | undefined
  /** All pages, in the order of opening. */
  readonly pages: () => ReadonlyArray<Page>
  /** The page that a session belongs to, as its own or as that of a frame. */
  readonly ofSession: (sessionId: CdpSessionId) => Page | undefined
  /** Opens a blank tab and makes it the active one. */
  readonly openBlank: Effect.Effect<Page, PageError>
  readonly admission: Admission
  readonly workers: Pick<Workers, "ofTarget">
  readonly switchTo: BrowserSession["switchTab"]
  readonly close: BrowserSession["closeTab"]
  readonly reset: BrowserSession["reset"]
  /** Gives up the active tab, opens a blank one and makes it active; yields the id of the one that closes. */
  readonly replaceActive: Effect.Effect<TabId, PageError>
  /** Makes everybody who waits for a tab look again. */
  readonly tellAll: () => void
}

/** A session's tabs at the most; a page that opens more gets them closed at once. */
export const maxTabs = 100

/** The tab that takes the place of the last one is waited for so long (ms) before it is told which one is active. */
const replacedMs = 3_000

/** Tabs that closed are remembered, the latest so many. */
const closedTabs = 50

export const makeTabs = (
  options: CdpSessionOptions,
  supervisor: Supervisor
): Effect.Effect<Tabs, CdpError, Scope.Scope> =>
  Effect.gen(function* () {
    const { browserContextId, config, connection, targets, viewport } = options
    const admission = makeAdmission(config)
    /** what becomes of downloads is set for a whole profile, and that belongs to others, too */
    const leavesDownloads = options.shared === true && browserContextId === undefined
    const pages = new Map<TabId, Page>()
    const bySession = new Map<CdpSessionId, Page>()
    const byTarget = new Map<TargetId, Page>()
    const closers = new Map<TabId, Deferred.Deferred<void>>()
    /** nobody is to see them any more; they close */
    const givenUp = new WeakSet<Page>()
    const shown = () => [...pages.values()].filter((page) => !givenUp.has(page))
    let active: TabId | undefined
    const activate = (id: TabId | undefined): void => {
      active = id
      const targetId = id === undefined ? undefined : pages.get(id)?.tab.targetId
      if (targetId !== undefined) options.activated?.(targetId)
    }
    let opened = 0
    let snapshots = 0
    let closing = false
    /** the latest tabs that closed, for acts that brought them about */
    const closed: Array<Closed> = []
    let closedSoFar = 0
    /** the blank tab that takes the place of the last one, on its way */
    let replacing: Fiber.Fiber<unknown, unknown> | undefined
    /** pages that the browser is making */
    const creating = new Set<Deferred.Deferred<void>>()
    const react = yield* FiberSet.makeRuntime()
    const downloads = yield* makePageDownloads(options, admission)
    const workers = makeWorkers(supervisor, react)

    const info = ({ tab }: Page): TabInfo => ({
      id: tab.id,
      url: tab.model.main.url || "about:blank",
      // the title is what the page says
      title: tab.refusal() === undefined ? (tab.title ?? "") : "",
      active: tab.id === active,
      ...(tab.model.failure === undefined ? {} : { failed: tab.model.failure }),
      ...(tab.opener === undefined ? {} : { opener: tab.opener })
    })

    const related = (id: TabId) => relatedTabs([...pages.values()], id)
    const dialogs = dialogsOfTabs(supervisor, related)
    const refreshTitles = titlesOf(connection, byTarget)

    // who waits for a tab looks again when a dialog opens in it
    yield* Effect.acquireRelease(
      Effect.sync(() => supervisor.onDialog((dialog) => pages.get(dialog.tab_id)?.tab.model.tell())),
      (stop) => Effect.sync(stop)
    )

    const tabsView = makeTabsView({
      opened: () => opened,
      pages: () => [...pages.values()],
      closed: () => closed,
      active: () => (active === undefined ? undefined : pages.get(active)),
      closings: (id) =>
        Effect.forEach(
          [...related(id)].flatMap((one) => pages.get(one) ?? []),
          ({ tab }) => tab.closesItself,
          { concurrency: "unbounded", discard: true }
        ),
      replaced: Effect.suspend(() =>
        replacing === undefined ? Effect.void : Effect.asVoid(Fiber.await(replacing))
      ).pipe(endedAfter(replacedMs, () => Effect.void)),
      info,
      refresh: refreshTitles,
      supervisor
    })

    /** Takes over a page that attached and starts it. Called by the reader, so that no event is missed. */
    const adopt = (attached: AttachedPage, opener: TabId | undefined): Page => {
      const id = TabId.make(`t${++opened}`)
      const tab = new Tab({
        id,
        targetId: attached.targetId,
        sessionId: attached.sessionId,
        opener,
        sharesProcess: attached.canAccessOpener,
        connection,
        dialogs,
        admission,
        openTabs: () => [...pages.keys()],
        silencedBy: () => [...related(id)].find((one) => pages.get(one)?.tab.isSilent),
        isAlone: () => related(id).size === 1
      })
      const page = new Page(tab, {
        config,
        nextSnapshot: () => ++snapshots,
        tabs: tabsView,
        viewport,
        downloads: targets.downloads
      })
      // who opened it may be waiting for it
      const openedBy = opener === undefined ? undefined : pages.get(opener)
      if (openedBy !== undefined) tab.model.onChange(() => openedBy.tab.model.tell())
      pages.set(id, page)
      bySession.set(tab.sessionId, page)
      byTarget.set(tab.targetId, page)
      supervisor.attach({ sessionId: tab.sessionId, targetId: tab.targetId, type: "page", tabId: id })
      const ready = Deferred.succeed(tab.ready, undefined)
      react(Effect.ensuring(setUpPage(tab, viewport, supervisor.requests, options.place !== undefined), ready))
      // others wait for us before their first script
      if (options.shared === true && opener !== undefined) react(Effect.andThen(noteSilence(tab), ready))
      if (pages.size > maxTabs) react(connection.post("Target.closeTarget", { targetId: tab.targetId }))
      return page
    }

    const forget = (page: Page): void => {
      const { tab } = page
      if (tab.closed) return
      closed.push({
        info: { ...info(page), active: false, closed: true },
        at: ++closedSoFar,
        byItself: !closers.has(tab.id),
        wasActive: active === tab.id
      })
      if (closed.length > closedTabs) closed.shift()
      tab.closed = true
      pages.delete(tab.id)
      byTarget.delete(tab.targetId)
      workers.leave(page)
      for (const [sessionId, owner] of bySession) {
        if (owner === page) {
          bySession.delete(sessionId)
          supervisor.detach(sessionId)
        }
      }
      if (active === tab.id) {
        // as in a browser: back to the opener, else to the neighbour
        activate(tab.opener !== undefined && pages.has(tab.opener) ? tab.opener : [...pages.keys()].at(-1))
      }
      if (active === undefined && !closing && !connection.isClosed()) replacing = react(Effect.ignore(openBlank))
      // told last: who waits goes on at once
      tab.model.tell()
      Deferred.doneUnsafe(tab.ready, Effect.void)
      const closer = closers.get(tab.id)
      if (closer !== undefined) Deferred.doneUnsafe(closer, Effect.void)
    }

    /** A tab that was opened for a download shows nothing, and closes: the download is told of the page that opened it. */
    const whose = (page: Page): Page => {
      const { model, opener } = page.tab
      const openedBy = model.commits > 0 || opener === undefined ? undefined : pages.get(opener)
      return openedBy === undefined ? page : whose(openedBy)
    }

    yield* connection.listen("all", tabEvents({ pages: bySession, workers, supervisor, react, leavesDownloads }))
    yield* targets.own({
      owns: (page) => page.openerId !== undefined && byTarget.has(page.openerId),
      attached: (page) => {
        adopt(page, page.openerId === undefined ? undefined : byTarget.get(page.openerId)?.tab.id)
      },
      workerAttached: (event) => {
        const { browserContextId: context, url } = event.targetInfo
        const origin = URL.canParse(url) ? new URL(url).origin : "null"
        const page = [...pages.values()].find(
          ({ tab }) =>
            (browserContextId === undefined || context === browserContextId) &&
            [...tab.model.frames.values()].some(
              (frame) => URL.canParse(frame.url) && new URL(frame.url).origin === origin
            )
        )
        return page !== undefined && workers.attached(page, undefined, event)
      },
      detached: (sessionId) => {
        workers.ended(sessionId)
        const page = bySession.get(sessionId)
        if (page !== undefined && page.tab.sessionId === sessionId) forget(page)
      },
      download: (event) => {
        for (const page of pages.values()) {
          if (!page.tab.model.frames.has(event.frameId as FrameId)) continue
          const owner = whose(page)
          downloads.began(owner.tab.model, event)
          // a whole Chromium does that by itself, the headless shell does not
          if (owner !== page) react(connection.post("Target.closeTarget", { targetId: page.tab.targetId }))
        }
      }
    })
    // a browser that is just starting takes its time to answer
    const downloadsSet = leavesDownloads
      ? Effect.void
      : Fiber.join(
          yield* connection
            .command("Browser.setDownloadBehavior", {
              // named by their numbers, so that two of one name do not meet; on another machine they would be lost
              ...(options.shared === true
                ? { behavior: "deny" }
                : { behavior: "allowAndName", downloadPath: targets.downloads.path }),
              eventsEnabled: true,
              ...(browserContextId === undefined ? {} : { browserContextId })
            })
            .pipe(Effect.forkScoped({ startImmediately: true }))
        )

    /** A page of ours from the moment on that the browser makes it: the end of the session waits for it, and closes it. */
    const created = Effect.suspend(() => {
      const adopted = Deferred.makeUnsafe<void>()
      creating.add(adopted)
      return targets.create({ browserContextId, place: options.place ?? "window" }).pipe(
        Effect.map((attached) => adopt(attached, undefined)),
        Effect.ensuring(
          Effect.suspend(() => {
            creating.delete(adopted)
            return Deferred.succeed(adopted, undefined)
          })
        )
      )
    })

    // whoever uses the page waits until it is set up
    const openBlank: Effect.Effect<Page, PageError> = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        if (closing) return yield* new SessionLost({ reason: "the session was closed" })
        const page = yield* created
        activate(page.tab.id)
        yield* restore(downloadsSet)
        return page
      })
    ).pipe(Effect.catchTag("ConnectionLost", lostNow))

    const alive = Effect.suspend(() =>
      connection.isClosed()
        ? Effect.flatMap(connection.closed, ({ reason }) => Effect.fail(new SessionLost({ reason })))
        : Effect.void
    )

    const known = (id: TabId): Effect.Effect<Page, SessionLost | TabUnknown> =>
      Effect.andThen(
        alive,
        Effect.suspend(() => {
          const page = pages.get(id)
          return page === undefined || givenUp.has(page)
            ? Effect.fail(new TabUnknown({ tabId: id, known: shown().map(({ tab }) => tab.id) }))
            : Effect.succeed(page)
        })
      )

    const setUp = (page: Page): Effect.Effect<Page, OperationTimeout> =>
      Deferred.isDoneUnsafe(page.tab.ready)
        ? Effect.succeed(page)
        : Deferred.await(page.tab.ready).pipe(withinBudget("setting up the tab", "attach"), Effect.as(page))

    const successor = Effect.suspend(() => {
      const opening = replacing === undefined ? Effect.void : Fiber.await(replacing)
      return Effect.flatMap(opening, () => (active === undefined ? openBlank : known(active)))
    })

    const activePage: Effect.Effect<Page, PageError> = Effect.suspend(() =>
      // only between the end of the last tab and the blank one that takes its place is there none
      Effect.flatMap(active === undefined ? Effect.andThen(alive, successor) : known(active), setUp)
    )

    const closeTarget = (page: Page): Effect.Effect<void, PageError> =>
      Effect.gen(function* () {
        const { tab } = page
        const gone = Deferred.makeUnsafe<void>()
        closers.set(tab.id, gone)
        // a page that goes on loading others by itself is never asked whether it may be closed
        if (tab.model.recent.restless) yield* Effect.asVoid(calm(tab))
        yield* connection.command("Target.closeTarget", { targetId: tab.targetId })
        yield* Deferred.await(gone)
      }).pipe(
        Effect.ensuring(Effect.sync(() => closers.delete(page.tab.id))),
        Effect.catchTag("ConnectionLost", lostNow),
        withinBudget("closing a tab", "stop")
      )

    yield* Effect.addFinalizer(() => {
      closing = true
      const close = Effect.suspend(() =>
        Effect.forEach([...pages.values()], (page) => Effect.ignore(closeTarget(page)), {
          concurrency: "unbounded",
          discard: true
        })
      )
      return Effect.forEach([...creating], (adopted) => Deferred.await(adopted)).pipe(
        Effect.andThen(close),
        within("closing the tabs", 3_000),
        Effect.ignore
      )
    })

    return {
      list: Effect.andThen(
        alive,
        Effect.map(refreshTitles, () => shown().map(info))
      ),
      alive,
      activePage,
      active: () => (active === undefined ? undefined : pages.get(active)),
      pages: () => [...pages.values()],
      ofSession: (sessionId) => bySession.get(sessionId),
      openBlank,
      admission,
      workers,
      switchTo: (id) =>
        Effect.map(known(id), (page) => {
          activate(id)
          return info(page)
        }),
      close: (id) =>
        Effect.gen(function* () {
          const page = yield* known(id)
          if (pages.size === 1) yield* openBlank
          yield* closeTarget(page)
          return (yield* activePage).tab.id
        }),
      replaceActive: Effect.gen(function* () {
        const lost = yield* activePage
        yield* openBlank
        givenUp.add(lost)
        // not awaited: the browser waits half a second for its last words, and nothing more is expected of it
        react(Effect.ignore(closeTarget(lost)))
        return lost.tab.id
      }),
      reset: Effect.gen(function* () {
        yield* alive
        const before = [...pages.values()]
        yield* openBlank
        yield* Effect.forEach(before, closeTarget, { concurrency: "unbounded", discard: true })
      }),
      tellAll: () => {
        for (const page of pages.values()) page.tab.model.tell()
      }
    }
  })

const lostNow = (error: { readonly reason: string }) => Effect.fail(new SessionLost({ reason: error.reason }))
