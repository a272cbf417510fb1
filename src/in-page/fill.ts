/** What is done to a field from inside the page, and what it holds afterwards. */
import type { FieldState } from "../schemas/page.ts"
import { chooseAll, chooseRadio, isRadio, oneLine, sanitised, selectOptions, setTypes } from "./choice.ts"
import { clickElement, dispatch, focusElement, isConnected } from "./dom.ts"
import { type Asked, agreement, asBoolean, asText } from "./fieldValue.ts"
import { elementOfKey } from "./keys.ts"
import { nameOf } from "./name.ts"
import { inputType, roleOf } from "./role.ts"
import { clip, collapse, fold, valueLimit } from "./text.ts"
import { touch } from "./touched.ts"
import { deepActive } from "./tree.ts"
import { checkedness, chosenOptions, optionText, rawValue, safeValue, setRawValue } from "./value.ts"
import { View } from "./view.ts"

/** Focuses a field and selects everything in it. */
export const focusField = ({ key }: { readonly key: number }): boolean => {
  const element = elementOfKey(key)
  if (!(element instanceof HTMLElement) || !isConnected(element)) return false
  touch(element)
  focusElement(element, { preventScroll: true })
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select()
  else if (element.isContentEditable) getSelection()?.selectAllChildren(element)
  const active = deepActive()
  return (
    active === element ||
    (active !== null && element.contains(active)) ||
    (element.isContentEditable && document.hasFocus())
  )
}

const tell = (element: Element): void => {
  dispatch(element, new InputEvent("input", { bubbles: true, composed: true, inputType: "insertReplacementText" }))
  dispatch(element, new Event("change", { bubbles: true }))
}

/** Sets a field from here, with the events that frameworks listen to. */
export const setField = (options: { readonly key: number; readonly value: Asked }): FieldState => {
  const element = elementOfKey(options.key)
  if (element === undefined || !isConnected(element)) return { ok: false, value: "", error: "The field left the page." }
  touch(element)
  if (element instanceof HTMLElement) focusElement(element, { preventScroll: true })
  if (element instanceof HTMLSelectElement) {
    const indexes = chooseAll(element, options.value)
    if (!("unknown" in indexes)) {
      for (const [index, option] of selectOptions(element).entries()) option.selected = indexes.includes(index)
      tell(element)
    }
  } else if (checkedness(element, roleOf(element)) !== undefined) {
    if (element instanceof HTMLElement) clickElement(element)
  } else {
    const text = asText(options.value)
    setRawValue(element, element instanceof HTMLInputElement ? (sanitised(element, text) ?? text) : text)
    tell(element)
  }
  return readField(options)
}

const readChoice = (element: Element, value: Asked): FieldState => {
  const state = checkedness(element, roleOf(element)) ?? "false"
  // one that a value names is to be checked; none can be unchecked, but one that is not may be asked to stay so
  const named = isRadio(element) && (asBoolean(value) !== false || chooseRadio(element, value, new View()).chosen)
  const wanted = named ? true : asBoolean(value)
  const ok = wanted === undefined ? false : state === String(wanted)
  return ok
    ? { ok, value: state }
    : {
        ok,
        value: state,
        error: `It is ${state === "true" ? "checked" : state === "mixed" ? "mixed" : "not checked"} still.`
      }
}

const readSelect = (select: HTMLSelectElement, value: Asked): FieldState => {
  const shown = clip(chosenOptions(select).map(optionText).join(", "), valueLimit)
  const indexes = chooseAll(select, value)
  const chosen = selectOptions(select).flatMap((option, index) => (option.selected ? [index] : []))
  const ok =
    !("unknown" in indexes) &&
    chosen.length === new Set(indexes).size &&
    indexes.every((index) => chosen.includes(index))
  return ok ? { ok, value: shown } : { ok, value: shown, error: `It holds "${shown}" now.` }
}

/** What the browser, or the page by it, finds wrong with the value of a field. */
const invalidity = (element: Element | undefined): string => {
  const native =
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  return native && element.willValidate && !element.validity.valid ? clip(element.validationMessage, 200) : ""
}

/** What the field holds, whether that is what was asked for, and whether its form would take it. */
export const readField = (options: { readonly key: number; readonly value: Asked }): FieldState => {
  const state = readHeld(options)
  const invalid = invalidity(elementOfKey(options.key))
  return invalid === "" ? state : { ...state, invalid }
}

const readHeld = (options: { readonly key: number; readonly value: Asked }): FieldState => {
  const element = elementOfKey(options.key)
  if (element === undefined || !isConnected(element)) return { ok: false, value: "", error: "The field left the page." }
  if (checkedness(element, roleOf(element)) !== undefined) return readChoice(element, options.value)
  if (element instanceof HTMLSelectElement) return readSelect(element, options.value)
  if (roleOf(element) === "option") {
    const ok = element.getAttribute("aria-selected") === "true" || (element as HTMLOptionElement).selected === true
    return ok ? { ok, value: nameOf(element, new View()) } : { ok, value: "", error: "The option is not selected." }
  }
  const held = rawValue(element)
  const value = safeValue(element)
  const plain = asText(options.value)
  const type = inputType(element)
  const asked = setTypes.has(type)
    ? (sanitised(element as HTMLInputElement, plain.trim()) ?? plain)
    : oneLine(element, plain)
  const how = agreement(asked, held, type === "number" || type === "range")
  if (how === "same" || how === "reformatted") return { ok: true, value }
  const limit = (element as HTMLInputElement).maxLength
  if (limit > 0 && asked.length > limit && fold(asked).startsWith(fold(collapse(held)))) {
    return { ok: false, value, error: `It keeps at most ${limit} characters.` }
  }
  return {
    ok: false,
    value,
    error: how === "empty" ? "It is empty now: the page did not keep the value." : "It holds another value now."
  }
}
