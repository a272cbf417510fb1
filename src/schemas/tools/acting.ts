/** Parameters and results of the tools that act on a page. */
import { Schema } from "effect"
import { Dialog } from "../dialog.ts"
import {
  modifiers,
  namedOnce,
  unsent,
  optionalReference,
  optionalText,
  optionalWith,
  outcome,
  reference,
  referenceIsWhole,
  timeoutMs
} from "./common.ts"

/** Where to act: one of a point, a selector or a text. */
const target = {
  x: Schema.optionalKey(Schema.Finite.annotate({ description: "CSS px of the viewport" })),
  y: Schema.optionalKey(Schema.Finite.annotate({ description: "CSS px of the viewport" })),
  selector: optionalText("CSS selector"),
  text: optionalText("visible text or name; an exact match wins")
} as const
const targetIsNamedOnce = namedOnce("the target", { "a point": ["x", "y"], selector: ["selector"], text: ["text"] })
export const Target = Schema.Struct(target).check(targetIsNamedOnce)
export type Target = typeof Target.Type

/** Where it was acted, in the result. */
const acted = {
  x: Schema.optionalKey(Schema.Finite),
  y: Schema.optionalKey(Schema.Finite),
  target: Schema.optionalKey(Schema.String.annotate({ description: "what got it" }))
} as const

export const ClickRefParams = Schema.Struct({
  ...reference,
  button: optionalWith(Schema.Literals(["left", "right", "middle"]), "left"),
  modifiers,
  timeoutMs
})
export type ClickRefParams = typeof ClickRefParams.Type
export const ClickParams = Schema.Struct({
  ...target,
  button: optionalWith(Schema.Literals(["left", "right", "middle"]), "left"),
  modifiers,
  timeoutMs
}).check(targetIsNamedOnce)
export type ClickParams = typeof ClickParams.Type
export const ClickResult = Schema.Struct({
  clicked: Schema.Boolean.annotate({ description: "false if it was pressed and the page got no click of it" }),
  ...acted,
  reason: Schema.optionalKey(Schema.String.annotate({ description: "why it was no click" })),
  ...unsent,
  ...outcome
})
export type ClickResult = typeof ClickResult.Type

export const DoubleClickParams = Schema.Struct({ ...target, modifiers, timeoutMs }).check(targetIsNamedOnce)
export const HoverParams = Schema.Struct({ ...target, timeoutMs }).check(targetIsNamedOnce)
export const HoverResult = Schema.Struct({ hovered: Schema.Boolean, ...acted, ...outcome })

export const DragParams = Schema.Struct({
  from: Target,
  to: Target,
  steps: optionalWith(Schema.Int.check(Schema.isBetween({ minimum: 12, maximum: 60 })), 12),
  timeoutMs
})
export const DragResult = Schema.Struct({ dragged: Schema.Boolean, ...outcome })

export const ScrollParams = Schema.Struct({
  deltaX: optionalWith(Schema.Finite.annotate({ description: "CSS px to the right" }), 0),
  deltaY: Schema.optionalKey(Schema.Finite.annotate({ description: "CSS px down; absent: about one page" })),
  x: Schema.optionalKey(Schema.Finite.annotate({ description: "scroll what lies under this point" })),
  y: Schema.optionalKey(Schema.Finite),
  timeoutMs
}).check(namedOnce("the place", { "a point": ["x", "y"] }))
export const ScrollResult = Schema.Struct({
  x: Schema.Finite,
  y: Schema.Finite,
  maxX: Schema.Finite,
  maxY: Schema.Finite,
  moved: Schema.Boolean,
  ...outcome
})
export const ScrollIntoViewParams = Schema.Struct({
  ...reference,
  block: optionalWith(Schema.Literals(["start", "center", "end", "nearest"]), "center"),
  timeoutMs
})
export const ScrollIntoViewResult = Schema.Struct({
  scrolled: Schema.Boolean,
  x: Schema.Finite,
  y: Schema.Finite,
  maxX: Schema.Finite,
  maxY: Schema.Finite
})

export const TypeParams = Schema.Struct({
  text: Schema.String.annotate({ description: "to be typed" }),
  secret: optionalWith(Schema.Boolean.annotate({ description: "keep it out of the history" }), false),
  timeoutMs
})
export const TypeResult = Schema.Struct({
  typed: Schema.Boolean,
  into: Schema.String.annotate({ description: "what had the focus" }),
  value: Schema.optionalKey(
    Schema.String.annotate({
      description: "its value afterwards, absent if a dialog opened meanwhile; passwords are masked"
    })
  ),
  movedTo: Schema.optionalKey(
    Schema.Struct({ target: Schema.String, value: Schema.optionalKey(Schema.String) }).annotate({
      description: "what has the focus now, if that is something else"
    })
  ),
  secret: Schema.optionalKey(Schema.Boolean.annotate({ description: "true if it was a password field" })),
  ...outcome
})
export type TypeResult = typeof TypeResult.Type

export const PressKeyParams = Schema.Struct({
  key: Schema.NonEmptyString.annotate({
    description: "as KeyboardEvent.key: Enter, Tab, ArrowDown, F5, a; Space"
  }),
  modifiers,
  timeoutMs
})
export const PressKeyResult = Schema.Struct({
  pressed: Schema.Boolean,
  inserted: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "true if no key has the character: it was inserted as text" })
  ),
  secret: Schema.optionalKey(Schema.Boolean.annotate({ description: "true if a password field had the focus" })),
  ...unsent,
  ...outcome
})

export const FillField = Schema.Struct({
  ...optionalReference,
  selector: optionalText("CSS selector"),
  label: optionalText("label or accessible name"),
  name: optionalText("name attribute"),
  placeholder: optionalText("placeholder"),
  kind: optionalText("what the caller takes it for; not needed"),
  value: Schema.Union([Schema.String, Schema.Boolean, Schema.Finite, Schema.Array(Schema.String)]).annotate({
    description: "text, ISO date or time, option (several as a list), true or false for a checkbox"
  })
}).check(
  referenceIsWhole,
  namedOnce("the field", {
    ref: ["ref"],
    selector: ["selector"],
    label: ["label"],
    name: ["name"],
    placeholder: ["placeholder"]
  })
)
export type FillField = typeof FillField.Type
export const FillParams = Schema.Struct({
  fields: Schema.Array(FillField).check(Schema.isMinLength(1)),
  submit: optionalWith(Schema.Boolean.annotate({ description: "submit the form of the last field" }), false),
  timeoutMs
})
export type FillParams = typeof FillParams.Type
export const FilledField = Schema.Struct({
  ok: Schema.Boolean,
  target: Schema.String,
  method: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.String.annotate({ description: "what the field holds now; passwords are masked" })),
  secret: Schema.optionalKey(Schema.Boolean.annotate({ description: "true if it is a password field" })),
  error: Schema.optionalKey(Schema.String),
  unread: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "true if it may have been filled, but could not be read back" })
  ),
  invalid: Schema.optionalKey(
    Schema.String.annotate({
      description: "what the page finds wrong with the value; its form is not submitted with it"
    })
  )
})
export type FilledField = typeof FilledField.Type
export const FillResult = Schema.Struct({
  fields: Schema.Array(FilledField),
  submitted: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String.annotate({ description: "why it was not submitted" })),
  ...outcome
})
export type FillResult = typeof FillResult.Type

export const DialogParams = Schema.Struct({
  action: Schema.Literals(["accept", "dismiss"]).annotate({
    description: "for beforeunload: accept leaves, dismiss stays"
  }),
  prompt_text: Schema.optionalKey(Schema.String.annotate({ description: "answer to a prompt" })),
  dialog_id: optionalText("if several are open")
})
export const DialogResult = Schema.Struct({
  success: Schema.Boolean,
  action: Schema.Literals(["accept", "dismiss"]),
  dialog: Dialog.annotate({ description: "the dialog that was answered" }),
  next: Schema.optionalKey(Dialog.annotate({ description: "dialog that is open now; answer it, too" })),
  outcome: Schema.optionalKey(Schema.Struct(outcome).annotate({ description: "what its page did then" }))
})
export type DialogResult = typeof DialogResult.Type
