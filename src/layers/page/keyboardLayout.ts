/**
 * The US keyboard as browsers report it: what each key is called, where it stands and what it types.
 *
 * Names are those of KeyboardEvent.key and KeyboardEvent.code (W3C UI Events); key codes are the Windows virtual key
 * codes that KeyboardEvent.keyCode shows.
 */

/** One physical key. */
export interface Key {
  /** KeyboardEvent.key without shift */
  readonly key: string
  /** KeyboardEvent.key with shift, where it differs */
  readonly shifted?: string
  /** KeyboardEvent.code */
  readonly code: string
  /** Windows virtual key code */
  readonly keyCode: number
  /** what it types, where that is not `key` itself */
  readonly text?: string
  /** KeyboardEvent.location: 1 left, 2 right, 3 keypad */
  readonly location?: 1 | 2 | 3
  /** that it types its `key` (or `shifted`, or `text`) */
  readonly types: boolean
}

/** A modifier as parameters name it, with its bit in `Input.dispatchKeyEvent` and its left key. */
export const modifierKeys = {
  alt: { bit: 1, code: "AltLeft" },
  ctrl: { bit: 2, code: "ControlLeft" },
  meta: { bit: 4, code: "MetaLeft" },
  shift: { bit: 8, code: "ShiftLeft" }
} as const

const typing = (key: string, shifted: string, code: string, keyCode: number): Key => ({
  key,
  shifted,
  code,
  keyCode,
  types: true
})
const named = (key: string, code: string, keyCode: number, location?: 1 | 2 | 3): Key =>
  location === undefined ? { key, code, keyCode, types: false } : { key, code, keyCode, location, types: false }
const keypad = (key: string, code: string, keyCode: number): Key => ({ key, code, keyCode, location: 3, types: true })

const letters = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => {
  const upper = letter.toUpperCase()
  return typing(letter, upper, `Key${upper}`, upper.charCodeAt(0))
})
const digits = Array.from(")!@#$%^&*(", (symbol, digit) => typing(String(digit), symbol, `Digit${digit}`, 48 + digit))
const functionKeys = Array.from({ length: 24 }, (_, index) => named(`F${index + 1}`, `F${index + 1}`, 112 + index))
const keypadDigits = Array.from({ length: 10 }, (_, digit) => keypad(String(digit), `Numpad${digit}`, 96 + digit))

/** Every key, the main block before the keypad: the first key with a name is the one that the name means. */
export const keys: ReadonlyArray<Key> = [
  ...letters,
  ...digits,
  typing(";", ":", "Semicolon", 186),
  typing("=", "+", "Equal", 187),
  typing(",", "<", "Comma", 188),
  typing("-", "_", "Minus", 189),
  typing(".", ">", "Period", 190),
  typing("/", "?", "Slash", 191),
  typing("`", "~", "Backquote", 192),
  typing("[", "{", "BracketLeft", 219),
  typing("\\", "|", "Backslash", 220),
  typing("]", "}", "BracketRight", 221),
  typing("'", '"', "Quote", 222),
  { key: " ", code: "Space", keyCode: 32, types: true },
  { key: "Enter", code: "Enter", keyCode: 13, text: "\r", types: true },
  named("Tab", "Tab", 9),
  named("Backspace", "Backspace", 8),
  named("Delete", "Delete", 46),
  named("Insert", "Insert", 45),
  named("Escape", "Escape", 27),
  named("Home", "Home", 36),
  named("End", "End", 35),
  named("PageUp", "PageUp", 33),
  named("PageDown", "PageDown", 34),
  named("ArrowLeft", "ArrowLeft", 37),
  named("ArrowUp", "ArrowUp", 38),
  named("ArrowRight", "ArrowRight", 39),
  named("ArrowDown", "ArrowDown", 40),
  ...functionKeys,
  named("Shift", "ShiftLeft", 16, 1),
  named("Shift", "ShiftRight", 16, 2),
  named("Control", "ControlLeft", 17, 1),
  named("Control", "ControlRight", 17, 2),
  named("Alt", "AltLeft", 18, 1),
  named("Alt", "AltRight", 18, 2),
  named("Meta", "MetaLeft", 91, 1),
  named("Meta", "MetaRight", 92, 2),
  named("CapsLock", "CapsLock", 20),
  named("NumLock", "NumLock", 144),
  named("ScrollLock", "ScrollLock", 145),
  named("Pause", "Pause", 19),
  named("PrintScreen", "PrintScreen", 44),
  named("ContextMenu", "ContextMenu", 93),
  // The keypad as with NumLock on, which is what "Numpad5" means to whoever asks for it.
  ...keypadDigits,
  keypad("*", "NumpadMultiply", 106),
  keypad("+", "NumpadAdd", 107),
  keypad("-", "NumpadSubtract", 109),
  keypad(".", "NumpadDecimal", 110),
  keypad("/", "NumpadDivide", 111),
  { key: "Enter", code: "NumpadEnter", keyCode: 13, text: "\r", location: 3, types: true },
  named("AudioVolumeMute", "AudioVolumeMute", 173),
  named("AudioVolumeDown", "AudioVolumeDown", 174),
  named("AudioVolumeUp", "AudioVolumeUp", 175),
  named("MediaTrackNext", "MediaTrackNext", 176),
  named("MediaTrackPrevious", "MediaTrackPrevious", 177),
  named("MediaStop", "MediaStop", 178),
  named("MediaPlayPause", "MediaPlayPause", 179)
]

/** Other names that people and models use, in lower case. */
const aliases: Readonly<Record<string, string>> = {
  space: " ",
  spacebar: " ",
  return: "Enter",
  esc: "Escape",
  del: "Delete",
  ins: "Insert",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  pgup: "PageUp",
  pgdn: "PageDown",
  pgdown: "PageDown",
  plus: "+",
  hyphen: "-",
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  super: "Meta",
  win: "Meta",
  windows: "Meta",
  option: "Alt",
  opt: "Alt",
  menu: "ContextMenu"
}

/** A key, and whether shift is needed to get what was asked for. */
export interface FoundKey {
  readonly key: Key
  readonly needsShift: boolean
}

const byName = new Map<string, FoundKey>()
const byCode = new Map<string, Key>()
for (const key of keys) {
  if (!byName.has(key.key)) byName.set(key.key, { key, needsShift: false })
  if (key.shifted !== undefined && !byName.has(key.shifted)) byName.set(key.shifted, { key, needsShift: true })
  byCode.set(key.code, key)
}

// Letters differ by case alone, so only names longer than one character are found in any case.
const byLooseName = new Map<string, FoundKey>()
for (const key of keys) byLooseName.set(key.code.toLowerCase(), { key, needsShift: false })
for (const [name, found] of byName) if (name.length > 1) byLooseName.set(name.toLowerCase(), found)
for (const [alias, name] of Object.entries(aliases)) {
  const found = byName.get(name)
  if (found !== undefined) byLooseName.set(alias, found)
}

/** Finds a key by the character that it types, its KeyboardEvent.key or .code, or a usual other name, in any case. */
export const findKey = (name: string): FoundKey | undefined => byName.get(name) ?? byLooseName.get(name.toLowerCase())

/** The key at a position that is in the table. */
export const keyAt = (code: string): Key => {
  const key = byCode.get(code)
  if (key === undefined) throw new Error(`no key has the code ${code}`)
  return key
}

/** The least number of single-character insertions, deletions and replacements that lead from one text to the other. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** At most five key names that a wrong name may have meant, the likeliest first. */
export const nearKeys = (name: string): ReadonlyArray<string> => {
  const wanted = name.toLowerCase().slice(0, 40)
  if (wanted.length < 2) return []
  return [...new Set(keys.flatMap((key) => [key.key, key.code]))]
    .filter((candidate) => candidate.length > 1)
    .map((candidate) => {
      const lower = candidate.toLowerCase()
      const part = lower.includes(wanted) || wanted.includes(lower)
      return { candidate, far: part ? 1 : distance(wanted, lower) }
    })
    .filter(({ far }) => far <= Math.max(2, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, 5)
    .map(({ candidate }) => candidate)
}
