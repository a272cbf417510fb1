/**
 * Forms that an act would have sent and the browser did not, since it found a field in them invalid. It tells that in a
 * bubble, which is no part of the page.
 */
import type { UnsentField } from "../schemas/page.ts"
import { describe } from "./describe.ts"
import { formNoValidate, hasAttribute, isConnected, isShadowRoot, listen, localNameOf, matches } from "./dom.ts"
import { keyOf } from "./keys.ts"
import { clip } from "./text.ts"
import { View } from "./view.ts"

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement

const isControl = (value: unknown): value is Control =>
  value instanceof HTMLInputElement ||
  value instanceof HTMLSelectElement ||
  value instanceof HTMLTextAreaElement ||
  value instanceof HTMLButtonElement

/** Fields that are looked at, and told. */
const mostFields = 50
const shownFields = 10

/** What was pressed or clicked last, with all that it stands in; undefined after any other act. */
let act: ReadonlyArray<EventTarget> | undefined
/** the act was to send a form: pages ask whether their fields are valid for other reasons, too */
let sends = false
/** found invalid since the act */
let fields: Array<Control> = []

export const isSubmitter = (element: Element): element is HTMLButtonElement =>
  (localNameOf(element) === "button" && (element as HTMLButtonElement).type === "submit") ||
  (localNameOf(element) === "input" && /^(submit|image)$/.test((element as HTMLInputElement).type))

/** Whether the browser looks at the fields before it sends the form. */
const checks = (form: HTMLFormElement | null, submitter?: Element): boolean =>
  form !== null && !formNoValidate(form) && (submitter === undefined || !hasAttribute(submitter, "formnovalidate"))

const begin = (event: Event, counts: boolean): void => {
  const path = event.composedPath()
  act = counts ? path : undefined
  sends = false
  fields = []
  // what is told of a field goes no further than its shadow root
  for (const root of path) if (root instanceof Node && isShadowRoot(root)) watch(root)
}

const onPointerDown = (event: Event): void => {
  if (event.isTrusted) begin(event, true)
}

const onKeyDown = (event: KeyboardEvent): void => {
  if (!event.isTrusted) return
  begin(event, event.key === "Enter" || event.key === " ")
  const [target] = event.composedPath()
  // without a button, Enter sends the form and there is no click
  if (event.key === "Enter" && target instanceof HTMLInputElement) sends = checks(target.form)
}

const onClick = (event: Event): void => {
  if (act === undefined) return
  const button = event
    .composedPath()
    .find((node): node is HTMLButtonElement => node instanceof Element && isSubmitter(node))
  if (button !== undefined) sends = checks(button.form, button)
}

const onInvalid = (event: Event): void => {
  const [target] = event.composedPath()
  if (act !== undefined && isControl(target) && fields.length < mostFields && !fields.includes(target))
    fields.push(target)
}

/** The browser puts the focus on what it complains of. So do presses, on what is pressed. */
const onFocus = (event: Event): void => {
  const [target] = event.composedPath()
  if (!isControl(target) || !fields.includes(target)) return
  const isPressed = act?.some(
    (node) => node === target || (node instanceof HTMLLabelElement && node.control === target)
  )
  if (isPressed === false) sends = true
}

const onSubmit = (): void => {
  sends = false
  fields = []
}

const watch = (root: EventTarget): void => {
  listen(root, "invalid", onInvalid, true)
  listen(root, "submit", onSubmit, true)
}

/** Listens before the page does. Harmless when repeated. */
export const watchUnsent = (): void => {
  watch(window)
  listen(window, "pointerdown", onPointerDown, true)
  listen(window, "keydown", onKeyDown as (event: Event) => void, true)
  listen(window, "click", onClick, true)
  listen(window, "focusin", onFocus, true)
}

/** The fields for which the browser kept the latest act from sending a form, and how many there are; told once. */
export const unsent = (): { readonly fields: ReadonlyArray<UnsentField>; readonly total: number } | undefined => {
  const invalid = sends ? fields.filter((field) => isConnected(field) && matches(field, ":invalid")) : []
  sends = false
  fields = []
  if (invalid.length === 0) return undefined
  const view = new View()
  const told = invalid.slice(0, shownFields).map((field) => ({
    k: keyOf(field),
    target: describe(field, view),
    reason: clip(field.validationMessage, 200)
  }))
  return { fields: told, total: invalid.length }
}
