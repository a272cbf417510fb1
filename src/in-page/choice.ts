/** Which options of a list are meant, and what a field of a special kind makes of a text. */
import { localNameOf } from "./dom.ts"
import { type Asked, asChoices, chooseOption } from "./fieldValue.ts"
import { optionText, rawValue, setRawValue } from "./value.ts"

/** Input types whose value is set, not typed. */
export const setTypes = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"])

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
