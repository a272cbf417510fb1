/** What it costs that dialogs wait in the page: the same steps by two servers, one with the gate and one without. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Step } from "../Bench.ts"
import { interleave } from "../interleave.ts"
import { Server } from "../ours/Server.ts"
import { scriptCount } from "../site/scripts.ts"

/** Work of a page, as a script of one call; each gives a value that tells that it was done. */
const work = {
  "JavaScript that counts": `let s = 0; for (let i = 0; i < 2e8; i++) s = (s + i * i) | 0; return s !== 0`,
  "objects, texts and closures": `let all = []; for (let i = 0; i < 3e5; i++) { const o = { i, text: "n" + i, next: () => i + 1 }; all.push(o) }
    return all.map((o) => o.next() + o.text.length).reduce((a, b) => a + b, 0) > 0`,
  "2,000 times eval": `let s = 0; for (let i = 0; i < 2000; i++) s += (0, eval)("(() => { let t = 0; for (let j = 0; j < 50; j++) t += j; return t })()"); return s > 0`,
  WebAssembly: `const bytes = Uint8Array.from(atob("AGFzbQEAAAABBgFgAX8BfwMCAQAHBQEBZgAACiEBHwECfwNAIAEgAiACbGohASACQQFqIgIgAEgNAAsgAQs="), (c) => c.charCodeAt(0))
    return WebAssembly.instantiate(bytes).then(({ instance }) => { instance.exports.f(3e8); return true })`
} as const

export const dialogGate: Step = {
  id: "gate",
  quick: false,
  play: async ({ browser, options, site }) => {
    const folder = mkdtempSync(join(tmpdir(), "bench-gate-"))
    const start = async (dialogWay: string) => {
      const file = join(folder, `${dialogWay}.json`)
      writeFileSync(file, JSON.stringify({ dialogWay }))
      const server = await Server.start(browser, [], ["--config", file])
      await server.listTools()
      return server
    }
    const gated = await start("gate")
    const native = await start("native")
    const both = async (name: string, args: (round: number) => Readonly<Record<string, unknown>>, proof: string) => {
      const act = (server: Server) => async (round: number) =>
        (await server.call(name, args(round))).text.includes(proof)
      return await interleave(options.rounds, gated, { act: act(gated) }, { act: act(native) })
    }
    const row = (name: string, measured: Awaited<ReturnType<typeof both>>) => ({
      name: `${name} (with the gate; raw: without)`,
      target: undefined,
      ...measured
    })
    try {
      const rows = [
        row(
          "open a small page",
          await both("browser_open", (round) => ({ url: site.url(`/small?${round}`) }), "A small page")
        ),
        row("look at a small page", await both("browser_snapshot", () => ({}), "A small page")),
        row(
          `open a page of ${scriptCount} scripts`,
          await both("browser_open", (round) => ({ url: site.url(`/scripts?${round}`) }), "All scripts have run")
        )
      ]
      for (const [name, script] of Object.entries(work)) {
        rows.push(row(name, await both("browser_execute", () => ({ script }), "true")))
      }
      return { rows }
    } finally {
      await Promise.allSettled([gated.stop(), native.stop()])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
