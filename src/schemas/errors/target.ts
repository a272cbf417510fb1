/**
 * The thing to act on is not there, not ready, or not unique. Nothing was pressed or changed unless the error says so.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode, list } from "./code.ts"

/** No target was named: x and y, a selector or a text is needed. */
export class TargetMissing extends Schema.TaggedError<TargetMissing>()("TargetMissing", {
  code: errorCode("BROWSER_TARGET_MISSING"),
  operation: Schema.String
}) {
  override get message() {
    return `${this.operation} needs x and y, a selector, or a text.`
  }
  get next() {
    return `Name one target.`
  }
}

/** CSS px for a message. */
const whole = Math.round

/** The point lies outside the viewport (CSS px). */
export class TargetOffscreen extends Schema.TaggedError<TargetOffscreen>()("TargetOffscreen", {
  code: errorCode("BROWSER_TARGET_OFFSCREEN"),
  x: Schema.Finite,
  y: Schema.Finite,
  width: Schema.Finite,
  height: Schema.Finite
}) {
  override get message() {
    return `The point ${whole(this.x)}, ${whole(this.y)} lies outside the viewport of ${whole(this.width)} by ${whole(this.height)}.`
  }
  get next() {
    return `Scroll first, or use a selector or a reference, which scroll by themselves.`
  }
}

/** Nothing visible matches; `candidates` are near misses. */
export class TargetNotFound extends Schema.TaggedError<TargetNotFound>()("TargetNotFound", {
  code: errorCode("BROWSER_TARGET_NOT_FOUND"),
  target: Schema.String,
  candidates: Schema.Array(Schema.String),
  /** frames that did not answer, so that it may stand in them */
  unsearched: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override get message() {
    const near = this.candidates.length === 0 ? "" : ` (near: ${list(this.candidates)})`
    const frames = this.unsearched === undefined ? "" : ` Frames that did not answer: ${list(this.unsearched)}.`
    return `Nothing visible matches ${this.target}${near}.${frames}`
  }
  get next() {
    return `Call browser_snapshot to see what is there.`
  }
}

/** Several elements match equally well; none was acted on. */
export class TargetAmbiguous extends Schema.TaggedError<TargetAmbiguous>()("TargetAmbiguous", {
  code: errorCode("BROWSER_TARGET_AMBIGUOUS"),
  target: Schema.String,
  candidates: Schema.Array(Schema.String),
  /** how many match, if more do than are named */
  total: Schema.optionalKey(Schema.Int)
}) {
  override get message() {
    const more = (this.total ?? 0) - this.candidates.length
    return `Several elements match ${this.target}: ${list(this.candidates)}${more > 0 ? ` and ${more} more` : ""}.`
  }
  get next() {
    return `Take a snapshot and use a reference, or give a longer text.`
  }
}

/** The target could not be looked up. */
export class TargetFailed extends Schema.TaggedError<TargetFailed>()("TargetFailed", {
  code: errorCode("BROWSER_TARGET_FAILED"),
  target: Schema.String,
  reason: Schema.String,
  remedy: Schema.optionalKey(Schema.NonEmptyString)
}) {
  override get message() {
    return `${this.target} could not be used: ${ended(this.reason)}`
  }
  get next() {
    return this.remedy ?? `Correct it, or use a reference of a snapshot.`
  }
}

/** Another element would get the press; `by` names it, `box` is its place (CSS px). */
export class TargetCovered extends Schema.TaggedError<TargetCovered>()("TargetCovered", {
  code: errorCode("BROWSER_TARGET_COVERED"),
  target: Schema.String,
  by: Schema.String,
  box: Schema.Struct({ x: Schema.Finite, y: Schema.Finite, width: Schema.Finite, height: Schema.Finite })
}) {
  override get message() {
    return `${this.target} is covered by ${this.by} (at ${whole(this.box.x)}, ${whole(this.box.y)}, ${whole(this.box.width)} by ${whole(this.box.height)}); nothing was pressed.`
  }
  get next() {
    return `Close or move what covers it, then try again.`
  }
}

/** The target cannot be seen. */
export class TargetHidden extends Schema.TaggedError<TargetHidden>()("TargetHidden", {
  code: errorCode("BROWSER_TARGET_HIDDEN"),
  target: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.target} is not visible: ${ended(this.reason)}`
  }
  get next() {
    return `Make it visible first (open its menu, scroll its list), then take a snapshot.`
  }
}

/** The target is disabled. */
export class TargetDisabled extends Schema.TaggedError<TargetDisabled>()("TargetDisabled", {
  code: errorCode("BROWSER_TARGET_DISABLED"),
  target: Schema.String
}) {
  override get message() {
    return `${this.target} is disabled; nothing was done.`
  }
  get next() {
    return `Do what enables it first (often: fill the required fields).`
  }
}

/** The target never held still within the budget (ms). */
export class TargetUnstable extends Schema.TaggedError<TargetUnstable>()("TargetUnstable", {
  code: errorCode("BROWSER_TARGET_UNSTABLE"),
  target: Schema.String,
  budget: Schema.Finite
}) {
  override get message() {
    return `${this.target} kept moving for ${this.budget} ms; nothing was pressed.`
  }
  get next() {
    return `Wait for the animation to end (browser_wait_for), then try again. If it never ends: browser_click by x and y, or browser_execute.`
  }
}

/** Text has no place to go: no editable element has the focus. */
export class NothingFocused extends Schema.TaggedError<NothingFocused>()("NothingFocused", {
  code: errorCode("BROWSER_NOTHING_FOCUSED"),
  focused: Schema.String
}) {
  override get message() {
    return `Nothing that takes text has the focus (focused: ${this.focused}); nothing was typed.`
  }
  get next() {
    return `Click the field first, or use browser_fill.`
  }
}

/** The key name is not known. */
export class KeyUnknown extends Schema.TaggedError<KeyUnknown>()("KeyUnknown", {
  code: errorCode("BROWSER_KEY_UNKNOWN"),
  key: Schema.String,
  near: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override get message() {
    return `The key "${this.key}" is not known${this.near === undefined || this.near.length === 0 ? "" : ` (near: ${list(this.near)})`}.`
  }
  get next() {
    return `Use a name as in KeyboardEvent.key (Enter, Tab, ArrowDown, F5, a) or "Space"; for text use browser_type, or browser_fill.`
  }
}

/** The CSS selector cannot be parsed. */
export class SelectorInvalid extends Schema.TaggedError<SelectorInvalid>()("SelectorInvalid", {
  code: errorCode("BROWSER_SELECTOR_INVALID"),
  selector: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The selector ${this.selector} is not valid: ${ended(this.reason)}`
  }
  get next() {
    return `Correct the selector.`
  }
}

/** The combination of wait parameters makes no sense. */
export class WaitInvalid extends Schema.TaggedError<WaitInvalid>()("WaitInvalid", {
  code: errorCode("BROWSER_WAIT_INVALID"),
  reason: Schema.String
}) {
  override get message() {
    return `browser_wait_for cannot wait for this: ${ended(this.reason)}`
  }
  get next() {
    return `Give selector, text or both, with a state if wanted; or gone alone.`
  }
}

/** Filling failed as a whole; a single field's failure is data in the result. */
export class FillFailed extends Schema.TaggedError<FillFailed>()("FillFailed", {
  code: errorCode("BROWSER_FILL_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `Filling failed: ${ended(this.reason)}`
  }
  get next() {
    return `Call browser_snapshot and fill by reference.`
  }
}
