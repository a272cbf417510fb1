/**
 * Requests for documents, as far as the parent cannot be there in time: what pages that pages open may load at first, and
 * a page that is left by a request of its own while it asks whether it may be.
 */
import type { Session } from "electron"
import { type Admission, type AdmissionRules, makeAdmission } from "../src/layers/page/admission.ts"
import type { HostTaskId } from "../src/schemas/HostProtocol.ts"
import { taskOf } from "./core/tasks.ts"
import type { HostWindow } from "./HostWindow.ts"
import type { Views } from "./Views.ts"

export class Popups {
  private readonly admissions = new Map<HostTaskId, Admission>()
  private readonly window: HostWindow
  private readonly views: () => Views

  constructor(window: HostWindow, views: () => Views) {
    this.window = window
    this.views = views
  }

  rule(taskId: HostTaskId, rules: AdmissionRules): void {
    this.admissions.set(taskId, makeAdmission(rules))
  }

  forget(taskId: HostTaskId): void {
    this.admissions.delete(taskId)
  }

  follow(session: Session): void {
    session.webRequest.onBeforeRequest({ urls: ["<all_urls>"], types: ["mainFrame"] }, (details, proceed) => {
      const view = this.views().ofContents(details.webContentsId)
      const task = view?.isNew === true ? taskOf(this.window.tasks, view.id) : undefined
      const admission = task === undefined ? undefined : this.admissions.get(task.id)
      const admitted = admission === undefined || admission.document(details.url).admitted
      const held = view?.heldBy
      if (held === undefined) return proceed(admitted ? {} : { cancel: true })
      void held.then((leave) => proceed(leave && admitted ? {} : { cancel: true }))
    })
  }
}
