/** How to bring a field to a value, or why that cannot be done. */
import type { FieldPlan, FieldQuery } from "../schemas/page.ts"
import { Allowance } from "./allowance.ts"
import { choiceOf, chooseAll, chooseRadio, isRadio, oneLine, sanitised, selectOptions, setTypes } from "./choice.ts"
import { describe, wordFor } from "./describe.ts"
import { localNameOf, matches, queryAll } from "./dom.ts"
import { findField, groupName, isButton, isEditable } from "./field.ts"
import {
  type Asked,
  asBoolean,
  asChoices,
  asText,
  chooseOption,
  expectedForm,
  listOptions,
  whatIsAbsent
} from "./fieldValue.ts"
import { keyOf } from "./keys.ts"
import { nameOf } from "./name.ts"
import { inputType, roleOf } from "./role.ts"
import { pressBox } from "./standIn.ts"
import { clip } from "./text.ts"
import { checkedness, isDisabled, isReadonly, isSecret, optionText, rawValue } from "./value.ts"
import { View } from "./view.ts"

type How = "text" | "set" | "press" | "done"

/** What to do with a field, or why not. */
interface Decision {
  readonly how?: How
  readonly element?: Element
  readonly text?: string
  readonly error?: string
}

const refuse = (error: string): Decision => ({ error })

const toggle = (element: Element, wanted: boolean, view: View): Decision => {
  const state = checkedness(element, roleOf(element))
  if (state === String(wanted)) return { how: "done", element }
  if (isDisabled(element)) return refuse("It is disabled.")
  return { how: pressBox(element, view) === undefined ? "set" : "press", element }
}

const decideRadio = (element: Element, value: Asked, view: View): Decision => {
  const wanted = asBoolean(value)
  const { chosen, options } = chooseRadio(element, value, view)
  if (chosen !== undefined) return toggle(chosen, true, view)
  if (wanted === true) return toggle(element, true, view)
  if (wanted === false) {
    if (checkedness(element, roleOf(element)) !== "true") return { how: "done", element }
    return refuse("A radio button cannot be unchecked; choose another of its group.")
  }
  return refuse(`It takes true, or one of ${listOptions(options.map((option) => option.text || option.value))}.`)
}

const decideSelect = (select: HTMLSelectElement, value: Asked): Decision => {
  const asked = asChoices(value)
  if (!select.multiple && asked.length !== 1) return refuse("It takes one option, not several.")
  const indexes = chooseAll(select, value)
  const options = selectOptions(select)
  if ("unknown" in indexes) {
    const known = options.map(optionText).filter((text) => text !== "")
    return refuse(`It has no option "${clip(indexes.unknown, 60)}". Options: ${listOptions(known)}.`)
  }
  const disabled = indexes
    .map((index) => options[index])
    .find((option) => option !== undefined && matches(option, ":disabled"))
  if (disabled !== undefined) return refuse(`The option "${optionText(disabled)}" is disabled.`)
  const chosen = options.flatMap((option, index) => (option.selected ? [index] : []))
  const same = chosen.length === indexes.length && indexes.every((index) => chosen.includes(index))
  return { how: same ? "done" : "set", element: select }
}

const formOf = (field: HTMLInputElement): string => {
  if (field.type !== "range") return expectedForm[field.type] ?? "another form"
  return `a number from ${field.min || "0"} to ${field.max || "100"} in steps of ${field.step || "1"}`
}

const decideSet = (field: HTMLInputElement, value: Asked): Decision => {
  const text = asText(value).trim()
  if (text === "" && field.type !== "range" && field.type !== "color") {
    return { how: rawValue(field) === "" ? "done" : "set", element: field, text }
  }
  const kept = sanitised(field, text)
  const absent = kept === undefined ? whatIsAbsent(field.type, text) : undefined
  if (absent !== undefined) return refuse(`There is no such ${absent}: "${clip(text, 60)}".`)
  if (kept === undefined) return refuse(`It takes ${formOf(field)}, not "${clip(text, 60)}".`)
  return { how: rawValue(field) === kept ? "done" : "set", element: field, text: kept }
}

const decideText = (element: Element, value: Asked): Decision => {
  if (Array.isArray(value) && value.length > 1) return refuse("It takes one value, not several.")
  const type = inputType(element)
  const text = oneLine(element, asText(value))
  if (type === "number" && text !== "" && (text.trim() === "" || !Number.isFinite(Number(text)))) {
    return refuse(`It takes ${expectedForm["number"]}, not "${clip(text, 60)}".`)
  }
  return { how: rawValue(element) === text ? "done" : "text", element, text }
}

const decideListbox = (element: Element, value: Asked, view: View): Decision => {
  const options = Array.from(queryAll(element, "[role=option]")).slice(0, 20_000)
  const facts = options.map((option) => ({ value: choiceOf(option), text: nameOf(option, view) }))
  const index = chooseOption(facts, asText(value))
  const option = options[index]
  if (option === undefined)
    return refuse(
      `It has no option "${clip(asText(value), 60)}". Options: ${listOptions(facts.map(({ text }) => text))}.`
    )
  return { how: option.getAttribute("aria-selected") === "true" ? "done" : "press", element: option }
}

const decide = (element: Element, value: Asked, view: View): Decision => {
  const tag = localNameOf(element)
  const type = inputType(element)
  const role = roleOf(element)
  if (type === "file") return refuse("It takes a file: use browser_upload_file.")
  if (isButton(element)) return refuse("It is a button: press it.")
  const checkable = checkedness(element, role) !== undefined
  if (!checkable && isDisabled(element)) return refuse("It is disabled.")
  if (isReadonly(element)) return refuse("It is read-only.")
  if (isRadio(element)) {
    if (isDisabled(element)) return refuse("It is disabled.")
    return decideRadio(element, value, view)
  }
  if (checkable) {
    const wanted = asBoolean(value)
    return wanted === undefined
      ? refuse(`It takes true or false, not "${clip(asText(value), 60)}".`)
      : toggle(element, wanted, view)
  }
  if (tag === "select") return decideSelect(element as HTMLSelectElement, value)
  if (setTypes.has(type)) return decideSet(element as HTMLInputElement, value)
  if (tag === "input" || tag === "textarea" || isEditable(element)) return decideText(element, value)
  if (role === "listbox") return decideListbox(element, value, view)
  if (role === "combobox") return refuse("It takes no text: press it, then press the option.")
  if (role === "slider" || role === "spinbutton") return refuse("It is set by keys: focus it and press the arrow keys.")
  return refuse("It cannot be edited.")
}

/** What is to be done to bring a field to a value. */
export const planField = (options: {
  readonly field: FieldQuery
  readonly value: Asked
  readonly budget?: number
}): FieldPlan => {
  const view = new View()
  const found = findField(options.field, view, new Allowance(options.budget))
  if ("error" in found) return { how: "refused", description: "", error: found.error }
  const decision = decide(found.field, options.value, view)
  const { how, element = found.field, text } = decision
  const description = describe(element, view)
  if (how === undefined) return { how: "refused", description, error: decision.error ?? "It cannot be filled." }
  const group = roleOf(element) === "radio" ? groupName(element, view) : ""
  return {
    how,
    k: keyOf(element),
    description: group === "" ? description : `${description} of "${clip(group, 60)}"`,
    kind: wordFor(element),
    password: isSecret(element),
    ...(how === "text" && text !== undefined ? { text } : {})
  }
}
