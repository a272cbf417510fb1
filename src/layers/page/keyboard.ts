/**
 * What a key press and a typed text are in `Input.dispatchKeyEvent` and `Input.insertText`: pure plans, sent elsewhere.
 *
 * Events carry their modifiers themselves; the browser keeps no state between them, so a plan that is cut short leaves
 * no key held down.
 */
import { Result } from "effect"
import type { Protocol } from "devtools-protocol"
import { KeyUnknown } from "../../schemas/errors.ts"
import type { Modifier } from "../../schemas/tools/common.ts"
import { LazySegmenter } from "./LazySegmenter.ts"
import { findKey, type FoundKey, type Key, keyAt, modifierKeys, nearKeys } from "./keyboardLayout.ts"

/** One event to dispatch. */
export type KeyEvent = Protocol.Input.DispatchKeyEventRequest

/** One piece of a typed text: keys to press, or text that no key of the layout types. */
export type TextStep =
  | { readonly is: "keys"; readonly events: ReadonlyArray<KeyEvent> }
  | { readonly is: "insert"; readonly text: string }

/** What the browser runs on: macOS edits with meta, everything else with ctrl. */
export type KeyboardPlatform = "mac" | "other"

const modifierOrder = ["ctrl", "alt", "shift", "meta"] as const satisfies ReadonlyArray<Modifier>

const modifierOf = (name: string): Modifier | undefined => {
  switch (findKey(name)?.key.key) {
    case "Control":
      return "ctrl"
    case "Alt":
      return "alt"
    case "Shift":
      return "shift"
    case "Meta":
      return "meta"
    default:
      return undefined
  }
}

const bitsOf = (modifiers: ReadonlySet<Modifier>): number => {
  let bits = 0
  for (const modifier of modifiers) bits |= modifierKeys[modifier].bit
  return bits
}

const place = (key: Key): Pick<KeyEvent, "location" | "isKeypad"> =>
  key.location === undefined ? {} : key.location === 3 ? { isKeypad: true } : { location: key.location }

const event = (type: KeyEvent["type"], key: Key, name: string, modifiers: number): KeyEvent => ({
  type,
  modifiers,
  key: name,
  code: key.code,
  windowsVirtualKeyCode: key.keyCode,
  ...place(key)
})

/**
 * Editing commands that a combination stands for; without them a browser without a window does not copy or paste.
 * Names as in Blink's editor command list.
 */
const editingCommand = (key: Key, modifiers: ReadonlySet<Modifier>, platform: KeyboardPlatform): string | undefined => {
  const main = platform === "mac" ? "meta" : "ctrl"
  if (!modifiers.has(main) || modifiers.size > (modifiers.has("shift") ? 2 : 1)) return undefined
  const shift = modifiers.has("shift")
  switch (key.code) {
    case "KeyA":
      return shift ? undefined : "selectAll"
    case "KeyC":
      return shift ? undefined : "copy"
    case "KeyX":
      return shift ? undefined : "cut"
    case "KeyV":
      return shift ? "pasteAndMatchStyle" : "paste"
    case "KeyZ":
      return shift ? "redo" : "undo"
    case "KeyY":
      return shift || platform === "mac" ? undefined : "redo"
    default:
      return undefined
  }
}

/** The events of the key alone, as pressed while `modifiers` are held. */
const stroke = (key: Key, modifiers: ReadonlySet<Modifier>, platform: KeyboardPlatform): [KeyEvent, KeyEvent] => {
  const shifted = modifiers.has("shift") ? (key.shifted ?? key.key) : key.key
  const bits = bitsOf(modifiers)
  // A control or meta combination types nothing; alt types only on macOS, where what it types depends on the layout.
  const types = key.types && !modifiers.has("ctrl") && !modifiers.has("meta") && !modifiers.has("alt")
  const text = key.text ?? shifted
  const command = editingCommand(key, modifiers, platform)
  return [
    {
      ...event(types ? "keyDown" : "rawKeyDown", key, shifted, bits),
      ...(types ? { text, unmodifiedText: text } : {}),
      ...(command === undefined ? {} : { commands: [command] })
    },
    event("keyUp", key, shifted, bits)
  ]
}

/** Presses the modifiers one after the other, does `inner`, and lets them go in reverse. */
const holding = (modifiers: ReadonlySet<Modifier>, inner: ReadonlyArray<KeyEvent>): ReadonlyArray<KeyEvent> => {
  const down: Array<KeyEvent> = []
  const up: Array<KeyEvent> = []
  const held = new Set<Modifier>()
  for (const modifier of modifierOrder) {
    if (!modifiers.has(modifier)) continue
    const key = keyAt(modifierKeys[modifier].code)
    up.unshift(event("keyUp", key, key.key, bitsOf(held)))
    held.add(modifier)
    down.push(event("rawKeyDown", key, key.key, bitsOf(held)))
  }
  return [...down, ...inner, ...up]
}

/** "Control+Shift+k" as its modifiers and its key; a "+" at the end is the key "+". */
const parseCombination = (text: string): { readonly name: string; readonly modifiers: ReadonlyArray<Modifier> } => {
  if (text.length < 2 || !text.includes("+")) return { name: text, modifiers: [] }
  const name = text.endsWith("+") ? "+" : text.slice(text.lastIndexOf("+") + 1)
  const before = text.slice(0, text.length - name.length).replace(/\+$/, "")
  const modifiers = before.split("+").map((part) => modifierOf(part.trim()))
  return modifiers.every((modifier) => modifier !== undefined)
    ? { name: name.trim(), modifiers }
    : { name: text, modifiers: [] }
}

/**
 * The events of pressing one key, with modifiers held.
 *
 * `key` is a character, a name as in KeyboardEvent.key or .code ("Enter", "ArrowDown", "F5", "Numpad5", "ShiftRight"),
 * a usual other name ("Esc", "Space"), or a combination ("Control+A", "ctrl+shift+k"). Names are found in any case.
 * Modifiers go down first (ctrl, alt, shift, meta) and up last, in reverse. A character that stands on the shifted side
 * of its key brings its shift; an upper-case letter does so only without ctrl, alt and meta, because "Control+A" is
 * how people write ctrl with the A key. A modifier as the key itself is pressed once.
 *
 * Fails with `KeyUnknown`, listing near names.
 */
export const planKey = (
  key: string,
  modifiers: ReadonlyArray<Modifier> = [],
  platform: KeyboardPlatform = "other"
): Result.Result<ReadonlyArray<KeyEvent>, KeyUnknown> => {
  const asWhole = findKey(key)
  const combination = asWhole === undefined ? parseCombination(key) : { name: key, modifiers: [] }
  const found = asWhole ?? findKey(combination.name)
  if (found === undefined) {
    return Result.fail(new KeyUnknown({ key: key.slice(0, 100), near: nearKeys(combination.name) }))
  }
  return Result.succeed(press(found, new Set([...modifiers, ...combination.modifiers]), platform))
}

/** The text that pressing `key` inserts because the layout has no key for it: one character that can be seen. */
export const planInserted = (key: string, modifiers: ReadonlyArray<Modifier> = []): string | undefined =>
  modifiers.length === 0 && [...key].length === 1 && !/[\p{C}\p{M}]/u.test(key) && findKey(key) === undefined
    ? key
    : undefined

const press = (
  { key, needsShift }: FoundKey,
  modifiers: ReadonlySet<Modifier>,
  platform: KeyboardPlatform
): ReadonlyArray<KeyEvent> => {
  const held = new Set(modifiers)
  const own = modifierOf(key.code)
  if (own !== undefined) {
    held.delete(own)
    const during = new Set([...held, own])
    return holding(held, [
      event("rawKeyDown", key, key.key, bitsOf(during)),
      event("keyUp", key, key.key, bitsOf(held))
    ])
  }
  const letter = key.code.startsWith("Key")
  if (needsShift && !(letter && held.size > 0)) held.add("shift")
  return holding(held, stroke(key, held, platform))
}

/** Texts longer than this (UTF-16 units) go partly as inserted text. */
const keyedLength = 2_000
/** How many graphemes of a longer text are still pressed key by key, at each end. */
const keyedEnd = 50

const segmenter = new LazySegmenter("en", { granularity: "grapheme" })

const graphemesOf = (text: string): ReadonlyArray<string> => Array.from(segmenter.segment(text), (part) => part.segment)

/** Cuts a text into its first graphemes, what lies between, and its last graphemes. */
const cut = (text: string): readonly [ReadonlyArray<string>, string, ReadonlyArray<string>] => {
  if (text.length <= keyedLength) return [graphemesOf(text), "", []]
  const head: Array<string> = []
  let start = 0
  for (const { segment } of segmenter.segment(text)) {
    if (head.length === keyedEnd) break
    head.push(segment)
    start += segment.length
  }
  // Segmenting a long text costs seconds, so only its tail is: from a grapheme boundary well before the last 50.
  const boundary = segmenter.segment(text).containing(Math.max(start, text.length - keyedLength / 2))
  const tail = graphemesOf(text.slice(boundary?.index ?? text.length)).slice(-keyedEnd)
  const end = text.length - tail.reduce((length, grapheme) => length + grapheme.length, 0)
  return start <= end ? [head, text.slice(start, end), tail] : [head, text.slice(start), []]
}

/** The key that types a grapheme; undefined if it has to be inserted. */
const keyOf = (grapheme: string): FoundKey | undefined => {
  if (grapheme === "\n" || grapheme === "\r\n" || grapheme === "\r") return findKey("Enter")
  if (grapheme === "\t") return findKey("Tab")
  return grapheme.length === 1 ? findKey(grapheme) : undefined
}

/**
 * The steps of typing a text where the focus is.
 *
 * Every character of the US layout is a real key press, with shift held over a run of characters that need it; a line
 * break is Enter and a tab is Tab. What the layout lacks (accents, CJK, emoji) is inserted as it stands, whole
 * graphemes at a time. Of a text of more than 2,000 UTF-16 units only the first and last 50 graphemes are pressed key by
 * key; what lies between is inserted, except its line breaks and tabs, which stay keys: the page still sees the keys
 * that begin and end the input, and the number of events is bounded by the number of lines.
 *
 * Meant to be sent in order without awaiting each: measured in Chromium 156, a key then takes 1 to 3 ms instead of 7.
 */
export const planText = (text: string): ReadonlyArray<TextStep> => {
  const steps: Array<TextStep> = []
  let inserted = ""
  let run: Array<KeyEvent> = []
  let shift = false

  const endRun = () => {
    if (run.length > 0) steps.push({ is: "keys", events: shift ? holding(new Set(["shift"]), run) : run })
    run = []
  }
  const endInsert = () => {
    if (inserted !== "") steps.push({ is: "insert", text: inserted })
    inserted = ""
  }
  const insert = (part: string) => {
    endRun()
    inserted += part
  }
  const type = (grapheme: string) => {
    const found = keyOf(grapheme)
    if (found === undefined) return insert(grapheme)
    endInsert()
    if (found.needsShift !== shift) {
      endRun()
      shift = found.needsShift
    }
    run.push(...stroke(found.key, new Set(shift ? ["shift"] : []), "other"))
  }

  const [head, middle, tail] = cut(text)
  head.forEach(type)
  for (const part of middle.split(/(\r\n|\r|\n|\t)/)) {
    if (/^[\r\n\t]/.test(part)) type(part)
    else if (part !== "") insert(part)
  }
  tail.forEach(type)
  endRun()
  endInsert()
  return steps
}
