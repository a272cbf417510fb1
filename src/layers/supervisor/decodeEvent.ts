/** Protocol events as what they mean to a supervisor. */
import type { Protocol } from "devtools-protocol"
import type { ConsoleEntry, ConsoleLevel } from "../../schemas/diagnostics.ts"
import type { CdpSessionId, FrameId, TargetId } from "../../schemas/ids.ts"
import type { ReportedFrame, SupervisorEvent } from "../../schemas/supervisorEvent.ts"
import type { CdpEvent } from "../../services/CdpConnection.ts"
import { maskUrl } from "./maskUrl.ts"
import { clipLine, consoleText } from "./remoteText.ts"

/** Characters kept of a URL: a `data:` URL holds its whole document. */
const urlLimit = 2_000

const clipUrl = (url: string): string => (url.length <= urlLimit ? url : `${url.slice(0, urlLimit)}…`)

/** A frame as the protocol shows it. An origin without host ("://", of srcdoc frames) is opaque: "null". */
export const reportedFrame = (frame: Protocol.Page.Frame): ReportedFrame => ({
  id: frame.id as FrameId,
  parentId: frame.parentId as FrameId | undefined,
  // an error page goes by the address that could not be loaded
  url: clipUrl(frame.unreachableUrl || frame.url + (frame.urlFragment ?? "")),
  origin: frame.securityOrigin === "://" ? "null" : frame.securityOrigin,
  name: frame.name
})

/** A frame tree, parents first. */
export const reportedTree = (tree: Protocol.Page.FrameTree): ReadonlyArray<ReportedFrame> => [
  reportedFrame(tree.frame),
  ...(tree.childFrames ?? []).flatMap(reportedTree)
]

const levels: Partial<Record<Protocol.Runtime.ConsoleAPICalledEvent["type"], ConsoleLevel>> = {
  debug: "debug",
  info: "info",
  warning: "warning",
  error: "error",
  assert: "error"
}

const consoleEntry = ({ args, stackTrace, timestamp, type }: Protocol.Runtime.ConsoleAPICalledEvent): ConsoleEntry => {
  const [caller] = stackTrace?.callFrames ?? []
  return {
    at: timestamp / 1000,
    level: levels[type] ?? "log",
    text: consoleText(args),
    ...(caller === undefined || caller.url === "" ? {} : { url: clipUrl(caller.url), line: caller.lineNumber + 1 })
  }
}

const exceptionEntry = ({ exceptionDetails, timestamp }: Protocol.Runtime.ExceptionThrownEvent): ConsoleEntry => {
  const { exception, lineNumber, text, url } = exceptionDetails
  const what = exception === undefined ? text : `${text} ${exception.description ?? consoleText([exception])}`
  return {
    at: timestamp / 1000,
    level: "exception",
    text: clipLine(what),
    ...(url === undefined || url === "" ? {} : { url: clipUrl(url), line: lineNumber + 1 })
  }
}

const requestUrl = (url: string): string => clipUrl(maskUrl(url))

const decodeNetwork = (
  event: CdpEvent,
  from: { readonly at: number; readonly sessionId: CdpSessionId }
): SupervisorEvent | undefined => {
  switch (event.method) {
    case "Network.requestWillBeSent": {
      const { request, requestId, type, wallTime } = event.params
      const entry = {
        at: wallTime,
        method: request.method,
        url: requestUrl(request.url),
        type: (type ?? "other").toLowerCase()
      }
      return { _tag: "NetworkSeen", ...from, requestId, change: { _tag: "Sent", entry } }
    }
    case "Network.responseReceived": {
      const { requestId, response } = event.params
      const change = { _tag: "Answered", status: response.status, mimeType: response.mimeType } as const
      return { _tag: "NetworkSeen", ...from, requestId, change }
    }
    case "Network.loadingFailed": {
      const { errorText, requestId } = event.params
      return { _tag: "NetworkSeen", ...from, requestId, change: { _tag: "Failed", failure: errorText } }
    }
    default:
      return undefined
  }
}

/** What a protocol event of a session means; undefined: nothing. `at`: ms since 1970. */
export const decodeEvent = (event: CdpEvent, sessionId: CdpSessionId, at: number): SupervisorEvent | undefined => {
  const from = { at, sessionId }
  switch (event.method) {
    case "Page.javascriptDialogOpening": {
      const { defaultPrompt, frameId, message, type } = event.params as Protocol.Page.JavascriptDialogOpeningEvent & {
        readonly frameId?: string
      }
      const frame = frameId === undefined ? {} : { frameId: frameId as FrameId }
      return { _tag: "DialogOpening", ...from, type, message, defaultPrompt: defaultPrompt ?? "", ...frame }
    }
    case "Page.javascriptDialogClosed": {
      const { frameId, result } = event.params as Protocol.Page.JavascriptDialogClosedEvent & {
        readonly frameId?: string
      }
      return {
        _tag: "DialogClosed",
        ...from,
        result,
        ...(frameId === undefined ? {} : { frameId: frameId as FrameId })
      }
    }
    case "Page.frameAttached": {
      const { frameId, parentFrameId } = event.params
      return { _tag: "FrameAttached", ...from, frameId: frameId as FrameId, parentFrameId: parentFrameId as FrameId }
    }
    case "Page.frameNavigated": {
      const { frame, type } = event.params
      const restored = type === "BackForwardCacheRestore"
      return { _tag: "FrameNavigated", ...from, frame: reportedFrame(frame), restored }
    }
    case "Page.frameStartedNavigating": {
      const { frameId, navigationType } = event.params
      const isOther = navigationType !== "sameDocument" && navigationType !== "historySameDocument"
      return isOther ? { _tag: "FrameLeaving", ...from, frameId: frameId as FrameId } : undefined
    }
    case "Page.navigatedWithinDocument": {
      const { frameId, url } = event.params
      return { _tag: "FrameNavigatedWithinDocument", ...from, frameId: frameId as FrameId, url: clipUrl(url) }
    }
    case "Page.frameDetached": {
      const { frameId, reason } = event.params
      return { _tag: "FrameDetached", ...from, frameId: frameId as FrameId, reason }
    }
    case "Target.targetInfoChanged": {
      const { targetId, title, url } = event.params.targetInfo
      return { _tag: "TargetInfoChanged", at, targetId: targetId as TargetId, url: clipUrl(url), title }
    }
    case "Inspector.targetCrashed":
      return { _tag: "SessionCrashed", ...from }
    case "Runtime.consoleAPICalled":
      return { _tag: "ConsoleWritten", ...from, entry: consoleEntry(event.params) }
    case "Runtime.exceptionThrown":
      return { _tag: "ConsoleWritten", ...from, entry: exceptionEntry(event.params) }
    default:
      return event.method.startsWith("Network.") ? decodeNetwork(event, from) : undefined
  }
}
