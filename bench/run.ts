/** `npm run bench`: plays every step beside raw CDP and writes the numbers down. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Bench, Check, Step, StepResult } from "./Bench.ts"
import { findBrowser } from "./browserUnderTest.ts"
import { machineLines } from "./machine.ts"
import { parseOptions } from "./options.ts"
import { program, Server } from "./ours/Server.ts"
import { cpuTime, memory } from "./processFacts.ts"
import { RawBrowser } from "./raw/RawBrowser.ts"
import { RawPage } from "./raw/RawPage.ts"
import { markdown, type Report } from "./report.ts"
import { startSite } from "./site/Site.ts"
import * as acting from "./steps/acting.ts"
import { coldStart } from "./steps/coldStart.ts"
import { dialogGate } from "./steps/dialogGate.ts"
import * as looking from "./steps/looking.ts"
import { library } from "./steps/library.ts"
import { memoryGrowth } from "./steps/memory.ts"
import * as reading from "./steps/reading.ts"
import { shop } from "./steps/shop.ts"
import { supervisor } from "./steps/supervisor.ts"
import { download } from "./steps/download.ts"
import { cancelled, queue } from "./steps/queue.ts"
import { scrape } from "./steps/scrape.ts"
import { sixteenTasks } from "./steps/tasks.ts"
import { waysOut } from "./steps/waysOut.ts"

/** In the order of the report. */
const steps: ReadonlyArray<Step> = [
  coldStart,
  looking.open,
  looking.lookSmall,
  looking.lookLarge,
  acting.click,
  acting.clickAsynchronous,
  acting.fill,
  reading.evaluate,
  reading.screenshot,
  reading.tabs,
  reading.back,
  reading.content,
  shop,
  reading.protocol,
  library,
  sixteenTasks,
  supervisor,
  queue,
  cancelled,
  waysOut,
  download,
  scrape,
  dialogGate,
  memoryGrowth
]

const options = parseOptions(process.argv.slice(2))
const chosen = steps.filter(({ id, quick }) =>
  options.only.length > 0 ? options.only.includes(id) : quick || !options.quick
)
const unknown = options.only.filter((id) => !steps.some((step) => step.id === id))
if (unknown.length > 0) {
  throw new Error(`there is no step ${unknown.join(", ")}; there are ${steps.map(({ id }) => id).join(", ")}`)
}
if (!existsSync(program)) throw new Error(`${program} is not there: npm run build`)

const browser = await Effect.runPromise(findBrowser)
const site = await startSite()
const rawBrowser = new RawBrowser(browser)
const server = await Server.start(browser)

const wholeRun = (tools: { readonly count: number; readonly bytes: number }): ReadonlyArray<Check> => {
  const used = memory(server.pid)
  return [
    { name: `bytes of the list of the ${tools.count} tools`, value: tools.bytes, limit: 16_000, unit: "" },
    { name: "characters of the longest answer", value: server.longest, limit: 25_000, unit: "" },
    ...(used === undefined ? [] : [{ name: "server RSS at the end", value: used.rss, limit: 110, unit: "MB" }]),
    ...(used?.peak === undefined
      ? []
      : [{ name: "server RSS at its highest", value: used.peak, limit: 110, unit: "MB" }])
  ]
}

const wholeRunNotes = (): ReadonlyArray<string> => {
  const used = memory(server.pid)
  const cpu = cpuTime(server.pid)
  return used === undefined || cpu === undefined
    ? []
    : [
        `The server of the steps made ${server.calls} calls with ${(cpu / 1_000).toFixed(1)} s of user and system time; at their end it had ${used.rss.toFixed(0)} MB RSS (peak ${used.peak?.toFixed(0) ?? "?"}), ${used.pss?.toFixed(0) ?? "?"} MB PSS. The browser is not counted.`
      ]
}

try {
  const { product } = await rawBrowser.send("Browser.getVersion")
  const machine = machineLines(product)
  console.log(machine.join("\n"))
  const tools = await server.listTools()
  const bench: Bench = {
    options,
    browser,
    site,
    server,
    mcp: server,
    rawBrowser,
    page: await RawPage.open(rawBrowser, browser)
  }
  const results: Array<StepResult> = []
  for (const step of chosen) {
    const start = performance.now()
    results.push(await step.play(bench))
    console.log(`${step.id} (${((performance.now() - start) / 1_000).toFixed(1)} s)`)
  }
  const report: Report = { machine, rounds: options.rounds, results, checks: wholeRun(tools), notes: wholeRunNotes() }
  const text = markdown(report)
  console.log(`\n${text}`)
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`)
  if (!options.quick && options.only.length === 0) writeFileSync(join(import.meta.dirname, "RESULTS.md"), text)
} catch (error) {
  console.error(server.words)
  throw error
} finally {
  await Promise.allSettled([server.stop(), rawBrowser.stop(), site.stop()])
}
