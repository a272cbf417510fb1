/** What reading pages side by side saves, and how much of that the browser alone could save. */
import { readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import type { Bench, Step } from "../Bench.ts"
import { Server } from "../ours/Server.ts"
import { RawPage } from "../raw/RawPage.ts"

interface Pages {
  readonly from: string
  readonly path: string
  /** pages that are read with eight at once */
  readonly count: number
  /** pages that are read one at a time, since all of them would take minutes */
  readonly alone: number
}

const immediate: Pages = { from: "a server that answers at once", path: "/article", count: 56, alone: 32 }
/** As the servers of real pages do: waiting for them is what reading side by side saves. */
const slow: Pages = { from: "a server that takes 500 ms", path: "/late-article", count: 120, alone: 24 }

/** By two names of the host in turn: a browser asks one for no more than six things at once. */
const names = ["127.0.0.1", "localhost"] as const

const addresses = ({ site }: Bench, path: string, count: number, query: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) =>
    site.url(`${path}?${query}-${n}`).replace("127.0.0.1", names[n % names.length] ?? "")
  )

/** ms of so many pages with so many at once. */
type Read = (path: string, count: number, concurrency: number) => Promise<number>

const byTool =
  (server: Server, bench: Bench, outPath: string): Read =>
  async (path, count, concurrency) => {
    const urls = addresses(bench, path, count, `ours-${concurrency}`)
    const start = performance.now()
    const { structured } = await server.call("browser_scrape", {
      action: "start",
      urls,
      script: "document.title",
      outPath,
      concurrency
    })
    for (;;) {
      const { structured: now } = await server.call("browser_scrape", {
        action: "status",
        id: String(structured["id"]),
        timeoutMs: 50_000
      })
      if (now["state"] !== "running") break
    }
    const taken = performance.now() - start
    const right = readFileSync(outPath, "utf8")
      .split("\n")
      .filter((line) => line.includes('"ok":true')).length
    if (right !== count) throw new Error(`${right} of ${count} pages were read`)
    return taken
  }

/** Every tab reads the addresses of one name, and those of the next when they are read, as the product's tabs do. */
const byHand =
  (bench: Bench): Read =>
  async (path, count, concurrency) => {
    const { browser, rawBrowser } = bench
    const urls = addresses(bench, path, count, `raw-${concurrency}`)
    const lists = names.map((name) => urls.filter((url) => new URL(url).hostname === name))
    const start = performance.now()
    const tabs = await Promise.all(Array.from({ length: concurrency }, () => RawPage.open(rawBrowser, browser)))
    await Promise.all(
      tabs.map(async (tab, number) => {
        for (let turn = 0; turn < lists.length; turn++) {
          const list = lists[(number + turn) % lists.length] ?? []
          for (let url = list.shift(); url !== undefined; url = list.shift()) {
            await tab.navigate(url)
            await tab.evaluate("document.title")
          }
        }
      })
    )
    const taken = performance.now() - start
    await Promise.all(tabs.map((tab) => tab.close()))
    return taken
  }

interface Taken {
  /** ms of a page, one at a time and with eight at once */
  readonly one: number
  readonly eight: number
}

const measure = async (read: Read, { alone, count, path }: Pages): Promise<Taken> => ({
  one: (await read(path, alone, 1)) / alone,
  eight: (await read(path, count, 8)) / count
})

const times = ({ eight, one }: Taken): string => `${(one / eight).toFixed(1)} times as fast`
const each = ({ eight, one }: Taken): string =>
  `${one.toFixed(0)} ms a page one at a time and ${eight.toFixed(0)} ms with 8 at once`

const check = ({ count, from }: Pages, { eight, one }: Taken) => ({
  name: `${count} pages with 8 at once against one at a time, of ${from}`,
  value: eight / one,
  limit: 1 / 5,
  unit: ""
})

const note = ({ alone, count, from }: Pages, ours: Taken, raw: Taken, more: string): string =>
  `Pages of ${from}: ${each(ours)}, ${times(ours)}; by raw CDP, its tabs at the same sites, ${each(raw)}, ${times(raw)}${more}. Measured on ${count} pages with 8 at once and on ${alone} of them one at a time, the opening of the tabs included.`

export const scrape: Step = {
  id: "scrape",
  quick: false,
  play: async (bench) => {
    const { browser, site } = bench
    const server = await Server.start(browser, [], ["--tools", "all"])
    const outPath = join(tmpdir(), `effect-browser-bench-${process.pid}.jsonl`)
    try {
      await server.call("browser_open", { url: site.url("/small") })
      const ours = byTool(server, bench, outPath)
      const raw = byHand(bench)
      await ours("/article", 48, 8)
      const slowOurs = await measure(ours, slow)
      const slowRaw = await measure(raw, slow)
      const immediateOurs = await measure(ours, immediate)
      const immediateRaw = await measure(raw, immediate)
      return {
        rows: [],
        checks: [check(slow, slowOurs), check(immediate, immediateOurs)],
        notes: [
          note(slow, slowOurs, slowRaw, ""),
          note(
            immediate,
            immediateOurs,
            immediateRaw,
            `, which is what ${availableParallelism()} cores give: there is no waiting to save, and a page needs the cores for all of its time`
          )
        ]
      }
    } finally {
      await server.stop()
      rmSync(outPath, { force: true })
    }
  }
}
