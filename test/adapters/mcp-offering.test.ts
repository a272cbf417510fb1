import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Deferred, Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { type McpError, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { leftOut } from "../../src/adapters/mcp/offering.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { type Connected, connect, textOf } from "../support/McpClient.ts"

const server = (...flags: ReadonlyArray<string>) =>
  connect([`${import.meta.dirname}/../support/fakeMcpServer.ts`, "all", ...flags])

const names = ({ client }: Connected) =>
  Effect.map(
    Effect.promise(() => client.listTools()),
    ({ tools }) => new Set(tools.map(({ name }) => name))
  )

describe("the tools that are offered", () => {
  it.live("are all of them where the browser can do everything", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* names(yield* server())).size, catalog.length)
    })
  )

  it.live("leave out dialogs and protocol where the browser has none; a call says so", () =>
    Effect.gen(function* () {
      const peer = yield* server("bare")
      const offered = yield* names(peer)
      assert.deepStrictEqual(
        catalog.map(({ name }) => name).filter((name) => !offered.has(name)),
        ["browser_dialog", "browser_cdp"]
      )
      yield* peer.call("browser_open", { url: "http://shop.test/" })
      const refused = yield* peer.call("browser_cdp", { method: "Runtime.evaluate" })
      assert.match(textOf(refused), /^BROWSER_CAPABILITY_MISSING: .*"fake".*cdp/)
    })
  )

  it.live("are listed again when a session turns out to have less, and when it is gone; only then is it told", () =>
    Effect.gen(function* () {
      const peer = yield* server("changing")
      let told = 0
      let change = Deferred.makeUnsafe<void>()
      peer.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        told += 1
        Deferred.doneUnsafe(change, Effect.void)
      })
      assert.isTrue((yield* names(peer)).has("browser_cdp"))
      const before = told
      yield* peer.call("browser_open", { url: "http://shop.test/" })
      yield* Deferred.await(change)
      assert.isFalse((yield* names(peer)).has("browser_cdp"))
      yield* peer.call("browser_content", { format: "txt" })
      yield* peer.call("browser_open", { url: "http://shop.test/" })
      assert.strictEqual(told, before + 1)
      change = Deferred.makeUnsafe()
      yield* peer.call("browser_reset_session")
      yield* Deferred.await(change)
      assert.isTrue((yield* names(peer)).has("browser_cdp"))
    })
  )

  it.live("are not the only ones that there are: a call of another one says how to get it", () =>
    Effect.gen(function* () {
      const program = `${import.meta.dirname}/../../src/cli/main.ts`
      const refused = (peer: Connected, name: string) =>
        Effect.promise(() =>
          peer.client.callTool({ name }).then(
            () => "it was answered",
            (error: unknown) => (error as McpError).message
          )
        )
      const usual = yield* connect([program, "mcp"])
      assert.match(yield* refused(usual, "browser_hover"), /BROWSER_TOOL_NOT_OFFERED: .*browser_hover.*--tools all/)
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "mcp-offering-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true }))
      )
      const settings = join(folder, "settings.json")
      writeFileSync(settings, JSON.stringify({ allowedTools: ["browser_open"] }))
      const limited = yield* connect([program, "mcp", "--tools", "all", "--config", settings])
      assert.match(yield* refused(limited, "browser_hover"), /BROWSER_TOOL_NOT_OFFERED: .*allowedTools/)
    })
  )

  it.live("start no browser for an address that cannot be opened, and say what one looks like", () =>
    Effect.gen(function* () {
      const program = `${import.meta.dirname}/../../src/cli/main.ts`
      const peer = yield* connect([program, "mcp", "--executable", "/none/browser"])
      for (const url of ["notaurl", "localhost:3000"]) {
        // a browser that is not there would be told of first
        const text = textOf(yield* peer.call("browser_open", { url }))
        assert.match(text, /^BROWSER_NAVIGATION_BLOCKED: .*did you mean https?:\/\/.*Next: Give a whole .* address/)
      }
    })
  )

  it("need no capability for what every browser has", () => {
    const bare = leftOut(catalog, undefined)
    for (const { capability, name } of catalog) assert.strictEqual(bare.has(name), capability !== undefined, name)
  })
})
