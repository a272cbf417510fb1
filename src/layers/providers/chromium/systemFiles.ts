/** Which libraries and fonts the machine has, as far as the embedded browser needs them. */
import { readdir } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { Effect, FileSystem } from "effect"

/** What the cryptographic part of NSS is linked against in turn. */
export const sqliteLibrary = "libsqlite3.so.0"

/** Libraries that the embedded browser needs and that bare systems lack. */
export const neededLibraries = ["libnss3.so", "libnspr4.so", "libnssutil3.so", "libexpat.so.1", sqliteLibrary] as const

/** Where the loader looks on the usual distributions (x64). */
const libraryFolders = [
  "/lib",
  "/usr/lib",
  "/lib64",
  "/usr/lib64",
  "/lib/x86_64-linux-gnu",
  "/usr/lib/x86_64-linux-gnu",
  "/usr/local/lib",
  "/usr/local/lib64"
]

/** Needed libraries that none of the folders holds; empty if the machine has all of them. */
export const missingLibraries: Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem> = Effect.gen(
  function* () {
    const files = yield* FileSystem.FileSystem
    const further = (process.env["LD_LIBRARY_PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"))
    const folders = [...further, ...libraryFolders]
    return yield* Effect.filter(neededLibraries, (library) =>
      Effect.gen(function* () {
        for (const folder of folders) {
          const found = yield* files.exists(join(folder, library)).pipe(Effect.orElseSucceed(() => false))
          if (found) return false
        }
        return true
      })
    )
  }
)

const fontFile = /\.(ttf|otf|ttc|otc|pfb|pcf|pcf\.gz|woff2?)$/i

const holdsFont = (folder: string, depth: number): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const entries = yield* Effect.tryPromise(() => readdir(folder, { withFileTypes: true })).pipe(
      Effect.orElseSucceed(() => [])
    )
    if (entries.some((entry) => !entry.isDirectory() && fontFile.test(entry.name))) return true
    if (depth === 0) return false
    for (const entry of entries) {
      if (entry.isDirectory() && (yield* holdsFont(join(folder, entry.name), depth - 1))) return true
    }
    return false
  })

/** Whether text can be drawn with the machine's fonts: a configuration and at least one font. */
export const systemHasFonts: Effect.Effect<boolean, never, FileSystem.FileSystem> = Effect.gen(function* () {
  // Somebody has set up fonts on purpose.
  if (process.env["FONTCONFIG_FILE"] || process.env["FONTCONFIG_PATH"]) return true
  const files = yield* FileSystem.FileSystem
  const configured = yield* files.exists("/etc/fonts/fonts.conf").pipe(Effect.orElseSucceed(() => false))
  if (!configured) return false
  const home = homedir()
  const folders = ["/usr/share/fonts", "/usr/local/share/fonts", join(home, ".fonts"), join(home, ".local/share/fonts")]
  for (const folder of folders) if (yield* holdsFont(folder, 4)) return true
  return false
})
