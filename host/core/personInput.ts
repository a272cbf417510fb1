/**
 * Which input of a page a person made, and what it means.
 *
 * Input that the protocol dispatches carries a mark of the browser's own (`kFromDebugger` in Blink's
 * web_input_event.h, which Electron hands on); what comes from the window system carries none. Pages can neither see nor
 * set it. Gestures that the browser makes of touches carry no mark either way: they are whose the touch was.
 */

/** Of `input-event` of Electron's web contents, as far as it is needed here. */
export interface PageInput {
  readonly type: string
  /** Blink's bits; absent in an Electron that does not tell */
  readonly _modifiers?: number
  readonly key?: string
  readonly control?: boolean
  readonly meta?: boolean
}

/** `WebInputEvent::kFromDebugger` */
const fromDebugger = 1 << 23

/** "acted": they use the page, and so take it over. "seen": they are there. */
export type PersonDid = "acted" | "seen"

/** Keys that look around in a page, or do nothing by themselves. */
const idle = new Set([
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " "],
  ...["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock", "ScrollLock", "Fn"]
])

const isCopying = ({ control, key, meta }: PageInput): boolean =>
  (control === true || meta === true) && ["c", "insert"].includes(key?.toLowerCase() ?? "")

/**
 * Whose an input is, and what it means if it is a person's.
 *
 * @param touching whether the touch under way is a person's
 * @param dispatching whether the protocol dispatches input now: decides where the mark is not told
 */
export const personInput = (
  input: PageInput,
  touching: boolean,
  dispatching: boolean
): { readonly touching: boolean; readonly did: PersonDid | undefined } => {
  const isGesture = input.type.startsWith("gesture")
  const isOurs =
    isGesture || input._modifiers === undefined ? dispatching : (input._modifiers & fromDebugger) === fromDebugger
  switch (input.type) {
    case "touchStart":
      return { touching: !isOurs, did: isOurs ? undefined : "seen" }
    case "gestureTap":
    case "gestureDoubleTap":
    case "gestureLongPress":
      return { touching, did: touching ? "acted" : undefined }
    case "mouseDown":
      return { touching, did: isOurs ? undefined : "acted" }
    case "rawKeyDown":
    case "keyDown": {
      if (isOurs) return { touching, did: undefined }
      return { touching, did: idle.has(input.key ?? "") || isCopying(input) ? "seen" : "acted" }
    }
    case "mouseMove":
    case "mouseWheel":
    case "touchMove":
      return { touching, did: isOurs ? undefined : "seen" }
    default:
      return { touching, did: undefined }
  }
}
