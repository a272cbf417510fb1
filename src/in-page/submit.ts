/** Submitting a form as a person does: through its button, after its fields have been found valid. */
import { describe } from "./describe.ts"
import {
  clickElement,
  formElements,
  formNoValidate,
  formValidity,
  hasAttribute,
  isConnected,
  listen,
  localNameOf,
  matches,
  requestSubmit,
  unlisten
} from "./dom.ts"
import { elementOfKey } from "./keys.ts"
import { clip } from "./text.ts"
import { isSubmitter } from "./unsent.ts"
import { View } from "./view.ts"

const formOf = (element: Element): HTMLFormElement | null => {
  const owner = (element as HTMLInputElement).form
  if (owner instanceof HTMLFormElement) return owner
  const around = element.closest("form")
  return around instanceof HTMLFormElement ? around : null
}

const invalidFields = (controls: ArrayLike<Element>): string => {
  const view = new View()
  const problems: Array<string> = []
  for (let index = 0; index < controls.length && problems.length < 5; index += 1) {
    const control = controls[index] as HTMLInputElement
    if (localNameOf(control) === "fieldset" || !matches(control, ":invalid")) continue
    problems.push(`${describe(control, view)}: ${clip(control.validationMessage, 120)}`)
  }
  return problems.join("; ")
}

/** Submits the form of a field. */
export const submit = ({
  key
}: {
  readonly key: number
}): { readonly submitted: boolean; readonly reason?: string } => {
  const element = elementOfKey(key)
  if (element === undefined || !isConnected(element)) return { submitted: false, reason: "The field left the page." }
  const form = formOf(element)
  if (form === null) return { submitted: false, reason: "The field belongs to no form." }
  const controls = formElements(form)
  const submitter = Array.from(controls).find(isSubmitter)
  if (submitter !== undefined && matches(submitter, ":disabled")) {
    return { submitted: false, reason: `${describe(submitter)} is disabled.` }
  }
  const unchecked = formNoValidate(form) || (submitter !== undefined && hasAttribute(submitter, "formnovalidate"))
  if (!unchecked && !formValidity(form))
    return { submitted: false, reason: `The form is not valid: ${invalidFields(controls)}` }
  let seen = false
  const onSubmit = (): void => {
    seen = true
  }
  listen(window, "submit", onSubmit, true)
  try {
    if (submitter !== undefined) clickElement(submitter)
    else requestSubmit(form)
  } catch {
    // a form that was taken out of the page meanwhile cannot be submitted
  }
  unlisten(window, "submit", onSubmit, true)
  if (seen) return { submitted: true }
  return {
    submitted: false,
    reason:
      submitter === undefined
        ? "The page took the form away."
        : `${describe(submitter)} was pressed, but did not submit.`
  }
}
