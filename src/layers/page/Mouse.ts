/** The mouse of a tab: events at points, without a look at what is there. */
import type { Protocol } from "devtools-protocol"
import { Effect } from "effect"
import type { Modifier } from "../../schemas/tools/common.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Point } from "./Frames.ts"
import type { Tab } from "./Tab.ts"

const modifierBits: Record<Modifier, number> = { alt: 1, ctrl: 2, meta: 4, shift: 8 }
const bitsOf = (modifiers: ReadonlyArray<Modifier> = []): number =>
  modifiers.reduce((bits, modifier) => bits | modifierBits[modifier], 0)

/** How a button is pressed. */
export interface Press {
  readonly button?: "left" | "right" | "middle"
  readonly modifiers?: ReadonlyArray<Modifier> | undefined
  readonly count?: 1 | 2
}

export class Mouse {
  private readonly tab: Tab
  constructor(tab: Tab) {
    this.tab = tab
  }

  /** Moves the pointer to a point of the frame's session; undefined: of the top one. */
  move(frame: FrameModel | undefined, point: Point, modifiers: ReadonlyArray<Modifier> | undefined) {
    return this.send(frame, { type: "mouseMoved", ...point, modifiers: bitsOf(modifiers) })
  }

  /** Presses the button and lets it go, as often as it is to be counted. */
  strike(frame: FrameModel | undefined, point: Point, press: Press) {
    const button = press.button ?? "left"
    const base = { ...point, button, modifiers: bitsOf(press.modifiers) }
    const buttons = button === "left" ? 1 : button === "right" ? 2 : 4
    const events = Array.from({ length: press.count ?? 1 }, (_, index) => [
      { ...base, type: "mousePressed" as const, buttons, clickCount: index + 1 },
      { ...base, type: "mouseReleased" as const, buttons: 0, clickCount: index + 1 }
    ]).flat()
    // sent in one go: the browser keeps the order
    return Effect.forEach(events, (event) => this.send(frame, event), { concurrency: "unbounded", discard: true })
  }

  /** One event as the protocol has it. */
  send(frame: FrameModel | undefined, event: Protocol.Input.DispatchMouseEventRequest) {
    return this.tab.send("Input.dispatchMouseEvent", event, frame)
  }
}
