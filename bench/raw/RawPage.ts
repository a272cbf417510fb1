/**
 * A page driven by CDP as a careful engineer writes it by hand: loads are awaited by their event, a look is one walk in
 * the page, a click is real input at the middle of the element, and nothing ever sleeps.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Protocol } from "devtools-protocol"
import type { BrowserUnderTest } from "../browserUnderTest.ts"
import type { Commands, RawBrowser, RawEvent } from "./RawBrowser.ts"

const inPage = readFileSync(join(import.meta.dirname, "inPage.js"), "utf8")
  .trim()
  .replace(/;$/, "")

export interface RawItem {
  /** number for `clickItem`, valid until the next look */
  readonly index: number
  readonly kind: string
  readonly label: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly value?: string
}

export interface RawLook {
  readonly url: string
  readonly title: string
  readonly items: ReadonlyArray<RawItem>
}

export class RawPage {
  private readonly browser: RawBrowser
  private readonly sessionId: string
  private readonly frameId: string
  private loader = ""
  private eventWaiters: Array<{ readonly method: string; readonly resolve: (params: RawEvent["params"]) => void }> = []
  private loadWaiters: Array<{ readonly loader: string | undefined; readonly resolve: () => void }> = []

  private constructor(browser: RawBrowser, sessionId: string, frameId: string) {
    this.browser = browser
    this.sessionId = sessionId
    this.frameId = frameId
    browser.listen(sessionId, (event) => this.react(event))
  }

  /** A page in a window of its own, so that it paints, with the viewport that the product gives its pages. */
  static async open(browser: RawBrowser, { viewport }: BrowserUnderTest): Promise<RawPage> {
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank", newWindow: true })
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true })
    const page = new RawPage(browser, sessionId, targetId)
    await Promise.all([
      page.send("Page.enable"),
      page.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      page.send("Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor: 0, mobile: false }),
      page.send("Emulation.setFocusEmulationEnabled", { enabled: true })
    ])
    return page
  }

  send<M extends keyof Commands>(method: M, params?: Commands[M]["paramsType"][0]): Promise<Commands[M]["returnType"]> {
    return this.browser.send(method, params, this.sessionId)
  }

  /** Resolves with the next event of that name. */
  once(method: string): Promise<RawEvent["params"]> {
    return new Promise((resolve) => this.eventWaiters.push({ method, resolve }))
  }

  private react({ method, params }: RawEvent): void {
    for (const waiter of this.eventWaiters.filter((one) => one.method === method)) waiter.resolve(params)
    this.eventWaiters = this.eventWaiters.filter((one) => one.method !== method)
    if (method === "Page.lifecycleEvent") {
      const event = params as unknown as Protocol.Page.LifecycleEventEvent
      if (event.name === "load" && event.frameId === this.frameId) this.loaded(event.loaderId)
    } else if (method === "Page.frameNavigated") {
      const event = params as unknown as Protocol.Page.FrameNavigatedEvent
      // a restored page has been loaded before: it fires no load event
      if (event.type === "BackForwardCacheRestore" && event.frame.id === this.frameId) this.loaded(event.frame.loaderId)
    }
  }

  private loaded(loader: string): void {
    const before = this.loader
    this.loader = loader
    this.loadWaiters = this.loadWaiters.filter((waiter) => {
      const met = waiter.loader === undefined ? loader !== before : loader === waiter.loader
      if (met) waiter.resolve()
      return !met
    })
  }

  /** Resolves when another document than the present one has loaded. */
  nextLoad(): Promise<void> {
    return new Promise((resolve) => this.loadWaiters.push({ loader: undefined, resolve }))
  }

  async navigate(url: string): Promise<void> {
    const { loaderId, errorText } = await this.send("Page.navigate", { url })
    if (errorText !== undefined || loaderId === undefined) throw new Error(`${url}: ${errorText ?? "no navigation"}`)
    if (this.loader === loaderId) return
    await new Promise<void>((resolve) => this.loadWaiters.push({ loader: loaderId, resolve }))
  }

  async close(): Promise<void> {
    await this.browser.send("Target.closeTarget", { targetId: this.frameId })
  }

  async back(): Promise<void> {
    const { currentIndex, entries } = await this.send("Page.getNavigationHistory")
    const loaded = this.nextLoad()
    await this.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1]!.id })
    await loaded
  }

  async evaluate(expression: string): Promise<unknown> {
    const { exceptionDetails, result } = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true
    })
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    }
    return result.value
  }

  private call(name: "look" | "focus" | "read" | "appeared", argument?: string): Promise<unknown> {
    const argumentText = argument === undefined ? "" : JSON.stringify(argument)
    return this.evaluate(`(() => { ${inPage}; return inPage.${name}(${argumentText}) })()`)
  }

  async look(): Promise<RawLook> {
    return (await this.call("look")) as RawLook
  }

  /** Resolves when the text stands in the page, told by a MutationObserver. */
  async appeared(text: string): Promise<void> {
    await this.call("appeared", text)
  }

  /** A real click at the middle of an item of the latest look. */
  async clickItem(index: number): Promise<void> {
    const { result } = await this.send("Runtime.evaluate", { expression: `__seen[${index}]` })
    const { objectId } = result
    if (objectId === undefined) throw new Error(`nothing was seen as ${index}`)
    const [, { quads }] = await Promise.all([
      this.send("DOM.scrollIntoViewIfNeeded", { objectId }),
      this.send("DOM.getContentQuads", { objectId })
    ])
    const [x1, y1, , , x3, y3] = quads[0] as [number, number, number, number, number, number]
    const at = { x: (x1 + x3) / 2, y: (y1 + y3) / 2 }
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...at })
    await this.send("Input.dispatchMouseEvent", { type: "mousePressed", ...at, button: "left", clickCount: 1 })
    await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, button: "left", clickCount: 1 })
  }

  /** Focuses a field by its label with its text selected, inserts the text, and reads the value back. */
  async fill(label: string, text: string): Promise<string> {
    await this.call("focus", label)
    await this.send("Input.insertText", { text })
    return (await this.call("read", label)) as string
  }
}

/** The item with this kind and label; throws if there is none. */
export const itemOf = (look: RawLook, kind: string, label: string): RawItem => {
  const found = look.items.find((item) => item.kind === kind && item.label === label)
  if (found === undefined) throw new Error(`no ${kind} "${label}" on ${look.url}`)
  return found
}

/** Whether any item shows the text. */
export const shows = (look: RawLook, text: string): boolean => look.items.some((item) => item.label.includes(text))
