/** Requests of a page that are under way, and what servers answered for its documents. */
import type { Protocol } from "devtools-protocol"

/** What a server answered a request for a document. */
interface DocumentAnswer {
  /** IP address that it came from */
  readonly address: string | undefined
  readonly status: number
  readonly mimeType: string
}

interface RequestModel {
  readonly seq: number
  /** the server has answered; the body may still come, or may never be read */
  answered: boolean
  /** an answer waits for its end */
  readonly holdsUp: boolean
  /** of a document: the frame that it is for */
  readonly frameId: string | undefined
}

/**
 * Requests that a page may keep open for ever or that change nothing an agent reads: they never hold up an answer.
 */
const idleTypes: ReadonlySet<string> = new Set([
  "EventSource",
  "WebSocket",
  "Media",
  "TextTrack",
  "Image",
  "Font",
  "Ping",
  "Prefetch",
  "Preflight",
  "CSPViolationReport",
  "Manifest",
  "SignedExchange"
])

/**
 * Whether an answer waits for a request. The icon of a page is asked for by the browser itself, by nobody in the page. The
 * script of a worker belongs to no document, and its end is told to the worker alone, whom nobody waits for.
 */
export const holdsUp = ({
  initiator,
  loaderId,
  requestId,
  type = "Other"
}: Protocol.Network.RequestWillBeSentEvent): boolean =>
  !idleTypes.has(type) && loaderId !== "" && !(type === "Other" && initiator.type === "other" && requestId !== loaderId)

/** More requests than this are not tracked one by one; the oldest are taken as finished. */
const requestLimit = 2_000

/** Answers for documents, and failures of them, that are kept, the latest so many. */
const answerLimit = 200

const keep = <A>(among: Map<string, A>, id: string, value: A): void => {
  among.set(id, value)
  if (among.size > answerLimit) among.delete(among.keys().next().value as string)
}

/** The server has answered that there is no page: the browser stays where it is. */
export const bringsNoPage = (status: number): boolean => status === 204 || status === 205

export class Requests {
  private readonly underWay = new Map<string, RequestModel>()
  /** by loader id */
  private readonly answers = new Map<string, DocumentAnswer>()
  /** what the browser said of requests for documents that failed, by loader id and, of the latest of a frame, by its id */
  private readonly failures = new Map<string, string>()

  /** `seq`: when, in the sequence of the page's events */
  sent(params: Protocol.Network.RequestWillBeSentEvent, seq: number): void {
    const frameId = params.type === "Document" ? params.frameId : undefined
    if (frameId !== undefined) this.failures.delete(frameId)
    this.underWay.set(params.requestId, { seq, answered: false, holdsUp: holdsUp(params), frameId })
    if (this.underWay.size > requestLimit) this.underWay.delete(this.underWay.keys().next().value as string)
  }

  answered({ loaderId, requestId, response, type }: Protocol.Network.ResponseReceivedEvent): void {
    const request = this.underWay.get(requestId)
    if (request !== undefined) request.answered = true
    // the type is certain only now; an event stream never finishes
    if (type === "EventSource") this.underWay.delete(requestId)
    if (type !== "Document") return
    const { mimeType, remoteIPAddress, status } = response
    keep(this.answers, loaderId, { address: remoteIPAddress, status, mimeType })
  }

  failed({ errorText, requestId, type }: Protocol.Network.LoadingFailedEvent): void {
    const frameId = this.underWay.get(requestId)?.frameId
    this.ended(requestId)
    if (type !== "Document") return
    // the request of a document has the id of its loader; in Electron the error page in its place has another one
    keep(this.failures, requestId, errorText)
    if (frameId !== undefined) keep(this.failures, frameId, errorText)
  }

  ended(requestId: string): void {
    this.underWay.delete(requestId)
  }

  /** Requests of the document before say nothing about this one, nor do navigations that came to nothing. */
  documentCame(loaderId: string): void {
    for (const requestId of this.underWay.keys()) if (requestId !== loaderId) this.underWay.delete(requestId)
  }

  /** Requests that began after the mark and hold up an answer: all, and those that the server has not answered. */
  since(mark: number): { readonly all: number; readonly unanswered: number } {
    let all = 0
    let unanswered = 0
    for (const request of this.underWay.values()) {
      if (request.seq <= mark || !request.holdsUp) continue
      all++
      if (!request.answered) unanswered++
    }
    return { all, unanswered }
  }

  /** Why a document could not be loaded, in the browser's words; undefined if it has not told it. */
  failureOf(loaderId: string, frameId: string): string | undefined {
    return this.failures.get(loaderId) ?? this.failures.get(frameId)
  }

  /** What the server answered for a document; undefined if the browser has not told it. */
  answerOf(loaderId: string): DocumentAnswer | undefined {
    return this.answers.get(loaderId)
  }
}
