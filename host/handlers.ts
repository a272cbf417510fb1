/** What each operation does. A handler throws an error of the closed union to refuse. */
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { HostRefused, PdfFailed } from "../src/schemas/errors.ts"
import type { HostResult, HostTaskId } from "../src/schemas/HostProtocol.ts"
import type { Captures } from "./Captures.ts"
import type { Handlers } from "./core/Handlers.ts"
import {
  closeTask,
  describeTasks,
  findTask,
  openTask,
  presentTask,
  selectTask,
  showDialogs,
  showView
} from "./core/tasks.ts"
import type { Downloads } from "./Downloads.ts"
import type { HostWindow } from "./HostWindow.ts"
import type { Popups } from "./Popups.ts"
import type { Views } from "./Views.ts"

interface Parts {
  readonly window: HostWindow
  readonly views: Views
  readonly captures: Captures
  readonly downloads: Downloads
  readonly popups: Popups
  readonly temporary: string
}

const nothing = {}

export const makeHandlers = ({ captures, downloads, popups, temporary, views, window }: Parts): Handlers => {
  const partitions = new Map<HostTaskId, string | undefined>()

  const known = (taskId: HostTaskId, operation: string) => {
    const task = findTask(window.tasks, taskId)
    if (task === undefined) throw new HostRefused({ operation, reason: `there is no task ${taskId}` })
    return task
  }
  const storageOf = (taskId: HostTaskId) => views.storage(partitions.get(taskId))

  return {
    abandoned: (operation, result) => {
      // nobody else will ever close it
      if (operation === "createView") views.destroy((result as HostResult<"createView">).viewId)
    },
    ping: () => nothing,
    openTask: ({ label, partition, rules, taskId }) => {
      partitions.set(taskId, partition)
      if (rules !== undefined) popups.rule(taskId, rules)
      window.update((tasks) => openTask(tasks, taskId, label))
      return nothing
    },
    closeTask: async ({ taskId }) => {
      for (const viewId of findTask(window.tasks, taskId)?.views ?? []) views.destroy(viewId)
      window.update((tasks) => closeTask(tasks, taskId))
      captures.forget(taskId)
      downloads.forget(taskId)
      popups.forget(taskId)
      const partition = partitions.get(taskId)
      partitions.delete(taskId)
      if (partition !== undefined) await views.storage(partition).clearStorageData()
      return nothing
    },
    presentTask: ({ taskId, ...presentation }) => {
      known(taskId, "presentTask")
      window.update((tasks) => presentTask(tasks, taskId, presentation))
      return nothing
    },
    showDialogs: ({ dialogs, viewId }) => {
      views.get(viewId)
      window.update((tasks) => showDialogs(tasks, viewId, dialogs))
      return nothing
    },
    listTasks: () => ({ tasks: describeTasks(window.tasks) }),
    selectTask: ({ taskId }) => {
      known(taskId, "selectTask")
      window.update((tasks) => selectTask(tasks, taskId))
      return nothing
    },
    createView: async ({ background, taskId }) => {
      known(taskId, "createView")
      const { id, targetId } = await views.create(taskId, partitions.get(taskId), background)
      return { viewId: id, targetId }
    },
    destroyView: ({ viewId }) => {
      views.destroy(viewId)
      return nothing
    },
    showView: ({ viewId }) => {
      views.get(viewId)
      window.update((tasks) => showView(tasks, viewId))
      return nothing
    },
    command: ({ method, params, sessionId, viewId }) => views.get(viewId).send(method, params, sessionId),
    capture: (params) => captures.take(params),
    thumbnail: ({ taskId }) => captures.thumbnail(taskId),
    printToPdf: async ({ landscape, paperHeight, paperWidth, printBackground, viewId }) => {
      const { webContents } = views.get(viewId)
      const data = await webContents
        .printToPDF({
          landscape,
          printBackground,
          ...(paperWidth === undefined && paperHeight === undefined
            ? {}
            : { pageSize: { width: paperWidth ?? 8.5, height: paperHeight ?? 11 } })
        })
        .catch((error: Error) => {
          throw new PdfFailed({ reason: error.message })
        })
      const file = join(temporary, `${randomUUID()}.pdf`)
      await writeFile(file, data, { mode: 0o600 })
      return { file, bytes: data.length }
    },
    setDownloads: ({ folder, taskId }) => {
      downloads.into(taskId, folder)
      storageOf(taskId)
      return nothing
    },
    saveDocuments: ({ viewId }) => {
      views.get(viewId).saves = true
      return nothing
    },
    cancelDownload: ({ guid }) => {
      downloads.cancel(guid)
      return nothing
    },
    flushCookies: async ({ taskId }) => {
      await storageOf(taskId).cookies.flushStore()
      return nothing
    },
    window: () => window.describe(),
    arrangeWindow: (params) => {
      window.act(params)
      return nothing
    }
  }
}
