/** A tab for work in the background, apart from the tabs of its session but with the same storage. */
import { Deferred, Effect, type Scope } from "effect"
import { SessionLost } from "../../../schemas/errors.ts"
import type { BackgroundTab, PageError } from "../../../services/BrowserSession.ts"
import { makeSupervisor } from "../../supervisor/SupervisorLive.ts"
import type { CdpSessionOptions } from "./CdpSessionOptions.ts"
import { makeTabs } from "./Tabs.ts"
import { unlessHeld } from "./unlessHeld.ts"

/** Nobody answers a dialog in the background, so that it is dismissed at once; but no page may keep its tab. */
const dialogs = { policy: "auto_dismiss", leaves: true, dialogTimeoutMs: 1_000, gate: false } as const

/** A script's value goes to a file and not to an agent, so that it may be this long at least (characters). */
const valueChars = 2_000_000

/** Size of a tab that has no window (CSS px). */
const size = { width: 1280, height: 800 }

/** Opens the tab; it closes with the scope. `ended`: done once the session is over. */
export const openBackgroundTab = (
  options: CdpSessionOptions,
  ended: Deferred.Deferred<SessionLost>
): Effect.Effect<BackgroundTab, PageError, Scope.Scope> =>
  Effect.gen(function* () {
    const supervisor = yield* makeSupervisor({ connection: options.connection, ...dialogs })
    // where a person watches, no window may appear (L41)
    const place = options.viewport === undefined ? "nowhere" : "tab"
    const config = { ...options.config, contentMaxChars: Math.max(options.config.contentMaxChars, valueChars) }
    const tabs = yield* makeTabs({ ...options, config, place, viewport: options.viewport ?? size }, supervisor)
    const whileOpen = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SessionLost> =>
      Effect.raceFirst(
        effect,
        Effect.flatMap(Deferred.await(ended), (lost) => Effect.fail(lost))
      )
    yield* whileOpen(tabs.openBlank)
    const closeOthers = Effect.suspend(() => {
      const own = tabs.active()
      return Effect.forEach(
        tabs.pages().filter((page) => page !== own),
        (page) => Effect.ignore(tabs.close(page.tab.id)),
        { concurrency: "unbounded", discard: true }
      )
    })
    return {
      visit: (url) => {
        const visit = Effect.flatMap(tabs.activePage, (page) => page.moving.visit(url))
        return whileOpen(
          Effect.andThen(
            closeOthers,
            unlessHeld(url, visit, () => Effect.andThen(tabs.replaceActive, visit))
          )
        )
      },
      failedStatus: () => tabs.active()?.tab.model.failedStatus,
      shown: () => {
        const model = tabs.active()?.tab.model
        return model === undefined || model.crashed ? "" : model.main.url
      },
      waitFor: (params) => whileOpen(Effect.flatMap(tabs.activePage, (page) => page.looking.waitFor(params))),
      execute: (params) => whileOpen(Effect.flatMap(tabs.activePage, (page) => page.looking.execute(params)))
    } satisfies BackgroundTab
  }).pipe(Effect.catchTag("ConnectionLost", ({ reason }) => Effect.fail(new SessionLost({ reason }))))
