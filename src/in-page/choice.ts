/** Which options of a list are meant, and what a field of a special kind makes of a text. */
import { localNameOf, shortAttribute } from "./dom.ts"
import { radioGroup } from "./field.ts"
import { type Asked, asChoices, asText, chooseOption } from "./fieldValue.ts"
import { nameOf } from "./name.ts"
import { inputType, roleOf } from "./role.ts"
import { optionText, rawValue, setRawValue } from "./value.ts"
import type { View } from "./view.ts"

/** Input types whose value is set, not typed. */
export const setTypes = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"])

export const isRadio = (element: Element): boolean =>
  inputType(element) === "radio" || /^(menuitem)?radio$/.test(roleOf(element))

/** What an option of a list, or of a group, sends. */
export const choiceOf = (element: Element): string =>
  inputType(element) === "radio"
    ? (element as HTMLInputElement).value
    : shortAttribute(element, "data-value") || shortAttribute(element, "value")

/** Which radio button of a group a value names, if it names one, and what there is to name. */
export const chooseRadio = (radio: Element, value: Asked, view: View) => {
  const group = radioGroup(radio)
  const options = group.map((one) => ({ value: choiceOf(one), text: nameOf(one, view) }))
  const index = typeof value === "boolean" ? -1 : chooseOption(options, asText(value))
  return { options, chosen: index < 0 ? undefined : group[index] }
}

/** The text as a field of one line takes it. */
export const oneLine = (element: Element, text: string): string =>
  localNameOf(element) === "input" ? text.replace(/\s*[\r\n]+\s*/g, " ") : text

/** The options of a select element. */
export const selectOptions = (select: HTMLSelectElement): ReadonlyArray<HTMLOptionElement> => Array.from(select.options)

/** Indexes of the asked options, or the first one that is not there. */
export const chooseAll = (
  select: HTMLSelectElement,
  value: Asked
): ReadonlyArray<number> | { readonly unknown: string } => {
  const options = selectOptions(select).map((option) => ({ value: option.value, text: optionText(option) }))
  const indexes: Array<number> = []
  for (const wanted of asChoices(value)) {
    const index = chooseOption(options, wanted)
    if (index < 0) return { unknown: wanted }
    indexes.push(index)
  }
  return indexes
}

/** The value as the browser would keep it in a field of that type; undefined if it would throw it away. */
export const sanitised = (field: HTMLInputElement, text: string): string | undefined => {
  const probe = document.createElement("input")
  probe.type = field.type
  for (const name of ["min", "max", "step"]) {
    const limit = field.getAttribute(name)
    if (limit !== null && field.type === "range") probe.setAttribute(name, limit)
  }
  setRawValue(probe, text)
  const kept = rawValue(probe)
  if (kept === "") return undefined
  if (field.type === "range") return text.trim() !== "" && Number(kept) === Number(text) ? kept : undefined
  if (field.type === "color") return kept === "#000000" && !/^(#0{3,8}|black)$/i.test(text.trim()) ? undefined : kept
  return kept
}
