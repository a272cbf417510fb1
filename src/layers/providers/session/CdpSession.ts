/**
 * A session over CDP: the tabs of one task on a browser connection, with one supervisor over all of them. Every
 * provider that speaks CDP opens its sessions here.
 */
import { Deferred, Effect, type Scope } from "effect"
import { OperationTimeout, SessionLost } from "../../../schemas/errors.ts"
import { type DialogId, SessionId } from "../../../schemas/ids.ts"
import type { Snapshot } from "../../../schemas/snapshot.ts"
import type { OpenSessionError } from "../../../services/Browser.ts"
import type { BrowserSession, PageError } from "../../../services/BrowserSession.ts"
import type { CdpError } from "../../../services/CdpConnection.ts"
import { startWithin, Timeouts, withinBudget } from "../../../services/Timeouts.ts"
import { makeCookies } from "../../page/Cookies.ts"
import { type DownloadProgress, fetchFile } from "../../page/Downloading.ts"
import { givenUp } from "../../page/downloadSteps.ts"
import { admit } from "../../page/admission.ts"
import type { Page } from "../../page/Page.ts"
import { makeSupervisor } from "../../supervisor/SupervisorLive.ts"
import { openBackgroundTab } from "./backgroundTab.ts"
import type { CdpSessionOptions } from "./CdpSessionOptions.ts"
import { following, nextDialog } from "./nextDialog.ts"
import { makeRawCommands } from "./RawCommands.ts"
import { showDialogs } from "./showDialogs.ts"
import { makeRings } from "./Rings.ts"
import { makeTabs } from "./Tabs.ts"
import type { TabHeld } from "../../page/Navigation.ts"
import { unlessHeld } from "./unlessHeld.ts"
import { unlessSilent } from "./unlessSilent.ts"

let sessions = 0

/**
 * Opens a session with one blank tab. Closing the scope closes its tabs, and only those.
 *
 * Fails with `SessionLost` when the browser goes away meanwhile, `OperationTimeout` when it does not answer,
 * `CdpFailed` when it refuses.
 */
export const openCdpSession = (
  options: CdpSessionOptions
): Effect.Effect<BrowserSession, OpenSessionError, Scope.Scope> =>
  Effect.gen(function* () {
    const { browserContextId, config, connection, provider, capabilities } = options
    /** the browser's disk is ours */
    const direct = options.shared !== true
    const id = SessionId.make(`session-${++sessions}`)
    const lost = yield* Deferred.make<SessionLost>()
    const ended = yield* Deferred.make<SessionLost>()
    yield* Effect.addFinalizer(() => Deferred.succeed(ended, new SessionLost({ reason: "the session was closed" })))
    const way = config.dialogWay ?? options.dialogWay ?? "native"
    const supervisor = yield* makeSupervisor({
      connection,
      policy: config.dialogPolicy,
      dialogTimeoutMs: config.dialogTimeoutMs,
      gate:
        way !== "gate" ? way === "both" : config.dialogWay === undefined && options.gateOnceLoaded ? "loaded" : true,
      bridge: way === "bridge" || way === "both",
      shown: options.window !== undefined
    })
    const tabs = yield* makeTabs(options, supervisor)
    if (options.window !== undefined) yield* showDialogs(options.window, supervisor, tabs)
    const cdp = yield* makeRawCommands({ connection, supervisor, tabs })
    yield* Effect.forkScoped(
      Effect.flatMap(connection.closed, ({ reason }) => {
        tabs.tellAll()
        return Deferred.succeed(lost, new SessionLost({ reason: options.silence?.ended() ?? reason }))
      }),
      { startImmediately: true }
    )
    yield* tabs.openBlank.pipe(
      Effect.catchTags({
        TabUnknown: Effect.die,
        TabCrashed: Effect.die,
        DialogOpen: Effect.die,
        DialogUnanswerable: Effect.die,
        NavigationBlocked: Effect.die,
        MessageTooLarge: Effect.die
      })
    )

    /** Runs an operation of the active tab. */
    const onActive = <A, E>(use: (page: Page) => Effect.Effect<A, E>): Effect.Effect<A, E | PageError> =>
      Effect.flatMap(tabs.activePage, use)
    const op =
      <Params, A, E>(pick: (page: Page) => (params: Params) => Effect.Effect<A, E>) =>
      (params: Params) =>
        onActive((page) => pick(page)(params))

    const onActiveScoped = <A, E>(use: (page: Page) => Effect.Effect<A, E, Scope.Scope>) =>
      Effect.flatMap(tabs.activePage, use)
    const cookies = makeCookies(connection, browserContextId)
    const stored = <A>(effect: Effect.Effect<A, CdpError>) =>
      effect.pipe(
        withinBudget("browser_auth", "command"),
        Effect.catchTag("ConnectionLost", ({ reason }) => Effect.fail(new SessionLost({ reason })))
      )
    let humanControl = false

    /** closed dialogs that a snapshot has held */
    let told: ReadonlySet<DialogId> = new Set()

    /** What the supervisor knows belongs to every snapshot. */
    const supervised = (snapshot: Snapshot, whole: boolean): Snapshot => {
      const pending = supervisor.pendingDialogs()
      const recent = supervisor
        .recentDialogs()
        .map((record) => (told.has(record.id) ? { ...record, seen: true } : record))
      told = new Set(recent.map(({ id }) => id))
      return {
        ...snapshot,
        ...(humanControl ? { userControlling: true } : {}),
        ...(capabilities.dialogs ? { pending_dialogs: pending } : {}),
        ...(capabilities.dialogs && recent.length > 0 ? { recent_dialogs: recent } : {}),
        ...(capabilities.frames ? { frame_tree: supervisor.frameTree(snapshot.tabId, { whole }) } : {})
      }
    }

    const session: BrowserSession = {
      id,
      provider,
      capabilities,
      lost: Deferred.await(lost),
      tabs: tabs.list,
      switchTab: tabs.switchTo,
      closeTab: (id) => unlessSilent(options.silence, tabs.close(id)),
      reset: unlessSilent(options.silence, tabs.reset),
      ...(options.silence === undefined ? {} : { endIfSilent: options.silence.endIfSilent }),
      open: ({ newTab, ...params }) =>
        Effect.gen(function* () {
          if (newTab) {
            // an address that may not be loaded opens no tab
            yield* admit(tabs.admission, params.url)
            yield* tabs.openBlank
          }
          const open = onActive((page) => page.moving.open(params))
          const inItsPlace = Effect.fnUntraced(function* ({ restless }: TabHeld) {
            const lost = yield* tabs.replaceActive
            const snapshot = yield* open
            const closed = `the page before ${restless ? "kept navigating by itself" : "did not answer any more"} and could not be ended; its tab ${lost} was closed and this one opened in its place`
            return { ...snapshot, note: [closed, snapshot.note].filter((part) => part !== undefined).join("; ") }
          })
          return supervised(yield* unlessHeld(params.url, open, inItsPlace), false)
        }),
      back: onActive((page) => page.moving.back),
      forward: onActive((page) => page.moving.forward),
      reload: onActive((page) => page.moving.reload),
      stop: onActive((page) => page.moving.stop),
      snapshot: (params) =>
        Effect.map(
          onActive((page) => page.looking.snapshot(params)),
          (snapshot) => supervised(snapshot, params.wholeFrameTree)
        ),
      find: op((page) => page.looking.find),
      content: op((page) => page.looking.content),
      execute: op((page) => page.looking.execute),
      screenshot: op((page) => page.looking.screenshot),
      waitFor: op((page) => page.looking.waitFor),
      clickRef: op((page) => page.acting.clickRef),
      click: op((page) => page.acting.click),
      hover: op((page) => page.acting.hover),
      drag: op((page) => page.acting.drag),
      scroll: op((page) => page.acting.scroll),
      scrollIntoView: op((page) => page.acting.scrollIntoView),
      type: op((page) => page.acting.type),
      pressKey: op((page) => page.acting.pressKey),
      fill: op((page) => page.acting.fill),
      download: ({ url, maxBytes }) => {
        let progress: DownloadProgress | undefined
        return Effect.gen(function* () {
          const address = yield* admit(tabs.admission, url)
          yield* tabs.alive
          const shown = tabs.active()?.tab.model.main.url ?? ""
          return yield* fetchFile(
            { connection, targets: options.targets, browserContextId, admission: tabs.admission, direct },
            {
              url: address,
              maxBytes,
              referrer: /^https?:/.test(shown) ? shown : undefined,
              onProgress: (now) => {
                progress = now
              }
            }
          )
        }).pipe(
          withinBudget("browser_download", "download"),
          Effect.catchTags({
            ConnectionLost: ({ reason }) => Effect.fail(new SessionLost({ reason })),
            OperationTimeout: ({ budget, operation }) =>
              Effect.fail(new OperationTimeout({ operation, budget, detail: givenUp(progress) }))
          })
        )
      },
      uploadFiles: op((page) => page.acting.uploadFiles),
      cookies: stored(cookies.read),
      setCookies: (list) => stored(cookies.write(list)),
      clearCookies: (filter) => stored(cookies.clear(filter)),
      challenge: onActive((page) => page.looking.challenge),
      emulate: op((page) => page.presenting.emulate),
      pdf: (params) => onActiveScoped((page) => page.presenting.pdf(params)),
      highlight: op((page) => page.presenting.highlight),
      background: openBackgroundTab(options, ended),
      setHumanControl: (human) =>
        Effect.sync(() => {
          humanControl = human
          supervisor.setRules({ humanControl: human })
        }),
      present: (task) => options.window?.present(task),
      pendingDialogs: () => supervisor.pendingDialogs(),
      blockedBy: (use) => {
        const tab = tabs.active()?.tab
        return tab === undefined || (use === "look" && tab.dialogs.readable(tab.id))
          ? undefined
          : tab.dialogs.blocking(tab.id)[0]
      },
      recentDialogs: () => supervisor.recentDialogs(),
      answerDialog: (params) =>
        Effect.gen(function* () {
          const waiting = tabs.pages().map((page) => ({ page, settle: page.acting.afterDialog() }))
          const dialog = yield* Effect.catchTag(supervisor.answer(params), "DialogNone", (none) =>
            Effect.flatMap(nextDialog(supervisor), (came) => (came ? supervisor.answer(params) : Effect.fail(none)))
          )
          const asked = waiting.find(({ page: { tab } }) => tab.id === dialog.tab_id)
          if (asked === undefined) return { dialog }
          const next = yield* following(asked.page, dialog)
          return { dialog, ...(next === undefined ? yield* asked.settle : { next }) }
        }),
      cdp,
      ...makeRings(tabs, supervisor)
    }
    return session
  }).pipe(
    // what it starts lives on: tabs that open later have budgets of their own
    (opening) => Effect.flatMap(Timeouts, (table) => startWithin("opening a session", table.openSession)(opening)),
    Effect.catchTags({
      ConnectionLost: (error) => Effect.fail(new SessionLost({ reason: error.reason })),
      MessageTooLarge: (error) => Effect.die(error)
    })
  )
