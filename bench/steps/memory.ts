/** Whether a long life makes the server grow. */
import type { Step } from "../Bench.ts"
import { AgentView } from "../ours/AgentView.ts"
import { Inspector } from "../ours/Inspector.ts"
import { Server } from "../ours/Server.ts"
import { memory } from "../processFacts.ts"

const samples = 10

/** Calls before the first sample: caches are filled, code is compiled. */
const warmUp = 500

export const memoryGrowth: Step = {
  id: "memory",
  quick: true,
  play: async ({ browser, options, site }) => {
    const server = await Server.start(browser, ["--inspect=127.0.0.1:0"])
    try {
      const inspector = await Inspector.connect(() => server.words)
      await server.listTools()
      const view = new AgentView()
      let called = 0
      const play = async (calls: number) => {
        for (let n = 0; n < calls; n++, called++) {
          switch (called % 50 === 0 ? "open" : called % 5) {
            case "open":
              view.read((await server.call("browser_open", { url: site.url(`/counter?${called}`) })).text)
              break
            case 1:
              view.read((await server.call("browser_snapshot")).text)
              break
            case 2:
              await server.call("browser_execute", { script: "document.title" })
              break
            case 3:
              await server.call("browser_content", { format: "txt" })
              break
            case 4:
              await server.call("browser_list_tabs")
              break
            default:
              view.read((await server.call("browser_click_ref", { ...view.get("button", "Add one") })).text)
          }
        }
      }
      const sample = async () => {
        await inspector.collectGarbage()
        return { rss: memory(server.pid)?.rss, heap: await inspector.heapUsed() }
      }
      await play(warmUp)
      const taken = [await sample()]
      for (let part = 1; part <= samples; part++) {
        await play(Math.ceil(options.calls / samples))
        taken.push(await sample())
      }
      inspector.close()
      const [first, last] = [taken[0]!, taken.at(-1)!]
      const list = (of: (one: (typeof taken)[number]) => number | undefined) =>
        taken.map((one) => of(one)?.toFixed(1) ?? "?").join(", ")
      return {
        rows: [],
        checks: [
          { name: `heap growth over ${options.calls} calls`, value: last.heap - first.heap, limit: 5, unit: "MB" },
          ...(first.rss === undefined || last.rss === undefined
            ? []
            : [{ name: `RSS growth over ${options.calls} calls`, value: last.rss - first.rss, limit: 5, unit: "MB" }])
        ],
        notes: [
          `Memory (a server of its own, ${warmUp} calls before the first sample, garbage collected before each): heap ${list((one) => one.heap)} MB; RSS ${list((one) => one.rss)} MB.`
        ]
      }
    } finally {
      await server.stop()
    }
  }
}
