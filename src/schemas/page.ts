/**
 * What the program inside a page (`src/in-page/`) is asked and answers: one agent per document, in an isolated world.
 *
 * Positions are CSS px of the document's own viewport. A key is the number of an element in its document: given once,
 * never reused, never moved to another element.
 */
import { Schema } from "effect"

const Key = Schema.Int
const Rect = Schema.Struct({ x: Schema.Finite, y: Schema.Finite, width: Schema.Finite, height: Schema.Finite })
export type Rect = typeof Rect.Type
const Point = Schema.Struct({ x: Schema.Finite, y: Schema.Finite })

/** What of a page was not looked at: the time was over, or elements are nested too deeply. */
export const Unseen = Schema.Struct({
  why: Schema.Literals(["time", "depth"]),
  /** elements that were looked at, in reading order */
  looked: Schema.Int,
  /** elements that there are, hidden ones included */
  of: Schema.Int
})
export type Unseen = typeof Unseen.Type

/** What to list. */
export interface WalkOptions {
  /** at most so many items (one more is counted, so that "truncated" is exact) */
  readonly limit: number
  /** at most so many characters of labels and values in all */
  readonly maxChars: number
  /** only what can be acted on */
  readonly interactive: boolean
  /** only items whose "kind label" contains this (lower case) */
  readonly query?: string
  /** only what stands inside this element */
  readonly rootKey?: number
  /** only what stands inside the first element that matches (a bad selector: `{ error: "selector" }`) */
  readonly selector?: string
  /** number of matching items to pass over first */
  readonly skip: number
  /** time (ms) for looking, from when the page is laid out; what is not reached is left out */
  readonly budget?: number
}

/** One listed element; `k` its key, `fp` the number of its remembered facts (see `check`). Frames have kind "frame". */
export const WalkItem = Schema.Struct({
  k: Key,
  kind: Schema.String,
  label: Schema.String,
  loc: Schema.String,
  /** centre and size */
  x: Schema.Finite,
  y: Schema.Finite,
  w: Schema.Finite,
  h: Schema.Finite,
  value: Schema.optionalKey(Schema.String),
  states: Schema.optionalKey(Schema.Array(Schema.String)),
  /** of a closed list: its options that match what was looked for */
  options: Schema.optionalKey(Schema.Array(Schema.String)),
  /** can be acted on */
  act: Schema.optionalKey(Schema.Literal(1)),
  fp: Schema.Int,
  /** of a frame: its content box */
  content: Schema.optionalKey(Rect)
})
export type WalkItem = typeof WalkItem.Type

/** A field for which the browser did not send a form, and what it says of it. */
const UnsentField = Schema.Struct({ k: Key, target: Schema.String, reason: Schema.String })
export type UnsentField = typeof UnsentField.Type

export const WalkResult = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  ready: Schema.Literals(["loading", "interactive", "complete"]),
  viewport: Schema.Struct({
    width: Schema.Finite,
    height: Schema.Finite,
    scrollX: Schema.Finite,
    scrollY: Schema.Finite,
    maxX: Schema.Finite,
    maxY: Schema.Finite
  }),
  items: Schema.Array(WalkItem),
  /** matching items in all, also those passed over or left out */
  total: Schema.Int,
  truncated: Schema.Boolean,
  unseen: Schema.optionalKey(Unseen),
  /** keys of elements that may host a closed shadow root and have not been examined (at most 50) */
  suspects: Schema.Array(Key),
  challenge: Schema.optionalKey(Schema.Struct({ blocked: Schema.Boolean, kind: Schema.String, reason: Schema.String })),
  /** a form that the latest act would have sent: its invalid fields, at most 10, and how many there are */
  unsent: Schema.optionalKey(Schema.Struct({ fields: Schema.Array(UnsentField), total: Schema.Int })),
  error: Schema.optionalKey(Schema.Literals(["selector", "root"]))
})
export type WalkResult = typeof WalkResult.Type

/** Which element: by key with its facts at snapshot time, by selector, or by text. */
export type ElementQuery =
  | { readonly key: number; readonly fp: number }
  | { readonly selector: string }
  /** `budget`: time (ms) for looking, as of a walk */
  /** `exact`: nothing that only contains the text */
  | { readonly text: string; readonly budget?: number; readonly exact?: boolean }

/** An element was found, or why not. `stale.reason` says what changed, in words. */
export const Found = Schema.Union([
  Schema.Struct({
    is: Schema.Literal("found"),
    k: Key,
    description: Schema.String,
    /** it is an iframe element: what is meant stands in the child document */
    frame: Schema.Boolean
  }),
  Schema.Struct({ is: Schema.Literal("stale"), reason: Schema.String }),
  /** `unseen`: not everything was looked at, so that there may be a match */
  Schema.Struct({
    is: Schema.Literal("none"),
    candidates: Schema.Array(Schema.String),
    unseen: Schema.optionalKey(Unseen)
  }),
  Schema.Struct({ is: Schema.Literal("several"), candidates: Schema.Array(Schema.String), total: Schema.Int }),
  Schema.Struct({ is: Schema.Literal("invalid"), reason: Schema.String })
])
export type Found = typeof Found.Type

/**
 * An element made ready for the pointer: scrolled into view, holding still, hit-tested.
 * `point` is where to press; `box` its place.
 */
export const Ready = Schema.Union([
  Schema.Struct({ is: Schema.Literal("ready"), point: Point, box: Rect, description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("covered"), by: Schema.String, byBox: Rect, description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("hidden"), reason: Schema.String, description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("disabled"), description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("unstable"), description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("stale"), reason: Schema.String })
])
export type Ready = typeof Ready.Type

/** What was looked for, and whether it is ready, if it was found. */
export const Sought = Schema.Struct({ found: Found, ready: Schema.optionalKey(Ready) })
export type Sought = typeof Sought.Type

/** What stands under a point after the page had a frame to react to the pointer. */
export const Hit = Schema.Union([
  Schema.Struct({ is: Schema.Literal("target") }),
  /** the target was replaced by a sibling of the same kind and name under the pointer, which counts as the target */
  Schema.Struct({ is: Schema.Literal("successor"), description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("covered"), by: Schema.String, byBox: Rect }),
  Schema.Struct({ is: Schema.Literal("moved") }),
  Schema.Struct({ is: Schema.Literal("stale"), reason: Schema.String })
])
export type Hit = typeof Hit.Type

/** Whether a trusted press arrived since `hit`, and on what. */
export const Pressed = Schema.Struct({
  received: Schema.Boolean,
  by: Schema.String,
  /** the element got the press but not the release, which came to this: no click came of it */
  released: Schema.optionalKey(Schema.String),
  /** address of the link that the click was to follow, if that is no web address */
  link: Schema.optionalKey(Schema.String)
})
export type Pressed = typeof Pressed.Type

/** What has the focus. */
export const Focus = Schema.Struct({
  /** its key, if it is an element and not the page as a whole */
  key: Schema.optionalKey(Schema.Number),
  description: Schema.String,
  /** takes text */
  editable: Schema.Boolean,
  password: Schema.Boolean,
  /** its value, passwords masked, at most 200 characters */
  value: Schema.optionalKey(Schema.String),
  /** it is an iframe: look in the child document */
  frame: Schema.Boolean
})
export type Focus = typeof Focus.Type

/** How a field is named by the caller of browser_fill. */
export interface FieldQuery {
  readonly key?: number
  readonly fp?: number
  readonly selector?: string
  readonly label?: string
  readonly name?: string
  readonly placeholder?: string
}

/**
 * How a field is to be filled. "text": focus it with everything selected (`focusField`), insert the text by real
 * input, then `readField`. "set": `setField` does it in the page (dates, colours, ranges, selects). "press": a click at
 * `point` (checkbox, radio) brings it to the wanted state. "done": it already has the value.
 */
export const FieldPlan = Schema.Union([
  Schema.Struct({
    how: Schema.Literals(["text", "set", "press", "done"]),
    k: Key,
    description: Schema.String,
    kind: Schema.String,
    password: Schema.Boolean,
    /** for "text": what to insert (as the field wants it) */
    text: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ how: Schema.Literal("refused"), description: Schema.String, error: Schema.String })
])
export type FieldPlan = typeof FieldPlan.Type

export const FieldState = Schema.Struct({
  ok: Schema.Boolean,
  /** value now, passwords masked, at most 200 characters */
  value: Schema.String,
  error: Schema.optionalKey(Schema.String),
  /** why its form would not be submitted with that value */
  invalid: Schema.optionalKey(Schema.String)
})
export type FieldState = typeof FieldState.Type

/** A bot check: that one is there, and that it stands in the way, are two facts. */
export const ChallengeState = Schema.Struct({
  present: Schema.Boolean,
  blocked: Schema.Boolean,
  kind: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
})
export type ChallengeState = typeof ChallengeState.Type

/** How what takes files is named by the caller of browser_upload_file. */
export type FileQuery = { readonly selector: string } | { readonly key: number; readonly fp: number }

/** What takes files. "button": no file input is known for it; pressing it may open a file chooser. */
export const FileTarget = Schema.Union([
  Schema.Struct({
    is: Schema.Literal("input"),
    k: Key,
    description: Schema.String,
    multiple: Schema.Boolean,
    disabled: Schema.Boolean
  }),
  Schema.Struct({ is: Schema.Literal("button"), k: Key, description: Schema.String }),
  Schema.Struct({ is: Schema.Literal("none"), candidates: Schema.Array(Schema.String) }),
  Schema.Struct({ is: Schema.Literal("several"), candidates: Schema.Array(Schema.String), total: Schema.Int }),
  Schema.Struct({ is: Schema.Literal("invalid"), reason: Schema.String }),
  Schema.Struct({ is: Schema.Literal("stale"), reason: Schema.String })
])
export type FileTarget = typeof FileTarget.Type

/** Names of the files that an input took. */
export const FilesTaken = Schema.Struct({ names: Schema.Array(Schema.String) })
export type FilesTaken = typeof FilesTaken.Type

export const Submitted = Schema.Struct({ submitted: Schema.Boolean, reason: Schema.optionalKey(Schema.String) })

export interface WaitCondition {
  readonly selector?: string
  readonly text?: string
  readonly gone?: string
  readonly state: "visible" | "attached" | "hidden" | "detached"
  /** ms to wait in this document at the most */
  readonly timeout: number
}
export const WaitOutcome = Schema.Union([
  Schema.Struct({
    is: Schema.Literal("met"),
    tag: Schema.optionalKey(Schema.String),
    text: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ is: Schema.Literal("timeout"), seen: Schema.String }),
  Schema.Struct({ is: Schema.Literal("invalid"), reason: Schema.String })
])
export type WaitOutcome = typeof WaitOutcome.Type

export const ContentPayload = Schema.Union([
  /**
   * `frames`: how many that can be seen stand in it; what they show is no part of it. `deep`: neither is what is nested
   * too deeply. `cut`: what else is left out, in words.
   */
  Schema.Struct({
    is: Schema.Literal("content"),
    content: Schema.String,
    total: Schema.Int,
    frames: Schema.Int,
    deep: Schema.optionalKey(Schema.Literal(true)),
    cut: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({ is: Schema.Literal("none") }),
  Schema.Struct({ is: Schema.Literal("invalid"), reason: Schema.String })
])

export const ScrollState = Schema.Struct({
  x: Schema.Finite,
  y: Schema.Finite,
  maxX: Schema.Finite,
  maxY: Schema.Finite,
  width: Schema.Finite,
  height: Schema.Finite
})
export type ScrollState = typeof ScrollState.Type

/** Whether the document is at rest; see `quiet`. */
export const Quiet = Schema.Struct({
  /** nothing changed for the asked time */
  quiet: Schema.Boolean,
  /** something changed at all since `watch` */
  changed: Schema.Boolean,
  /** what was asked for with `walk` */
  seen: Schema.optionalKey(WalkResult)
})
