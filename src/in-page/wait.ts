/** Waiting for something to be there, to be seen or to be gone: by the page's own events, never in a busy loop. */
import type { WaitCondition, WaitOutcome } from "../schemas/page.ts"
import { bySelector } from "./find.ts"
import { isConnected, listen, localNameOf, queryAll, rootElement, textContentOf, unlisten } from "./dom.ts"
import { nextFrame } from "./frames.ts"
import { textOf } from "./name.ts"
import { clip, collapse, valueLimit } from "./text.ts"
import { allRoots } from "./tree.ts"
import { isSeen, View } from "./view.ts"
import { visibleText } from "./visibleText.ts"

/** A page may change what is shown without any event of its own (media queries, styles of a clock): look again after this. */
const recheck = 250
const events = [
  "transitionend",
  "animationend",
  "animationstart",
  "load",
  "input",
  "change",
  "scroll",
  "toggle",
  "resize",
  "hashchange"
] as const

interface Look {
  readonly met: boolean
  readonly seen: string
  readonly element?: Element
}

const squeeze = (text: string): string => text.replace(/\s+/g, "").toLowerCase()

/** Where a text stands: seen, in the page but hidden, or not there. */
const lookForText = (text: string, view: View): "seen" | "hidden" | "absent" => {
  const root = rootElement()
  if (root === null) return "absent"
  const wanted = collapse(text).toLowerCase()
  const roots = allRoots()
  const tight = squeeze(wanted)
  // most looks end here: the plain text of the document does not hold it at all
  const somewhere = roots.some((part) =>
    squeeze(textContentOf(part.nodeType === 9 ? root : part) ?? "").includes(tight)
  )
  const visible = (): boolean =>
    visibleText(root, view, 3_000_000).text.replace(/\s+/g, " ").toLowerCase().includes(wanted)
  if (!somewhere) {
    const buttons = queryAll(document, "input[type=submit],input[type=button],input[type=reset]").length > 0
    return buttons && visible() ? "seen" : "absent"
  }
  return visible() ? "seen" : "hidden"
}

const lookForSelector = (selector: string, state: WaitCondition["state"], view: View): Look | undefined => {
  const all = bySelector(selector)
  if (all === undefined) return undefined
  const count = all.length === 1 ? "1 element matches" : `${all.length} elements match`
  const first = all.find(isConnected)
  if (state === "attached") return { met: first !== undefined, seen: count, ...(first ? { element: first } : {}) }
  if (state === "detached") return { met: all.length === 0, seen: count }
  const visible = all.slice(0, 500).find((element) => isSeen(element, view))
  if (state === "hidden") return { met: visible === undefined, seen: `${count}, one of them visible` }
  return {
    met: visible !== undefined,
    seen: all.length === 0 ? "no element matches" : `${count}, none visible`,
    ...(visible ? { element: visible } : {})
  }
}

const textSeen = {
  seen: "the text is visible",
  hidden: "the text is in the page, but hidden",
  absent: "the text is not in the page"
}

const look = (condition: WaitCondition): Look | undefined => {
  const view = new View()
  let element: Element | undefined
  const { selector, text, gone, state } = condition
  const away = state === "hidden" || state === "detached"
  if (selector !== undefined) {
    const found = lookForSelector(selector, state, view)
    if (found === undefined || !found.met) return found
    element = found.element
  }
  if (text !== undefined) {
    const there = lookForText(text, view)
    const met =
      state === "visible"
        ? there === "seen"
        : state === "attached"
          ? there !== "absent"
          : state === "hidden"
            ? there !== "seen"
            : there === "absent"
    if (!met) return { met, seen: textSeen[there] }
  }
  if (gone !== undefined && lookForText(gone, view) === "seen") return { met: false, seen: "the text is still visible" }
  return { met: true, seen: away ? "gone" : "there", ...(element ? { element } : {}) }
}

/** Resolves at the next thing that may have changed what is seen. */
class Changes {
  private readonly observer = new MutationObserver(() => this.wake?.())
  private readonly onEvent = (): void => this.wake?.()
  private wake: (() => void) | undefined
  private pending = false

  constructor() {
    for (const root of allRoots()) {
      this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
    }
    for (const type of events) listen(window, type, this.onEvent, { capture: true, passive: true })
    this.wake = () => {
      this.pending = true
    }
  }

  next(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(() => this.wake?.(), this.pending ? 0 : ms)
      this.wake = () => {
        clearTimeout(timer)
        this.pending = false
        this.wake = () => {
          this.pending = true
        }
        done()
      }
    })
  }

  stop(): void {
    this.observer.disconnect()
    for (const type of events) unlisten(window, type, this.onEvent, { capture: true })
  }
}

/** Waits until the condition holds, or time is over. */
export const waitFor = async (condition: WaitCondition): Promise<WaitOutcome> => {
  const deadline = performance.now() + condition.timeout
  let changes: Changes | undefined
  try {
    for (;;) {
      const start = performance.now()
      const result = look(condition)
      const cost = performance.now() - start
      if (result === undefined)
        return { is: "invalid", reason: `"${(condition.selector ?? "").slice(0, 200)}" is not a valid CSS selector` }
      if (result.met) {
        if (result.element === undefined) return { is: "met" }
        const text = clip(textOf(result.element, new View()), valueLimit)
        return { is: "met", tag: localNameOf(result.element), text }
      }
      const left = deadline - performance.now()
      if (left <= 0) return { is: "timeout", seen: result.seen }
      changes ??= new Changes()
      await changes.next(Math.min(recheck, left))
      // a page that changes all the time is looked at at most a fifth of the time
      if (cost > 3) await changes.next(Math.min(4 * cost, left))
      await nextFrame()
      // new shadow roots are watched too
      if (deadline - performance.now() > 0) {
        changes.stop()
        changes = new Changes()
      }
    }
  } finally {
    changes?.stop()
  }
}
