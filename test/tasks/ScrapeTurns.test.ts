import { Arbitrary, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Turns from "../../src/layers/tasks/ScrapeTurns.ts"

const urlOf = (site: number, page: number) => `http://site${site}.example/${page}`

/** Addresses of some sites in some order, and tabs that ask in some order, now and then shown elsewhere by their page. */
const story = {
  sites: Arbitrary.schema(
    Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 }))).check(Schema.isMaxLength(300))
  ),
  tabs: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))),
  turns: Arbitrary.schema(
    Schema.Array(
      Schema.Struct({
        tab: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 })),
        /** 0 to 11: the page sent the tab on to that site; 12: it shows nothing; else it shows what was asked for */
        sent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
      })
    ).check(Schema.isMinLength(1), Schema.isMaxLength(60))
  )
}
interface Story {
  readonly sites: ReadonlyArray<number>
  readonly tabs: number
  readonly turns: ReadonlyArray<{ readonly tab: number; readonly sent: number }>
}

interface Step {
  readonly tab: number
  readonly place: number | undefined
  readonly before: Turns.Turns
  readonly after: Turns.Turns
}

/** Plays a batch to its end; the turns come again and again. */
const play = ({ sites, tabs, turns: order }: Story): ReadonlyArray<Step> => {
  const urls = sites.map((site, page) => urlOf(site, page))
  const shown = new Map<number, string>()
  const steps: Array<Step> = []
  let turns = Turns.begin(urls)
  for (let n = 0; n <= urls.length; n++) {
    const { sent, tab: any } = order[n % order.length] ?? { tab: 0, sent: 60 }
    const tab = any % tabs
    const [place, after] = Turns.next(turns, tab, shown.get(tab) ?? "about:blank")
    steps.push({ tab, place, before: turns, after })
    shown.set(tab, sent < 12 ? urlOf(sent, 0) : sent === 12 ? "" : (urls[place ?? -1] ?? ""))
    turns = after
  }
  return steps
}

const waiting = ({ sites }: Turns.Turns): ReadonlyArray<number> =>
  sites.flatMap(({ given, places }, number) => (given < places.length ? [number] : []))
const tabsAt = ({ tabs }: Turns.Turns, site: number) => [...tabs.values()].filter((at) => at.site === site).length

describe("the turns of a batch, whatever the addresses and wherever the pages lead,", () => {
  it.prop("give out every address once, and nothing only when nothing is left", story, (story) => {
    const places = play(story).map(({ place }) => place)
    assert.strictEqual(places.pop(), undefined)
    assert.deepStrictEqual(
      places.toSorted((a, b) => Number(a) - Number(b)),
      story.sites.map((_, place) => place)
    )
  })

  it.prop("send a tab to no site that has more tabs than another that waits", story, (story) => {
    for (const { after, tab } of play(story)) {
      const site = after.tabs.get(tab)?.site
      if (site === undefined) continue
      for (const other of waiting(after)) assert.isAtMost(tabsAt(after, site), tabsAt(after, other) + 1)
    }
  })

  it.prop("queue exactly the sites that wait and have no tab", story, (story) => {
    for (const { after } of play(story)) {
      assert.deepStrictEqual(
        after.queue.toSorted((a, b) => a - b),
        waiting(after).filter((site) => tabsAt(after, site) === 0)
      )
    }
  })

  it.prop(
    "let none starve: the first of the queue has its turn after a stay of each tab at the latest",
    story,
    (story) => {
      let first: number | undefined
      let since = 0
      for (const { after } of play(story)) {
        since = after.queue[0] === first ? since + 1 : 0
        first = after.queue[0]
        if (first !== undefined) assert.isAtMost(since, story.tabs * Turns.longestStay)
      }
    }
  )
})

/** The sites to which the tabs go, one page after the other, if every page shows what was asked for. */
const visits = (urls: ReadonlyArray<string>, tabs: number): ReadonlyArray<ReadonlyArray<string>> => {
  const seen: Array<Array<string>> = Array.from({ length: tabs }, () => [])
  const shown: Array<string> = Array.from({ length: tabs }, () => "about:blank")
  let turns = Turns.begin(urls)
  for (let n = 0; n < urls.length; n++) {
    const tab = n % tabs
    const [place, after] = Turns.next(turns, tab, shown[tab] ?? "")
    turns = after
    const url = urls[place ?? -1] ?? ""
    shown[tab] = url
    seen[tab]?.push(Turns.siteOf(url))
  }
  return seen
}
const changes = (sites: ReadonlyArray<string>) => sites.filter((site, n) => n > 0 && site !== sites[n - 1]).length

describe("the turns of a batch", () => {
  it("keep each of eight tabs at its site when two sites alternate, four at each", () => {
    const seen = visits(
      Array.from({ length: 200 }, (_, n) => urlOf(n % 2, n)),
      8
    )
    assert.deepStrictEqual(seen.map(changes), [0, 0, 0, 0, 0, 0, 0, 0])
    assert.lengthOf(
      seen.filter((sites) => sites[0] === "site0.example"),
      4
    )
  })

  it("let one tab change sites once in a stay, not with every page", () => {
    const [seen = []] = visits(
      Array.from({ length: 200 }, (_, n) => urlOf(n % 2, n)),
      1
    )
    assert.strictEqual(changes(seen), 200 / Turns.longestStay - 1)
  })

  it("spread a list that is sorted by site, and all help with what is left", () => {
    const seen = visits(
      Array.from({ length: 80 }, (_, n) => urlOf(n < 60 ? 0 : 1, n)),
      8
    )
    assert.deepStrictEqual(
      seen.map((sites) => sites[0]),
      [0, 1, 0, 1, 0, 1, 0, 1].map((site) => `site${site}.example`)
    )
    for (const sites of seen) assert.isAtMost(changes(sites), 1)
  })

  it("take an address, whatever its scheme, port and www, for one of its host", () => {
    assert.strictEqual(Turns.siteOf("http://Shop.example:8080/a"), Turns.siteOf("https://www.shop.example/b"))
    assert.notStrictEqual(Turns.siteOf("http://shop.example/"), Turns.siteOf("http://shop.example.org/"))
    assert.strictEqual(Turns.siteOf("no address"), "")
  })

  it("give out 10,000 addresses of as many sites in their order", () => {
    const urls = Array.from({ length: 10_000 }, (_, n) => urlOf(n, n))
    assert.deepStrictEqual(visits(urls, 1), [urls.map(Turns.siteOf)])
  })
})
