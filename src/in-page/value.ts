/** What fields hold, as an agent may see it: secrets masked, long texts cut. */
import { attribute, closest, hasAttribute, innerTextOf, localNameOf, matches, queryAll, shortAttribute } from "./dom.ts"
import { inputType, isEditingHost } from "./role.ts"
import { clip, collapse, valueLimit } from "./text.ts"
import { isTouched } from "./touched.ts"
import type { View } from "./view.ts"

/** Stands for any secret; says nothing about its length. */
const mask = "••••••••"

const prototypeValue = (prototype: object) => {
  const property = Object.getOwnPropertyDescriptor(prototype, "value")
  return {
    get: (target: Element): string => String(property?.get?.call(target) ?? ""),
    set: (target: Element, value: string): void => property?.set?.call(target, value)
  }
}
const inputValue = prototypeValue(HTMLInputElement.prototype)
const areaValue = prototypeValue(HTMLTextAreaElement.prototype)
const selectValue = prototypeValue(HTMLSelectElement.prototype)

const accessor = (element: Element) => {
  const tag = localNameOf(element)
  return tag === "input" ? inputValue : tag === "textarea" ? areaValue : tag === "select" ? selectValue : undefined
}

/** The native value; of editable content its text. */
export const rawValue = (element: Element): string => {
  const native = accessor(element)
  if (native !== undefined) return native.get(element)
  return element instanceof HTMLElement ? innerTextOf(element) : (element.textContent ?? "")
}

/** Sets the native value past whatever the page defined on the element. */
export const setRawValue = (element: Element, value: string): void => accessor(element)?.set(element, value)

const secretParts = /(^|\s)(one-time-code|cc-csc|current-password|new-password)(\s|$)/

/** Whether what the field holds must never be shown. */
export const isSecret = (element: Element, view?: View): boolean => {
  if (localNameOf(element) !== "input") return false
  if (inputType(element) === "password") return true
  if (secretParts.test(shortAttribute(element, "autocomplete").toLowerCase())) return true
  const style = view === undefined ? getComputedStyle(element) : view.style(element)
  return (
    style.getPropertyValue("-webkit-text-security") !== "none" && style.getPropertyValue("-webkit-text-security") !== ""
  )
}

/** The chosen options of a select element. */
export const chosenOptions = (select: HTMLSelectElement): ReadonlyArray<HTMLOptionElement> =>
  Array.from(select.selectedOptions).slice(0, 50)

export const optionText = (option: HTMLOptionElement): string =>
  collapse(shortAttribute(option, "label") || option.text.slice(0, 1000))

const ariaValue = (element: Element): string =>
  collapse(shortAttribute(element, "aria-valuetext") || shortAttribute(element, "aria-valuenow"))

/** The value of a control that stands inside a label or another name (accname 2C). */
export const controlText = (element: Element, role: string): string => {
  const tag = localNameOf(element)
  if (isSecret(element)) return ""
  if (tag === "select")
    return chosenOptions(element as HTMLSelectElement)
      .map(optionText)
      .join(" ")
  if (role === "slider" || role === "spinbutton") {
    return (
      ariaValue(element) || (tag === "input" ? rawValue(element).slice(0, 200) : collapse(element.textContent ?? ""))
    )
  }
  if (role === "listbox" || (role === "combobox" && tag !== "input")) {
    const chosen = Array.from(queryAll(element, "[role=option][aria-selected=true]")).slice(0, 10)
    if (chosen.length > 0) return chosen.map((option) => collapse(option.textContent ?? "")).join(" ")
    return role === "combobox" ? collapse((element.textContent ?? "").slice(0, 1000)) : ""
  }
  return rawValue(element).slice(0, 1000)
}

const shown = (text: string): string => clip(collapse(text), valueLimit)

/** As `shown`, of what may have several lines. */
const shownLines = (text: string): string =>
  clip(
    text
      .slice(0, 2000)
      .split(/\r\n|[\r\n]/)
      .map(collapse)
      .join("\n")
      .trim(),
    valueLimit
  )

/** What an agent is shown as the value of a control; undefined where there is no such thing. */
export const valueOf = (element: Element, role: string, view: View): string | undefined => {
  const tag = localNameOf(element)
  if (tag === "select")
    return shown(
      chosenOptions(element as HTMLSelectElement)
        .map(optionText)
        .join(", ")
    )
  if (tag === "input") {
    const type = inputType(element)
    if (type === "checkbox" || type === "radio" || role === "button") return undefined
    const value = rawValue(element)
    if (type === "file") {
      return shown(Array.from((element as HTMLInputElement).files ?? [], (file) => file.name).join(", "))
    }
    if (isSecret(element, view)) return value === "" ? "" : mask
    return shown(role === "slider" ? shortAttribute(element, "aria-valuetext") || value : value)
  }
  if (tag === "textarea") return shownLines(rawValue(element))
  if (tag === "progress" || tag === "meter") return ariaValue(element) || String((element as HTMLProgressElement).value)
  if (
    role === "slider" ||
    role === "spinbutton" ||
    role === "progressbar" ||
    role === "meter" ||
    role === "scrollbar"
  ) {
    return ariaValue(element) || undefined
  }
  if (role === "textbox" || role === "searchbox" || isEditingHost(element)) return shownLines(rawValue(element))
  if (role === "combobox") return shown(controlText(element, role))
  return undefined
}

/** What is shown of a value that is asked for at other times: secrets masked, at most 200 characters. */
export const safeValue = (element: Element): string => {
  const value = rawValue(element)
  return isSecret(element) ? (value === "" ? "" : mask) : clip(value.slice(0, 2000), valueLimit)
}

const truthy = (element: Element, name: string): boolean => attribute(element, name) === "true"

/** Whether a control is switched off: by itself, by its fieldset, with a part of the page, or in words. */
export const isDisabled = (element: Element): boolean => {
  if (matches(element, ":disabled")) return true
  if (truthy(element, "aria-disabled") || closest(element, "[inert]") !== null) return true
  return closest(element, "[aria-disabled=true]:is([role=group],[role=radiogroup],[role=toolbar],fieldset)") !== null
}

/** Whether what a field holds may not be changed. */
export const isReadonly = (element: Element): boolean => {
  const tag = localNameOf(element)
  if (truthy(element, "aria-readonly")) return true
  return (
    (tag === "input" || tag === "textarea") &&
    hasAttribute(element, "readonly") &&
    (element as HTMLInputElement).readOnly
  )
}

/** Checked, mixed or not; undefined for what cannot be checked. */
export const checkedness = (element: Element, role: string): "true" | "false" | "mixed" | undefined => {
  const type = inputType(element)
  if (type === "checkbox" || type === "radio") {
    const box = element as HTMLInputElement
    return box.indeterminate && type === "checkbox" ? "mixed" : box.checked ? "true" : "false"
  }
  if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role)) return undefined
  const value = attribute(element, "aria-checked")
  return value === "true" || value === "mixed" ? value : "false"
}

/**
 * Whether the page or the browser takes what a field holds for invalid. What nobody has filled yet is not told; what was
 * filled just now is, although the browser itself waits until the focus has left the field.
 */
const isInvalid = (element: Element, active: Element | null): boolean => {
  const said = attribute(element, "aria-invalid")
  if ((said !== null && said !== "" && said !== "false") || matches(element, ":user-invalid")) return true
  const filled = isTouched(element) || (element === active && holdsText(element) && rawValue(element) !== "")
  return filled && matches(element, ":invalid")
}

const holdsText = (element: Element): boolean =>
  localNameOf(element) === "textarea" ||
  (localNameOf(element) === "input" && !/^(checkbox|radio|file|submit|reset|button|image)$/.test(inputType(element)))

/** The states that can be read from the element itself. */
export const statesOf = (element: Element, role: string, active: Element | null): Array<string> => {
  const states: Array<string> = []
  const checked = checkedness(element, role)
  if (checked === "true") states.push("checked")
  else if (checked === "mixed") states.push("mixed")
  if (isDisabled(element)) states.push("disabled")
  const tag = localNameOf(element)
  const expanded =
    tag === "summary" && element.parentElement?.localName === "details"
      ? String(hasAttribute(element.parentElement, "open"))
      : attribute(element, "aria-expanded")
  if (expanded === "true") states.push("expanded")
  else if (expanded === "false") states.push("collapsed")
  const current = attribute(element, "aria-current")
  if (
    truthy(element, "aria-selected") ||
    (tag === "option" && (element as HTMLOptionElement).selected) ||
    (current !== null && current !== "" && current !== "false")
  ) {
    states.push("selected")
  }
  const pressed = attribute(element, "aria-pressed")
  if (pressed === "true") states.push("pressed")
  else if (pressed === "mixed") states.push("mixed")
  if (tag !== "form" && (hasAttribute(element, "required") || truthy(element, "aria-required"))) states.push("required")
  if (isInvalid(element, active)) states.push("invalid")
  if (isReadonly(element)) states.push("readonly")
  if (element === active) states.push("focused")
  return states
}
