/**
 * Keys that a browser takes for itself: to load a page again, for its tabs, its address. Keys that come over the protocol
 * reach the page only, so that nothing of that happens.
 */
import type { KeyEvent } from "./keyboard.ts"
import { modifierKeys } from "./keyboardLayout.ts"

const { alt, ctrl, meta, shift } = modifierKeys

/** What does the same, by the keys: modifiers in the order ctrl, alt, shift, where meta counts as ctrl. */
const instead: Readonly<Record<string, string>> = {
  F5: "browser_reload",
  "shift F5": "browser_reload",
  "ctrl F5": "browser_reload",
  "ctrl KeyR": "browser_reload",
  "ctrl shift KeyR": "browser_reload",
  "alt ArrowLeft": "browser_back",
  "alt ArrowRight": "browser_forward",
  "ctrl KeyL": "browser_open",
  "alt KeyD": "browser_open",
  "ctrl KeyT": "browser_open with newTab",
  "ctrl KeyN": "browser_open with newTab",
  "ctrl KeyW": "browser_close_tab",
  "ctrl F4": "browser_close_tab",
  "ctrl Tab": "browser_switch_tab",
  "ctrl shift Tab": "browser_switch_tab",
  "ctrl KeyF": "browser_find",
  F3: "browser_find",
  "ctrl KeyU": "browser_content with format html",
  "ctrl KeyP": "browser_pdf"
}

const modifiersOf = (bits: number): ReadonlyArray<string> => [
  ...((bits & (ctrl.bit | meta.bit)) === 0 ? [] : ["ctrl"]),
  ...((bits & alt.bit) === 0 ? [] : ["alt"]),
  ...((bits & shift.bit) === 0 ? [] : ["shift"])
]

/** What there is to say of a key press of which a browser by itself would make something; undefined: nothing. */
export const browserKeyNote = (events: ReadonlyArray<KeyEvent>): string | undefined => {
  for (const { code = "", modifiers = 0, type } of events) {
    const tool = type === "keyUp" ? undefined : instead[[...modifiersOf(modifiers), code].join(" ")]
    if (tool !== undefined) return `the page got the key; what a browser itself does at it, ${tool} does here`
  }
  return undefined
}
