/** Clicking and filling. */
import type { Bench, Step } from "../Bench.ts"
import { interleave, type Side } from "../interleave.ts"
import { AgentView } from "../ours/AgentView.ts"
import { itemOf, shows } from "../raw/RawPage.ts"
import { fieldLabels } from "../site/pages.ts"

/** Both sides on a page, each with a fresh look before every round. */
const onPage = async ({ page, server, site }: Bench, path: string) => {
  await server.call("browser_open", { url: site.url(path) })
  await page.navigate(site.url(path))
  const view = new AgentView()
  let seen = await page.look()
  return {
    view,
    seen: () => seen,
    lookOurs: async () => view.read((await server.call("browser_snapshot")).text),
    lookRaw: async () => {
      seen = await page.look()
    }
  }
}

export const click: Step = {
  id: "click",
  quick: true,
  play: async (bench) => {
    const { options, page, server } = bench
    const { lookOurs, lookRaw, seen, view } = await onPage(bench, "/counter")
    const measured = await interleave(
      options.rounds,
      server,
      {
        prepare: lookOurs,
        act: async (round) => {
          const { text } = await server.call("browser_click_ref", { ...view.get("button", "Add one") })
          return text.includes(`Count ${round + 1}`)
        }
      },
      {
        prepare: lookRaw,
        act: async (round) => {
          await page.clickItem(itemOf(seen(), "button", "Add one").index)
          return shows(await page.look(), `Count ${round + 1}`)
        }
      }
    )
    return { rows: [{ name: "click and see", target: 3, ...measured }] }
  }
}

export const clickAsynchronous: Step = {
  id: "async",
  quick: true,
  play: async (bench) => {
    const { options, page, server } = bench
    const variant = async (button: string) => {
      const { lookOurs, lookRaw, seen, view } = await onPage(bench, "/asynchronous")
      const ours: Side = {
        prepare: lookOurs,
        act: async (round) => {
          const { text } = await server.call("browser_click_ref", { ...view.get("button", button) })
          return text.includes(`Answer ${round + 1}`)
        }
      }
      const raw: Side = {
        prepare: lookRaw,
        act: async (round) => {
          await page.clickItem(itemOf(seen(), "button", button).index)
          await page.appeared(`Answer ${round + 1}`)
          return shows(await page.look(), `Answer ${round + 1}`)
        }
      }
      return interleave(options.rounds, server, ours, raw)
    }
    return {
      rows: [
        { name: "click, answer of the server after 100 ms, see", target: 1.5, ...(await variant("Ask the server")) },
        { name: "click, timer of 100 ms, see", target: 1.5, ...(await variant("Wait a little")) }
      ],
      notes: [
        "The raw side of the asynchronous clicks knows which text will come and waits for exactly that; ours knows nothing and must have it in its one answer."
      ]
    }
  }
}

export const fill: Step = {
  id: "fill",
  quick: true,
  play: async ({ options, page, server, site }) => {
    await server.call("browser_open", { url: site.url("/form") })
    await page.navigate(site.url("/form"))
    const valueOf = (label: string, round: number) =>
      label === "Email"
        ? `ada${round}@example.org`
        : label === "Phone"
          ? `+49 30 ${1_000 + round}`
          : `${label} ${round}`
    const measured = await interleave(
      options.rounds,
      server,
      {
        act: async (round) => {
          const fields = fieldLabels.map((label) => ({ label, value: valueOf(label, round) }))
          const { structured } = await server.call("browser_fill", { fields })
          const filled = structured["fields"] as ReadonlyArray<{ readonly ok: boolean; readonly value?: string }>
          return filled.every(({ ok, value }, index) => ok && value === fields[index]?.value)
        }
      },
      {
        act: async (round) => {
          let right = true
          for (const label of fieldLabels) {
            const value = valueOf(label, round)
            right = (await page.fill(label, value)) === value && right
          }
          return right
        }
      }
    )
    return { rows: [{ name: "fill five fields by label, read back", target: 4, ...measured }] }
  }
}
