/** Temporary folders of processes that are started here: one for all that such a process leaves, gone with it. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, FileSystem, Schedule } from "effect"
import { secretName } from "./secretName.ts"

/** A name for a temporary folder that nothing has yet. `purpose` ends with a hyphen. */
export const newTemporaryFolder = (purpose: "" | "host-" = ""): string =>
  join(tmpdir(), `effect-browser-${purpose}${secretName().slice(0, 16)}`)

/**
 * Characters that the address of a Unix socket may have on all systems, less those of the socket that Chromium makes in
 * its temporary folder: "/org.chromium.Chromium.XXXXXX/SingletonSocket".
 */
const longestFolder = 103 - 46

/**
 * Variables that make the browser put its temporary files into `folder`, so that they are removed with it even if the
 * browser is killed. A folder whose name is too long for sockets stays out of it.
 */
export const temporaryFilesIn = (folder: string): Readonly<Record<string, string>> =>
  folder.length <= longestFolder ? { TMPDIR: folder } : {}

/** Removes a temporary folder, whether or not it is there. Never fails. */
export const removeTemporaryFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  yield* files.remove(folder, { recursive: true, force: true }).pipe(
    // The browser's last processes may still be writing.
    Effect.retry({ times: 30, schedule: Schedule.spaced("100 millis") }),
    Effect.catch((error) => Effect.logWarning(`The temporary folder ${folder} could not be removed`, error.message))
  )
})

/** Creates a temporary folder that only this user can read, and removes it when the scope closes. */
export const acquireTemporaryFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.acquireRelease(Effect.as(files.makeDirectory(folder, { mode: 0o700 }), folder), () =>
    removeTemporaryFolder(folder)
  )
})
