/** What has the focus. */
import type { Focus } from "../schemas/page.ts"
import { describe } from "./describe.ts"
import { isEditable } from "./field.ts"
import { inputType } from "./role.ts"
import { deepActive } from "./tree.ts"
import { isDisabled, isReadonly, isSecret, rawValue, safeValue } from "./value.ts"
import { isConnected, localNameOf } from "./dom.ts"
import { elementOfKey, keyOf } from "./keys.ts"

const noText = /^(button|submit|reset|image|checkbox|radio|file|hidden|range|color)$/

const elementAt = (key: number): Element | null => {
  const element = elementOfKey(key)
  return element !== undefined && isConnected(element) ? element : null
}

/** The focused element, inside shadow roots too; with a key that element, whether it has the focus or not. */
export const focused = ({ key }: { readonly key?: number }): Focus => {
  const active = key === undefined ? deepActive() : elementAt(key)
  if (active === null || localNameOf(active) === "body" || localNameOf(active) === "html") {
    const page = active !== null && active instanceof HTMLElement && active.isContentEditable
    return {
      description: page ? "the page, which is editable" : "nothing",
      editable: page,
      password: false,
      frame: false
    }
  }
  const tag = localNameOf(active)
  const field = (tag === "input" && !noText.test(inputType(active))) || tag === "textarea"
  const editable = (field && !isReadonly(active) && !isDisabled(active)) || isEditable(active)
  const shown = field || isEditable(active)
  return {
    key: keyOf(active),
    description: describe(active),
    editable,
    password: isSecret(active),
    ...(shown && rawValue(active).length < 1_000_000 ? { value: safeValue(active) } : {}),
    frame: tag === "iframe" || tag === "frame"
  }
}
