/** Whether the document is at rest. */
import type { Quiet } from "../schemas/page.ts"
import { hasWork, latestAct, timersLeft } from "./acts.ts"
import { leisure, nextFrame, nextTask, pause } from "./frames.ts"
import { allRoots } from "./tree.ts"

/** A page that has no leisure within so long (ms) is busy with what it will not end. */
const leisureMs = 16

let observer: MutationObserver | undefined
let changed = false
let last = 0
let changes = 0
/** time of the latest change; 0: none yet */
let lastChange = 0

const note = (): void => {
  changed = true
  changes += 1
  last = lastChange = performance.now()
}

/** when the document was last seen at rest, having done what there was to do; 0: never */
let rested = 0

/**
 * Whether the document has been still for so many ms, or since it was seen at rest, as far as that has been watched;
 * starts watching if need be.
 */
export const stillFor = (ms: number): boolean => {
  if (observer === undefined) {
    watch()
    return false
  }
  return rested > last || performance.now() - last >= ms
}

/** Starts counting changes of the document, its shadow roots included. */
export const watch = (): boolean => {
  observer?.disconnect()
  observer = new MutationObserver(note)
  for (const root of allRoots()) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  }
  changed = false
  last = performance.now()
  return true
}

/** Says so, and keeps it in mind. */
const atRest = (): typeof Quiet.Type => {
  rested = performance.now()
  return { quiet: true, changed }
}

/**
 * Resolves when nothing changed for `idle` ms, no timer of the latest act is under way, no frame is waited for and no task
 * is left, or, where the page has not reacted yet, a frame or two have passed; after
 * `churn` ms (absent: `timeout`) of change without end, and after `timeout` ms in any case.
 */
export const quiet = async (options: {
  readonly idle: number
  readonly timeout: number
  readonly churn?: number
  readonly fresh?: boolean
}): Promise<typeof Quiet.Type> => {
  if (observer === undefined) watch()
  const start = performance.now()
  const deadline = start + options.timeout
  const churn = options.churn ?? options.timeout
  let patience = Math.min(deadline, start + churn)
  const began = changes
  const act = latestAct()
  const reacted = (): boolean => options.fresh === true || changes > began || (act > 0 && lastChange >= act)
  if (options.fresh === true) {
    // nothing was done to it: what has loaded, waits for nothing and stays as it is for a task needs no frame
    await nextTask()
    if (changes === began && !hasWork()) return atRest()
  }
  let frames = 0
  for (;;) {
    const before = last
    if (reacted() && !hasWork()) {
      // it did what it does, and waits for no frame: none need be waited for
      await pause(Math.max(0, options.idle - (performance.now() - last)))
      // not a frame: whatever moves the pointer next would wait for the one after it
      await Promise.race([leisure(), pause(leisureMs)])
      if (last === before && !hasWork()) return atRest()
      if (performance.now() < patience) continue
    }
    await nextFrame()
    frames = last === before ? frames + 1 : 0
    const now = performance.now()
    if (now >= patience) return { quiet: false, changed }
    // what an act brings about is drawn in one frame; where nothing has come, and the page waits for one, in the next
    if (frames >= (reacted() || !hasWork() ? 1 : 2) && now - last >= options.idle) {
      const timers = timersLeft()
      if (timers === 0) return options.idle > 0 ? atRest() : { quiet: true, changed }
      await pause(Math.min(timers, deadline - now))
      patience = Math.min(deadline, performance.now() + churn)
      frames = 0
      continue
    }
    const rest = Math.min(options.idle - (now - last), deadline - now)
    if (frames >= 2 && rest > 20) await pause(rest)
  }
}
