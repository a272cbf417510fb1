/** What has the focus. */
import type { Focus } from "../schemas/page.ts"
import { describe } from "./describe.ts"
import { isEditable } from "./field.ts"
import { inputType } from "./role.ts"
import { deepActive } from "./tree.ts"
import { isDisabled, isReadonly, isSecret, rawValue, safeValue } from "./value.ts"
import { localNameOf } from "./dom.ts"

const noText = /^(button|submit|reset|image|checkbox|radio|file|hidden|range|color)$/

/** The focused element, inside shadow roots too. */
export const focused = (): Focus => {
  const active = deepActive()
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
    description: describe(active),
    editable,
    password: isSecret(active),
    ...(shown && rawValue(active).length < 1_000_000 ? { value: safeValue(active) } : {}),
    frame: tag === "iframe" || tag === "frame"
  }
}
