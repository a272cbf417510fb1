/** Finding one element: by reference, by selector, by text. */
import type { ElementQuery, Found } from "../schemas/page.ts"
import { describe } from "./describe.ts"
import { elementOf, isText, localNameOf, rootElement } from "./dom.ts"
import { hitsTarget } from "./hit.ts"
import { keyOf, resolve } from "./keys.ts"
import { Scan, type Sighting } from "./scan.ts"
import { standIn } from "./standIn.ts"
import { collapse, fold, soughtLimit } from "./text.ts"
import { flatContains, queryDeep } from "./tree.ts"
import { isDisabled, rawValue } from "./value.ts"
import { isSeen, View } from "./view.ts"

const shownCandidates = 8

const found = (node: Element | Text, view: View, last?: Text): Found => {
  const frame = !isText(node) && /^i?frame$/.test(localNameOf(node))
  return { is: "found", k: keyOf(node, last), description: describe(node, view), frame }
}

/** Whether a person could use the element: seen, or with a visible label that stands for it. */
export const isUsable = (element: Element, view: View): boolean =>
  isSeen(element, view) || standIn(element, view) !== undefined

/** All elements that match a selector, shadow roots pierced if need be; undefined for a bad selector. */
export const bySelector = (selector: string): ReadonlyArray<Element> | undefined => {
  try {
    return queryDeep(selector)
  } catch {
    return undefined
  }
}

const findBySelector = (selector: string): Found => {
  const view = new View()
  const all = bySelector(selector)
  if (all === undefined) return { is: "invalid", reason: `"${selector.slice(0, 200)}" is not a valid CSS selector` }
  const usable = all.slice(0, 2000).find((element) => isUsable(element, view))
  if (usable !== undefined) return found(usable, view)
  const [only] = all
  if (all.length === 1 && only !== undefined) return found(only, view)
  return {
    is: "none",
    candidates: all.slice(0, shownCandidates).map((element) => `hidden: ${describe(element, view)}`)
  }
}

interface Match {
  readonly node: Element | Text
  readonly last: Text | undefined
  readonly act: boolean
}

const asMatch = (sighting: Sighting): Match => {
  // what is pressed for a text inside a control is the control
  const control = isText(sighting.node) ? sighting.control : null
  if (control !== null) return { node: control, last: undefined, act: true }
  return { node: sighting.node, last: sighting.last, act: sighting.act }
}

/** Each element once; of two that contain each other the one that can be acted on, else the inner one. */
const distinct = (sightings: ReadonlyArray<Sighting>): ReadonlyArray<Match> => {
  const matches: Array<Match> = []
  for (const sighting of sightings) {
    const match = asMatch(sighting)
    if (!matches.some((other) => other.node === match.node)) matches.push(match)
    if (matches.length > 300) break
  }
  return matches.filter((match) => {
    const element = elementOf(match.node)
    return !matches.some((other) => {
      const inner = elementOf(other.node)
      if (other === match || element === null || inner === null || inner === element) return false
      if (flatContains(element, inner)) return other.act || !match.act
      return flatContains(inner, element) && other.act && !match.act
    })
  })
}

const choose = (sightings: ReadonlyArray<Sighting>, view: View): Found | undefined => {
  if (sightings.length === 0) return undefined
  const acts = sightings.filter((sighting) => asMatch(sighting).act)
  let matches = distinct(acts.length > 0 ? acts : sightings)
  if (matches.length > 1) {
    const free = matches.filter((match) => isFree(match))
    if (free.length > 0) matches = free
  }
  const [only] = matches
  if (only !== undefined && matches.length === 1) return found(only.node, view, only.last)
  const shown = matches.slice(0, shownCandidates)
  return { is: "several", candidates: shown.map(({ node }) => describe(node, view)), total: matches.length }
}

/** Not switched off, and not covered where it stands. */
const isFree = ({ node }: Match): boolean => {
  const element = elementOf(node)
  if (element === null || isDisabled(element)) return false
  const rect = element.getBoundingClientRect()
  const x = rect.x + rect.width / 2
  const y = rect.y + rect.height / 2
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return true
  return hitsTarget(element, x, y) === undefined
}

const buttonValue = (node: Element | Text): string => {
  if (isText(node) || localNameOf(node) !== "input") return ""
  return /^(submit|reset|button)$/.test((node as HTMLInputElement).type) ? collapse(rawValue(node).slice(0, 4000)) : ""
}

/** What an element says: its name, and for a control with another visible text that too. */
const says = (sighting: Sighting): ReadonlyArray<string> => {
  const value = buttonValue(sighting.node)
  return value === "" ? [sighting.name] : [sighting.name, value]
}

const findByText = (text: string, budget: number | undefined, onlyExact: boolean): Found => {
  const view = new View()
  const root = rootElement()
  const wanted = collapse(text)
  if (root === null || wanted === "") return { is: "none", candidates: [] }
  const lower = wanted.toLowerCase()
  const folded = fold(text)
  const all: Array<Sighting> = []
  const visit = (sighting: Sighting): void => {
    if (sighting.kind !== "frame" && says(sighting).some((said) => said.toLowerCase().includes(folded)))
      all.push(sighting)
  }
  // what is looked for may stand at the end of terms that somebody is to agree to
  const unseen = new Scan(view, budget, visit, soughtLimit).from(root)
  // there may be better matches in the rest, or others as good
  if (unseen?.why === "time") {
    const candidates = all.slice(0, shownCandidates).map(({ node }) => describe(node, view))
    return { is: "none", candidates, unseen }
  }
  const exact = (sighting: Sighting): boolean => says(sighting).includes(wanted)
  const alike = (sighting: Sighting): boolean =>
    says(sighting).some((said) => said.toLowerCase() === lower || fold(said) === folded)
  const within = (sighting: Sighting): boolean => says(sighting).some((said) => said.toLowerCase().includes(folded))
  const own = (sighting: Sighting): boolean => sighting.act
  const inControl = (sighting: Sighting): boolean => isText(sighting.node) && sighting.control !== null
  const any = (): boolean => true
  const rules: ReadonlyArray<readonly [who: (sighting: Sighting) => boolean, how: (sighting: Sighting) => boolean]> = [
    [own, exact],
    [inControl, exact],
    [own, alike],
    [inControl, alike],
    [any, exact],
    [any, alike],
    ...(onlyExact
      ? []
      : ([
          [own, within],
          [any, within]
        ] as const))
  ]
  for (const [who, how] of rules) {
    const answer = choose(
      all.filter((sighting) => who(sighting) && how(sighting)),
      view
    )
    if (answer !== undefined) return answer
  }
  return { is: "none", candidates: [], ...(unseen === undefined ? {} : { unseen }) }
}

/** Finds one element; never a hidden one by text. */
export const find = (query: ElementQuery): Found => {
  if ("selector" in query) return findBySelector(query.selector)
  if ("text" in query) return findByText(query.text, query.budget, query.exact === true)
  const view = new View()
  const keyed = resolve(query.key, query.fp, view)
  return "reason" in keyed ? { is: "stale", reason: keyed.reason } : found(keyed.node, view, keyed.last)
}
