/** Finding a field by what the caller calls it. */
import type { FieldQuery } from "../schemas/page.ts"
import { Allowance } from "./allowance.ts"
import { describe } from "./describe.ts"
import { attribute, closest, elementOf, localNameOf, matches, queryAll, shortAttribute } from "./dom.ts"
import { bySelector, isUsable } from "./find.ts"
import { resolve } from "./keys.ts"
import { labelsOf } from "./labels.ts"
import { nameOf, referencedBy, textOf } from "./name.ts"
import { inputType, isEditingHost, roleOf } from "./role.ts"
import { clip, collapse, fold } from "./text.ts"
import { allRoots, flatParent, shadowOf } from "./tree.ts"
import { View } from "./view.ts"

const fieldSelector =
  "input:not([type=hidden]),textarea,select,[contenteditable],[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=checkbox],[role=radio],[role=switch],[role=slider],[role=spinbutton]"
const fieldRoles =
  /^(textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|menuitemcheckbox|menuitemradio)$/
const groupSelector = "fieldset,[role=radiogroup],[role=group]"

export type FieldFound = { readonly field: Element } | { readonly error: string }

/** Whether an element is something that takes a value. */
const isField = (element: Element): boolean => {
  const tag = localNameOf(element)
  if (tag === "textarea" || tag === "select") return true
  if (tag === "input") return inputType(element) !== "hidden"
  return isEditingHost(element) || fieldRoles.test(roleOf(element))
}

/** Native buttons are no fields, but a caller may take one for a field. */
export const isButton = (element: Element): boolean => /^(submit|reset|button|image)$/.test(inputType(element))

/** The field that an element means: itself, the one it labels, the only one inside it, the editor around it. */
const fieldFor = (element: Element): Element | undefined => {
  if (isField(element)) return element
  if (localNameOf(element) === "label") {
    const control = (element as HTMLLabelElement).control
    if (control !== null) return control
  }
  const inner = [element, shadowOf(element)].flatMap((root) =>
    root === null ? [] : Array.from(queryAll(root, fieldSelector))
  )
  if (inner.length > 0) return inner.find((field) => isField(field) && !isButton(field))
  const host = closest(element, "[contenteditable]:not([contenteditable=false])")
  return host ?? undefined
}

/** All fields of the page, in document order. */
const allFields = (): ReadonlyArray<Element> =>
  allRoots().flatMap((root) =>
    Array.from(queryAll(root, fieldSelector)).filter((element) => isField(element) && !isButton(element))
  )

/** Everything that a person may call a field by: its name and the texts of its labels. */
const labelsFor = (element: Element, view: View): ReadonlyArray<string> => [
  nameOf(element, view),
  collapse(shortAttribute(element, "aria-label")),
  ...referencedBy(element, "aria-labelledby").map((label) => textOf(label, view)),
  ...labelsOf(element, view).map((label) => textOf(label, view))
]

/** The name of the group that a radio button or checkbox stands in. */
export const groupName = (element: Element, view: View): string => {
  const group = closest(element, groupSelector)
  return group === null ? "" : nameOf(group, view)
}

interface Candidates {
  readonly fields: ReadonlyArray<Element>
  readonly several: boolean
}

/** The usable ones if there are any; a group of radio buttons counts as one field. */
const narrow = (fields: ReadonlyArray<Element>, view: View): Candidates => {
  const unique = [...new Set(fields)]
  const usable = unique.filter((field) => isUsable(field, view))
  const pool = usable.length > 0 ? usable : unique
  // an editor inside a labelled editor is the same field
  const all = new Set(pool)
  const outer = pool.filter((field) => {
    let at = flatParent(field)
    while (at !== null && !all.has(at)) at = flatParent(at)
    return at === null
  })
  const [first] = outer
  const group = first !== undefined && inputType(first) === "radio" ? (first as HTMLInputElement).name : ""
  const oneGroup =
    outer.length > 1 &&
    outer.every((field) => roleOf(field) === "radio" && (group === "" || (field as HTMLInputElement).name === group))
  return { fields: outer, several: outer.length > 1 && !oneGroup }
}

const answer = (fields: ReadonlyArray<Element>, what: string, view: View): FieldFound | undefined => {
  const { fields: found, several } = narrow(fields, view)
  const [field] = found
  if (field === undefined) return undefined
  if (!several) return { field }
  const list = found.slice(0, 6).map((candidate) => describe(candidate, view))
  return {
    error: `${found.length} fields have ${what}: ${list.join("; ")}${andMore(found.length, list.length)}. Name one by ref or selector.`
  }
}

const byLabel = (label: string, view: View, allowance: Allowance): FieldFound => {
  const wanted = fold(label)
  const fields = allFields()
  const named: Array<{ readonly field: Element; readonly labels: ReadonlyArray<string> }> = []
  for (const field of fields) {
    // of those that were not reached one may have the label, too
    if (!allowance.step())
      return {
        error: `Only ${named.length} of the ${fields.length} fields here could be looked at in time. Name the field by ref or selector.`
      }
    const labels = labelsFor(field, view).map(fold)
    named.push({ field, labels: labels.filter((text) => text !== "") })
  }
  const what = `the label "${label}"`
  const exactly = named.filter(({ labels }) => labels.includes(wanted))
  const written = exactly.filter(({ field }) => labelsFor(field, view).includes(collapse(label)))
  for (const pool of [written, exactly]) {
    const exact = answer(
      pool.map(({ field }) => field),
      what,
      view
    )
    if (exact !== undefined) return exact
  }
  const grouped = fields.filter(
    (field) => /^(radio|checkbox)$/.test(roleOf(field)) && fold(groupName(field, view)) === wanted
  )
  const byGroup = answer(grouped, what, view)
  if (byGroup !== undefined) return byGroup
  const containing = named.filter(({ labels }) => wanted !== "" && labels.some((text) => text.includes(wanted)))
  const partly = answer(
    containing.map(({ field }) => field),
    `a label with "${label}"`,
    view
  )
  if (partly !== undefined) return partly
  const first = fields.slice(0, 400)
  const shown = [...new Set([...first.filter((field) => isUsable(field, view)), ...first])].slice(0, 40)
  const names = shown.map((field) => nameOf(field, view))
  return { error: `No field has the label "${label}".${fieldsHere(names, fields.length)}` }
}

/** What fields are called, as a sentence, to choose from, and how many more of `all` there are; nothing without names. */
const fieldsHere = (names: ReadonlyArray<string>, all: number): string => {
  const known = [...new Set(names)].filter((name) => name !== "")
  if (known.length === 0) return ""
  const list = known.slice(0, 12).map((name) => `"${clip(name, 40)}"`)
  return ` Fields here: ${list.join(", ")}${andMore(all, list.length)}.`
}

const andMore = (all: number, shown: number): string => (all > shown ? ` and ${all - shown} more` : "")

const byAttribute = (name: "name" | "placeholder", value: string, view: View): FieldFound => {
  const fields = allFields()
  const what = `the ${name} "${value}"`
  const exact = answer(
    fields.filter((field) => attribute(field, name) === value),
    what,
    view
  )
  if (exact !== undefined) return exact
  if (name === "placeholder") {
    const wanted = fold(value)
    for (const test of [(text: string) => text === wanted, (text: string) => wanted !== "" && text.includes(wanted)]) {
      const close = answer(
        fields.filter((field) => test(fold(shortAttribute(field, name) || shortAttribute(field, `aria-${name}`)))),
        what,
        view
      )
      if (close !== undefined) return close
    }
  }
  const names = fields.map((field) => shortAttribute(field, name)).filter((text) => text !== "")
  return { error: `No field has ${what}.${fieldsHere(names, names.length)}` }
}

const bySelectorOf = (selector: string, view: View): FieldFound => {
  const all = bySelector(selector)
  if (all === undefined) return { error: `"${selector.slice(0, 200)}" is not a valid CSS selector.` }
  if (all.length === 0) return { error: `No element matches "${selector.slice(0, 200)}".` }
  const fields = all.slice(0, 500).flatMap((element) => fieldFor(element) ?? [])
  const field = fields.find((candidate) => isUsable(candidate, view)) ?? fields[0]
  if (field !== undefined) return { field }
  return { error: `${describe(all[0] as Element, view)} takes no value.` }
}

/** Finds the field; several or none are told apart in words. */
export const findField = (query: FieldQuery, view = new View(), allowance = new Allowance(undefined)): FieldFound => {
  if (query.key !== undefined) {
    const keyed = resolve(query.key, query.fp, view)
    if ("reason" in keyed) return { error: `The reference is stale: ${keyed.reason}.` }
    const element = elementOf(keyed.node)
    const field = element === null ? undefined : fieldFor(element)
    return field === undefined ? { error: `${describe(keyed.node, view)} takes no value.` } : { field }
  }
  if (query.selector !== undefined) return bySelectorOf(query.selector, view)
  if (query.label !== undefined) return byLabel(query.label, view, allowance)
  if (query.name !== undefined) return byAttribute("name", query.name, view)
  if (query.placeholder !== undefined) return byAttribute("placeholder", query.placeholder, view)
  return { error: "Name the field by ref, selector, label, name or placeholder." }
}

/** The radio buttons of the group that one belongs to. */
export const radioGroup = (radio: Element): ReadonlyArray<Element> => {
  if (inputType(radio) === "radio") {
    const { name, form } = radio as HTMLInputElement
    if (name === "") return [radio]
    const root = radio.getRootNode()
    return Array.from(queryAll(root, "input[type=radio]")).filter(
      (other) => (other as HTMLInputElement).name === name && (other as HTMLInputElement).form === form
    )
  }
  const group = closest(radio, "[role=radiogroup],[role=menu],[role=group]") ?? radio.parentElement
  return group === null ? [radio] : Array.from(queryAll(group, "[role=radio],[role=menuitemradio]"))
}

/** Whether an element is editable content. */
export const isEditable = (element: Element): boolean =>
  element instanceof HTMLElement && element.isContentEditable && !matches(element, "input,textarea")
