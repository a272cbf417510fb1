/** File inputs: which one an element means, and what it took. */
import type { FileQuery, FilesTaken, FileTarget } from "../schemas/page.ts"
import { describe } from "./describe.ts"
import { closest, elementOf, listen, localNameOf, queryAll } from "./dom.ts"
import { bySelector, isUsable } from "./find.ts"
import { keyOf, resolve } from "./keys.ts"
import { inputType } from "./role.ts"
import { shadowOf } from "./tree.ts"
import { isDisabled } from "./value.ts"
import { View } from "./view.ts"

const fileInputs = "input[type=file]"
const shownCandidates = 8

const isFileInput = (element: Element): element is HTMLInputElement =>
  localNameOf(element) === "input" && inputType(element) === "file"

const controlOf = (label: Element | null): Element | undefined => {
  const control = label === null ? null : (label as HTMLLabelElement).control
  return control !== null && isFileInput(control) ? control : undefined
}

/** The file inputs that an element means: itself, the one it is the label of, those inside it. */
const inputsOf = (element: Element): ReadonlyArray<Element> => {
  if (isFileInput(element)) return [element]
  const labelled = controlOf(closest(element, "label"))
  if (labelled !== undefined) return [labelled]
  const inside = [element, shadowOf(element)].flatMap((root) =>
    root === null ? [] : Array.from(queryAll(root, fileInputs))
  )
  return inside.filter(isFileInput)
}

const asInput = (input: Element, view: View): FileTarget => ({
  is: "input",
  k: keyOf(input),
  description: describe(input, view),
  multiple: (input as HTMLInputElement).multiple,
  disabled: isDisabled(input)
})

const choose = (elements: ReadonlyArray<Element>, view: View): FileTarget => {
  const inputs = [...new Set(elements.slice(0, 500).flatMap(inputsOf))]
  const free = inputs.filter((input) => !isDisabled(input))
  const usable = free.filter((input) => isUsable(input, view))
  for (const pool of [usable, free, inputs]) {
    const [only] = pool
    if (only === undefined) continue
    if (pool.length === 1) return asInput(only, view)
    const shown = pool.slice(0, shownCandidates)
    return { is: "several", candidates: shown.map((input) => describe(input, view)), total: pool.length }
  }
  const button = elements.slice(0, 500).find((element) => isUsable(element, view))
  if (button !== undefined) return { is: "button", k: keyOf(button), description: describe(button, view) }
  return { is: "none", candidates: elements.slice(0, shownCandidates).map((one) => `hidden: ${describe(one, view)}`) }
}

/** What takes files: a file input, or an element that may open a file chooser when it is pressed. */
export const fileTarget = (query: FileQuery): FileTarget => {
  const view = new View()
  if ("key" in query) {
    const keyed = resolve(query.key, query.fp, view)
    if ("reason" in keyed) return { is: "stale", reason: keyed.reason }
    const element = elementOf(keyed.node)
    return element === null ? { is: "none", candidates: [] } : choose([element], view)
  }
  const all = bySelector(query.selector)
  if (all === undefined)
    return { is: "invalid", reason: `"${query.selector.slice(0, 200)}" is not a valid CSS selector` }
  return choose(all, view)
}

interface Watched {
  readonly input: HTMLInputElement
  /** names at the moment of the latest change; undefined before one */
  names: ReadonlyArray<string> | undefined
}

const watched: Array<Watched> = []

const namesIn = (input: HTMLInputElement): ReadonlyArray<string> =>
  Array.from(input.files ?? [], (file) => file.name).slice(0, 1000)

/** Notes what a file input takes from now on. Yields the number of the watch, for {@link filesTaken}. */
export const watchFiles = (element: Element): number => {
  const input = element as HTMLInputElement
  const watch: Watched = { input, names: undefined }
  const note = (): void => {
    watch.names = namesIn(input)
  }
  // before any listener of the page, which may empty the input at once
  listen(input, "input", note, { capture: true, once: true })
  listen(input, "change", note, { capture: true, once: true })
  return watched.push(watch) - 1
}

/** What an input took since it is watched; the page may have emptied it since. */
export const filesTaken = ({ watch }: { readonly watch: number }): FilesTaken => {
  const found = watched[watch]
  if (found === undefined) return { names: [] }
  return { names: [...(found.names ?? namesIn(found.input))] }
}
