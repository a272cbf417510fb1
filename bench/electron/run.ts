/**
 * `npm run bench:electron`: what the view host costs beside an Electron main process that does the same bare, and what
 * steps cost in it beside our own Chromium. Writes `bench/ELECTRON.md`.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { buildHost } from "../../scripts/build-host.ts"
import * as ChromiumProvider from "../../src/layers/providers/chromium/ChromiumProvider.ts"
import { layerOverHost } from "../../src/layers/providers/electron/ElectronProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { startHost } from "../../src/layers/viewhost/RemoteViewHost.ts"
import { childEnvironment, sandboxArguments } from "../../src/layers/viewhost/surroundings.ts"
import { makeViewHostBrowser } from "../../src/layers/viewhost/ViewHostBrowser.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { HostTaskId } from "../../src/schemas/HostProtocol.ts"
import { CdpSessionId, TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { groupMembers } from "../../test/support/browserProcesses.ts"
import { testHostOptions, testSurroundings, testViewHost } from "../../test/support/ElectronSession.ts"
import { TestElectron } from "../../test/support/TestElectron.ts"
import { machineLines } from "../machine.ts"
import { memory } from "../processFacts.ts"
import { startSite } from "../site/Site.ts"
import { median } from "../statistics.ts"

const rounds = Number(process.argv[2] ?? 15)
process.env["EFFECT_BROWSER_TEST_HOST"] = await buildHost(join(tmpdir(), `effect-browser-bench-host-${process.pid}`))
const site = await startSite()

interface Line {
  readonly what: string
  readonly value: string
  readonly limit: string
  readonly holds: boolean
}
const lines: Array<Line> = []
const check = (what: string, value: number, limit: number, unit: string, atLeast = false): void => {
  const shown = (number: number) => `${number >= 100 ? Math.round(number) : Number(number.toFixed(2))} ${unit}`
  lines.push({
    what,
    value: shown(value),
    limit: `${atLeast ? "≥" : "≤"} ${shown(limit)}`,
    holds: atLeast ? value >= limit : value <= limit
  })
  console.log(lines.at(-1))
}

const timed = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    for (let round = 0; round < count + 20; round++) {
      const start = performance.now()
      yield* effect
      if (round >= 20) times.push(performance.now() - start)
    }
    return median(times)
  })

const pss = (pid: number) => groupMembers(pid).reduce((sum, one) => sum + (memory(one)?.pss ?? 0), 0)

/** What the link costs. */
const link = Effect.gen(function* () {
  const { executable } = yield* TestElectron
  const folder = mkdtempSync(join(tmpdir(), "bench-inside-"))
  // not synchronously: its page comes from here
  const { stdout } = yield* Effect.promise(() =>
    promisify(execFile)(
      executable,
      [...sandboxArguments(), join(import.meta.dirname, "inside.cjs"), "--disable-gpu", `--user-data-dir=${folder}`],
      { env: { ...childEnvironment(process.env), BENCH_PAGE: site.url("/small") }, timeout: 60_000 }
    )
  )
  const bare = JSON.parse(stdout) as { readonly command: number; readonly capture: number }
  const host = yield* Effect.flatMap(testHostOptions(), startHost)
  // the way that the commands of agents go
  const browser = yield* makeViewHostBrowser(host)
  const { context } = yield* browser.openTask({ label: "bench", isolated: false })
  const taskId = HostTaskId.make(context)
  const { targetId } = yield* browser.connection.command("Target.createTarget", {
    url: "about:blank",
    browserContextId: context
  })
  const attached = yield* browser.connection.command("Target.attachToTarget", { targetId, flatten: true })
  const sessionId = CdpSessionId.make(attached.sessionId)
  const viewId = (yield* host.call("window", {})).views[0]!.viewId
  const send = (method: string, params: object = {}) => browser.connection.raw(method, params, { sessionId })
  yield* send("Page.navigate", { url: site.url("/small") })
  yield* Effect.sleep("500 millis")
  const command = yield* timed(500, send("Runtime.evaluate", { expression: "1" }))
  check("a command through the link, beyond one inside the main process", command - bare.command, 0.5, "ms")
  const capture = yield* timed(20, host.call("capture", { viewId, format: "png", params: { format: "png" } }))
  check("a native screenshot of the visible view, by bare capturePage", capture / bare.capture, 1.2, "times")
  yield* send("Runtime.enable")
  let events = 0
  const all = Effect.callback<void>((resume) => {
    const listening = Effect.runFork(
      Effect.scoped(
        Effect.andThen(
          host.listen((event) => {
            if (event.event === "cdp" && event.method === "Runtime.consoleAPICalled" && ++events === 10_000) {
              resume(Effect.void)
            }
          }),
          Effect.never
        )
      )
    )
    return Effect.sync(() => listening.interruptUnsafe())
  })
  const start = performance.now()
  yield* Effect.all([all, send("Runtime.evaluate", { expression: "for (let n = 0; n < 10000; n++) console.log(n)" })], {
    concurrency: "unbounded"
  })
  check("console events that arrive, of 10,000", events, 10_000, "", true)
  check("console events a second", (10_000 / (performance.now() - start)) * 1_000, 10_000, "/s", true)
  const before = memory(host.pid)?.rss ?? 0
  let worst = 0
  const pings = Effect.gen(function* () {
    for (;;) {
      const begun = performance.now()
      yield* host.call("ping", {})
      worst = Math.max(worst, performance.now() - begun)
    }
  })
  const large = send("Runtime.evaluate", { expression: "'x'.repeat(20 * 1024 * 1024)", returnByValue: true })
  const took = performance.now()
  const result = yield* Effect.raceFirst(large, pings)
  check("characters of a large result", JSON.stringify(result).length / 1e6, 20.9, "million", true)
  lines.push({
    what: "that result took; the slowest other call meanwhile; the host's memory afterwards, beyond before",
    value: `${Math.round(performance.now() - took)} ms; ${Math.round(worst)} ms; ${Math.round((memory(host.pid)?.rss ?? 0) - before)} MB`,
    limit: "",
    holds: true
  })
  const few = pss(host.pid)
  yield* Effect.forEach(Array.from({ length: 10 }), () => host.call("createView", { taskId, background: false }))
  yield* Effect.sleep("2 seconds")
  check("memory (PSS, all processes) of a further blank tab", (pss(host.pid) - few) / 10, 15, "MB")
  rmSync(folder, { recursive: true, force: true })
}).pipe(Effect.scoped)

const session = Effect.flatMap(Browser, (browser) => browser.open({ task: TaskKey.make("bench") }))

const electron = layerOverHost(defaultBrowserConfig).pipe(
  Layer.provide(testViewHost()),
  Layer.provideMerge(BrowserSeam.layer({}))
)
const chromium = ChromiumProvider.layer(defaultBrowserConfig).pipe(Layer.provideMerge(BrowserSeam.layer({})))

/** Steps that both sides do; each yields false if it ended otherwise than it should. */
const steps: ReadonlyArray<{
  readonly name: string
  readonly prepare?: (browser: BrowserSession) => Effect.Effect<unknown, unknown>
  readonly act: (browser: BrowserSession) => Effect.Effect<boolean, unknown>
}> = [
  {
    name: "open and see",
    act: (browser) =>
      Effect.map(browser.open({ url: site.url("/small"), newTab: false }), ({ elements }) =>
        elements.some(({ label }) => label.includes("A small page"))
      )
  },
  {
    name: "look at a small page",
    act: (browser) =>
      Effect.map(browser.snapshot({ interactive: false, wholeFrameTree: false }), ({ elements }) => elements.length > 3)
  },
  {
    name: "evaluate",
    act: (browser) => Effect.map(browser.execute({ script: "6 * 7" }), ({ value }) => value === "42")
  },
  {
    name: "screenshot",
    act: (browser) =>
      Effect.map(browser.screenshot({ format: "png", fullPage: false }), ({ data }) => data.length > 1_000)
  },
  {
    name: "look at 10,000 nodes",
    prepare: (browser) => browser.open({ url: site.url("/large"), newTab: false }),
    act: (browser) =>
      Effect.map(
        browser.snapshot({ interactive: false, wholeFrameTree: false }),
        ({ elements }) => elements.length > 50
      )
  },
  {
    name: "click and see",
    prepare: (browser) => browser.open({ url: site.url("/counter"), newTab: false }),
    act: (browser) =>
      Effect.map(
        browser.click({ text: "Add one", button: "left" }),
        ({ changes, clicked }) => clicked && changes !== undefined
      )
  }
]

const compare = Effect.gen(function* () {
  // the layers live as long as the comparison
  const ours = yield* Effect.provide(session, yield* Layer.build(electron))
  const theirs = yield* Effect.provide(session, yield* Layer.build(chromium))
  const table: Array<string> = []
  for (const { act, name, prepare } of steps) {
    const times = { electron: [] as number[], chromium: [] as number[] }
    if (prepare !== undefined) yield* Effect.all([prepare(ours), prepare(theirs)])
    for (let round = 0; round < rounds + 2; round++) {
      for (const side of round % 2 === 0 ? (["electron", "chromium"] as const) : (["chromium", "electron"] as const)) {
        const start = performance.now()
        const right = yield* act(side === "electron" ? ours : theirs)
        if (!right) return yield* Effect.die(new Error(`${name} went wrong in ${side}`))
        if (round >= 2) times[side].push(performance.now() - start)
      }
    }
    const [one, other] = [median(times.electron), median(times.chromium)]
    table.push(`| ${name} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${(one / other).toFixed(2)} |`)
    console.log(table.at(-1))
  }
  return table
}).pipe(Effect.scoped)

const surroundings = testSurroundings.pipe(Layer.merge(NodeServices.layer))
const main = Effect.gen(function* () {
  const { version } = yield* TestElectron
  yield* link
  const table = yield* compare
  const text = [
    "# Benchmarks of the view host",
    "",
    `Written by \`npm run bench:electron\`, on Electron ${version} under Xvfb, without a GPU.`,
    "",
    ...machineLines(`Electron ${version}`).map((line) => `- ${line}`),
    "",
    "| what | measured | limit | |",
    "| --- | --- | --- | --- |",
    ...lines.map(
      ({ holds, limit, value, what }) => `| ${what} | ${value} | ${limit} | ${holds ? "" : "**not reached**"} |`
    ),
    "",
    `Steps of a session, medians of ${rounds} rounds in turn (ms). The limit is 1.3 times our own Chromium.`,
    "",
    "| step | Electron | Chromium | times |",
    "| --- | --- | --- | --- |",
    ...table,
    ""
  ].join("\n")
  writeFileSync(join(import.meta.dirname, "../ELECTRON.md"), text)
  console.log(text)
})

await Effect.runPromise(main.pipe(Effect.provide(surroundings), Effect.scoped) as Effect.Effect<void, unknown>).finally(
  () => site.stop()
)
process.exit(0)
