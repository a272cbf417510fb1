/** From nothing to the first page seen. */
import type { Step } from "../Bench.ts"
import { cpuTime, memory } from "../processFacts.ts"
import { median } from "../statistics.ts"
import { Server } from "../ours/Server.ts"
import { RawBrowser } from "../raw/RawBrowser.ts"
import { RawPage, shows } from "../raw/RawPage.ts"

/** Of each side, in turn. */
const rounds = 15

export const coldStart: Step = {
  id: "cold",
  quick: false,
  play: async ({ browser, site }) => {
    const url = site.url("/small")
    const times = { ours: [] as number[], raw: [] as number[] }
    const memories: Array<number> = []
    const cpus: Array<number> = []
    let characters = 0
    const ours = async () => {
      const start = performance.now()
      const server = await Server.start(browser)
      try {
        const { text } = await server.call("browser_open", { url })
        const ms = performance.now() - start
        if (!text.includes("A small page")) throw new Error(`another page was seen:\n${text}`)
        characters = text.length
        const { rss } = memory(server.pid) ?? {}
        const cpu = cpuTime(server.pid)
        if (rss !== undefined) memories.push(rss)
        if (cpu !== undefined) cpus.push(cpu)
        return ms
      } finally {
        await server.stop()
      }
    }
    const raw = async () => {
      const start = performance.now()
      const rawBrowser = new RawBrowser(browser)
      try {
        const page = await RawPage.open(rawBrowser, browser)
        await page.navigate(url)
        const look = await page.look()
        const ms = performance.now() - start
        if (!shows(look, "A small page")) throw new Error("raw: another page was seen")
        return ms
      } finally {
        await rawBrowser.stop()
      }
    }
    // the files of both programs are in the page cache for all rounds alike
    await ours()
    memories.length = 0
    cpus.length = 0
    await raw()
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await ours())
      times.raw.push(await raw())
    }
    return {
      rows: [
        {
          name: "cold start to the first page seen",
          target: 1.15,
          allowance: 150,
          ...times,
          right: rounds,
          calls: 1,
          characters,
          cpu: cpus.length === 0 ? undefined : median(cpus)
        }
      ],
      ...(memories.length === 0
        ? {}
        : { checks: [{ name: "server RSS after the first page", value: median(memories), limit: 110, unit: "MB" }] })
    }
  }
}
