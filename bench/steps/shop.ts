/** A shop order of 20 steps: search, choose, fill the cart, address, order. After each step the page is seen. */
import type { Step } from "../Bench.ts"
import { interleave } from "../interleave.ts"
import { AgentView } from "../ours/AgentView.ts"
import { itemOf, type RawLook, shows } from "../raw/RawPage.ts"

type Field = readonly [label: string, value: string]

interface Move {
  readonly open?: string
  readonly click?: readonly [kind: string, label: string]
  readonly fill?: ReadonlyArray<Field>
  readonly submit?: boolean
  /** what the raw side has to wait for: another page, or a text that comes later; absent: nothing */
  readonly wait?: "page" | { readonly text: string }
  /** what must be seen afterwards; for fields without it the values that were read back count */
  readonly see?: string
}

export const order: ReadonlyArray<Move> = [
  { open: "/shop/?fresh=1", see: "Desk lamp" },
  { fill: [["Search", "lamp"]], submit: true, wait: "page", see: "Reading lamp" },
  { click: ["link", "Desk lamp"], wait: "page", see: "39 EUR" },
  { click: ["radio", "Green"] },
  { click: ["button", "Add to cart"], wait: { text: "1 added" }, see: "1 added" },
  { click: ["link", "Shop"], wait: "page", see: "Oak chair" },
  { click: ["link", "Next page"], wait: "page", see: "Tea table" },
  { click: ["link", "Tea table"], wait: "page", see: "140 EUR" },
  { click: ["button", "More"], see: "2 pieces" },
  { click: ["button", "Add to cart"], wait: { text: "2 added" }, see: "2 added" },
  { click: ["link", "Cart (3)"], wait: "page", see: "319 EUR" },
  { fill: [["Voucher", "SAVE10"]] },
  { click: ["button", "Apply"], wait: { text: "287 EUR" }, see: "287 EUR" },
  { click: ["button", "Remove Desk lamp"], wait: { text: "252 EUR" }, see: "252 EUR" },
  { click: ["link", "Checkout"], wait: "page", see: "Postcode" },
  {
    fill: [
      ["Name", "Ada Byron"],
      ["Street", "Lake Road 7"],
      ["Postcode", "12345"],
      ["Town", "Oldtown"],
      ["Email", "ada@example.org"]
    ]
  },
  { click: ["radio", "Express"] },
  { click: ["button", "Continue"], wait: "page", see: "2 items, express, 252 EUR" },
  { click: ["button", "Place order"], wait: "page", see: "Thank you" },
  { click: ["link", "Shop"], wait: "page", see: "Desk lamp" }
]

export const shop: Step = {
  id: "shop",
  quick: true,
  play: async ({ options, page, server, site }) => {
    const view = new AgentView()
    const missing = new Set<number>()

    const ours = async (move: Move, index: number): Promise<void> => {
      if (move.open !== undefined) view.read((await server.call("browser_open", { url: site.url(move.open) })).text)
      else if (move.click !== undefined) {
        const target = view.find(...move.click)
        if (target === undefined) view.read((await server.call("browser_snapshot")).text)
        view.read((await server.call("browser_click_ref", { ...(target ?? view.get(...move.click)) })).text)
      } else {
        const fields = (move.fill ?? []).map(([label, value]) => ({ label, value }))
        const { structured, text } = await server.call("browser_fill", {
          fields,
          ...(move.submit === true ? { submit: true } : {})
        })
        view.read(text)
        const filled = structured["fields"] as ReadonlyArray<{ readonly ok: boolean }>
        if (!filled.every(({ ok }) => ok)) throw new Error(text)
      }
      if (move.see === undefined || view.text.includes(move.see)) return
      // what the agent needs was not in the answer: it has to look again
      missing.add(index + 1)
      view.read((await server.call("browser_snapshot")).text)
      if (!view.text.includes(move.see)) throw new Error(`"${move.see}" is not to be seen:\n${view.text}`)
    }

    let look: RawLook = { url: "", title: "", items: [] }
    const raw = async (move: Move): Promise<void> => {
      const loaded = move.wait === "page" ? page.nextLoad() : undefined
      if (move.open !== undefined) await page.navigate(site.url(move.open))
      else if (move.click !== undefined) await page.clickItem(itemOf(look, ...move.click).index)
      for (const [label, value] of move.fill ?? []) {
        if ((await page.fill(label, value)) !== value) throw new Error(`${label} was not filled`)
      }
      if (move.submit === true) await page.evaluate("void document.activeElement.form.requestSubmit()")
      if (loaded !== undefined) await loaded
      else if (move.wait !== undefined && move.wait !== "page") await page.appeared(move.wait.text)
      look = await page.look()
      if (move.see !== undefined && !shows(look, move.see)) throw new Error(`raw: "${move.see}" is not to be seen`)
    }

    const measured = await interleave(
      options.rounds,
      server,
      {
        act: async () => {
          for (const [index, move] of order.entries()) await ours(move, index)
          return true
        }
      },
      {
        act: async () => {
          for (const move of order) await raw(move)
          return true
        }
      }
    )
    return {
      rows: [{ name: "a shop order of 20 steps", target: 1.5, ...measured }],
      checks: [
        { name: "calls of the shop order", value: measured.calls, limit: 22, unit: "" },
        { name: "characters of the shop order", value: measured.characters, limit: 6_000, unit: "" },
        ...(measured.cpu === undefined
          ? []
          : [{ name: "server CPU of the shop order", value: measured.cpu, limit: 400, unit: "ms" }])
      ],
      notes:
        missing.size === 0
          ? []
          : [
              `In the shop order these steps needed a second look: ${[...missing].toSorted((a, b) => a - b).join(", ")}.`
            ]
    }
  }
}
