/** How long a host lives, and what becomes of sessions, logins and windows when it does not. */
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, FileSystem, Layer, Scope } from "effect"
import { makeElectronProvider } from "../../src/layers/providers/electron/ElectronProvider.ts"
import { makeRemoteViewHost } from "../../src/layers/viewhost/RemoteViewHost.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"
import { ViewHost } from "../../src/services/ViewHost.ts"
import { groupMembers, untilNothing } from "../support/browserProcesses.ts"
import { testHostOptions, testSurroundings } from "../support/ElectronSession.ts"
import { TestSite } from "../support/TestSite.ts"

const Rig = Layer.merge(testSurroundings, TestSite.layer)

/** A provider with a host of its own. */
const provider = Effect.fnUntraced(function* (userData?: string) {
  const host = yield* makeRemoteViewHost(yield* testHostOptions(userData === undefined ? {} : { userData }))
  const made = yield* makeElectronProvider(defaultBrowserConfig).pipe(Effect.provideService(ViewHost, host))
  return { host, open: (task: string) => made.open({ task: TaskKey.make(task) }) }
})

layer(Rig, { excludeTestServices: true, timeout: "60 seconds" })("the life of a host", (it) => {
  it.effect("begins with the first session, and is one for all who ask at once", () =>
    Effect.gen(function* () {
      const { host, open } = yield* provider()
      const sessions = yield* Effect.forEach(["a", "b", "c"], open, { concurrency: "unbounded" })
      const first = yield* host.running
      assert.strictEqual((yield* host.running).pid, first.pid)
      assert.lengthOf((yield* first.call("listTasks", {})).tasks, 3)
      assert.deepStrictEqual(
        sessions.map((session) => session.provider),
        ["electron", "electron", "electron"]
      )
    })
  )

  it.effect("that ends ends its sessions, which say so; the next one gets a new host, and nothing is repeated", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let asked = 0
      const url = site.page("/counted", (_, response) => {
        asked++
        response.end("<p>counted</p>")
      })
      const { host, open } = yield* provider()
      const session = yield* open("before")
      yield* session.open({ url, newTab: false })
      const { pid } = yield* host.running
      process.kill(pid, "SIGKILL")
      assert.include((yield* session.lost).reason, "SIGKILL")
      for (const use of [
        session.snapshot({ interactive: false, wholeFrameTree: false }),
        session.execute({ script: "1" }),
        session.tabs
      ]) {
        assert.strictEqual(
          (yield* Effect.flip(use as Effect.Effect<unknown, { readonly _tag: string }>))._tag,
          "SessionLost"
        )
      }
      const after = yield* open("after")
      assert.notStrictEqual((yield* host.running).pid, pid)
      assert.strictEqual(asked, 1)
      assert.deepStrictEqual(
        (yield* after.tabs).map((tab) => tab.url),
        ["about:blank"]
      )
      assert.strictEqual((yield* Effect.flip(session.tabs))._tag, "SessionLost")
    })
  )

  it.effect(
    "ends when it is frozen and a tab is to be closed: the session is lost, and the next one gets a new host",
    () =>
      Effect.gen(function* () {
        const { host, open } = yield* provider()
        const session = yield* open("frozen")
        const [tab] = yield* session.tabs
        const { pid } = yield* host.running
        process.kill(-pid, "SIGSTOP")
        const error = yield* Effect.flip(session.closeTab(tab?.id ?? assert.fail("there is no tab")))
        assert.deepInclude(error, { _tag: "SessionLost", reason: "its browser did not answer any more and was ended" })
        assert.lengthOf(yield* untilNothing(() => groupMembers(pid), 5_000), 0)
        yield* open("after")
        assert.notStrictEqual((yield* host.running).pid, pid)
      })
  )

  it.effect("ends with the scope of its owner, and never begins again after that", () =>
    Effect.gen(function* () {
      const owner = yield* Scope.make()
      const { host } = yield* provider().pipe(Scope.provide(owner))
      const { pid } = yield* host.running
      yield* Scope.close(owner, Exit.void)
      assert.lengthOf(yield* untilNothing(() => groupMembers(pid), 5_000), 0)
      assert.isFalse(host.available())
      assert.strictEqual((yield* Effect.flip(host.running))._tag, "HostDisposed")
    })
  )

  it.effect(
    "does not end logins: cookies of the profile are there in the next host, those of isolated tasks are not",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const files = yield* FileSystem.FileSystem
        const userData = yield* files.makeTempDirectoryScoped({ prefix: "effect-browser-login-" })
        const url = site.page("/login", (request, response) => {
          response.setHeader("set-cookie", ["login=yes; Max-Age=3600; SameSite=Lax", "seen=1; Max-Age=3600"])
          response.end(`<p>${request.headers.cookie ?? "nobody"}</p>`)
        })
        const visit = Effect.scoped(
          Effect.gen(function* () {
            const { open } = yield* provider(userData)
            const session = yield* open("login")
            const page = yield* session.open({ url, newTab: false })
            return page.elements.map((one) => one.label).join()
          })
        )
        assert.include(yield* visit, "nobody")
        const second = yield* visit
        assert.include(second, "login=yes")
      })
  )

  it.effect(
    "keeps what isolated tasks store apart, from each other and from the profile, and nothing of it afterwards",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const files = yield* FileSystem.FileSystem
        const userData = yield* files.makeTempDirectoryScoped({ prefix: "effect-browser-isolated-" })
        const url = site.page("/store", "<title>store</title>")
        const host = yield* makeRemoteViewHost(yield* testHostOptions({ userData }))
        const made = yield* makeElectronProvider(defaultBrowserConfig).pipe(Effect.provideService(ViewHost, host))
        const open = (task: string, isolated: boolean) => made.open({ task: TaskKey.make(task), isolated })
        const held = `const cache = await caches.keys()
        const bases = (await indexedDB.databases()).map(({ name }) => name)
        return [document.cookie, localStorage.getItem("word"), cache.join(), bases.join()].join(" | ")`
        const stores = (word: string) => `document.cookie = "word=${word}"
        localStorage.setItem("word", "${word}")
        await caches.open("${word}")
        await new Promise((done) => { indexedDB.open("${word}").onsuccess = done })
        ${held}`
        const visit = (session: BrowserSession, script: string) =>
          Effect.andThen(
            session.open({ url, newTab: false }),
            Effect.map(session.execute({ script }), ({ value }) => JSON.parse(value as string) as string)
          )
        const nothing = " |  |  | "
        const of = (word: string) => `word=${word} | ${word} | ${word} | ${word}`
        yield* Effect.scoped(
          Effect.gen(function* () {
            const [one, other, shared] = [
              yield* open("one", true),
              yield* open("other", true),
              yield* open("shared", false)
            ]
            assert.strictEqual(yield* visit(one, stores("one")), of("one"))
            assert.strictEqual(yield* visit(other, held), nothing)
            assert.strictEqual(yield* visit(shared, held), nothing)
            assert.strictEqual(yield* visit(other, stores("other")), of("other"))
            assert.strictEqual(yield* visit(shared, stores("shared")), of("shared"))
            assert.strictEqual(yield* visit(one, held), of("one"))
            // a further tab of the task has the same storage
            yield* one.open({ url, newTab: true })
            assert.strictEqual(yield* visit(one, held), of("one"))
            assert.deepStrictEqual(
              (yield* one.cookies).map(({ value }) => value),
              ["one"]
            )
            // what is written and cleared there is nobody else's
            const login = { name: "login", value: "yes", domain: "127.0.0.1", path: "/", secure: false, httpOnly: true }
            yield* one.setCookies([{ ...login, hostOnly: true, url }])
            assert.deepStrictEqual((yield* one.cookies).map(({ name }) => name).toSorted(), ["login", "word"])
            yield* one.clearCookies({})
            assert.lengthOf(yield* one.cookies, 0)
            for (const [session, word] of [
              [other, "other"],
              [shared, "shared"]
            ] as const) {
              const left = yield* session.cookies
              assert.deepStrictEqual(
                left.map(({ value }) => value),
                [word]
              )
            }
          })
        )
        // the same task anew
        assert.strictEqual(yield* visit(yield* open("one", true), held), nothing)
        assert.strictEqual(yield* visit(yield* open("shared", false), held), of("shared"))
        const left = yield* files.readDirectory(userData, { recursive: true })
        assert.deepStrictEqual(
          left.filter((name) => /isolated-/.test(name)),
          []
        )
      })
  )
})
