/** What a tab seems to be: size, pixels, touch, user agent, colours. Kept with the tab, and given to frames that come. */
import { Effect } from "effect"
import type { CdpSessionId } from "../../schemas/ids.ts"
import type { Emulated, EmulateParams, Emulation } from "../../schemas/tools/page.ts"
import type { CdpError, CdpMethod, CdpParams } from "../../services/CdpConnection.ts"
import type { Tab } from "./Tab.ts"

type Params = Omit<typeof EmulateParams.Type, "timeoutMs">

/** What a change makes of an emulation. Pure. */
export const changed = (before: Emulation, { clear, ...change }: Params): Emulation => ({
  ...(clear ? {} : before),
  ...change
})

/** Names of what is emulated. Pure. */
export const applied = (emulation: Emulation): ReadonlyArray<Emulated> => [
  ...(emulation.width === undefined ? [] : ["viewport" as const]),
  ...(emulation.deviceScaleFactor === undefined ? [] : ["deviceScaleFactor" as const]),
  ...(emulation.mobile === undefined ? [] : ["mobile" as const]),
  ...(emulation.userAgent === undefined ? [] : ["userAgent" as const]),
  ...(emulation.colorScheme === undefined ? [] : ["colorScheme" as const])
]

type Send = <M extends CdpMethod>(method: M, params?: CdpParams<M>) => Effect.Effect<unknown, CdpError>

/** What holds for every document of a tab, whatever process renders it. */
const forEveryProcess = (
  send: Send,
  { colorScheme, userAgent }: Emulation
): ReadonlyArray<Effect.Effect<unknown, CdpError>> => [
  // an empty one means the browser's own
  send("Emulation.setUserAgentOverride", { userAgent: userAgent ?? "" }),
  send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: colorScheme ?? "" }]
  })
]

/** Gives a tab its look. `viewport`: the size that it has without emulation; undefined: that of its window. */
export const applyEmulation = (
  tab: Tab,
  emulation: Emulation,
  viewport: { readonly width: number; readonly height: number } | undefined
): Effect.Effect<void, CdpError> => {
  const send: Send = (method, params) => tab.send(method, params)
  const { deviceScaleFactor, height, mobile, width } = emulation
  const size = width === undefined || height === undefined ? viewport : { width, height }
  /** it gets the size of its window again, which the page hears of later than of the command */
  const returns = size === undefined && tab.emulation.width !== undefined
  const plain = size === undefined && deviceScaleFactor === undefined && mobile === undefined
  const sessions = new Set(
    [...tab.model.frames.values()].map((frame) => frame.sessionId).filter((id) => id !== tab.sessionId)
  )
  return Effect.all(
    [
      // first, or the size of an emulation before would stay: 0 leaves it as it is
      ...(size === undefined ? [send("Emulation.clearDeviceMetricsOverride")] : []),
      ...(plain
        ? []
        : [
            send("Emulation.setDeviceMetricsOverride", {
              // 0: that of the window
              width: size?.width ?? 0,
              height: size?.height ?? 0,
              deviceScaleFactor: deviceScaleFactor ?? 0,
              mobile: mobile ?? false
            })
          ]),
      send("Emulation.setTouchEmulationEnabled", { enabled: mobile ?? false }),
      ...forEveryProcess(send, emulation),
      ...[...sessions].map((sessionId) => emulateFrame(tab, sessionId, emulation))
    ],
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.andThen(returns ? drawn(tab) : Effect.void))
}

/** Time (ms) for a page to draw itself in another size; one that draws nothing is not waited for. */
const drawnWithin = 1_000

const twoFrames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"

const drawn = (tab: Tab): Effect.Effect<void> =>
  tab
    .send("Runtime.evaluate", { expression: twoFrames, awaitPromise: true })
    .pipe(Effect.timeoutOption(drawnWithin), Effect.ignore)

/** Gives a frame with a process of its own what its tab has. Never fails: the frame may be gone. */
export const emulateFrame = (tab: Tab, sessionId: CdpSessionId, emulation: Emulation): Effect.Effect<void> =>
  Effect.all(
    forEveryProcess((method, params) => tab.connection.command(method, params, { sessionId }), emulation),
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.ignore)
