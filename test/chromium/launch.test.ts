import { mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { createServer } from "node:http"
import { hostname } from "node:os"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Scope } from "effect"
import { inspectChromium } from "../../src/layers/providers/chromium/doctor.ts"
import { launchChromium, type RunningChromium } from "../../src/layers/providers/chromium/launch.ts"
import { installedBrowsers } from "../../src/layers/providers/chromium/locate.ts"
import { type ChromiumConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"
import { groupMembers, listeningSockets, processesNaming } from "../support/browserProcesses.ts"
import { withVariable } from "../support/variables.ts"

const defaults = defaultBrowserConfig.chromium
const launch = (config: Partial<ChromiumConfig> = {}) => launchChromium({ ...defaults, ...config })

const temporaryFolder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeFileSystem.layer)
)

const loadedTitle = `new Promise((resolve) => {
  const look = () => document.readyState === "complete" && resolve(document.title)
  document.addEventListener("readystatechange", look)
  look()
})`

/** Opens a page and evaluates an expression in it. */
const evaluateIn = Effect.fnUntraced(function* (browser: RunningChromium, url: string, expression: string) {
  const { command } = browser.connection
  const { targetId } = yield* command("Target.createTarget", { url: "about:blank" })
  const { sessionId } = yield* command("Target.attachToTarget", { targetId, flatten: true })
  const session = { sessionId: sessionId as NonNullable<NonNullable<Parameters<typeof command>[2]>["sessionId"]> }
  const { errorText } = yield* command("Page.navigate", { url }, session)
  if (errorText !== undefined) return errorText
  const { result } = yield* command(
    "Runtime.evaluate",
    { expression, returnByValue: true, awaitPromise: true },
    session
  )
  return result.value as unknown
})

const nothingIsLeft = (pid: number, profile: string) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(groupMembers(pid), [])
    assert.deepStrictEqual(processesNaming(profile), [])
    const files = yield* FileSystem.FileSystem
    assert.isFalse(yield* files.exists(profile))
  }).pipe(Effect.provide(NodeFileSystem.layer))

describe("a launched browser", { timeout: 60_000 }, () => {
  it.live("opens no port, paints nothing of its own, and leaves nothing behind when its scope closes", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withVariable("TMPDIR", folder)
      const { pid, profile } = yield* Effect.scoped(
        Effect.gen(function* () {
          const browser = yield* launch()
          assert.match(browser.version.product, /^(Headless)?Chrome\/\d+/)
          const { targetInfos } = yield* browser.connection.command("Target.getTargets")
          assert.deepStrictEqual(
            targetInfos.filter(({ type }) => type === "page"),
            []
          )
          yield* evaluateIn(browser, "data:text/html,x", "1")
          const group = groupMembers(browser.pid)
          assert.isAtLeast(group.length, 3)
          assert.deepStrictEqual(listeningSockets([...group, ...processesNaming(browser.profile)]), [])
          return browser
        })
      )
      yield* nothingIsLeft(pid, profile)
      assert.deepStrictEqual(readdirSync(folder), [])
    })
  )

  it.live("loads no pages of its own beside a new tab", () =>
    Effect.gen(function* () {
      const { command } = (yield* launch()).connection
      const { browserContextId } = yield* command("Target.createBrowserContext", {})
      const made = yield* command("Target.createTarget", { url: "about:blank", newWindow: true, browserContextId })
      // every kind of target, also those that the browser keeps to itself unless they are asked for
      const { targetInfos } = yield* command("Target.getTargets", { filter: [{}] })
      assert.include(
        targetInfos.map(({ targetId }) => targetId),
        made.targetId
      )
      assert.deepStrictEqual(
        targetInfos.map(({ url }) => url).filter((url) => /^(chrome|devtools)/.test(url)),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("comes from each source that this machine has", () =>
    Effect.gen(function* () {
      const product = (config: Partial<ChromiumConfig>) =>
        Effect.scoped(Effect.map(launch(config), ({ source, version }) => [source, version.product.split("/")[0]]))
      const [installed] = yield* installedBrowsers.pipe(Effect.provide(NodeFileSystem.layer))
      if (installed !== undefined) {
        assert.deepStrictEqual(yield* product({}), ["installed", "Chrome"])
        assert.deepStrictEqual(yield* product({ executablePath: installed }), ["configured", "Chrome"])
        yield* withVariable("CHROME_PATH", installed)
        assert.deepStrictEqual(yield* product({}), ["environment", "Chrome"])
      } else {
        assert.deepStrictEqual(yield* product({}), ["embedded", "HeadlessChrome"])
      }
    })
  )

  it.live("says at once when it is killed, and is wholly gone when its scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const browser = yield* Scope.provide(launch(), scope)
      const waiting = yield* Effect.forkChild(browser.connection.closed, { startImmediately: true })
      process.kill(browser.pid, "SIGKILL")
      const { reason } = yield* Fiber.join(waiting).pipe(Effect.timeout("30 seconds"))
      assert.match(reason, /pipe/)
      assert.isTrue(browser.connection.isClosed())
      assert.deepStrictEqual(yield* browser.exited, { code: undefined, signal: "SIGKILL" })
      yield* Scope.close(scope, Exit.void)
      yield* nothingIsLeft(browser.pid, browser.profile)
    })
  )

  it.live("is ended when it does not end by itself", () =>
    Effect.gen(function* () {
      const browser = yield* Effect.scoped(
        Effect.tap(launch(), ({ pid }) => Effect.sync(() => process.kill(pid, "SIGSTOP")))
      )
      yield* nothingIsLeft(browser.pid, browser.profile)
    })
  )
})

describe("a launch", { timeout: 60_000 }, () => {
  it.live("that is interrupted at any moment leaves nothing behind", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withVariable("TMPDIR", folder)
      for (const ms of [0, 20, 60, 120, 250, 500]) {
        const fiber = yield* Effect.forkChild(Effect.scoped(Effect.andThen(launch(), Effect.never)), {
          startImmediately: true
        })
        yield* Effect.sleep(ms)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(processesNaming(folder), [], `interrupted after ${ms} ms`)
        assert.deepStrictEqual(readdirSync(folder), [], `interrupted after ${ms} ms`)
      }
    })
  )

  it.live("fails with what was tried when the configured path does not exist", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(launch({ executablePath: "/no/such/browser" })))
      assert.strictEqual(error.code, "BROWSER_NOT_FOUND")
      assert.include(error.message, "/no/such/browser")
    })
  )

  it.live("fails with the browser's last words when it ends at its start", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withVariable("TMPDIR", folder)
      const files = yield* FileSystem.FileSystem
      const script = `${folder}/browser`
      yield* files.writeFileString(script, "#!/bin/sh\necho 'no such thing as a page' >&2\nexit 3\n", { mode: 0o755 })
      const failed = yield* Effect.flip(Effect.scoped(launch({ executablePath: script })))
      assert.strictEqual(failed.code, "BROWSER_LAUNCH_FAILED")
      assert.include(failed.message, "exited with code 3. It said: no such thing as a page")
      yield* files.writeFileString(script, "#!/no/such/shell\n", { mode: 0o755 })
      const error = yield* Effect.flip(Effect.scoped(launch({ executablePath: script })))
      assert.strictEqual(error.code, "BROWSER_LAUNCH_FAILED")
      assert.deepStrictEqual(readdirSync(folder), ["browser"])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.live("that gets no answer ends at its limit", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withVariable("TMPDIR", folder)
      const files = yield* FileSystem.FileSystem
      const script = `${folder}/browser`
      yield* files.writeFileString(script, "#!/bin/sh\necho thinking >&2\nwhile :; do sleep 1; done\n", { mode: 0o755 })
      const error = yield* Effect.flip(Effect.scoped(launch({ executablePath: script, launchTimeoutMs: 700 })))
      assert.strictEqual(error.code, "BROWSER_OPERATION_TIMEOUT")
      assert.include(error.message, "thinking")
      assert.deepStrictEqual(processesNaming(script), [])
      assert.deepStrictEqual(readdirSync(folder), ["browser"])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.live("reaches loopback pages although every proxy variable names a dead proxy", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const listening = createServer((_, response) => response.end("<title>reached</title>"))
          listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
        }),
        (listening) =>
          Effect.callback<void>((resume) => {
            listening.closeAllConnections()
            listening.close(() => resume(Effect.void))
          })
      )
      const address = server.address()
      const port = address !== null && typeof address === "object" ? address.port : 0
      const dead = "http://127.0.0.1:9"
      for (const name of ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
        yield* withVariable(name, dead)
      }
      yield* withVariable("no_proxy", undefined)
      yield* withVariable("NO_PROXY", undefined)
      yield* withVariable("NODE_USE_ENV_PROXY", "1")
      const browser = yield* launch()
      for (const host of ["127.0.0.1", "localhost"]) {
        assert.strictEqual(yield* evaluateIn(browser, `http://${host}:${port}/`, loadedTitle), "reached")
      }
    }).pipe(Effect.scoped)
  )
})

describe("a given profile", { timeout: 90_000 }, () => {
  it.live("is created, kept, and used again with what it held", () =>
    Effect.gen(function* () {
      const profile = `${yield* temporaryFolder}/new/profile`
      const cookie = { name: "kept", value: "yes", domain: "example.test", path: "/", expires: 2_000_000_000 }
      yield* Effect.scoped(
        Effect.flatMap(launch({ profile }), ({ connection }) =>
          connection.command("Storage.setCookies", { cookies: [cookie] })
        )
      )
      const { cookies } = yield* Effect.scoped(
        Effect.flatMap(launch({ profile }), ({ connection }) => connection.command("Storage.getCookies"))
      )
      assert.deepStrictEqual(
        cookies.map(({ name, value }) => [name, value]),
        [["kept", "yes"]]
      )
      assert.notInclude(readdirSync(profile), "effect-browser.lock")
    })
  )

  it.live("is refused while a browser of ours or of someone else has it, and the owner goes on", () =>
    Effect.gen(function* () {
      const profile = yield* temporaryFolder
      yield* Effect.scoped(
        Effect.gen(function* () {
          const owner = yield* launch({ profile })
          const refused = yield* Effect.flip(Effect.scoped(launch({ profile }))).pipe(Effect.timeout("25 seconds"))
          assert.strictEqual(refused.code, "BROWSER_PROFILE_IN_USE")
          assert.include(refused.message, profile)
          // As seen from a program that does not know our lock.
          const files = yield* FileSystem.FileSystem
          if (readdirSync(profile).includes("SingletonLock")) {
            yield* files.remove(`${profile}/effect-browser.lock`)
            const again = yield* Effect.flip(Effect.scoped(launch({ profile }))).pipe(Effect.timeout("25 seconds"))
            assert.strictEqual(again.code, "BROWSER_PROFILE_IN_USE")
          }
          assert.strictEqual(yield* evaluateIn(owner, "data:text/html,x", "6 * 7"), 42)
        })
      )
      yield* Effect.scoped(launch({ profile }))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.live("with a lock of a dead browser, also one of another host, starts", () =>
    Effect.gen(function* () {
      for (const lock of [`${hostname()}-4194000`, "rebuilt-container-1"]) {
        const profile = `${yield* temporaryFolder}/profile`
        mkdirSync(profile)
        symlinkSync(lock, `${profile}/SingletonLock`)
        symlinkSync("/nowhere/SingletonSocket", `${profile}/SingletonSocket`)
        const { version } = yield* Effect.scoped(launch({ profile }))
        assert.match(version.product, /Chrome/)
      }
    })
  )
})

describe("the doctor", () => {
  it.live("names the candidates, the browser that starts, and the sandbox", () =>
    Effect.gen(function* () {
      const found = yield* inspectChromium(defaults)
      assert.isTrue(found.launch.ok)
      assert.isDefined(found.chosen)
      assert.strictEqual(found.sandbox.enabled, process.getuid?.() !== 0)
      const broken = yield* inspectChromium({ ...defaults, executablePath: "/no/such/browser" })
      assert.isFalse(broken.launch.ok)
      assert.strictEqual(broken.candidates[0]?.problem, "does not exist")
      assert.isAtLeast(broken.candidates.length, 2)
    })
  )
})
