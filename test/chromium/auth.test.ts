import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Cookie } from "../../src/schemas/cookies.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { AuthResult } from "../../src/schemas/tools/auth.ts"
import { History } from "../../src/services/History.ts"
import { Tools } from "../../src/services/Tools.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { TestSite } from "../support/TestSite.ts"

const task = TaskKey.make("auth")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const auth = (args: object) =>
  Effect.map(call("browser_auth", args), ({ structured, content }) => ({
    ...(structured as unknown as AuthResult),
    text: content.map((part) => ("text" in part ? part.text : "")).join("\n")
  }))
const folder = temporaryFolder("auth")
const later = Math.round(Date.now() / 1000) + 86_400
const named = (cookies: ReadonlyArray<Cookie> | undefined) =>
  Object.fromEntries((cookies ?? []).map((cookie) => [cookie.name, cookie]))

layer(chromiumTools(), { excludeTestServices: true, timeout: "90 seconds" })("cookies of a real Chromium", (it) => {
  it.effect("come back as they were: for one host or its subdomains, with sameSite, expiry and partition", () =>
    Effect.gen(function* () {
      yield* call("browser_open", { url: "about:blank" })
      yield* auth({ action: "clear", all: true })
      const set = yield* auth({
        action: "restore",
        cookies: [
          { name: "host", value: "1", domain: "app.example.com", path: "/a", secure: true, sameSite: "strict" },
          { name: "wide", value: "2", domain: ".example.com", expirationDate: later, httpOnly: true, sameSite: "lax" },
          {
            name: "part",
            value: "3",
            url: "https://x.example/",
            sameSite: "no_restriction",
            partitionKey: "https://top.example"
          }
        ]
      })
      assert.deepInclude(set, { restored: 3, failed: 0 })
      const first = (yield* auth({ action: "flush" })).cookies
      const cookies = named(first)
      assert.deepInclude(cookies["host"], { hostOnly: true, domain: "app.example.com", path: "/a", sameSite: "Strict" })
      assert.deepInclude(cookies["wide"], {
        hostOnly: false,
        domain: ".example.com",
        httpOnly: true,
        expirationDate: later
      })
      assert.strictEqual(cookies["part"]?.partitionKey?.topLevelSite, "https://top.example")
      yield* auth({ action: "clear", all: true })
      assert.deepStrictEqual((yield* auth({ action: "flush" })).cookies, [])
      assert.deepInclude(yield* auth({ action: "restore", cookies: first ?? [] }), { restored: 3, failed: 0 })
      assert.deepStrictEqual((yield* auth({ action: "flush" })).cookies, first)
    })
  )

  it.effect("are set each by itself: a bad one is named and spoils no other", () =>
    Effect.gen(function* () {
      yield* auth({ action: "clear", all: true })
      const set = yield* auth({
        action: "restore",
        cookies: [
          { name: "good", value: "1", domain: "example.com" },
          { value: "no name", domain: "example.com" },
          { name: "__Host-bad", value: "x", domain: ".example.com", secure: true },
          { name: "over", value: "x", domain: "example.com", expirationDate: 1_000 },
          { name: "fine", value: "2", domain: "example.org" }
        ]
      })
      assert.deepInclude(set, { restored: 2, failed: 3 })
      assert.deepStrictEqual(
        (set.failures ?? []).map(({ index, name }) => [index, name]),
        [
          [1, undefined],
          [2, "__Host-bad"],
          [3, "over"]
        ]
      )
      assert.sameMembers(Object.keys(named((yield* auth({ action: "flush" })).cookies)), ["good", "fine"])
    })
  )

  it.effect("are imported from files of several programs, and refused with a reason where nothing is usable", () =>
    Effect.gen(function* () {
      yield* auth({ action: "clear", all: true })
      const file = (name: string, content: string) => {
        writeFileSync(join(folder, name), content)
        return join(folder, name)
      }
      const state = {
        cookies: [{ name: "pw", value: "1", domain: ".example.com", path: "/", expires: later, sameSite: "Lax" }],
        origins: []
      }
      const playwright = file("state.json", `\ufeff${JSON.stringify(state)}`)
      assert.deepInclude(yield* auth({ action: "import", file: playwright }), { restored: 1, failed: 0 })
      const mixed = file("list.json", JSON.stringify([{ name: "x", value: "1", domain: "example.org" }, 7]))
      assert.deepInclude(yield* auth({ action: "import", file: mixed }), { restored: 1, failed: 1 })
      for (const [name, content] of [
        ["not.json", "{"],
        ["object.json", "{}"],
        ["empty.json", "[]"],
        ["useless.json", '[{"name":1}]']
      ] as const) {
        const error = yield* Effect.flip(auth({ action: "import", file: file(name, content) }))
        assert.strictEqual(error.code, "BROWSER_AUTH_FILE_INVALID", name)
      }
      assert.strictEqual(
        (yield* Effect.flip(auth({ action: "import", file: "/etc/hostname" }))).code,
        "BROWSER_READ_PATH_DENIED"
      )
    })
  )

  it.effect("are cleared by domain with its subdomains, by name, and all only when that is said", () =>
    Effect.gen(function* () {
      yield* auth({ action: "clear", all: true })
      const of = (name: string, domain: string) => ({ name, value: "1", domain })
      yield* auth({
        action: "restore",
        cookies: [
          of("a", ".example.com"),
          of("b", "app.example.com"),
          of("a", "example.org"),
          of("c", "notexample.com")
        ]
      })
      assert.strictEqual((yield* Effect.flip(auth({ action: "clear" }))).code, "BROWSER_AUTH_SCOPE_MISSING")
      const one = yield* auth({ action: "clear", domain: "EXAMPLE.com" })
      assert.deepInclude(one, { removed: 2 })
      assert.sameMembers([...(one.names ?? [])], ["a", "b"])
      assert.deepInclude(yield* auth({ action: "clear", name: "a" }), { removed: 1, names: ["a"] })
      assert.deepInclude(yield* auth({ action: "clear", all: true }), { removed: 1, names: ["c"] })
    })
  )

  it.effect("are sent by the page once they are set, and their values stand neither in a text nor in the history", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      let sent: string | undefined
      const page = site.page("/who", (request, response) => {
        sent = request.headers.cookie
        response.end("<h1>hi</h1>")
      })
      const set = yield* auth({ action: "restore", cookies: [{ name: "sid", value: "v4lue", url: site.origin }] })
      yield* call("browser_open", { url: page })
      assert.include(sent, "sid=v4lue")
      const flushed = yield* auth({ action: "flush", domain: "127.0.0.1" })
      assert.include(flushed.text, "sid (127.0.0.1)")
      assert.notInclude(set.text + flushed.text, "v4lue")
      const path = join(folder, "out.json")
      assert.deepInclude(yield* auth({ action: "flush", file: path }), { path, count: 1 })
      assert.include(readFileSync(path, "utf8"), "v4lue")
      assert.notInclude(JSON.stringify(yield* History.useSync((history) => history.entries(task))), "v4lue")
    })
  )

  it.effect("need no page: they answer while a dialog blocks it", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      yield* call("browser_open", { url: site.body(`<button onclick="alert('stop')">Go</button>`) })
      yield* call("browser_click", { text: "Go" })
      assert.isDefined((yield* auth({ action: "flush" })).cookies)
      yield* auth({ action: "clear", name: "none" })
      yield* call("browser_dialog", { action: "accept" })
    })
  )
})
