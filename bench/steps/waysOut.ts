/** How soon an agent is free of what would hang it: a page that is stuck, a dialog. */
import type { Step } from "../Bench.ts"
import { Server } from "../ours/Server.ts"
import { median } from "../statistics.ts"

const rounds = 7

/** The page goes on for ever, once the call that says so is answered. */
const stuck = { script: "setTimeout(() => { for (;;); }, 20); 0" }

const asking = { script: "document.querySelector('button').onclick = () => { window.asked = Date.now(); alert(1) }; 0" }

export const waysOut: Step = {
  id: "ways-out",
  quick: true,
  play: async ({ browser, site }) => {
    const server = await Server.start(browser)
    try {
      await server.listTools()
      const open = () => server.call("browser_open", { url: site.url("/small") })
      await open()
      const left: Array<number> = []
      const reloaded: Array<number> = []
      const asked: Array<number> = []
      for (const [times, leave] of [
        [left, open],
        [reloaded, () => server.call("browser_reload")]
      ] as const) {
        for (let round = 0; round < rounds; round++) {
          await server.call("browser_execute", stuck)
          const start = performance.now()
          const { text } = await leave()
          times.push(performance.now() - start)
          if (!(await open()).text.includes("A small page")) throw new Error(`the page was not left: ${text}`)
        }
      }
      for (let round = 0; round < rounds; round++) {
        await server.call("browser_execute", asking)
        const { text } = await server.call("browser_click", { text: "Send" })
        const answered = Date.now()
        if (!text.includes("dialog")) throw new Error(`no dialog was told: ${text}`)
        await server.call("browser_dialog", { action: "accept" })
        const { structured } = await server.call("browser_execute", { script: "window.asked" })
        asked.push(answered - Number(structured["value"]))
      }
      const check = (name: string, times: ReadonlyArray<number>, limit: number) => ({
        name,
        value: median(times),
        limit,
        unit: "ms"
      })
      return {
        rows: [],
        checks: [
          check("from a page in an endless loop to another one seen", left, 2_000),
          check("a page in an endless loop loaded again", reloaded, 2_000),
          check("from a dialog to the end of the click that opened it", asked, 200)
        ]
      }
    } finally {
      await server.stop()
    }
  }
}
