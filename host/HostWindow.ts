/** The one window, and the views in it: what the pure core decides is done here. */
import { BrowserWindow, type WebContentsView } from "electron"
import type { HostEvent, HostParams, HostResult, ViewId } from "../src/schemas/HostProtocol.ts"
import { Bar } from "./Bar.ts"
import { type BarAct, barState } from "./core/barState.ts"
import { barHeight, layout, pageSize, type Placement, placementChanges, type Size } from "./core/layout.ts"
import { frontView, noTasks, selectTask, showView, type Tasks, windowTitle } from "./core/tasks.ts"

export class HostWindow {
  private readonly window: BrowserWindow
  private readonly title: string
  private readonly tell: (event: HostEvent) => void
  private readonly bar: Bar
  private readonly views = new Map<ViewId, WebContentsView>()
  private readonly placed = new Map<ViewId, Placement>()
  private readonly awake = new Set<ViewId>()
  private page: Size
  private state: Tasks = noTasks

  constructor(options: { readonly title: string; readonly size: Size; readonly tell: (event: HostEvent) => void }) {
    this.title = options.title
    this.tell = options.tell
    this.page = pageSize(options.size, options.size)
    this.window = new BrowserWindow({
      ...options.size,
      useContentSize: true,
      title: options.title,
      // it appears without taking the keyboard from whoever works elsewhere
      show: false,
      backgroundColor: "#ffffff",
      autoHideMenuBar: true
    })
    this.window.removeMenu()
    const arrange = () => this.arrange()
    const { window } = this
    // restoring a minimised window sends no resize
    window.on("resize", arrange).on("restore", arrange).on("show", arrange)
    window.on("maximize", arrange).on("unmaximize", arrange)
    window.on("enter-full-screen", arrange).on("leave-full-screen", arrange)
    this.bar = new Bar({ acted: (act) => this.personActed(act), resized: arrange })
    window.contentView.addChildView(this.bar.view)
    window.showInactive()
    this.arrange()
    this.showBar()
  }

  get tasks(): Tasks {
    return this.state
  }

  /** Takes over a new state of the tasks, and shows it. */
  update(change: (tasks: Tasks) => Tasks): void {
    const before = this.state
    this.state = change(before)
    if (before.visible !== this.state.visible) {
      const { visible } = this.state
      this.tell({ event: "visibleTask", ...(visible === undefined ? {} : { taskId: visible }) })
    }
    this.arrange()
    this.showTitle()
  }

  /** What the person does in the bar. The keyboard goes back to the page that they see. */
  private personActed(act: BarAct): void {
    if (act.did === "selectTask") this.update((tasks) => selectTask(tasks, act.taskId))
    else if (act.did === "showView") this.update((tasks) => showView(tasks, act.viewId))
    else if (act.did === "answer") {
      const { did: _, ...answer } = act
      this.tell({ event: "dialogAnswered", ...answer })
    } else if (act.did !== "ready" && act.did !== "drawn") {
      this.tell({ event: "person", taskId: act.taskId, did: act.did })
    }
    const front = frontView(this.state)
    if (front !== undefined && this.window.isFocused()) this.views.get(front)?.webContents.focus()
  }

  /** Takes a view into the window, awake until it is let sleep: one that was never seen has no size. */
  add(viewId: ViewId, view: WebContentsView): void {
    this.views.set(viewId, view)
    // hidden before it is added, so that it never covers anything
    view.setVisible(false)
    // below the bar
    this.window.contentView.addChildView(view, 0)
    this.awake.add(viewId)
    this.arrange()
  }

  letSleep(viewId: ViewId): void {
    if (this.awake.delete(viewId)) this.arrange()
  }

  remove(viewId: ViewId): void {
    const view = this.views.get(viewId)
    this.views.delete(viewId)
    this.placed.delete(viewId)
    this.awake.delete(viewId)
    if (view !== undefined && !this.window.isDestroyed()) this.window.contentView.removeChildView(view)
  }

  /** Whether the person sees the view, as far as the window itself is seen. */
  isInFront(viewId: ViewId): boolean {
    return frontView(this.state) === viewId
  }

  get isMinimized(): boolean {
    return !this.window.isDestroyed() && this.window.isMinimized()
  }

  /** Keeps a view in the window while `use` runs, without covering what is in front. One at a time. */
  async keepAwake<A>(viewId: ViewId, use: () => Promise<A>): Promise<A> {
    const sleeps = !this.awake.has(viewId)
    this.awake.add(viewId)
    this.arrange()
    try {
      return await use()
    } finally {
      if (sleeps) this.letSleep(viewId)
    }
  }

  private arrange(): void {
    if (this.window.isDestroyed()) return
    const [width = 0, height = 0] = this.window.getContentSize()
    this.page = pageSize(this.window.isMinimized() ? { width: 0, height: 0 } : { width, height }, this.page)
    const bar = { width: this.page.width, height: Math.min(this.bar.height, barHeight + this.page.height) }
    this.bar.view.setBounds({ x: 0, y: 0, ...bar })
    const places = layout({
      views: [...this.views.keys()],
      page: this.page,
      front: frontView(this.state),
      awake: this.awake
    })
    const changes = placementChanges(this.placed, places)
    // what comes is there before what goes, so that nothing white is seen between them
    for (const { moves, placement } of changes) {
      if (moves) this.views.get(placement.viewId)?.setBounds(placement.bounds)
      this.placed.set(placement.viewId, placement)
    }
    for (const { placement, toggles } of changes.toSorted(
      (a, b) => Number(b.placement.visible) - Number(a.placement.visible)
    )) {
      if (toggles) this.views.get(placement.viewId)?.setVisible(placement.visible)
    }
  }

  showTitle(): void {
    if (this.window.isDestroyed()) return
    const front = frontView(this.state)
    const view = front === undefined ? undefined : this.views.get(front)
    const page = view === undefined || view.webContents === undefined ? undefined : view.webContents.getTitle()
    const title = windowTitle(this.state, this.title, page === "about:blank" ? undefined : page)
    if (title !== this.window.getTitle()) this.window.setTitle(title)
    this.showBar()
  }

  private showBar(): void {
    const state = barState(this.state, (viewId) => {
      const contents = this.views.get(viewId)?.webContents
      return contents === undefined || contents.isDestroyed()
        ? { url: "", title: "" }
        : { url: contents.getURL(), title: contents.getTitle() }
    })
    this.bar.show(state)
  }

  describe(): HostResult<"window"> {
    const [width = 0, height = 0] = this.window.getContentSize()
    const { x, y } = this.window.getContentBounds()
    const front = frontView(this.state)
    const dialog = front === undefined ? undefined : this.state.dialogs.get(front)?.[0]
    return {
      content: { width, height },
      position: { x, y },
      bar: {
        height: this.bar.height,
        controls: this.bar.controls,
        ...(dialog === undefined ? {} : { dialog })
      },
      minimized: this.window.isMinimized(),
      focused: this.window.isFocused(),
      title: this.window.getTitle(),
      views: [...this.views].map(([viewId, view]) => ({
        viewId,
        visible: this.placed.get(viewId)?.visible ?? false,
        bounds: view.getBounds()
      }))
    }
  }

  act({ action, size }: HostParams<"arrangeWindow">): void {
    const { window } = this
    if (action === "resize") {
      if (size !== undefined) window.setContentSize(size.width, size.height)
    } else if (action === "show") window.showInactive()
    else window[action]()
    this.arrange()
  }

  onClosed(listener: () => void): void {
    this.window.on("closed", listener)
  }
}
