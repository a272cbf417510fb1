/** Animation frames and pauses inside the page. */
import { documentHidden } from "./dom.ts"

let paints = true

/** After one task: what the page has asked for by messages until now has come. */
export const nextTask = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      done()
    }
    port2.postMessage(0)
  })

/** Once the page has nothing else to do now: after the tasks that wait, those of its scheduler among them. */
export const leisure = (): Promise<unknown> =>
  typeof scheduler === "undefined"
    ? nextTask()
    : scheduler.postTask(() => undefined, { priority: "background" }).catch(nextTask)

/** After `ms`. */
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/**
 * The next animation frame. A page that is not painted has none: then a timer takes its place after 250 ms, and at once
 * from then on, until frames come again. Tells whether it was a frame.
 */
export const nextFrame = (): Promise<boolean> =>
  new Promise((done) => {
    let over = false
    const finish = (painted: boolean): void => {
      if (painted) paints = true
      if (over) return
      over = true
      if (!painted) paints = false
      clearTimeout(timer)
      done(painted)
    }
    const timer = setTimeout(() => finish(false), paints && !documentHidden() ? 250 : 40)
    requestAnimationFrame(() => finish(true))
  })
