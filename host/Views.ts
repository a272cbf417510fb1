/** All views: opened on demand or by pages, closed, found by their ids. */
import { type Session, session, WebContentsView, type WebPreferences } from "electron"
import { HostRefused, ViewUnknown } from "../src/schemas/errors.ts"
import { type HostEvent, type HostTaskId, maxViews, ViewId } from "../src/schemas/HostProtocol.ts"
import { addView, removeView, taskOf } from "./core/tasks.ts"
import type { HostWindow } from "./HostWindow.ts"
import { hearPerson } from "./Person.ts"
import { View } from "./View.ts"

const preferences: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  // a hidden page goes on: its agent works in it
  backgroundThrottling: false,
  // a page that fills the screen fills its own place only: the window is the person's, and holds the pages of all tasks
  disableHtmlFullscreenWindowResize: true,
  spellcheck: false
}

export class Views {
  private readonly views = new Map<ViewId, View>()
  private readonly byContents = new Map<number, View>()
  private readonly window: HostWindow
  private readonly tell: (event: HostEvent) => void
  private readonly prepared: (session: Session) => void
  private readonly sessions = new Set<Session>()
  private opened = 0

  constructor(options: {
    readonly window: HostWindow
    readonly tell: (event: HostEvent) => void
    /** called once for each storage, before its first page */
    readonly prepare: (session: Session) => void
  }) {
    this.window = options.window
    this.tell = options.tell
    this.prepared = options.prepare
  }

  get(viewId: ViewId): View {
    const view = this.views.get(viewId)
    if (view === undefined || view.isGone) throw new ViewUnknown({ viewId })
    return view
  }

  all(): ReadonlyArray<View> {
    return [...this.views.values()]
  }

  ofContents(id: number | undefined): View | undefined {
    return id === undefined ? undefined : this.byContents.get(id)
  }

  /** The storage of that name; undefined: the profile's. */
  storage(partition: string | undefined): Session {
    const found = partition === undefined ? session.defaultSession : session.fromPartition(partition)
    if (!this.sessions.has(found)) {
      this.sessions.add(found)
      this.prepared(found)
    }
    return found
  }

  private register(
    taskId: HostTaskId,
    view: WebContentsView,
    partition: string | undefined,
    background: boolean
  ): View {
    const id = ViewId.make(`v${++this.opened}`)
    const one = new View({ id, view, partition, tell: this.tell })
    this.views.set(id, one)
    this.byContents.set(one.webContents.id, one)
    this.window.add(id, view)
    this.window.update((tasks) => addView(tasks, taskId, id, background))
    this.follow(one)
    return one
  }

  private follow(view: View): void {
    const { webContents: contents } = view
    const changed = () => {
      if (view.isGone) return
      view.emit({ event: "viewChanged", viewId: view.id, url: contents.getURL(), title: contents.getTitle() })
      this.window.showTitle()
    }
    contents.on("page-title-updated", changed).on("did-navigate", changed).on("did-navigate-in-page", changed)
    contents.on("did-navigate", () => {
      view.isNew = false
      view.leaves = false
    })
    contents.on("will-prevent-unload", (event) => {
      if (view.leaves || view.leavesByRequest) event.preventDefault()
      view.leaves = false
    })
    contents.once("destroyed", () => this.forget(view))
    this.followPerson(view)
    contents.setWindowOpenHandler((details) => {
      if (this.views.size >= maxViews) return { action: "deny" }
      return {
        action: "allow",
        outlivesOpener: true,
        createWindow: (options) => {
          // there since Electron 17, and not in its types: the page that the opener can already reach
          const { webContents } = options as { readonly webContents?: WebContentsView["webContents"] }
          return this.openedBy(view, webContents, details.url, details.referrer.url)
        }
      }
    })
  }

  /** What a person does in a page is told; how they look around in it only while they have control, and not each time. */
  private followPerson(view: View): void {
    let told = Number.NEGATIVE_INFINITY
    hearPerson(view.webContents, {
      dispatching: () => view.isDispatching,
      told: (did) => {
        const task = taskOf(this.window.tasks, view.id)
        if (task === undefined) return
        const { id: taskId, stands } = task
        if (stands.control === "agent") {
          if (did === "acted") this.tell({ event: "person", taskId, did })
          return
        }
        const now = performance.now()
        if (now - told < seenPause) return
        told = now
        this.tell({ event: "person", taskId, did: "seen" })
      }
    })
  }

  /** A page opened another: a view of the same task, with the opener that it expects. */
  private openedBy(
    opener: View,
    guest: WebContentsView["webContents"] | undefined,
    url: string,
    referrer: string
  ): WebContentsView["webContents"] {
    const task = taskOf(this.window.tasks, opener.id)
    const webPreferences = {
      ...preferences,
      ...(opener.partition === undefined ? {} : { partition: opener.partition })
    }
    const view = new WebContentsView(guest === undefined ? { webPreferences } : { webContents: guest, webPreferences })
    const { webContents } = view
    webContents.setBackgroundThrottling(false)
    const background = task?.background.has(opener.id) ?? true
    const one = this.register(task?.id ?? ("" as HostTaskId), view, opener.partition, background)
    one.isNew = true
    // now, and not when the parent asks for it: the page's first script may open a dialog
    one.attach()
    void one.send("Page.enable").catch(() => {})
    void this.introduce(one, opener, url)
    const sleep = () => this.window.letSleep(one.id)
    setTimeout(sleep, sizeBudget)
    if (guest === undefined) void webContents.loadURL(url, { httpReferrer: referrer }).catch(() => {})
    return webContents
  }

  private async introduce(view: View, opener: View, url: string): Promise<void> {
    const info = await describe(view).catch(() => undefined)
    const task = taskOf(this.window.tasks, view.id)
    if (info === undefined || task === undefined || view.isGone) return
    view.targetId = info.targetId
    this.tell({
      event: "viewOpened",
      viewId: view.id,
      targetId: info.targetId,
      taskId: task.id,
      openerId: opener.id,
      hasOpener: info.canAccessOpener,
      url
    })
    view.release()
  }

  /** Opens a view with an inert document: a page that never had one answers nothing. */
  async create(taskId: HostTaskId, partition: string | undefined, background: boolean): Promise<View> {
    if (this.views.size >= maxViews) {
      throw new HostRefused({ operation: "createView", reason: `there are ${maxViews} views already` })
    }
    this.storage(partition)
    const view = new WebContentsView({
      webPreferences: { ...preferences, ...(partition === undefined ? {} : { partition }) }
    })
    const one = this.register(taskId, view, partition, background)
    await one.webContents.loadURL("about:blank")
    one.attach()
    one.targetId = (await describe(one)).targetId
    await hasSize(one)
    this.window.letSleep(one.id)
    one.release()
    return one
  }

  private forget(view: View): void {
    if (!this.views.delete(view.id)) return
    for (const [id, one] of this.byContents) if (one === view) this.byContents.delete(id)
    this.window.remove(view.id)
    this.window.update((tasks) => removeView(tasks, view.id))
    this.tell({ event: "viewClosed", viewId: view.id })
  }

  /** Closes a view without asking its page. */
  destroy(viewId: ViewId): void {
    const view = this.views.get(viewId)
    if (view === undefined) return
    if (!view.isGone) view.webContents.close({ waitForBeforeUnload: false })
    this.forget(view)
  }
}

/** Time (ms) between two signs of a person that are told. */
const seenPause = 1_000

/** Time (ms) that a new page gets to learn its size. */
const sizeBudget = 1_000

/** Waits until the page has heard of its size. */
const hasSize = async (view: View): Promise<void> => {
  const end = performance.now() + sizeBudget
  while (performance.now() < end) {
    const { result } = (await view.send("Runtime.evaluate", { expression: "innerWidth" })) as {
      readonly result: { readonly value?: unknown }
    }
    if (result.value !== 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const describe = async (view: View): Promise<{ readonly targetId: string; readonly canAccessOpener: boolean }> => {
  const { targetInfo } = (await view.send("Target.getTargetInfo")) as {
    readonly targetInfo: { readonly targetId: string; readonly canAccessOpener: boolean }
  }
  return targetInfo
}
