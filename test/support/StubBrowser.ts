/** A browser without pages: sessions that open, close and get lost as a test says. */
import { Deferred, Effect, identity, Layer } from "effect"
import { SessionLost } from "../../src/schemas/errors.ts"
import { ProviderId, SessionId } from "../../src/schemas/ids.ts"
import type { OpenSessionError, OpenSessionOptions } from "../../src/services/Browser.ts"
import { Browser } from "../../src/services/Browser.ts"
import type { BrowserSession, Capabilities } from "../../src/services/BrowserSession.ts"

export const stubCapabilities: Capabilities = {
  dialogs: false,
  frames: false,
  cdp: false,
  nativeCapture: false,
  cookies: false,
  downloads: false,
  visibleToHuman: false
}

const unused = Effect.die("a stub session has no pages")
const unusedOp = () => unused

/** A session whose operations all die, lost when `lost` says so. */
export const stubSession = (id: string, provider: string, lost: Effect.Effect<SessionLost>): BrowserSession => ({
  id: SessionId.make(id),
  provider: ProviderId.make(provider),
  capabilities: stubCapabilities,
  lost,
  tabs: unused,
  switchTab: unusedOp,
  closeTab: unusedOp,
  reset: unused,
  open: unusedOp,
  back: unused,
  forward: unused,
  reload: unused,
  stop: unused,
  snapshot: unusedOp,
  find: unusedOp,
  content: unusedOp,
  execute: unusedOp,
  screenshot: unusedOp,
  waitFor: unusedOp,
  clickRef: unusedOp,
  click: unusedOp,
  hover: unusedOp,
  drag: unusedOp,
  scroll: unusedOp,
  scrollIntoView: unusedOp,
  type: unusedOp,
  pressKey: unusedOp,
  fill: unusedOp,
  uploadFiles: unusedOp,
  download: unusedOp,
  setHumanControl: () => Effect.void,
  present: () => {},
  cookies: unused,
  setCookies: unusedOp,
  clearCookies: unusedOp,
  challenge: unused,
  emulate: unusedOp,
  pdf: unusedOp,
  highlight: unusedOp,
  background: unused,
  pendingDialogs: () => [],
  blockedBy: () => undefined,
  recentDialogs: () => [],
  answerDialog: unusedOp,
  cdp: unusedOp,
  console: unusedOp,
  network: unusedOp
})

export interface StubSession {
  readonly task: string
  readonly session: BrowserSession
  /** the session gets lost */
  readonly lose: (reason: string) => Effect.Effect<boolean>
  state: "open" | "lost" | "closed"
}

export interface StubBrowser {
  readonly layer: Layer.Layer<Browser>
  /** every session that was opened, in order */
  readonly sessions: Array<StubSession>
  /** how often opening began */
  readonly opens: () => number
}

/**
 * `opening` runs first in every opening, `closing` in every closing; by default they do nothing. A stubborn opening
 * cannot be interrupted once it has begun.
 */
export const make = (
  behaviour: {
    readonly opening?: (options: OpenSessionOptions) => Effect.Effect<unknown, OpenSessionError>
    readonly stubborn?: boolean
    readonly closing?: (session: StubSession) => Effect.Effect<unknown>
  } = {}
): StubBrowser => {
  const sessions: Array<StubSession> = []
  let opens = 0
  const provider = Effect.die("a stub browser has no providers")
  const browser = Browser.of({
    register: () => provider,
    select: provider,
    providers: () => [],
    open: (options) =>
      Effect.gen(function* () {
        opens++
        yield* behaviour.opening?.(options) ?? Effect.void
        return yield* Effect.acquireRelease(
          Effect.sync(() => {
            const lost = Deferred.makeUnsafe<SessionLost>()
            const stub: StubSession = {
              task: options.task,
              session: stubSession(`s${sessions.length + 1}`, "stub", Deferred.await(lost)),
              state: "open",
              lose: (reason) =>
                Effect.suspend(() => {
                  stub.state = "lost"
                  return Deferred.succeed(lost, new SessionLost({ reason }))
                })
            }
            sessions.push(stub)
            return stub
          }),
          (stub) =>
            Effect.andThen(
              behaviour.closing?.(stub) ?? Effect.void,
              Effect.sync(() => {
                stub.state = "closed"
              })
            )
        )
      }).pipe(
        Effect.map((stub) => stub.session),
        behaviour.stubborn ? Effect.uninterruptible : identity
      )
  })
  return { layer: Layer.succeed(Browser, browser), sessions, opens: () => opens }
}
