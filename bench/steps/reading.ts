/** Evaluating, pictures, tabs, history and content. */
import type { Step } from "../Bench.ts"
import { interleave, type Measured } from "../interleave.ts"
import { connectOfficially } from "../ours/OfficialClient.ts"
import type { Bench } from "../Bench.ts"

const both = async ({ page, server, site }: Bench, path: string): Promise<void> => {
  await server.call("browser_open", { url: site.url(path) })
  await page.navigate(site.url(path))
}

export const evaluate: Step = {
  id: "evaluate",
  quick: true,
  play: async (bench) => {
    await both(bench, "/small")
    const { options, page, server } = bench
    const script = "document.querySelectorAll('a').length"
    const measured = await interleave(
      options.rounds,
      server,
      { act: async () => (await server.call("browser_execute", { script })).structured["value"] === "7" },
      { act: async () => (await page.evaluate(script)) === 7 }
    )
    return { rows: [{ name: "evaluate", target: 2, ...measured }] }
  }
}

export const screenshot: Step = {
  id: "screenshot",
  quick: true,
  play: async (bench) => {
    await both(bench, "/small")
    const { options, page, server } = bench
    const isPng = (data: string | undefined) => data?.startsWith("iVBORw0KGgo") === true
    const measured = await interleave(
      options.rounds,
      server,
      { act: async () => isPng((await server.call("browser_screenshot")).images[0]) },
      { act: async () => isPng((await page.send("Page.captureScreenshot", { format: "png" })).data) }
    )
    return { rows: [{ name: "screenshot", target: 1.2, ...measured }] }
  }
}

export const tabs: Step = {
  id: "tabs",
  quick: true,
  play: async (bench) => {
    await both(bench, "/small")
    const { options, rawBrowser, server } = bench
    const measured = await interleave(
      options.rounds,
      server,
      { act: async () => (await server.call("browser_list_tabs")).text.includes("/small") },
      {
        act: async () => {
          const { targetInfos } = await rawBrowser.send("Target.getTargets")
          return targetInfos.some((one) => one.type === "page" && one.url.endsWith("/small"))
        }
      }
    )
    return { rows: [{ name: "list tabs", target: 1.2, ...measured }] }
  }
}

export const back: Step = {
  id: "back",
  quick: true,
  play: async ({ options, page, server, site }) => {
    const play = (see: boolean): Promise<Measured> =>
      interleave(
        options.rounds,
        server,
        {
          prepare: async () => {
            await server.call("browser_open", { url: site.url("/small") })
            await server.call("browser_open", { url: site.url("/article") })
          },
          act: async () => {
            const { structured, text } = await server.call("browser_back")
            return structured["navigated"] === true && (!see || text.includes("A small page"))
          }
        },
        {
          prepare: async () => {
            await page.navigate(site.url("/small"))
            await page.navigate(site.url("/article"))
          },
          act: async () => {
            await page.back()
            return !see || (await page.look()).title === "Small page"
          }
        }
      )
    return {
      rows: [
        { name: "back", target: 1.2, ...(await play(false)) },
        { name: "back and see (raw: with a look)", target: undefined, ...(await play(true)) }
      ]
    }
  }
}

export const content: Step = {
  id: "content",
  quick: true,
  play: async (bench) => {
    await both(bench, "/article")
    const { options, page, server } = bench
    const format = (name: "txt" | "html" | "markdown", expression: string, proof: string) =>
      interleave(
        options.rounds,
        server,
        { act: async () => (await server.call("browser_content", { format: name })).text.includes(proof) },
        { act: async () => String(await page.evaluate(expression)).includes("Part 12") }
      )
    return {
      rows: [
        { name: "content as text", target: 1.2, ...(await format("txt", "document.body.innerText", "Part 12")) },
        {
          name: "content as HTML",
          target: 1.2,
          ...(await format("html", "document.documentElement.outerHTML", "<h2>Part 12"))
        },
        {
          name: "content as Markdown (raw: HTML only)",
          target: undefined,
          ...(await format("markdown", "document.documentElement.outerHTML", "## Part 12"))
        }
      ]
    }
  }
}

export const protocol: Step = {
  id: "protocol",
  quick: true,
  play: async ({ browser, mcp, options, page }) => {
    const raw = { act: async () => (await page.evaluate("1")) === 1 }
    const official = await connectOfficially(browser)
    const both = async (who: string, ping: () => Promise<unknown>) => ({
      name: `an empty message by ${who} (raw: evaluate 1)`,
      target: undefined,
      ...(await interleave(options.rounds, mcp, { act: () => ping().then(() => true) }, raw))
    })
    try {
      return {
        rows: [
          await both("the least client", () => mcp.ping()),
          // its server is another one, whose processor time is not counted here
          { ...(await both("the official client", () => official.ping())), cpu: undefined }
        ]
      }
    } finally {
      await official.close()
    }
  }
}
