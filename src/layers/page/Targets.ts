/**
 * The pages of one browser connection: creates them, and hands each one that attaches, popups too, to the session that
 * it belongs to.
 *
 * In a browser of our own, pages attach by auto-attach on the browser session and wait for us before their first script
 * runs: only so can a dialog of that first script be seen (runtime facts 28-30). That holds for every page of the
 * browser, so where other people use it too, pages are discovered instead, and attached one by one: those that were
 * created here and those that they opened. A dialog of such a popup's very first script may come before we are there.
 */
import type { Protocol } from "devtools-protocol"
import { Deferred, Effect, Fiber, FiberSet, Option, type Scope } from "effect"
import type { BrowserContextId, CdpSessionId, TargetId } from "../../schemas/ids.ts"
import type { CdpConnection, CdpError } from "../../services/CdpConnection.ts"
import { withinBudget } from "../../services/Timeouts.ts"
import { acquireDownloadFolder, cancelDownload, type DownloadFolder } from "./DownloadFolder.ts"

/** A page that attached; it runs nothing until it is told to. */
export interface AttachedPage {
  readonly targetId: TargetId
  readonly sessionId: CdpSessionId
  readonly openerId: TargetId | undefined
  readonly canAccessOpener: boolean
  readonly url: string
  readonly title: string
}

/** A session's interest in pages. Called by the reader: must not wait. */
export interface PageOwner {
  readonly owns: (page: Pick<AttachedPage, "openerId">) => boolean
  readonly attached: (page: AttachedPage) => void
  /** A worker that several pages may share, in a browser of our own; true: it is theirs, and they start it. */
  readonly workerAttached: (event: Protocol.Target.AttachedToTargetEvent) => boolean
  readonly detached: (sessionId: CdpSessionId) => void
  readonly download: (event: Protocol.Browser.DownloadWillBeginEvent) => void
}

/**
 * Where a page stands: in a window of its own, so that it paints whatever is in front (runtime facts 97-98); in a tab
 * behind others, which costs a fifth less and draws with its focus emulated (measured in Chromium 156); or in no window
 * at all, where it loads, draws nothing and is never seen by anybody.
 */
export type Place = "window" | "tab" | "nowhere"

const placing: Record<Place, Partial<Protocol.Target.CreateTargetRequest>> = {
  window: { newWindow: true },
  tab: {},
  nowhere: { hidden: true }
}

export interface NewPage {
  readonly browserContextId: BrowserContextId | undefined
  readonly place: Place
}

export interface Targets {
  /** Opens a blank page. */
  readonly create: (options: NewPage) => Effect.Effect<AttachedPage, CdpError>
  /** Where the browser may put what it downloads. */
  readonly downloads: DownloadFolder
  /**
   * Takes over a page which is about to begin a download that nobody waits for any more. The download is cancelled once
   * it begins, then the page is closed: of a download whose page is gone the browser would not tell, and would go on
   * with it. Does not wait for either.
   */
  readonly abandonDownload: (
    page: Pick<AttachedPage, "targetId">,
    browserContextId: BrowserContextId | undefined
  ) => Effect.Effect<void>
  /** Receives what belongs to it until the scope closes. */
  readonly own: (owner: PageOwner) => Effect.Effect<void, never, Scope.Scope>
}

/** A download that nobody waits for begins within so many ms, or never: the browser has the response by then. */
const abandonedMs = 30_000

/**
 * Starts watching the pages of a connection; once for each connection. Does not wait for the browser.
 *
 * `shared`: other people use that browser, too. `ahead`: the first page is opened at once, in the default context, and
 * given to whoever first creates one there: a browser that is just starting makes it while everything else is set up.
 * `folder`: for downloads; absent: the temporary folder.
 */
export const makeTargets = (
  connection: CdpConnection["Service"],
  {
    ahead = false,
    folder,
    shared = false
  }: { readonly ahead?: boolean; readonly folder?: string; readonly shared?: boolean } = {}
): Effect.Effect<Targets, never, Scope.Scope> =>
  Effect.gen(function* () {
    const downloads = yield* acquireDownloadFolder(folder)
    const owners = new Set<PageOwner>()
    /** pages that attached before anybody was known to own them; a page that is being created comes first as an event */
    const unclaimed = new Map<TargetId, AttachedPage>()
    const awaited = new Map<TargetId, Deferred.Deferred<AttachedPage>>()
    /** downloads that nobody waits for, by the page that begins them; told the names of those that began */
    const abandoned = new Map<string, Deferred.Deferred<string>>()
    let creating = 0
    const react = yield* FiberSet.makeRuntime()

    const release = (page: Pick<AttachedPage, "targetId" | "sessionId">): void => {
      unclaimed.delete(page.targetId)
      react(
        Effect.ignore(
          Effect.andThen(
            connection.command("Runtime.runIfWaitingForDebugger", undefined, { sessionId: page.sessionId }),
            connection.command("Target.detachFromTarget", { sessionId: page.sessionId })
          )
        )
      )
    }

    const attached = (event: Protocol.Target.AttachedToTargetEvent): void => {
      const info = event.targetInfo
      if (info.type === "shared_worker") {
        if (![...owners].some((one) => one.workerAttached(event))) {
          release({ targetId: info.targetId as TargetId, sessionId: event.sessionId as CdpSessionId })
        }
        return
      }
      // a hidden page is one of another type
      if (info.type !== "page" && !awaited.has(info.targetId as TargetId)) return
      const page: AttachedPage = {
        targetId: info.targetId as TargetId,
        sessionId: event.sessionId as CdpSessionId,
        openerId: info.openerId as TargetId | undefined,
        canAccessOpener: info.canAccessOpener,
        url: info.url,
        title: info.title
      }
      const waiter = awaited.get(page.targetId)
      if (waiter !== undefined) {
        Deferred.doneUnsafe(waiter, Effect.succeed(page))
        return
      }
      const owner = [...owners].find((one) => one.owns(page))
      if (owner !== undefined) owner.attached(page)
      else if (creating > 0) unclaimed.set(page.targetId, page)
      else release(page)
    }

    /** Joins a page; the event that tells of it comes before the reply. */
    const attach = (targetId: string) => connection.command("Target.attachToTarget", { targetId, flatten: true })

    const discovered = ({ openerId, targetId, type }: Protocol.Target.TargetInfo): void => {
      if (!shared || type !== "page" || openerId === undefined) return
      const page = { openerId: openerId as TargetId }
      if ([...owners].some((one) => one.owns(page))) react(Effect.ignore(attach(targetId)))
    }

    yield* connection.listen(undefined, (event) => {
      switch (event.method) {
        case "Target.targetCreated":
          return discovered(event.params.targetInfo)
        case "Target.attachedToTarget":
          return attached(event.params)
        case "Target.detachedFromTarget":
          for (const owner of owners) owner.detached(event.params.sessionId as CdpSessionId)
          return
        case "Browser.downloadWillBegin": {
          // the main frame of a page bears its name
          const begun = abandoned.get(event.params.frameId)
          if (begun !== undefined) {
            Deferred.doneUnsafe(begun, Effect.succeed(event.params.guid))
            return
          }
          for (const owner of owners) owner.download(event.params)
          return
        }
      }
    })
    // not waited for here: the browser works in order, and a browser that has just started is slow to answer
    const watching = yield* Effect.forkScoped(
      Effect.asVoid(
        shared
          ? connection.command("Target.setDiscoverTargets", {
              discover: true,
              filter: [{ type: "page" }, { exclude: true }]
            })
          : connection.command("Target.setAutoAttach", {
              autoAttach: true,
              waitForDebuggerOnStart: true,
              flatten: true,
              // workers that pages share attach to none of them
              filter: [{ type: "page" }, { type: "shared_worker" }, { exclude: true }]
            })
      ),
      { startImmediately: true }
    )

    const createTarget = (browserContextId: BrowserContextId | undefined, place: Place) =>
      Effect.map(
        connection.command("Target.createTarget", {
          url: "about:blank",
          ...placing[place],
          background: true,
          ...(browserContextId === undefined ? {} : { browserContextId })
        }),
        ({ targetId }) => ({ targetId, hidden: place === "nowhere" })
      )

    const open = ({ browserContextId, place }: NewPage): Effect.Effect<AttachedPage, CdpError> =>
      Effect.suspend(() => {
        creating++
        return createTarget(browserContextId, place).pipe(
          // a browser that has no window yet may refuse a hidden page
          Effect.catchIf(
            (error) => place === "nowhere" && error._tag === "CdpFailed",
            () => createTarget(browserContextId, "window")
          ),
          Effect.tap(() => Fiber.join(watching)),
          Effect.flatMap(({ hidden, targetId }) => {
            const known = unclaimed.get(targetId as TargetId)
            if (known !== undefined) {
              unclaimed.delete(known.targetId)
              return Effect.succeed(known)
            }
            const waiter = Deferred.makeUnsafe<AttachedPage>()
            awaited.set(targetId as TargetId, waiter)
            // hidden pages do not attach by themselves
            const attached = shared || hidden ? attach(targetId) : Effect.void
            return Effect.andThen(attached, Deferred.await(waiter)).pipe(
              Effect.ensuring(Effect.sync(() => awaited.delete(targetId as TargetId))),
              // nobody else would ever close it
              Effect.onError(() => Effect.ignore(connection.command("Target.closeTarget", { targetId })))
            )
          }),
          Effect.ensuring(
            Effect.sync(() => {
              creating--
              // what is left over belongs to nobody here, for example a window that a person opened
              if (creating === 0) for (const page of [...unclaimed.values()]) release(page)
            })
          )
        )
      })
    let first = ahead
      ? yield* Effect.forkScoped(open({ browserContextId: undefined, place: "window" }), { startImmediately: true })
      : undefined

    return {
      downloads,
      abandonDownload: ({ targetId }, browserContextId) =>
        Effect.sync(() => {
          const begun = Deferred.makeUnsafe<string>()
          abandoned.set(targetId, begun)
          react(
            Deferred.await(begun).pipe(
              Effect.timeoutOption(abandonedMs),
              Effect.flatMap(
                Option.match({
                  onNone: () => Effect.void,
                  onSome: (guid) => cancelDownload(connection, downloads, guid, browserContextId)
                })
              ),
              Effect.andThen(Effect.ignore(connection.command("Target.closeTarget", { targetId }))),
              Effect.ensuring(Effect.sync(() => abandoned.delete(targetId)))
            )
          )
        }),
      create: (options) =>
        Effect.suspend(() => {
          const page = first
          if (page === undefined || options.place !== "window" || options.browserContextId !== undefined)
            return open(options)
          first = undefined
          return Fiber.join(page).pipe(
            Effect.onInterrupt(() =>
              Effect.sync(() => {
                first = page
              })
            )
          )
        }).pipe(withinBudget("opening a tab", "attach")),
      own: (owner) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => {
              owners.add(owner)
            }),
            () => Effect.sync(() => owners.delete(owner))
          )
        )
    }
  })
