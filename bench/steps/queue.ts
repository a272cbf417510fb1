/** What it costs that the calls of a task wait for each other, and how fast a cancelled one makes room. */
import type { Step } from "../Bench.ts"
import { Server } from "../ours/Server.ts"
import { median } from "../statistics.ts"

/** As many as may wait for a task. */
const calls = 100

const rounds = 7

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const script = { script: "1" }

/** A queue of calls that act: what each takes more than one that finds the lane free. */
export const queue: Step = {
  id: "queue",
  quick: true,
  play: async ({ browser, site }) => {
    const server = await Server.start(browser)
    try {
      await server.listTools()
      await server.call("browser_open", { url: site.url("/small") })
      const call = () => server.call("browser_execute", script)
      for (let n = 0; n < calls; n++) await call()
      const apart: Array<number> = []
      const queued: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        apart.push(
          (await timed(async () => {
            for (let n = 0; n < calls; n++) await call()
          })) / calls
        )
        queued.push((await timed(() => Promise.all(Array.from({ length: calls }, call)))) / calls)
      }
      return {
        rows: [],
        checks: [
          {
            name: `what a queue of ${calls} calls adds to each`,
            value: Math.max(0, median(queued) - median(apart)),
            limit: 2,
            unit: "ms"
          }
        ],
        notes: [
          `A call that acts took ${median(apart).toFixed(1)} ms when the lane was free and ${median(queued).toFixed(1)} ms in a queue of ${calls}.`
        ]
      }
    } finally {
      await server.stop()
    }
  }
}

/** From the cancelling of a call that would wait for ever to the answer of the one behind it. */
export const cancelled: Step = {
  id: "cancelled",
  quick: true,
  play: async ({ browser, site }) => {
    const server = await Server.start(browser)
    try {
      await server.listTools()
      await server.call("browser_open", { url: site.url("/small") })
      const taken: Array<number> = []
      for (let round = 0; round < rounds * 3; round++) {
        const controller = new AbortController()
        const holding = server
          .call("browser_execute", { script: "new Promise(() => {})" }, controller.signal)
          .catch(() => {})
        const behind = server.call("browser_execute", script)
        // the first one is in the page when something later has been answered beside it
        await server.call("browser_stop")
        const start = performance.now()
        controller.abort()
        await behind
        taken.push(performance.now() - start)
        await holding
      }
      return {
        rows: [],
        checks: [
          {
            name: "a cancelled call: until the one behind it is answered",
            value: median(taken),
            limit: 100,
            unit: "ms"
          }
        ]
      }
    } finally {
      await server.stop()
    }
  }
}
