/**
 * Makes the embedded browser ready: unpacks it once per version and says what it needs around it on this machine.
 *
 * Everything of one version is written into a new folder, synced, and then renamed to its final name at once. So
 * several processes may unpack at the same time, and one that is killed meanwhile leaves nothing that looks complete.
 */
import { randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { access, constants, readFile } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { brotliDecompress, createBrotliDecompress } from "node:zlib"
import { Clock, Effect, FileSystem, Option, Schema } from "effect"
import { LaunchFailed } from "../../../schemas/errors.ts"
import { type EmbeddedPackage, embeddedArchives } from "./embeddedPackage.ts"
import { sqliteStandIn } from "./sqliteStandIn.ts"
import { missingLibraries, sqliteLibrary, systemHasFonts } from "./systemFiles.ts"
import { readTar } from "./tar.ts"

/** A browser that can be started. */
export interface PreparedBrowser {
  readonly executable: string
  /** variables that its process needs beside the inherited ones */
  readonly environment: Readonly<Record<string, string>>
}

const executableName = "headless_shell"
const markerName = "complete.json"
const standInFolder = "lib-sqlite"

/** Goes up whenever what is written beside the files of the package changes. */
const layout = 2

/** Written last: names every file with its size, so that a folder that was half cleaned away is not taken for whole. */
const Marker = Schema.fromJsonString(
  Schema.Struct({ version: Schema.String, files: Schema.Record(Schema.String, Schema.Natural) })
)

/** Where the browser may be unpacked, best first: beside the packages, the user's cache, the temporary folder. */
export const cacheFolders = (facts: {
  readonly packageFolder: string
  readonly cacheHome: string | undefined
  readonly home: string
  readonly temporary: string
  readonly user: number | string
}): ReadonlyArray<string> => [
  join(dirname(dirname(facts.packageFolder)), ".cache", "effect-browser"),
  join(facts.cacheHome?.startsWith("/") === true ? facts.cacheHome : join(facts.home, ".cache"), "effect-browser"),
  join(facts.temporary, `effect-browser-${facts.user}`)
]

const foldersHere = (embedded: EmbeddedPackage) =>
  cacheFolders({
    packageFolder: embedded.folder,
    cacheHome: process.env["XDG_CACHE_HOME"],
    home: homedir(),
    temporary: tmpdir(),
    user: process.getuid?.() ?? "user"
  })

const versionFolder = (cache: string, embedded: EmbeddedPackage) =>
  join(cache, `chromium-${embedded.version}-x64-${layout}`)

/** Nobody else may have been able to put a program of theirs there. */
const isTrusted = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const info = yield* files.lstat(folder).pipe(Effect.option)
  if (Option.isNone(info) || info.value.type !== "Directory") return false
  const owner = Option.getOrUndefined(info.value.uid)
  return (owner === process.getuid?.() || owner === 0) && (info.value.mode & 0o022) === 0
})

const isComplete = Effect.fnUntraced(
  function* (folder: string, embedded: EmbeddedPackage) {
    const files = yield* FileSystem.FileSystem
    if (!(yield* isTrusted(folder)) || !(yield* isTrusted(dirname(folder)))) return false
    const marker = yield* Schema.decodeEffect(Marker)(yield* files.readFileString(join(folder, markerName)))
    if (marker.version !== embedded.version) return false
    for (const [path, size] of Object.entries(marker.files)) {
      const info = yield* files.stat(join(folder, path))
      if (Number(info.size) !== size) return false
    }
    return true
  },
  Effect.orElseSucceed(() => false)
)

/** The folder in which the embedded browser lies unpacked; undefined if it is not. */
export const unpackedFolder = Effect.fnUntraced(function* (
  embedded: EmbeddedPackage,
  caches: ReadonlyArray<string> = foldersHere(embedded)
) {
  for (const cache of caches) {
    const folder = versionFolder(cache, embedded)
    if (yield* isComplete(folder, embedded)) return folder
  }
  return undefined
})

/** Makes a new folder inside `cache` if that is possible and a program could be executed there. */
const makeWorkFolder = Effect.fnUntraced(function* (cache: string) {
  const files = yield* FileSystem.FileSystem
  // Readable for others: an image may be built as root and run as somebody else.
  yield* files.makeDirectory(cache, { recursive: true, mode: 0o755 })
  if (!(yield* isTrusted(cache))) return yield* Effect.fail("it belongs to another user, or others may write to it")
  const folder = join(cache, `.unpack-${process.pid}-${randomBytes(6).toString("hex")}`)
  yield* files.makeDirectory(folder, { mode: 0o755 })
  const probe = join(folder, "probe")
  yield* files.writeFileString(probe, "", { mode: 0o755 })
  // Fails on file systems that are mounted "noexec", which `stat` does not show.
  yield* Effect.tryPromise(() => access(probe, constants.X_OK)).pipe(
    Effect.mapError(() => "programs cannot be executed there"),
    Effect.tapError(() => Effect.ignore(files.remove(folder, { recursive: true })))
  )
  yield* files.remove(probe)
  return folder
})

/** Removes what processes left behind that were killed while unpacking. */
const removeLeftovers = Effect.fnUntraced(
  function* (cache: string) {
    const files = yield* FileSystem.FileSystem
    const old = (yield* Clock.currentTimeMillis) - 3_600_000
    for (const name of yield* files.readDirectory(cache)) {
      if (!name.startsWith(".unpack-")) continue
      const path = join(cache, name)
      const modified = Option.getOrUndefined((yield* files.stat(path)).mtime)
      if (modified !== undefined && modified.getTime() < old) yield* files.remove(path, { recursive: true })
    }
  },
  (removal) => Effect.ignore(removal)
)

const inflateArchive = Effect.fnUntraced(function* (archive: string, folder: string) {
  const files = yield* FileSystem.FileSystem
  const entries = yield* Effect.tryPromise(async () =>
    readTar(await promisify(brotliDecompress)(await readFile(archive)))
  )
  for (const entry of entries) {
    const path = join(folder, entry.path)
    yield* files.makeDirectory(dirname(path), { recursive: true })
    yield* files.writeFile(path, entry.data, { mode: 0o644, flag: "w" })
  }
  return entries.map((entry): readonly [string, number] => [entry.path, entry.data.length])
})

/** Streams, because the browser has 200 MB; interruption ends it. */
const inflateExecutable = Effect.fnUntraced(function* (archive: string, target: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.tryPromise((signal) =>
    pipeline(
      createReadStream(archive, { highWaterMark: 1 << 20 }),
      createBrotliDecompress({ chunkSize: 1 << 20 }),
      createWriteStream(target, { flags: "wx", mode: 0o755, flush: true, highWaterMark: 1 << 22 }),
      { signal }
    )
  )
  yield* files.chmod(target, 0o755)
  return Number((yield* files.stat(target)).size)
})

/** Fonts of the machine first, then those of the package. Paths are relative, so that the folder may be moved. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <dir>~/.fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

const fill = Effect.fnUntraced(function* (folder: string, embedded: EmbeddedPackage) {
  const files = yield* FileSystem.FileSystem
  const archive = (name: keyof typeof embeddedArchives) => join(embedded.folder, "bin", embeddedArchives[name])
  const [size, ...written] = yield* Effect.all(
    [
      inflateExecutable(archive("executable"), join(folder, executableName)),
      inflateArchive(archive("libraries"), folder),
      inflateArchive(archive("fonts"), folder),
      // The browser looks for its software renderer beside itself.
      inflateArchive(archive("graphics"), folder)
    ],
    { concurrency: "unbounded" }
  )
  yield* files.writeFileString(join(folder, "fonts.conf"), fontConfiguration)
  const standIn = sqliteStandIn()
  yield* files.makeDirectory(join(folder, standInFolder))
  yield* files.writeFile(join(folder, standInFolder, "libsqlite3.so.0"), standIn)
  const marker = yield* Schema.encodeEffect(Marker)({
    version: embedded.version,
    files: Object.fromEntries([
      [executableName, size],
      ...written.flat().filter(([path]) => path !== "fonts.conf"),
      ["fonts.conf", fontConfiguration.length],
      [`${standInFolder}/libsqlite3.so.0`, standIn.length]
    ])
  })
  const file = yield* files.open(join(folder, markerName), { flag: "wx", mode: 0o644 })
  yield* file.writeAll(new TextEncoder().encode(marker))
  yield* file.sync
})

/** Gives the finished folder its final name; another process may have been first, and then its folder is used. */
const publish = Effect.fnUntraced(function* (work: string, target: string, embedded: EmbeddedPackage) {
  const files = yield* FileSystem.FileSystem
  const rename = files.rename(work, target)
  yield* rename.pipe(
    Effect.catch((error) =>
      Effect.gen(function* () {
        if (yield* isComplete(target, embedded)) return
        // Something incomplete has the name: moved away whole, so that nobody sees it half removed.
        const aside = `${work}-old`
        yield* files.rename(target, aside).pipe(Effect.mapError(() => error))
        yield* rename.pipe(
          Effect.catch((again) =>
            Effect.flatMap(isComplete(target, embedded), (complete) => (complete ? Effect.void : Effect.fail(again)))
          )
        )
        yield* Effect.ignore(files.remove(aside, { recursive: true }))
      })
    )
  )
})

const unpackInto = Effect.fnUntraced(function* (cache: string, embedded: EmbeddedPackage) {
  const files = yield* FileSystem.FileSystem
  const target = versionFolder(cache, embedded)
  yield* Effect.acquireUseRelease(
    makeWorkFolder(cache),
    (work) => Effect.scoped(fill(work, embedded)).pipe(Effect.andThen(publish(work, target, embedded))),
    (work) => Effect.ignore(files.remove(work, { recursive: true, force: true }))
  )
  yield* removeLeftovers(cache)
  return target
})

/** Unpacks the embedded browser where that has not been done, and gives the folder it lies in. */
const ensureUnpacked = Effect.fnUntraced(function* (embedded: EmbeddedPackage, caches: ReadonlyArray<string>) {
  const present = yield* unpackedFolder(embedded, caches)
  if (present !== undefined) return present
  const problems: Array<string> = []
  for (const cache of caches) {
    const folder = yield* unpackInto(cache, embedded).pipe(
      Effect.catch((error) => {
        const cause = error !== null && typeof error === "object" && "cause" in error ? error.cause : error
        problems.push(`${cache}: ${cause instanceof Error ? cause.message : String(cause)}`)
        return Effect.void
      })
    )
    if (folder !== undefined) return folder
  }
  return yield* new LaunchFailed({
    executable: embedded.folder,
    reason: `it could not be unpacked. ${problems.join("; ")}`
  })
})

/** Variables for a browser whose machine lacks libraries or fonts. */
export const embeddedEnvironment = (facts: {
  readonly folder: string
  readonly missingLibraries: ReadonlyArray<string>
  readonly fonts: boolean
  readonly libraryPath: string | undefined
}): Readonly<Record<string, string>> => ({
  ...(facts.missingLibraries.length === 0
    ? {}
    : {
        LD_LIBRARY_PATH: [
          join(facts.folder, "lib"),
          ...(facts.missingLibraries.includes(sqliteLibrary) ? [join(facts.folder, standInFolder)] : []),
          ...(facts.libraryPath ? [facts.libraryPath] : [])
        ].join(":")
      }),
  ...(facts.fonts ? {} : { FONTCONFIG_FILE: join(facts.folder, "fonts.conf") })
})

/**
 * Unpacks the embedded browser, if that has not been done, into the first of `caches` that can take it. Fails with
 * `LaunchFailed` if none can.
 */
export const prepareEmbedded = Effect.fn("Chromium.prepareEmbedded")(function* (
  embedded: EmbeddedPackage,
  caches: ReadonlyArray<string> = foldersHere(embedded)
) {
  const folder = yield* ensureUnpacked(embedded, caches)
  const prepared: PreparedBrowser = {
    executable: join(folder, executableName),
    environment: embeddedEnvironment({
      folder,
      missingLibraries: yield* missingLibraries,
      fonts: yield* systemHasFonts,
      libraryPath: process.env["LD_LIBRARY_PATH"]
    })
  }
  return prepared
})
