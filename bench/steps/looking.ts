/** Opening pages and looking at them. */
import type { Step } from "../Bench.ts"
import { interleave } from "../interleave.ts"
import { shows } from "../raw/RawPage.ts"

export const open: Step = {
  id: "open",
  quick: true,
  play: async ({ options, page, server, site }) => {
    const url = (round: number) => site.url(`/small?round=${round}`)
    const measured = await interleave(
      options.rounds,
      server,
      { act: async (round) => (await server.call("browser_open", { url: url(round) })).text.includes("A small page") },
      {
        act: async (round) => {
          await page.navigate(url(round))
          return shows(await page.look(), "A small page")
        }
      }
    )
    return { rows: [{ name: "open and see", target: 1.3, ...measured }] }
  }
}

export const lookSmall: Step = {
  id: "look",
  quick: true,
  play: async ({ options, page, server, site }) => {
    await server.call("browser_open", { url: site.url("/small") })
    await page.navigate(site.url("/small"))
    const measured = await interleave(
      options.rounds,
      server,
      { act: async () => (await server.call("browser_snapshot")).text.includes("A small page") },
      { act: async () => shows(await page.look(), "A small page") }
    )
    return { rows: [{ name: "look at a small page", target: 2, ...measured }] }
  }
}

export const lookLarge: Step = {
  id: "large",
  quick: true,
  play: async ({ options, page, server, site }) => {
    await server.call("browser_open", { url: site.url("/large") })
    await page.navigate(site.url("/large"))
    let rawCharacters = 0
    const measured = await interleave(
      options.rounds,
      server,
      { act: async () => (await server.call("browser_snapshot")).text.includes("Details of record 1") },
      {
        act: async () => {
          const look = await page.look()
          rawCharacters = JSON.stringify(look).length
          return shows(look, "Details of record 2000")
        }
      }
    )
    return {
      rows: [{ name: "look at 10,000 nodes, 2,000 links", target: 4, ...measured }],
      checks: [
        { name: "tokens of that look (characters / 4)", value: measured.characters / 4, limit: 6_000, unit: "" }
      ],
      notes: [
        `The raw look at the large page hands over everything: ${rawCharacters.toLocaleString("en")} characters of JSON.`
      ]
    }
  }
}
