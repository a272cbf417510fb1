/** What a large download costs in memory. */
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Step } from "../Bench.ts"
import { Server } from "../ours/Server.ts"
import { memory } from "../processFacts.ts"

/** 10^6 bytes */
const size = 200

/** ms between two looks at the memory */
const lookEvery = 20

export const download: Step = {
  id: "download",
  quick: true,
  play: async ({ browser, site }) => {
    const server = await Server.start(browser)
    const savePath = join(tmpdir(), `effect-browser-bench-${process.pid}.bin`)
    try {
      await server.listTools()
      await server.call("browser_open", { url: site.url("/small") })
      const fetch = (megabytes: number) =>
        server.call("browser_download", { url: site.url(`/file?megabytes=${megabytes}`), savePath })
      // the code is loaded, the way is known
      await fetch(1)
      const before = memory(server.pid)?.rss ?? Number.NaN
      let most = before
      const looking = setInterval(() => {
        most = Math.max(most, memory(server.pid)?.rss ?? 0)
      }, lookEvery)
      const start = performance.now()
      const { structured } = await fetch(size)
      clearInterval(looking)
      if (structured["bytes"] !== size * 1e6) throw new Error(`${String(structured["bytes"])} bytes came`)
      const seconds = (performance.now() - start) / 1_000
      return {
        rows: [],
        checks: [{ name: `memory for a download of ${size} MB`, value: most - before, limit: 40, unit: "MB" }],
        notes: [`The download of ${size} MB took ${seconds.toFixed(1)} s, from a server on the same machine.`]
      }
    } finally {
      await server.stop()
      rmSync(savePath, { force: true })
    }
  }
}
