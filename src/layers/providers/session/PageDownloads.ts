/** Downloads that pages start by themselves: saved by the browser within limits, then given their names. */
import type { Protocol } from "devtools-protocol"
import { join } from "node:path"
import { Effect, FiberSet, type Scope } from "effect"
import type { Admission } from "../../page/admission.ts"
import { freeName, safeName } from "../../page/downloadName.ts"
import { cutShort, inUnits } from "../../page/downloadSteps.ts"
import type { DownloadModel } from "../../page/BegunDownloads.ts"
import type { PageModel } from "../../page/PageModel.ts"
import type { CdpSessionOptions } from "./CdpSessionOptions.ts"

/** Downloads of a session at the most; a page that begins more gets them refused. */
export const maxDownloads = 100

/** What a page began to download, and what is known of it. */
type Change = (change: Partial<Omit<DownloadModel, "seq">>) => void

interface Running {
  readonly change: Change
  readonly path: string
  /** bytes, as far as the browser told before the end */
  received: number
  total: number
}

export interface PageDownloads {
  /** A page of the session began a download. Called by the reader. */
  readonly began: (model: PageModel, event: Protocol.Browser.DownloadWillBeginEvent) => void
}

/** Follows the downloads of a session until the scope closes; those that still run then are cancelled. */
export const makePageDownloads = (
  { connection, config, targets, browserContextId }: CdpSessionOptions,
  admission: Admission
): Effect.Effect<PageDownloads, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { downloads: folder } = targets
    const react = yield* FiberSet.makeRuntime()
    const running = new Map<string, Running>()
    const taken = new Set<string>()
    let count = 0

    const cancel = (guid: string) =>
      Effect.andThen(
        Effect.ignore(
          connection.command(
            "Browser.cancelDownload",
            { guid, ...(browserContextId === undefined ? {} : { browserContextId }) },
            { timeout: 2_000 }
          )
        ),
        folder.remove(guid)
      )

    const refuse = (guid: string, change: Change, reason: string): void => {
      running.delete(guid)
      change({ state: "refused", reason })
      react(cancel(guid))
    }

    const over = (received: number): string | undefined =>
      received > config.downloadMaxBytes ? `it is larger than ${inUnits(config.downloadMaxBytes)}` : undefined

    /** A path of its own for each; what is on the disk already is found when the file is moved there. */
    const placeFor = (guid: string, suggested: string): string => {
      const parent = config.downloadDir ?? join(folder.path, guid.slice(0, 8))
      const name = freeName(safeName(suggested), (one) => taken.has(join(parent, one)))
      const path = join(parent, name)
      taken.add(path)
      return path
    }

    yield* connection.listen(undefined, (event) => {
      if (event.method !== "Browser.downloadProgress") return
      const { guid, receivedBytes, state, totalBytes } = event.params
      const download = running.get(guid)
      if (download === undefined) return
      const { change, path } = download
      download.received = Math.max(download.received, receivedBytes)
      download.total = Math.max(download.total, totalBytes)
      const tooLarge = over(receivedBytes)
      if (tooLarge !== undefined) return refuse(guid, change, tooLarge)
      if (state === "canceled") {
        running.delete(guid)
        change({ state: "failed", reason: cutShort(download.received, download.total) })
        react(folder.remove(guid))
      } else if (state === "completed") {
        running.delete(guid)
        react(
          Effect.map(folder.move(guid, path), (moved) =>
            change(
              moved === undefined
                ? { state: "failed", reason: "it could not be moved to its place" }
                : { state: "saved", path: moved, bytes: receivedBytes }
            )
          )
        )
      }
    })
    yield* Effect.addFinalizer(() => Effect.forEach([...running.keys()], cancel, { concurrency: 10, discard: true }))

    return {
      began: (model, { guid, url, suggestedFilename }) => {
        const shown = url.startsWith("data:") ? url.slice(0, 100) : url
        const path = placeFor(guid, suggestedFilename)
        const change = model.download({ url: shown, suggestedName: suggestedFilename, state: "running", path })
        running.set(guid, { change, path, received: 0, total: 0 })
        const verdict = admission.document(url)
        if (!verdict.admitted) refuse(guid, change, verdict.reason)
        else if (++count > maxDownloads)
          refuse(guid, change, `this session has begun ${maxDownloads} downloads already`)
      }
    }
  })
