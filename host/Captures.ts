/** Pictures of views: one at a time, none of an older state, and nothing that the person sees changes for them. */
import type { HostParams, HostResult, HostTaskId } from "../src/schemas/HostProtocol.ts"
import { ScreenshotFailed } from "../src/schemas/errors.ts"
import { captureWay } from "./core/capture.ts"
import { findTask } from "./core/tasks.ts"
import * as Thumbs from "./core/thumbnails.ts"
import type { HostWindow } from "./HostWindow.ts"
import type { View } from "./View.ts"
import type { Views } from "./Views.ts"

/** Time (ms) that a page gets to draw what it has changed; one that cannot is drawn by the protocol command. */
const frameBudget = 400

/** Time (ms) for one capture; a page that never draws must not hold up the others. */
const captureBudget = 15_000

const late = Symbol("late")

const within = <A>(work: Promise<A>, ms: number): Promise<A | typeof late> => {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  return Promise.race([work, expired]).finally(() => clearTimeout(timer))
}

/** Resolves when what the page shows now has been drawn: the second frame from now holds every change before it. */
const drawn = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

/**
 * In a minimised window a view is not seen wherever it is, and draws nothing for the protocol. It does while native
 * pictures of it are taken (measured: Electron 33.2.1), so they are, one upon the other, until the work is done.
 */
const keepDrawing = (view: View, work: Promise<unknown>): void => {
  let going = true
  const stop = (): void => {
    going = false
  }
  work.then(stop, stop)
  const draw = async (): Promise<void> => {
    const end = performance.now() + captureBudget
    while (going && !view.isGone && performance.now() < end) await view.webContents.capturePage()
  }
  // the end of one must not be the end of all
  for (const delay of [0, 20, 40]) setTimeout(() => void draw().catch(() => {}), delay)
}

export class Captures {
  private readonly window: HostWindow
  private readonly views: Views
  private last: Promise<unknown> = Promise.resolve()
  private thumbnails = Thumbs.noThumbnails
  private capturingThumbnail = false

  constructor(window: HostWindow, views: Views) {
    this.window = window
    this.views = views
  }

  /** Runs captures after each other. */
  private serially<A>(work: () => Promise<A>): Promise<A> {
    const next = this.last.then(work, work)
    this.last = next.catch(() => {})
    return next
  }

  async take({ format, params, quality, viewId }: HostParams<"capture">): Promise<HostResult<"capture">> {
    const view = this.views.get(viewId)
    return this.serially(async () => {
      const way = captureWay({ format, params, emulated: view.emulated })
      const native = way === "native" ? await this.native(view, format, quality ?? 80) : undefined
      return native === undefined
        ? { data: await this.byProtocol(view, params), way: "protocol" }
        : { data: native.toString("base64"), way: "native" }
    })
  }

  private async isDrawn(view: View): Promise<boolean> {
    const answer = view.send("Runtime.evaluate", { expression: drawn, awaitPromise: true, returnByValue: true })
    return (
      (await within(
        answer.then(
          () => true,
          () => false
        ),
        frameBudget
      )) === true
    )
  }

  /** undefined: it cannot be had this way. */
  private async native(view: View, format: string, quality: number): Promise<Buffer | undefined> {
    if (!(await this.isDrawn(view))) return undefined
    const image = await within(
      view.webContents.capturePage().catch(() => undefined),
      captureBudget
    )
    if (image === late || image === undefined || image.isEmpty()) return undefined
    return format === "jpeg" ? image.toJPEG(quality) : image.toPNG()
  }

  private async byProtocol(view: View, params: object): Promise<string> {
    const picture = await this.window.keepAwake(view.id, () => {
      const taken = view.send("Page.captureScreenshot", params) as Promise<{ readonly data: string }>
      if (this.window.isMinimized) keepDrawing(view, taken)
      return within(taken, captureBudget)
    })
    if (picture === late) {
      throw new ScreenshotFailed({ reason: `the page did not draw itself within ${captureBudget} ms` })
    }
    return picture.data
  }

  /** The small picture of a task: taken anew if the person sees the task and the last one is old enough. */
  async thumbnail(taskId: HostTaskId): Promise<HostResult<"thumbnail">> {
    const { visible } = this.window.tasks
    const active = findTask(this.window.tasks, taskId)?.active
    const now = Date.now()
    if (
      taskId === visible &&
      active !== undefined &&
      !this.capturingThumbnail &&
      Thumbs.mayCapture(this.thumbnails, now)
    ) {
      this.thumbnails = Thumbs.captureBegan(this.thumbnails, now)
      this.capturingThumbnail = true
      await this.serially(() => this.renew(taskId, this.views.get(active))).catch(() => {})
      this.capturingThumbnail = false
    }
    const kept = this.thumbnails.kept.get(taskId)
    return kept === undefined ? { version: 0 } : { image: kept.image, version: kept.version }
  }

  private async renew(taskId: HostTaskId, view: View): Promise<void> {
    const image = await within(view.webContents.capturePage(), 5_000)
    if (image === late || image.isEmpty()) return
    const bytes = image.resize(Thumbs.thumbnailSize(image.getSize())).toJPEG(Thumbs.thumbnailQuality)
    const dataUrl = `data:image/jpeg;base64,${bytes.toString("base64")}`
    this.thumbnails = Thumbs.keep(this.thumbnails, taskId, { dataUrl, bytes: bytes.length }, this.window.tasks.visible)
  }

  forget(taskId: HostTaskId): void {
    this.thumbnails = Thumbs.forget(this.thumbnails, taskId)
  }
}
