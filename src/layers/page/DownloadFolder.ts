/** Where a browser puts what it downloads, before it is moved to its place. */
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem, type Scope } from "effect"
import type { BrowserContextId } from "../../schemas/ids.ts"
import type { CdpConnection } from "../../services/CdpConnection.ts"
import { within } from "../../services/Timeouts.ts"
import { secretName } from "../cdp/secretName.ts"
import { freeName } from "./downloadName.ts"

export interface DownloadFolder {
  /** Absolute; made by the browser when the first file comes. */
  readonly path: string
  /** Removes a file of the folder, half of one too. Never fails. */
  readonly remove: (name: string) => Effect.Effect<void>
  /**
   * Moves a file of the folder, under another name if that one is taken; folders on the way are made. Yields where it
   * is; undefined if the system refuses.
   */
  readonly move: (name: string, target: string) => Effect.Effect<string | undefined>
}

/**
 * A name that nobody can guess in `parent` (absent: the temporary folder); what is in it goes with the scope. A browser of
 * our own has a folder of its own there, which goes also when this process is killed.
 */
export const acquireDownloadFolder = (parent = tmpdir()): Effect.Effect<DownloadFolder, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const real = yield* Effect.orElseSucceed(fs.realPath(parent), () => parent)
    const path = join(real, `effect-browser-downloads-${secretName()}`)
    const remove = (place: string) => Effect.ignoreCause(fs.remove(place, { recursive: true, force: true }))
    yield* Effect.addFinalizer(() => remove(path))
    return {
      path,
      remove: (name: string) => Effect.andThen(remove(join(path, name)), remove(join(path, `${name}.crdownload`))),
      move: Effect.fnUntraced(
        function* (name: string, target: string) {
          const source = join(path, name)
          const parent = dirname(target)
          yield* fs.makeDirectory(parent, { recursive: true })
          const present = new Set(yield* fs.readDirectory(parent))
          const place = join(
            parent,
            freeName(basename(target), (one) => present.has(one))
          )
          // a rename does not reach another file system
          yield* Effect.catch(fs.rename(source, place), () =>
            Effect.andThen(fs.copyFile(source, place), remove(source))
          )
          return place
        },
        Effect.orElseSucceed(() => undefined)
      )
    }
  }).pipe(Effect.provide(NodeFileSystem.layer))

/** Ends a download that nobody waits for, and removes what came of it. Never fails. */
export const cancelDownload = (
  connection: CdpConnection["Service"],
  folder: DownloadFolder,
  guid: string,
  browserContextId: BrowserContextId | undefined
): Effect.Effect<void> =>
  connection
    .command("Browser.cancelDownload", { guid, ...(browserContextId === undefined ? {} : { browserContextId }) })
    .pipe(within("cancelling a download", 1_000), Effect.ignore, Effect.andThen(folder.remove(guid)))
