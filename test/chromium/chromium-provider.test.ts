/** The provider "chromium" behind the seam, with a real browser. */
import { readdirSync } from "node:fs"
import { createServer, type Server } from "node:http"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FileSystem, Layer, Scope } from "effect"
import {
  chromiumProviderId,
  layer,
  makeChromiumProvider
} from "../../src/layers/providers/chromium/ChromiumProvider.ts"
import { layer as seam } from "../../src/layers/providers/seam/BrowserSeam.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Browser, type BrowserProvider } from "../../src/services/Browser.ts"
import { groupMembers, processesNaming } from "../support/browserProcesses.ts"
import { withVariable } from "../support/variables.ts"

const task = (name: string) => ({ task: TaskKey.make(name) })

/** A site that sets a cookie and shows the cookies that it got. */
const cookieSite = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = createServer((request, response) => {
      response.setHeader("set-cookie", "seen=yes; path=/").setHeader("content-type", "text/html")
      response.end(`<title>${request.headers.cookie ?? "none"}</title>`)
    })
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
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/`
  })
)

const titleIn = Effect.fnUntraced(function* (
  provider: BrowserProvider,
  options: Parameters<BrowserProvider["open"]>[0],
  url: string
) {
  const session = yield* provider.open(options)
  return (yield* session.open({ url, newTab: false })).title
}, Effect.scoped)

/** A temporary folder that browsers started now take for theirs. */
const temporaryFolder = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.realPath(yield* files.makeTempDirectoryScoped({ prefix: "provider-" }))
  yield* withVariable("TMPDIR", folder)
  return folder
}).pipe(Effect.provide(NodeFileSystem.layer))

describe("the provider chromium", () => {
  it.live("starts nothing before it is used, and shares one browser and its cookies among sessions", () =>
    Effect.gen(function* () {
      const url = yield* cookieSite
      const folder = yield* temporaryFolder
      const provider = yield* makeChromiumProvider(defaultBrowserConfig)
      assert.isTrue(provider.available())
      assert.deepStrictEqual(processesNaming(folder), [])
      const [first] = yield* Effect.all(
        [titleIn(provider, task("a"), url), titleIn(provider, task("b"), "about:blank")],
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(first, "none")
      assert.strictEqual(yield* titleIn(provider, task("c"), url), "seen=yes")
      const isolated = { ...task("d"), isolated: true }
      assert.strictEqual(yield* titleIn(provider, isolated, url), "none")
      assert.strictEqual(yield* titleIn(provider, isolated, url), "none")
    }).pipe(Effect.scoped)
  )

  it.live("says SessionLost in every session when the browser dies, and starts another at the next open", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const scope = yield* Scope.make()
      yield* Scope.provide(
        Effect.gen(function* () {
          const provider = yield* makeChromiumProvider(defaultBrowserConfig)
          const sessions = [yield* provider.open(task("a")), yield* provider.open({ ...task("b"), isolated: true })]
          const pid = processesNaming(`--user-data-dir=${folder}`).find((each) => groupMembers(each).length > 1)
          assert.isDefined(pid)
          process.kill(pid ?? 0, "SIGKILL")
          for (const session of sessions) {
            const { code } = yield* session.lost.pipe(Effect.timeout("30 seconds"))
            assert.strictEqual(code, "BROWSER_SESSION_LOST")
            const error = yield* Effect.flip(session.open({ url: "about:blank", newTab: false }))
            assert.strictEqual(error.code, "BROWSER_SESSION_LOST")
          }
          const again = yield* provider.open(task("a"))
          yield* again.open({ url: "about:blank", newTab: false })
        }),
        scope
      )
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual([...processesNaming(folder), ...readdirSync(folder)], [])
    })
  )

  it.live("is registered with the seam and selected as the only one", () =>
    Effect.gen(function* () {
      const browser = yield* Browser
      assert.deepStrictEqual(browser.providers(), [{ id: chromiumProviderId, available: true }])
      assert.strictEqual((yield* browser.select).id, chromiumProviderId)
    }).pipe(Effect.provide(layer(defaultBrowserConfig).pipe(Layer.provideMerge(seam(defaultBrowserConfig)))))
  )

  it.live("counts a configured path as available, and opening says what is wrong with it", () =>
    Effect.gen(function* () {
      const chromium = { ...defaultBrowserConfig.chromium, executablePath: "/no/such/browser" }
      const provider = yield* makeChromiumProvider({ ...defaultBrowserConfig, chromium })
      assert.isTrue(provider.available())
      const error = yield* Effect.flip(Effect.scoped(provider.open(task("a"))))
      assert.strictEqual(error.code, "BROWSER_NOT_FOUND")
    }).pipe(Effect.scoped)
  )
})
