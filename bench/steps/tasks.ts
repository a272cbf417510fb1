/** 16 tasks at once in one browser. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Step } from "../Bench.ts"
import { median, percentile } from "../statistics.ts"
import { itemOf, RawPage, shows } from "../raw/RawPage.ts"
import { fieldLabels } from "../site/pages.ts"
import type { TaskRound, TaskRoundResult } from "./libraryTasks.ts"

const tasks = 16
const clicks = 5

/** One task by raw CDP: ms of each operation; false if it saw another task's page or a wrong one. */
const rawTask = async (page: RawPage, url: (path: string) => string, name: string) => {
  const times: Array<number> = []
  let right = true
  const timed = async (operation: () => Promise<boolean>) => {
    const start = performance.now()
    const good = await operation()
    times.push(performance.now() - start)
    right &&= good
  }
  let look = await page.look()
  await timed(async () => {
    await page.navigate(url(`/counter?${name}`))
    look = await page.look()
    return look.url.endsWith(name)
  })
  for (let click = 1; click <= clicks; click++) {
    await timed(async () => {
      await page.clickItem(itemOf(look, "button", "Add one").index)
      look = await page.look()
      return shows(look, `Count ${click}`)
    })
  }
  await timed(async () => {
    await page.navigate(url(`/form?${name}`))
    look = await page.look()
    return look.url.endsWith(name)
  })
  await timed(async () => {
    let good = true
    for (const label of fieldLabels) good = (await page.fill(label, `${name}@x.org`)) === `${name}@x.org` && good
    return good
  })
  await timed(async () => (await page.evaluate("location.search")) === `?${name}`)
  return { times, right }
}

export const sixteenTasks: Step = {
  id: "tasks",
  quick: true,
  play: async ({ browser, options, rawBrowser, site }) => {
    const rounds = Math.max(3, Math.ceil(options.rounds / 3))
    const child = fork(join(import.meta.dirname, "libraryTasks.ts"), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      execArgv: []
    })
    const stop = () => child.kill("SIGKILL")
    process.once("exit", stop)
    const ours = async (round: number): Promise<TaskRoundResult> => {
      const request: TaskRound = {
        round,
        tasks,
        clicks,
        origin: site.url(""),
        ...(browser.configured === undefined ? {} : { executable: browser.configured })
      }
      child.send(request)
      const [result] = (await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() => Promise.reject(new Error("the library's process ended")))
      ])) as [TaskRoundResult]
      return result
    }
    try {
      const pages = await Promise.all(Array.from({ length: tasks }, () => RawPage.open(rawBrowser, browser)))
      const raw = (round: number) =>
        Promise.all(pages.map((page, index) => rawTask(page, site.url, `r${round}t${index}`)))
      const all = { ours: [] as number[], raw: [] as number[] }
      let right = 0
      await ours(0)
      await raw(0)
      for (let round = 1; round <= rounds; round++) {
        const result = await ours(round)
        all.ours.push(...result.times)
        right += result.right
        const rawResults = await raw(round)
        for (const { times, right: good } of rawResults) {
          if (!good) throw new Error("a raw task saw another page than its own")
          all.raw.push(...times)
        }
      }
      const at = (share: number) => percentile(all.ours, share) / percentile(all.raw, share)
      const ms = (share: number) =>
        `${percentile(all.ours, share).toFixed(0)} against ${percentile(all.raw, share).toFixed(0)} ms`
      return {
        rows: [],
        checks: [
          { name: "16 tasks at once: wrong ones", value: tasks * rounds - right, limit: 0, unit: "" },
          { name: `16 tasks at once: p95 of an operation (${ms(0.95)})`, value: at(0.95), limit: 1.5, unit: "x raw" }
        ],
        notes: [
          `16 tasks at once, by the library (an MCP connection has one task), ${all.ours.length / rounds} operations a round (open, click and see, fill five fields, evaluate): p50 ${ms(0.5)} (${at(0.5).toFixed(2)} times raw), middle ${median(all.ours).toFixed(0)} ms. The raw side drives 16 tabs of one browser from one process as well.`
        ]
      }
    } finally {
      process.removeListener("exit", stop)
      if (child.connected) child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    }
  }
}
