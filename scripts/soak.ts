/** `npm run soak`: random calls of all tools in several tasks, with faults; nothing may leak, hang or fail by itself. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Effect, Exit, Fiber, Layer, Logger, Metric, References } from "effect"
import * as EffectBrowser from "../src/EffectBrowser.ts"
import { decodeBrowserConfig } from "../src/schemas/config.ts"
import type { BrowserError } from "../src/schemas/errors.ts"
import { TaskKey } from "../src/schemas/ids.ts"
import { Control } from "../src/services/Control.ts"
import { Tasks } from "../src/services/Tasks.ts"
import { Tools } from "../src/services/Tools.ts"
import type { Place } from "./examples/exampleCalls.ts"
import { papers } from "./examples/pages.ts"
import { Chance } from "./soak/Chance.ts"
import { nextCall } from "./soak/calls.ts"
import { descendants, type Measured, measure } from "./soak/measure.ts"
import { parseOptions } from "./soak/options.ts"
import { serveSoak } from "./soak/SoakSite.ts"

/** ms that a call may take in all; shorter than usual, so that more calls are made */
const toolTimeoutMs = 8_000

/** ms beyond that in which the answer must be there, on a busy machine */
const grace = 2_000

/** ms of calls between two looks at what must not grow */
const lapMs = 20_000

/** What may be more at the end than after the first lap. */
const allowed: Record<keyof Measured, number> = {
  fibers: 4,
  files: 6,
  resources: 6,
  listeners: 0,
  folders: 1,
  processes: 4,
  heap: 20
}

const options = parseOptions(process.argv.slice(2))
const violations: Array<string> = []
const outcomes = new Map<string, number>()
const count = (name: string): void => {
  outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
}
let calls = 0

/** All that this run puts into the temporary folder is in here, and nothing of others. */
const temporary = mkdtempSync(join(tmpdir(), "soak-"))
process.env["TMPDIR"] = temporary
const folder = join(temporary, "files")
mkdirSync(folder)
writeFileSync(join(folder, "papers.txt"), papers)

/** One task's calls until the lap is over. */
const work = (index: number, origin: string, chance: Chance, until: number) =>
  Effect.gen(function* () {
    const tools = yield* Tools
    const control = yield* Control
    const tasks = yield* Tasks
    const task = TaskKey.make(`soak-${index}`)
    let hasSession = false
    let latest = { snapshotId: "s1", refs: [1] as ReadonlyArray<number> }
    const place: Place = {
      url: (path) => `${origin}${path}`,
      file: (name) => join(folder, `${index}-${name}`.replace(/^\d+-papers/, "papers")),
      element: () => ({ snapshotId: latest.snapshotId, ref: chance.one(latest.refs) })
    }
    while (Date.now() < until) {
      const { args, cancelAfter, tool } = yield* nextCall(chance, place, hasSession)
      const start = performance.now()
      const call = yield* Effect.forkChild(tools.invoke(task, tool, args), { startImmediately: true })
      if (cancelAfter !== undefined) yield* Effect.forkChild(Effect.delay(Fiber.interrupt(call), cancelAfter))
      const exit = yield* Fiber.await(call).pipe(
        Effect.timeoutOrElse({
          duration: toolTimeoutMs + grace,
          orElse: () =>
            Effect.gen(function* () {
              const late = yield* Fiber.await(call).pipe(
                Effect.timeoutOrElse({ duration: 30_000, orElse: () => Effect.succeed(undefined) })
              )
              const end =
                late === undefined
                  ? "never"
                  : Exit.isSuccess(late)
                    ? "with success"
                    : Cause.pretty(late.cause).slice(0, 200)
              violations.push(
                `${tool} ${JSON.stringify(args).slice(0, 200)} was not answered in time, but ended after ${Math.round(performance.now() - start)} ms: ${end}`
              )
              return late
            })
        })
      )
      calls++
      if (exit === undefined) {
        yield* Effect.forkChild(Fiber.interrupt(call))
        continue
      }
      note(tool, args, exit, performance.now() - start)
      hasSession = tasks.peek(task) !== undefined
      if (Exit.isSuccess(exit)) {
        const { elements, snapshotId } = exit.value.structured
        if (typeof snapshotId === "string" && Array.isArray(elements) && elements.length > 0) {
          const refs = elements.flatMap((one) =>
            typeof one === "object" && one !== null && "ref" in one ? [Number(one["ref"])] : []
          )
          if (refs.length > 0) latest = { snapshotId, refs }
        }
      }
      // what would keep this task from doing anything else
      if (tool === "browser_restrict") yield* Effect.ignore(tools.invoke(task, tool, {}))
      if (tool === "browser_handoff") yield* control.handBack(task)
    }
  })

const note = (tool: string, args: object, exit: Exit.Exit<unknown, BrowserError>, ms: number): void => {
  if (Exit.isSuccess(exit)) {
    count("ok")
    return
  }
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  const what = `${tool} ${JSON.stringify(args).slice(0, 300)}`
  if (failure === undefined) {
    if (!Cause.hasInterruptsOnly(exit.cause)) violations.push(`${what} died: ${Cause.pretty(exit.cause).slice(0, 500)}`)
    count("cancelled")
    return
  }
  count(failure.error.code)
  if (failure.error.code === "BROWSER_INTERNAL")
    violations.push(`${what} failed by a fault of ours after ${Math.round(ms)} ms`)
}

/** Makes trouble from outside until it is interrupted. */
const trouble = (chance: Chance) =>
  Effect.gen(function* () {
    const control = yield* Control
    for (;;) {
      yield* Effect.sleep(1_000 + chance.below(4_000))
      const below = descendants().filter(({ command }) => /chrom/i.test(command))
      const renderers = below.filter(({ command }) => command.includes("--type=renderer"))
      const main = below.filter(({ parent }) => parent === process.pid)
      const fault = chance.below(10)
      const kill = (of: typeof below, name: string) => {
        if (of.length === 0) return
        count(name)
        try {
          process.kill(chance.one(of).pid, "SIGKILL")
        } catch {
          // it has just ended
        }
      }
      if (fault === 0) kill(main, "fault: browser killed")
      else if (fault < 6) kill(renderers, "fault: renderer killed")
      else {
        const task = TaskKey.make(`soak-${chance.below(options.tasks)}`)
        count("fault: person in control")
        yield* control.takeOver(task)
        yield* Effect.delay(control.handBack(task), 100 + chance.below(1_500))
      }
    }
  })

const tabsLeft = Effect.gen(function* () {
  const tools = yield* Tools
  const tasks = yield* Tasks
  const observer = TaskKey.make("observer")
  yield* tools.invoke(observer, "browser_open", { url: "about:blank" })
  const { structured } = yield* tools.invoke(observer, "browser_cdp", { method: "Target.getTargets" })
  const targets = (structured["result"] as { readonly targetInfos: ReadonlyArray<{ readonly type: string }> })
    .targetInfos
  yield* tasks.resetSession(observer)
  return targets.filter(({ type }) => type === "page" || type === "tab").length
}).pipe(Effect.retry({ times: 3 }))

const soak = Effect.gen(function* () {
  const tasks = yield* Tasks
  const origin = yield* serveSoak
  const end = Date.now() + options.minutes * 60_000
  const chances = Array.from({ length: options.tasks }, (_, index) => new Chance(options.seed * 1_000 + index))
  const faults = new Chance(options.seed * 1_000 + 999)
  let first: (Measured & { readonly tabs: number }) | undefined
  let last: (Measured & { readonly tabs: number }) | undefined
  while (Date.now() < end) {
    const until = Math.min(end, Date.now() + lapMs)
    yield* Effect.raceFirst(
      Effect.forEach(chances, (chance, index) => work(index, origin, chance, until), {
        concurrency: "unbounded",
        discard: true
      }),
      trouble(faults)
    )
    yield* Effect.forEach(chances, (_, index) => tasks.resetSession(TaskKey.make(`soak-${index}`)), {
      concurrency: "unbounded",
      discard: true
    })
    const tabs = yield* tabsLeft
    // what ends by itself has ended then
    yield* Effect.sleep(2_000)
    last = { ...(yield* measure), tabs }
    first ??= last
    console.log(`${calls} calls ${JSON.stringify({ ...last, heap: Math.round(last.heap) })}`)
  }
  if (first === undefined || last === undefined) return
  for (const [name, most] of Object.entries({ ...allowed, tabs: 0 })) {
    const grown = last[name as keyof typeof last] - first[name as keyof typeof first]
    if (grown > most) violations.push(`${name} grew by ${grown}`)
  }
})

const config = await Effect.runPromise(
  decodeBrowserConfig({ toolTimeoutMs, writeRoots: [folder], readRoots: [folder], isolated: false })
)
const quiet = Layer.mergeAll(
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Error")
)
console.log(`seed ${options.seed}, ${options.tasks} tasks, ${options.minutes} minutes`)
try {
  await Effect.runPromise(
    soak.pipe(
      Effect.scoped,
      Effect.provide(EffectBrowser.layer(config).pipe(Layer.provideMerge(quiet))),
      Metric.enableRuntimeMetrics
    )
  )
  const after = await Effect.runPromise(Effect.delay(measure, 3_000))
  if (after.processes > 0)
    violations.push(
      `${after.processes} processes are left: ${descendants()
        .map(({ command }) => command.slice(0, 80))
        .join("; ")}`
    )
  // the one of this run
  if (after.folders > 1) violations.push(`left in the temporary folder: ${readdirSync(temporary).join(", ")}`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

for (const [name, times] of [...outcomes].sort(([, a], [, b]) => b - a))
  console.log(`${String(times).padStart(6)} ${name}`)
console.log(
  violations.length === 0 ? `${calls} calls, nothing is wrong` : violations.map((one) => `WRONG: ${one}`).join("\n")
)
process.exitCode = violations.length === 0 ? 0 : 1
