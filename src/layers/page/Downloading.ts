/**
 * Fetching a file by its address, with the cookies, the certificates and the proxy of the browser.
 *
 * A hidden tab is sent to the address. Its request and every redirect stop to be admitted; the response is made one
 * that a browser saves, and the browser writes it to disk by itself, so that nothing of it passes through here. A
 * browser whose downloads are not ours to direct hands us the bytes instead (`Fetch.takeResponseBodyAsStream`), which
 * is about twenty times slower.
 */
import type { Protocol } from "devtools-protocol"
import { join } from "node:path"
import { Clock, Effect, Fiber, Queue, type Scope } from "effect"
import { DownloadFailed, DownloadTooLarge, type NavigationBlocked } from "../../schemas/errors.ts"
import type { BrowserContextId, TargetId } from "../../schemas/ids.ts"
import type { DownloadedFile } from "../../services/BrowserSession.ts"
import type { CdpConnection, CdpError, CdpMethod, CdpParams } from "../../services/CdpConnection.ts"
import { report } from "../../services/Progress.ts"
import { within } from "../../services/Timeouts.ts"
import type { Admission } from "./admission.ts"
import { cancelDownload } from "./DownloadFolder.ts"
import { asAttachment, decide, cutShort, inUnits, type Paused, type Promised } from "./downloadSteps.ts"
import { saveStream } from "./StreamFile.ts"
import type { AttachedPage, Targets } from "./Targets.ts"

export interface DownloadingOptions {
  readonly connection: CdpConnection["Service"]
  readonly targets: Targets
  readonly browserContextId: BrowserContextId | undefined
  readonly admission: Admission
  /** the browser saves where it is told to, on a disk that is ours */
  readonly direct: boolean
}

export interface DownloadRequest {
  /** admitted already */
  readonly url: string
  /** page that the link stands on; tells the server where the reader comes from */
  readonly referrer: string | undefined
  readonly maxBytes: number
  /** told how far it is: for whoever ends it before its time */
  readonly onProgress?: (progress: DownloadProgress) => void
}

/** How far a download is. */
export interface DownloadProgress {
  /** bytes that have come */
  readonly received: number
  /** bytes that it has; undefined: the server does not say */
  readonly total: number | undefined
}

type DownloadError = CdpError | NavigationBlocked | DownloadFailed | DownloadTooLarge

type Step =
  | { readonly is: "paused"; readonly event: Paused }
  | { readonly is: "answered"; readonly reply: Protocol.Page.NavigateResponse }
  | { readonly is: "came"; readonly address: string }
  | { readonly is: "progress"; readonly event: Protocol.Browser.DownloadProgressEvent }

/** Progress is reported at most every so many ms. */
const reportMs = 1_000

const closeHidden = ({ connection }: DownloadingOptions, page: AttachedPage) =>
  connection
    .command("Target.closeTarget", { targetId: page.targetId })
    .pipe(within("closing a tab", 3_000), Effect.ignore)

/** A tab that is `left` with the scope. Interruption does not wait for a tab that is still being opened. */
const openHidden = (options: DownloadingOptions, left: (page: AttachedPage) => Effect.Effect<void>) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const { browserContextId, targets } = options
      const opening = yield* Effect.forkDetach(targets.create({ browserContextId, place: "nowhere" }))
      const close = Effect.flatMap(Fiber.join(opening), (page) => closeHidden(options, page))
      return yield* Fiber.join(opening).pipe(
        Effect.onInterrupt(() => Effect.forkDetach(Effect.ignoreCause(close), { startImmediately: true }))
      )
    }),
    left,
    { interruptible: true }
  )

/** Fetches a file into the download folder of the connection; it is removed with the scope unless it was moved away. */
export const fetchFile = (
  options: DownloadingOptions,
  request: DownloadRequest
): Effect.Effect<DownloadedFile, DownloadError, Scope.Scope> =>
  Effect.gen(function* () {
    const { connection, targets, browserContextId, admission } = options
    const { url, maxBytes } = request
    const { downloads: folder } = targets
    const steps = yield* Queue.unbounded<Step>()
    const tell = (step: Step): void => {
      Queue.offerUnsafe(steps, step)
    }
    let target: TargetId | undefined
    let letThrough = false
    let saving: { readonly guid: string; readonly name: string } | undefined
    yield* connection.listen(undefined, (event) => {
      if (event.method === "Browser.downloadWillBegin" && event.params.frameId === target) {
        saving ??= { guid: event.params.guid, name: event.params.suggestedFilename }
      } else if (event.method === "Browser.downloadProgress" && event.params.guid === saving?.guid) {
        tell({ is: "progress", event: event.params })
      }
    })
    const page = yield* openHidden(options, (page) =>
      Effect.suspend(() => {
        // the browser has the response, and may yet make a file of it
        if (letThrough && saving === undefined) return targets.abandonDownload(page, browserContextId)
        const cancel =
          saving === undefined ? Effect.void : cancelDownload(connection, folder, saving.guid, browserContextId)
        return Effect.andThen(closeHidden(options, page), cancel)
      })
    )
    target = page.targetId
    const send = <M extends CdpMethod>(method: M, params?: CdpParams<M>) =>
      connection.command(method, params, { sessionId: page.sessionId })
    yield* connection.listen(page.sessionId, (event) => {
      if (event.method === "Fetch.requestPaused") tell({ is: "paused", event: event.params })
      else if (event.method === "Network.responseReceived" && event.params.response.remoteIPAddress !== undefined)
        tell({ is: "came", address: event.params.response.remoteIPAddress })
    })
    yield* Effect.all(
      [
        send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
        send("Fetch.enable", {
          patterns: [
            { urlPattern: "*", requestStage: "Request" },
            { urlPattern: "*", requestStage: "Response" }
          ]
        }),
        send("Runtime.runIfWaitingForDebugger")
      ],
      { concurrency: "unbounded", discard: true }
    )
    yield* Effect.forkScoped(
      Effect.map(
        send("Page.navigate", {
          url,
          ...(request.referrer === undefined
            ? {}
            : { referrer: request.referrer, referrerPolicy: "strictOriginWhenCrossOrigin" as const })
        }),
        (reply) => tell({ is: "answered", reply })
      ).pipe(Effect.ignore),
      { startImmediately: true }
    )

    let promised: Promised | undefined
    let received = 0
    let reported = yield* Clock.currentTimeMillis
    const progress = (received: number) =>
      Effect.gen(function* () {
        request.onProgress?.({ received, total: promised?.length })
        if (received > maxBytes) return yield* new DownloadTooLarge({ url, limit: maxBytes })
        const now = yield* Clock.currentTimeMillis
        if (now - reported < reportMs) return
        reported = now
        yield* report(
          `downloaded ${inUnits(received)}${promised?.length === undefined ? "" : ` of ${inUnits(promised.length)}`}`
        )
      })
    const failed = (reason: string) => new DownloadFailed({ url, reason })

    while (true) {
      const step = yield* Queue.take(steps)
      switch (step.is) {
        case "paused": {
          const decision = decide(step.event, admission, maxBytes)
          const { requestId } = step.event
          if (decision.do === "fail") {
            yield* Effect.ignore(send("Fetch.failRequest", { requestId, errorReason: "Aborted" }))
            return yield* decision.error
          }
          if (decision.do === "continue") {
            // a request that has gone meanwhile is told by what follows
            yield* Effect.ignore(send("Fetch.continueRequest", { requestId }))
            break
          }
          promised = decision.promised
          request.onProgress?.({ received: 0, total: promised.length })
          if (!options.direct) {
            const { stream } = yield* send("Fetch.takeResponseBodyAsStream", { requestId })
            return yield* readStream(options, page, stream, promised, progress)
          }
          // together with the command: whoever is interrupted before it is sent has a response that stays stopped
          yield* Effect.suspend(() => {
            letThrough = true
            return send("Fetch.continueResponse", {
              requestId,
              responseCode: step.event.responseStatusCode ?? 200,
              responseHeaders: asAttachment(step.event)
            })
          })
          break
        }
        case "answered": {
          const { errorText, isDownload } = step.reply
          if (errorText === undefined || errorText === "") break
          if (isDownload === true && errorText === "net::ERR_ABORTED") break
          return yield* failed(errorText)
        }
        case "came": {
          const verdict = admission.document(promised?.url ?? url, step.address)
          if (!verdict.admitted) return yield* failed(verdict.reason)
          break
        }
        case "progress": {
          if (saving === undefined) break
          const { state, receivedBytes, totalBytes } = step.event
          yield* progress(receivedBytes)
          received = Math.max(received, receivedBytes)
          if (state === "canceled") {
            return yield* failed(cutShort(Math.max(received, receivedBytes), totalBytes || (promised?.length ?? 0)))
          }
          if (state === "completed") {
            if (totalBytes > 0 && receivedBytes !== totalBytes) {
              return yield* failed(`${receivedBytes} of ${totalBytes} bytes came`)
            }
            return {
              file: join(folder.path, saving.guid),
              name: saving.name,
              bytes: receivedBytes,
              url: promised?.url ?? url,
              ...(promised?.mimeType === undefined ? {} : { mimeType: promised.mimeType })
            }
          }
          break
        }
      }
    }
  })

/** Writes what the browser hands over to a file of ours. */
const readStream = (
  { connection, targets }: DownloadingOptions,
  page: AttachedPage,
  handle: string,
  promised: Promised,
  progress: (received: number) => Effect.Effect<void, DownloadTooLarge>
) =>
  Effect.gen(function* () {
    const { bytes, file } = yield* saveStream(
      { connection, sessionId: page.sessionId, folder: targets.downloads, handle },
      progress
    )
    if (promised.length !== undefined && promised.length !== bytes) {
      return yield* new DownloadFailed({ url: promised.url, reason: `${bytes} of ${promised.length} bytes came` })
    }
    return {
      file,
      name: promised.name,
      bytes,
      url: promised.url,
      ...(promised.mimeType === undefined ? {} : { mimeType: promised.mimeType })
    }
  }).pipe(
    Effect.catchTag("PlatformError", (error) =>
      Effect.fail(new DownloadFailed({ url: promised.url, reason: `it could not be written (${error.reason._tag})` }))
    )
  )
