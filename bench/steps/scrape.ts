/** What reading pages side by side saves, and how much of that the browser alone could save. */
import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Bench, Step } from "../Bench.ts"
import { Server } from "../ours/Server.ts"
import { RawPage } from "../raw/RawPage.ts"

interface Pages {
  readonly from: string
  readonly path: string
  readonly count: number
}

const kinds: ReadonlyArray<Pages> = [
  { from: "a server that answers at once", path: "/article", count: 200 },
  { from: "a server that takes 500 ms", path: "/late-article", count: 48 }
]

/** By two names of the host in turn: a browser asks one for no more than six things at once. */
const addresses = ({ site }: Bench, { count, path }: Pages, query: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => {
    const url = site.url(`${path}?${query}-${n}`)
    return n % 2 === 0 ? url : url.replace("127.0.0.1", "localhost")
  })

/** ms of the pages with so many at once. */
type Read = (pages: Pages, concurrency: number) => Promise<number>

const byTool =
  (server: Server, bench: Bench, outPath: string): Read =>
  async (pages, concurrency) => {
    const urls = addresses(bench, pages, `ours-${concurrency}`)
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
    if (right !== pages.count) throw new Error(`${right} of ${pages.count} pages were read`)
    return taken
  }

const byHand =
  (bench: Bench): Read =>
  async (pages, concurrency) => {
    const { browser, rawBrowser } = bench
    const urls = addresses(bench, pages, `raw-${concurrency}`)
    const start = performance.now()
    const tabs = await Promise.all(Array.from({ length: concurrency }, () => RawPage.open(rawBrowser, browser)))
    let next = 0
    await Promise.all(
      tabs.map(async (tab) => {
        for (let url = urls[next++]; url !== undefined; url = urls[next++]) {
          await tab.navigate(url)
          await tab.evaluate("document.title")
        }
      })
    )
    const taken = performance.now() - start
    await Promise.all(tabs.map((tab) => tab.close()))
    return taken
  }

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

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
      await ours({ from: "", path: "/article", count: 48 }, 8)
      const checks = []
      const notes = []
      for (const pages of kinds) {
        const { count, from } = pages
        const one = await ours(pages, 1)
        const eight = await ours(pages, 8)
        const rawOne = await raw(pages, 1)
        const rawEight = await raw(pages, 8)
        checks.push({ name: `8 pages at once against one, of ${from}`, value: eight / one, limit: 1 / 5, unit: "" })
        notes.push(
          `${count} pages of ${from} took ${seconds(one)} s one at a time and ${seconds(eight)} s with 8 at once: ${(one / eight).toFixed(1)} times as fast (by raw CDP ${seconds(rawOne)} and ${seconds(rawEight)} s: ${(rawOne / rawEight).toFixed(1)} times, which is what the browser gives on this machine).`
        )
      }
      return { rows: [], checks, notes }
    } finally {
      await server.stop()
      rmSync(outPath, { force: true })
    }
  }
}
