/** Carries out the commands of a browser's connection with the operations of a view host. */
import type { Protocol } from "devtools-protocol"
import type { CdpSessionId, TargetId } from "../../schemas/ids.ts"
import {
  type HostEvent,
  type HostOperation,
  type HostParams,
  type HostResult,
  HostTaskId,
  type ViewId
} from "../../schemas/HostProtocol.ts"
import type { HostCallError, RunningHost } from "../../services/ViewHost.ts"
import type { CdpCommand, CdpReceiver } from "../cdp/CdpTransport.ts"
import type { PrintedFiles } from "./PrintedFiles.ts"
import { attachedEvent, protocolEvents } from "./protocolEvents.ts"
import type { ViewDirectory, ViewEntry } from "./ViewDirectory.ts"

/** Time (ms) within which a download is told of after the navigation that became it has ended. */
const downloadNotice = 250

type Params = { readonly [key: string]: unknown }

const stopsResponses = ({ patterns }: Params): boolean =>
  Array.isArray(patterns) && patterns.some((one: { readonly requestStage?: string }) => one.requestStage === "Response")

/**
 * Asked of a page, the commands for a whole storage mean the profile's, whatever storage the page has (measured:
 * Electron 33.2.1); these mean the page's own.
 */
const ofOwnStorage: { readonly [method: string]: string } = {
  "Storage.getCookies": "Network.getAllCookies",
  "Storage.setCookies": "Network.setCookies",
  "Storage.clearCookies": "Network.clearBrowserCookies"
}

const refusal = (error: HostCallError): { readonly code: number; readonly message: string } => {
  if (error._tag === "CdpFailed") return { code: error.cdpCode, message: error.reason }
  if (error._tag === "ViewUnknown") return { code: -32_001, message: "session closed" }
  return { code: -32_000, message: error.message }
}

/** The commands of one connection. */
export class HostCarrier {
  private readonly host: RunningHost
  private readonly receiver: CdpReceiver
  private readonly directory: ViewDirectory
  private readonly printed: PrintedFiles
  /** how each command that is under way is given up */
  private readonly underWay = new Map<number, () => void>()

  constructor(host: RunningHost, receiver: CdpReceiver, directory: ViewDirectory, printed: PrintedFiles) {
    this.host = host
    this.receiver = receiver
    this.directory = directory
    this.printed = printed
  }

  forget(id: number) {
    this.underWay.get(id)?.()
    this.underWay.delete(id)
  }

  private answer(id: number, result: unknown) {
    this.receiver.decoded({ _tag: "Reply", id, result })
  }

  private refuse(id: number, code: number, message: string) {
    this.receiver.decoded({ _tag: "Reply", id, error: { code, message } })
  }

  private refused(id: number, error: HostCallError) {
    // when the host is gone, the connection says so for all
    if (error._tag === "HostDead") return
    const { code, message } = refusal(error)
    this.refuse(id, code, message)
  }

  private event(method: string, params: unknown, sessionId?: CdpSessionId) {
    this.receiver.decoded({ _tag: "Event", method, params, sessionId })
  }

  /** Asks the host; what it says becomes the reply. */
  private ask<Op extends HostOperation>(
    id: number,
    operation: Op,
    params: HostParams<Op>,
    reply: (result: HostResult<Op>) => unknown = (result) => result
  ): void {
    const giveUp = this.host.post(operation, params, (outcome) => {
      this.underWay.delete(id)
      if (outcome.ok) this.answer(id, reply(outcome.result))
      else this.refused(id, outcome.error)
    })
    this.underWay.set(id, giveUp)
  }

  private later(id: number, work: Promise<unknown>) {
    work.then(
      (result) => this.answer(id, result),
      (error: Error) => this.refuse(id, -32_000, error.message)
    )
  }

  readonly send = ({ id, method, params = {}, sessionId }: CdpCommand) => {
    if (sessionId === undefined) return this.toBrowser(id, method, params as Params)
    const route = this.directory.route(sessionId)
    if (route === undefined) return this.refuse(id, -32_001, "Session with given id not found.")
    if (route.inner === undefined) return this.toPage(id, route.entry, method, params as Params)
    if (method.startsWith("IO.") && this.printed.has(String((params as Params)["handle"]))) {
      return this.ofStream(id, method, params as Params)
    }
    this.ask(id, "command", { viewId: route.entry.viewId, method, params, sessionId: route.inner })
  }

  private toPage(id: number, entry: ViewEntry, method: string, params: Params) {
    const { viewId } = entry
    switch (method) {
      case "Page.captureScreenshot": {
        const { format = "png", quality } = params as {
          readonly format?: "png" | "jpeg" | "webp"
          readonly quality?: number
        }
        return this.ask(
          id,
          "capture",
          { viewId, format, ...(quality === undefined ? {} : { quality }), params },
          ({ data }) => ({ data })
        )
      }
      case "Page.printToPDF":
        return this.print(id, viewId, params)
      case "Page.navigate":
        return this.navigate(id, entry, params)
      case "Fetch.enable":
        // who works in the background on responses is after a file; Chromium 130 saves none by a header set on its way
        if (entry.background && stopsResponses(params)) this.host.post("saveDocuments", { viewId }, () => {})
        break
      case "IO.read":
      case "IO.close":
        if (this.printed.has(String(params["handle"]))) return this.ofStream(id, method, params)
        break
    }
    this.ask(id, "command", { viewId, method, params })
  }

  /** Chromium before 136 does not say in its reply that a navigation became a download, so the download itself does. */
  private navigate(id: number, entry: ViewEntry, params: Params) {
    const before = entry.downloads
    const giveUp = this.host.post("command", { viewId: entry.viewId, method: "Page.navigate", params }, (outcome) => {
      this.underWay.delete(id)
      if (!outcome.ok) return this.refused(id, outcome.error)
      const result = outcome.result as { readonly errorText?: string; readonly isDownload?: boolean }
      if (result.errorText !== "net::ERR_ABORTED" || result.isDownload !== undefined) return this.answer(id, result)
      const answer = () => this.answer(id, entry.downloads === before ? result : { ...result, isDownload: true })
      if (entry.downloads > before) return answer()
      setTimeout(answer, downloadNotice)
    })
    this.underWay.set(id, giveUp)
  }

  private print(id: number, viewId: ViewId, params: Params) {
    const { landscape, paperHeight, paperWidth, printBackground, transferMode } = params
    const giveUp = this.host.post(
      "printToPdf",
      {
        viewId,
        landscape: landscape === true,
        printBackground: printBackground === true,
        ...(typeof paperWidth === "number" ? { paperWidth } : {}),
        ...(typeof paperHeight === "number" ? { paperHeight } : {})
      },
      (outcome) => {
        this.underWay.delete(id)
        if (!outcome.ok) return this.refused(id, outcome.error)
        const { file } = outcome.result
        if (transferMode === "ReturnAsStream") this.answer(id, { data: "", stream: this.printed.add(file) })
        else
          this.later(
            id,
            this.printed.whole(file).then((data) => ({ data }))
          )
      }
    )
    this.underWay.set(id, giveUp)
  }

  private ofStream(id: number, method: string, params: Params) {
    const handle = String(params["handle"])
    const size = typeof params["size"] === "number" ? params["size"] : 1 << 20
    this.later(
      id,
      method === "IO.close"
        ? this.printed.close(handle).then(() => ({}))
        : this.printed.read(handle, size).then((piece) => ({ ...piece, base64Encoded: true }))
    )
  }

  private toBrowser(id: number, method: string, params: Params) {
    switch (method) {
      case "Target.setAutoAttach":
      case "Target.setDiscoverTargets":
      case "Target.detachFromTarget":
        return this.answer(id, {})
      case "Target.createTarget":
        return this.createTarget(id, params)
      case "Target.attachToTarget": {
        const entry = this.directory.target(params["targetId"])
        if (entry === undefined) return this.refuse(id, -32_602, "No target with given id found")
        this.attached(entry)
        return this.answer(id, { sessionId: entry.sessionId })
      }
      case "Target.closeTarget": {
        const entry = this.directory.target(params["targetId"])
        if (entry === undefined) return this.refuse(id, -32_602, "No target with given id found")
        return this.ask(id, "destroyView", { viewId: entry.viewId }, () => ({ success: true }))
      }
      case "Target.getTargets":
        return this.answer(id, {
          targetInfos: this.directory.described(params["filter"] as Protocol.Target.TargetFilter)
        })
      case "Browser.getVersion":
        return this.answer(id, {
          protocolVersion: "1.3",
          product: `Chrome/${this.host.chrome}`,
          revision: "",
          userAgent: this.host.userAgent,
          jsVersion: ""
        })
      case "Browser.setDownloadBehavior":
        return this.setDownloads(id, params)
      case "Browser.cancelDownload":
        return this.ask(id, "cancelDownload", { guid: String(params["guid"]) })
      default:
        return this.byAnyPage(id, method, params)
    }
  }

  private createTarget(id: number, params: Params) {
    const { browserContextId, hidden } = params
    const background = hidden === true
    if (typeof browserContextId !== "string") return this.refuse(id, -32_602, "a page needs a browser context here")
    const taskId = HostTaskId.make(browserContextId)
    this.ask(id, "createView", { taskId, background }, ({ targetId, viewId }) => {
      const entry = this.directory.add(
        {
          viewId,
          targetId: targetId as TargetId,
          taskId,
          openerId: undefined,
          canAccessOpener: false,
          background
        },
        "about:blank"
      )
      // before the reply, as browsers do
      this.attached(entry)
      return { targetId }
    })
  }

  private setDownloads(id: number, { browserContextId, downloadPath }: Params) {
    if (typeof browserContextId !== "string" || typeof downloadPath !== "string") return this.answer(id, {})
    this.ask(id, "setDownloads", { taskId: HostTaskId.make(browserContextId), folder: downloadPath })
  }

  /** What concerns a whole storage or the browser, any page can be asked. */
  private byAnyPage(id: number, method: string, { browserContextId, ...params }: Params) {
    const entry = this.directory.anyOf(browserContextId)
    if (entry === undefined) return this.refuse(id, -32_000, "no page is open that could be asked")
    this.ask(id, "command", { viewId: entry.viewId, method: ofOwnStorage[method] ?? method, params })
    if (/^Storage\.(set|clear)Cookies$/.test(method)) {
      this.host.post("flushCookies", { taskId: entry.taskId }, () => {})
    }
  }

  private attached(entry: ViewEntry) {
    const { method, params } = attachedEvent(entry)
    this.event(method, params)
  }

  readonly hear = (event: HostEvent) => {
    for (const { method, params, sessionId } of protocolEvents(this.directory, event))
      this.event(method, params, sessionId)
  }
}
