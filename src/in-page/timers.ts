/**
 * Runs in the page's own world before its scripts: knows which short timers are under way, so that an answer can wait
 * for what an act set in motion ("after 300 ms show the result"), and whether the page waits for an animation frame.
 * The page sees its own functions, unchanged.
 *
 * The agent of the isolated world asks by an event on the document whose name nobody else knows, and is answered by
 * another. Events and their numbers are all that the two worlds share.
 */

/** Longer timers (ms) are not waited for: nobody would call that the answer to a click. */
const longest = 1_500

/** Timers that timers start: so many generations belong to the act, the rest is a loop of the page. */
const generations = 3

/** More timers than this at a time are not followed. */
const most = 500

interface Timer {
  readonly startedAt: number
  readonly dueAt: number
}

/**
 * Starts watching; `ask` and `tell` are the names of the two events. What is used later is taken now: the page may
 * replace any built-in.
 */
export const install = (ask: string, tell: string): void => {
  const { apply } = Reflect
  const { now } = Performance.prototype
  const { dispatchEvent } = EventTarget.prototype
  const { ceil, max } = Math
  const numberOf = Number
  const NativeMouseEvent = MouseEvent
  const page = document
  const clock = (): number => apply(now, performance, [])
  // without a prototype, so that nothing of the page's runs when it is read or written
  const pending = Object.create(null) as Record<number, Timer | undefined>
  let count = 0
  let running = 0

  const forget = (id: number): void => {
    if (pending[id] === undefined) return
    delete pending[id]
    count--
  }

  window.setTimeout = new Proxy(window.setTimeout, {
    apply(target, self, args: Array<unknown>) {
      const handler = args[0]
      const wait = max(0, numberOf(args[1]) || 0)
      const generation = running + 1
      if (typeof handler !== "function" || wait > longest || generation > generations || count >= most) {
        return apply(target, self, args)
      }
      let id = 0
      args[0] = function (this: unknown, ...given: Array<unknown>): unknown {
        forget(id)
        const outer = running
        running = generation
        try {
          return apply(handler, this, given)
        } finally {
          running = outer
        }
      }
      id = apply(target, self, args) as number
      const startedAt = clock()
      pending[id] = { startedAt, dueAt: startedAt + wait }
      count++
      return id
    }
  })
  window.clearTimeout = new Proxy(window.clearTimeout, {
    apply(target, self, args: Array<unknown>) {
      const id = args[0]
      if (typeof id === "number") forget(id)
      return apply(target, self, args)
    }
  })

  const awaited = Object.create(null) as Record<number, true | undefined>
  let frames = 0
  const frameOver = (id: number): void => {
    if (awaited[id] === undefined) return
    delete awaited[id]
    frames--
  }
  window.requestAnimationFrame = new Proxy(window.requestAnimationFrame, {
    apply(target, self, args: Array<unknown>) {
      const handler = args[0]
      if (typeof handler !== "function" || frames >= most) return apply(target, self, args)
      let id = 0
      args[0] = function (this: unknown, ...given: Array<unknown>): unknown {
        frameOver(id)
        return apply(handler, this, given)
      }
      id = apply(target, self, args) as number
      awaited[id] = true
      frames++
      return id
    }
  })
  window.cancelAnimationFrame = new Proxy(window.cancelAnimationFrame, {
    apply(target, self, args: Array<unknown>) {
      const id = args[0]
      if (typeof id === "number") frameOver(id)
      return apply(target, self, args)
    }
  })

  page.addEventListener(
    ask,
    (event) => {
      event.stopImmediatePropagation()
      const since = (event as MouseEvent).screenX
      const limit = (event as MouseEvent).screenY
      let latest = 0
      for (const id in pending) {
        const timer = pending[id]
        if (timer !== undefined && timer.startedAt >= since && timer.dueAt - timer.startedAt <= limit) {
          latest = max(latest, timer.dueAt)
        }
      }
      // ms until the last of them, 0 if there is none
      const left = latest === 0 ? 0 : max(1, ceil(latest - clock()))
      apply(dispatchEvent, page, [new NativeMouseEvent(tell, { screenX: left, screenY: frames })])
    },
    true
  )
}
