/** Giving files to a page: to its file input, or to the file chooser that a button opens. */
import { Deferred, Effect, Ref } from "effect"
import type { Protocol } from "devtools-protocol"
import { SelectorInvalid, SnapshotStale, UploadFailed, UploadNoInput } from "../../schemas/errors.ts"
import type { CdpSessionId, SnapshotId } from "../../schemas/ids.ts"
import type { FileQuery, FileTarget } from "../../schemas/page.ts"
import type { FileUpload, ReferenceError, TargetError } from "../../services/BrowserSession.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { within } from "../../services/Timeouts.ts"
import type { Agents, DocumentGone } from "./Agent.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Finder } from "./Finder.ts"
import type { Pointer, Pressed } from "./Pointer.ts"
import { withElement } from "./RemoteElements.ts"
import type { Tab } from "./Tab.ts"
import { endedAfter } from "../../services/endings.ts"

/** A button opens its file chooser within so many ms, if at all. */
const chooserMs = 3_000

type UploadError = CdpError | ReferenceError | TargetError | SelectorInvalid | UploadNoInput | UploadFailed

interface Target {
  readonly frame: FrameModel
  readonly found: Extract<FileTarget, { readonly is: "input" | "button" }>
}

interface Chooser {
  readonly event: Protocol.Page.FileChooserOpenedEvent
  readonly sessionId: CdpSessionId
}

export class Uploads {
  private readonly tab: Tab
  private readonly agents: Agents
  private readonly finder: Finder
  private readonly pointer: Pointer
  constructor(tab: Tab, agents: Agents, finder: Finder, pointer: Pointer) {
    this.tab = tab
    this.agents = agents
    this.finder = finder
    this.pointer = pointer
  }

  /**
   * Gives the files to the input that `upload` names; where it names a button, that is pressed, and the file chooser
   * that opens gets them. `begun` is called before the page can notice. Yields what took the files.
   */
  readonly upload = (upload: FileUpload, begun: () => void): Effect.Effect<string, UploadError> =>
    Effect.gen({ self: this }, function* () {
      const { frame, found } = yield* this.target(upload)
      if (found.is === "input") {
        if (found.disabled) return yield* new UploadFailed({ reason: `${found.description} is disabled` })
        yield* refuseSeveral(upload, found.multiple, found.description)
        begun()
        yield* withElement(this.tab, this.agents, frame, found.k, (objectId, context) =>
          this.give(frame, objectId, context, upload)
        )
      } else {
        begun()
        yield* this.choose(frame, found, upload)
      }
      return found.description
    }).pipe(
      Effect.catchTag("DocumentGone", () =>
        Effect.fail(new UploadFailed({ reason: "the page was replaced meanwhile" }))
      )
    )

  private target(upload: FileUpload): Effect.Effect<Target, UploadError | DocumentGone> {
    return Effect.gen({ self: this }, function* () {
      if (upload.snapshotId !== undefined && upload.ref !== undefined) {
        const { snapshotId, ref } = upload
        const { frame, key, fp } = yield* this.finder.byReference(snapshotId, ref)
        const found = yield* this.agents.call(frame, "fileTarget", { key, fp: fp ?? 0 })
        return yield* this.accept(frame, found, `reference ${ref}`, { snapshotId, ref })
      }
      const query: FileQuery = { selector: upload.selector }
      const hidden: Array<string> = []
      for (const frame of this.finder.inOrder()) {
        const found = yield* this.agents.call(frame, "fileTarget", query).pipe(
          // a frame that cannot be searched hides nothing from the others
          Effect.catch((error) =>
            frame.id === this.tab.model.mainFrameId
              ? Effect.fail(error)
              : Effect.succeed<FileTarget>({ is: "none", candidates: [] })
          )
        )
        if (found.is === "none") hidden.push(...found.candidates)
        else return yield* this.accept(frame, found, upload.selector)
      }
      const near = hidden.length === 0 ? "" : ` (${hidden.slice(0, 4).join("; ")})`
      return yield* new UploadNoInput({ selector: `${upload.selector}${near}` })
    })
  }

  private accept(
    frame: FrameModel,
    found: FileTarget,
    name: string,
    reference?: { readonly snapshotId: SnapshotId; readonly ref: number }
  ): Effect.Effect<Target, UploadNoInput | UploadFailed | SelectorInvalid | SnapshotStale> {
    switch (found.is) {
      case "input":
      case "button":
        return Effect.succeed({ frame, found })
      case "none":
        return Effect.fail(new UploadNoInput({ selector: name }))
      case "several":
        return Effect.fail(
          new UploadFailed({
            reason: `${name} means ${found.total} file inputs: ${found.candidates.join("; ")}${found.total > found.candidates.length ? "; and others" : ""}`
          })
        )
      case "invalid":
        return Effect.fail(new SelectorInvalid({ selector: name, reason: found.reason }))
      case "stale":
        return reference === undefined
          ? Effect.fail(new UploadFailed({ reason: found.reason }))
          : Effect.fail(new SnapshotStale({ ...reference, reason: found.reason }))
    }
  }

  /** Sets the files and makes sure that the input has or had them: a path that is gone is taken silently (fact 82). */
  private give(frame: FrameModel, objectId: string, executionContextId: number, upload: FileUpload) {
    return Effect.gen({ self: this }, function* () {
      const { result } = yield* this.tab.send(
        "Runtime.callFunctionOn",
        {
          functionDeclaration: "function (input) { return globalThis.__effectBrowser.watchFiles(input) }",
          arguments: [{ objectId }],
          executionContextId,
          returnByValue: true
        },
        frame
      )
      yield* this.tab.send("DOM.setFileInputFiles", { files: [...upload.files], objectId }, frame)
      const taken = yield* this.agents.call(frame, "filesTaken", { watch: Number(result.value) }).pipe(
        // a page that goes on at once has taken them
        Effect.catchTag("DocumentGone", () => Effect.succeed(undefined))
      )
      if (taken !== undefined && taken.names.length < upload.files.length) {
        return yield* new UploadFailed({
          reason: `the file input took ${taken.names.length} of ${upload.files.length} files`
        })
      }
    })
  }

  /** Presses a button with the browser's own file chooser kept away, and answers that chooser. */
  private choose(frame: FrameModel, button: Target["found"], upload: FileUpload) {
    const intercept = (enabled: boolean) =>
      Effect.forEach(
        new Set([this.tab.sessionId, frame.sessionId]),
        (sessionId) => this.tab.connection.command("Page.setInterceptFileChooserDialog", { enabled }, { sessionId }),
        { concurrency: "unbounded", discard: true }
      )
    return Effect.gen({ self: this }, function* () {
      const opened = yield* Deferred.make<Chooser>()
      yield* this.tab.connection.listen("all", (event) => {
        if (event.method !== "Page.fileChooserOpened" || event.sessionId === undefined) return
        if (event.sessionId !== this.tab.sessionId && event.sessionId !== frame.sessionId) return
        Deferred.doneUnsafe(opened, Effect.succeed({ event: event.params, sessionId: event.sessionId }))
      })
      yield* Effect.acquireRelease(intercept(true), () => Effect.ignore(within("stop", 1_000)(intercept(false))), {
        interruptible: true
      })
      const pressed = yield* Ref.make<Pressed | undefined>(undefined)
      yield* this.pointer.pressElement({ frame, key: button.k, description: button.description }, {}, pressed)
      const chooser = yield* Deferred.await(opened).pipe(
        endedAfter(chooserMs, () =>
          Effect.fail(
            new UploadFailed({
              reason: `${button.description} is no file input and has none; it was pressed, and no file chooser opened within ${chooserMs} ms`
            })
          )
        )
      )
      yield* this.answer(chooser, button.description, upload)
    }).pipe(Effect.scoped)
  }

  private answer({ event, sessionId }: Chooser, name: string, upload: FileUpload) {
    return Effect.gen({ self: this }, function* () {
      yield* refuseSeveral(upload, event.mode === "selectMultiple", name)
      if (event.backendNodeId === undefined) {
        return yield* new UploadFailed({ reason: "the file chooser belongs to no file input" })
      }
      const known = [...this.tab.model.frames.values()].find((one) => one.id === event.frameId)
      const frame = known ?? { ...this.tab.model.main, sessionId }
      const executionContextId = yield* this.agents.context(frame)
      const { object } = yield* this.tab.send(
        "DOM.resolveNode",
        { backendNodeId: event.backendNodeId, executionContextId },
        frame
      )
      if (object.objectId === undefined) return yield* new UploadFailed({ reason: "the file input is gone" })
      yield* this.give(frame, object.objectId, executionContextId, upload)
      this.tab.model.chooser = undefined
    })
  }
}

const refuseSeveral = (upload: FileUpload, multiple: boolean, name: string): Effect.Effect<void, UploadFailed> =>
  upload.files.length > 1 && !multiple
    ? Effect.fail(new UploadFailed({ reason: `${name} takes one file only; ${upload.files.length} were given` }))
    : Effect.void
