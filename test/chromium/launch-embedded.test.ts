/** The embedded browser: unpacked by ourselves, with what a bare machine lacks. Linux on x64 only. */
import { readdirSync, truncateSync } from "node:fs"
import { createServer } from "node:https"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FileSystem } from "effect"
import { prepareEmbedded, unpackedFolder } from "../../src/layers/providers/chromium/embedded.ts"
import { embeddedPackage } from "../../src/layers/providers/chromium/embeddedPackage.ts"
import { launchChromium } from "../../src/layers/providers/chromium/launch.ts"
import { sqliteStandIn } from "../../src/layers/providers/chromium/sqliteStandIn.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import type { CdpSessionId } from "../../src/schemas/ids.ts"
import { selfSigned } from "../support/selfSignedCertificate.ts"
import { withVariable } from "../support/variables.ts"

const here = process.platform === "linux" && process.arch === "x64"

const thePackage = Effect.flatMap(embeddedPackage, (found) =>
  found === undefined ? Effect.die("the package is not installed") : Effect.succeed(found)
)

const secureServer = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer(selfSigned, (_, response) => response.end("secure"))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.callback<void>((resume) => {
      server.closeAllConnections()
      server.close(() => resume(Effect.void))
    })
).pipe(
  Effect.map((server) => {
    const address = server.address()
    return address !== null && typeof address === "object" ? address.port : 0
  })
)

describe.runIf(here)("the embedded browser", () => {
  it.live(
    "is unpacked whole by whoever comes first, again when it is damaged, and not at all when interrupted",
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const cache = `${yield* files.realPath(yield* files.makeTempDirectoryScoped())}/new/cache`
        const embedded = yield* thePackage
        const prepare = prepareEmbedded(embedded, ["/etc/passwd/no-folder", cache])

        const interrupted = yield* Effect.forkChild(prepare, { startImmediately: true })
        yield* Effect.sleep("400 millis")
        yield* Fiber.interrupt(interrupted)
        assert.deepStrictEqual(readdirSync(cache), [])

        const both = yield* Effect.all([prepare, prepare], { concurrency: "unbounded" })
        assert.strictEqual(both[0]?.executable, both[1]?.executable)
        assert.lengthOf(readdirSync(cache), 1)
        const folder = yield* unpackedFolder(embedded, [cache])
        assert.strictEqual(both[0]?.executable, `${folder}/headless_shell`)

        truncateSync(`${folder}/headless_shell`, 1000)
        assert.isUndefined(yield* unpackedFolder(embedded, [cache]))
        yield* prepare
        assert.strictEqual(yield* unpackedFolder(embedded, [cache]), folder)
        assert.lengthOf(readdirSync(cache), 1)
      }).pipe(Effect.provide(NodeFileSystem.layer)),
    { timeout: 90_000 }
  )

  it.live("is not taken from a folder that others can write to", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const cache = yield* files.makeTempDirectoryScoped()
      yield* files.chmod(cache, 0o777)
      const error = yield* Effect.flip(prepareEmbedded(yield* thePackage, [cache]))
      assert.strictEqual(error.code, "BROWSER_LAUNCH_FAILED")
      assert.include(error.message, "others may write to it")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.live(
    "runs with its own libraries and fonts, and checks certificates",
    () =>
      Effect.gen(function* () {
        const { executable } = yield* prepareEmbedded(yield* thePackage)
        const folder = executable.slice(0, executable.lastIndexOf("/"))
        // As on a machine that has neither the libraries nor fonts.
        yield* withVariable("LD_LIBRARY_PATH", `${folder}/lib:${folder}/lib-sqlite`)
        yield* withVariable("FONTCONFIG_FILE", `${folder}/fonts.conf`)
        const port = yield* secureServer
        const browser = yield* launchChromium({ ...defaultBrowserConfig.chromium, executablePath: executable })
        const { command } = browser.connection
        const { targetId } = yield* command("Target.createTarget", { url: "about:blank" })
        const attached = yield* command("Target.attachToTarget", { targetId, flatten: true })
        const session = { sessionId: attached.sessionId as CdpSessionId }

        const expression = `new FontFace("own", "local('OpenSans-Regular')").load().then(() => "there", () => "missing")`
        const { result } = yield* command("Runtime.evaluate", { expression, awaitPromise: true }, session)
        assert.strictEqual(result.value, "there")

        const { errorText } = yield* command("Page.navigate", { url: `https://localhost:${port}/` }, session)
        assert.strictEqual(errorText, "net::ERR_CERT_AUTHORITY_INVALID")
      }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)),
    { timeout: 60_000 }
  )

  it.live("has a stand-in for SQLite that the system's loader accepts", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = `${yield* files.makeTempDirectoryScoped()}/libsqlite3.so.0`
      yield* files.writeFile(path, sqliteStandIn())
      // Node loads it and then finds that it is no module of Node's.
      assert.throws(() => process.dlopen({ exports: {} }, path), /did not self-register/)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
