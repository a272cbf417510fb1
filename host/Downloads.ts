/** Files that pages begin to download: saved under a number where the parent wants them, or refused. */
import { randomUUID } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { DownloadItem, Session } from "electron"
import type { HostTaskId } from "../src/schemas/HostProtocol.ts"
import { asAttachment } from "./core/attachment.ts"
import { taskOf } from "./core/tasks.ts"
import type { HostWindow } from "./HostWindow.ts"
import type { Views } from "./Views.ts"

export class Downloads {
  private readonly folders = new Map<HostTaskId, string>()
  private readonly running = new Map<string, DownloadItem>()
  private readonly window: HostWindow
  private readonly views: () => Views

  constructor(options: {
    readonly window: HostWindow
    readonly views: () => Views
  }) {
    this.window = options.window
    this.views = options.views
  }

  into(taskId: HostTaskId, folder: string): void {
    this.folders.set(taskId, folder)
  }

  forget(taskId: HostTaskId): void {
    this.folders.delete(taskId)
  }

  cancel(guid: string): void {
    this.running.get(guid)?.cancel()
  }

  follow(session: Session): void {
    session.webRequest.onHeadersReceived({ urls: ["<all_urls>"], types: ["mainFrame"] }, (details, proceed) => {
      const view = this.views().ofContents(details.webContentsId)
      if (view?.saves !== true || details.statusCode < 200 || details.statusCode > 299) return proceed({})
      proceed({ responseHeaders: asAttachment(details.responseHeaders ?? {}) })
    })
    session.on("will-download", (event, item, contents) => {
      const view = this.views().ofContents(contents?.id)
      const task = view === undefined ? undefined : taskOf(this.window.tasks, view.id)
      const folder = task === undefined ? undefined : this.folders.get(task.id)
      if (view === undefined || folder === undefined) return event.preventDefault()
      const guid = randomUUID()
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      item.setSavePath(join(folder, guid))
      this.running.set(guid, item)
      // after the view itself: the parent knows no download of a page that it has not heard of
      view.emit({
        event: "downloadBegan",
        viewId: view.id,
        guid,
        url: item.getURL(),
        suggestedName: item.getFilename()
      })
      const progress = (state: "inProgress" | "completed" | "canceled") => {
        view.emit({
          event: "downloadProgress",
          guid,
          received: item.getReceivedBytes(),
          total: Math.max(0, item.getTotalBytes()),
          state
        })
      }
      // as browsers do: a page that was opened for the download alone would stay blank for ever
      if (view.isNew) view.onceTold(() => setImmediate(() => this.views().destroy(view.id)))
      item.on("updated", (_, state) => {
        // what was broken off would wait to be resumed for ever
        if (state === "interrupted") item.cancel()
        else progress("inProgress")
      })
      item.once("done", (_, state) => {
        this.running.delete(guid)
        progress(state === "completed" ? "completed" : "canceled")
      })
    })
  }
}
