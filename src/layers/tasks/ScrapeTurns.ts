/**
 * Which page of a batch a tab reads next, as a pure decision.
 *
 * A browser renders each site in a process of its own, so that a tab which goes from one to another pays for a new
 * process with every page. A tab therefore stays at the site that it shows. Two things are stronger: no site has two tabs
 * more than another that waits, for a browser asks one host for no more than six things at once; and where there are
 * more sites than tabs, each gets its turn.
 */

/** So many pages a tab reads of one site while another, at which no tab is, waits for its turn. */
export const longestStay = 25

interface Site {
  /** its addresses, by their places in the list */
  readonly places: ReadonlyArray<number>
  /** how many of them were given out */
  readonly given: number
}

interface At {
  readonly site: number | undefined
  /** pages given to the tab since it last went elsewhere by decision */
  readonly stay: number
}

export interface Turns {
  readonly numbers: ReadonlyMap<string, number>
  readonly sites: ReadonlyArray<Site>
  /** sites that wait and have no tab, in the order of their turns */
  readonly queue: ReadonlyArray<number>
  /** what each tab is at, by the tab's number */
  readonly tabs: ReadonlyMap<number, At>
}

/**
 * What addresses have in common that one process may render: the host. Its scheme is not looked at, since pages asked for
 * by http are most often sent on to https; nor is a leading `www.`, for the same reason.
 */
export const siteOf = (url: string): string => {
  if (!URL.canParse(url)) return ""
  const { hostname, protocol } = new URL(url)
  return hostname === "" ? protocol : hostname.replace(/^www\./, "")
}

/** Nothing is given out yet. */
export const begin = (urls: ReadonlyArray<string>): Turns => {
  const numbers = new Map<string, number>()
  const places: Array<Array<number>> = []
  urls.forEach((url, place) => {
    const site = siteOf(url)
    const number = numbers.get(site)
    if (number === undefined) {
      numbers.set(site, places.length)
      places.push([place])
    } else places[number]?.push(place)
  })
  return {
    numbers,
    sites: places.map((of) => ({ places: of, given: 0 })),
    queue: places.map((_, number) => number),
    tabs: new Map()
  }
}

const waits = ({ sites }: Turns, number: number): boolean => {
  const site = sites[number]
  return site !== undefined && site.given < site.places.length
}

const tabsAt = ({ tabs }: Turns, number: number): number => {
  let count = 0
  for (const { site } of tabs.values()) if (site === number) count++
  return count
}

/** Puts a tab somewhere, or nowhere. The queue follows: what has no tab any more waits for its turn. */
const move = (turns: Turns, tab: number, to: number | undefined, stay: number): Turns => {
  const from = turns.tabs.get(tab)?.site
  const tabs = new Map(turns.tabs).set(tab, { site: to, stay })
  if (from === to) return { ...turns, tabs }
  const moved = { ...turns, tabs }
  const { queue } = turns
  const rest = to === undefined ? queue : queue[0] === to ? queue.slice(1) : queue.filter((number) => number !== to)
  const left = from !== undefined && waits(moved, from) && tabsAt(moved, from) === 0
  return { ...moved, queue: left ? [...rest, from] : rest }
}

/** The site besides its own that a tab should go to, by how few tabs are there. */
const elsewhere = (
  turns: Turns,
  own: number | undefined
): { readonly site: number; readonly tabs: number } | undefined => {
  const first = turns.queue[0]
  if (first !== undefined) return { site: first, tabs: 0 }
  const others = new Set<number>()
  for (const { site } of turns.tabs.values()) {
    if (site !== undefined && site !== own && waits(turns, site)) others.add(site)
  }
  return [...others].map((site) => ({ site, tabs: tabsAt(turns, site) })).toSorted((a, b) => a.tabs - b.tabs)[0]
}

/**
 * Gives a tab its next page.
 *
 * @param tab number of the tab
 * @param shown address that it really shows, which decides what it is at; empty or of another site if it shows no page
 * of the batch's sites
 * @returns the place of the address in the list, undefined if none is left; and how things stand then
 */
export const next = (turns: Turns, tab: number, shown: string): readonly [place: number | undefined, turns: Turns] => {
  const own = turns.numbers.get(siteOf(shown))
  const now = move(turns, tab, own, turns.tabs.get(tab)?.stay ?? 0)
  const stay = now.tabs.get(tab)?.stay ?? 0
  const other = elsewhere(now, own)
  const stays =
    own !== undefined &&
    waits(now, own) &&
    (other === undefined || (tabsAt(now, own) < other.tabs + 2 && (now.queue.length === 0 || stay < longestStay)))
  const target = stays ? own : other?.site
  const there = move(now, tab, target, stays ? stay + 1 : 1)
  const site = target === undefined ? undefined : there.sites[target]
  if (target === undefined || site === undefined) return [undefined, there]
  return [site.places[site.given], { ...there, sites: there.sites.with(target, { ...site, given: site.given + 1 }) }]
}
