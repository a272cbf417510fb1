/** When something was last done to the page, and what short timers it set in motion (see timers.ts). */
import { listen } from "./dom.ts"

/** What tells of an act: real input, and what filling and submitting fire. */
const signs = ["pointerdown", "keydown", "input", "change", "submit"] as const

/** Timers of a document that nothing was done to yet: only those that belong to building it (ms). */
const buildingLimit = 300
const actLimit = 1_500

let lastAct = 0
let names: { readonly ask: string; readonly tell: string } | undefined
let told = 0
let frames = 0
let heard = false

const onAct = (): void => {
  lastAct = performance.now()
}

/** When something was last done to the page (`performance.now`); 0: never. */
export const latestAct = (): number => lastAct

/** Starts noticing acts; `events` are the names by which the page's own world is asked for its timers. */
export const watchActs = (events: { readonly ask: string; readonly tell: string }): void => {
  names = events
  for (const sign of signs) listen(window, sign, onAct, true)
  listen(document, events.tell, (event) => {
    event.stopImmediatePropagation()
    heard = true
    told = (event as MouseEvent).screenX
    frames = (event as MouseEvent).screenY
  })
}

/** Whether the page has timers of the latest act under way, or waits for an animation frame. */
export const hasWork = (): boolean => timersLeft() > 0 || frames > 0

/** Milliseconds until the last timer that the latest act set has run; 0 if there is none. */
export const timersLeft = (): number => {
  if (names === undefined) return 0
  told = 0
  frames = 0
  heard = false
  document.dispatchEvent(
    new MouseEvent(names.ask, { screenX: Math.floor(lastAct), screenY: lastAct === 0 ? buildingLimit : actLimit })
  )
  return told
}

/** Whether the page's own world tells of its timers: it does not where timers.ts has not run in this document. */
export const hearsTimers = (): boolean => {
  timersLeft()
  return heard
}
