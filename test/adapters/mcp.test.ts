import { Context, Effect, Layer } from "effect"
import { assert, describe, it, layer } from "@effect/vitest"
import type { Progress } from "@modelcontextprotocol/sdk/types.js"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"
import { catalog, coreCatalog } from "../../src/tools/catalog.ts"
import type { Connected } from "../support/McpClient.ts"
import { connect, textOf } from "../support/McpClient.ts"

const server = [`${import.meta.dirname}/../support/fakeMcpServer.ts`]

/** One connection for the tests that do not end it. */
class Peer extends Context.Service<Peer, Connected>()("test/Peer") {
  static readonly layer = Layer.effect(Peer, connect(server))
}

/** The shared connection, with a fresh session. */
const fresh = Effect.tap(Peer, ({ call }) =>
  Effect.andThen(call("browser_reset_session"), call("browser_open", { url: "http://shop.test/" }))
)

layer(Peer.layer, { excludeTestServices: true })("MCP server", (it) => {
  it.effect("says who it is, how to use it and what it offers", () =>
    Effect.gen(function* () {
      const { client } = yield* Peer
      assert.strictEqual(client.getServerVersion()?.name, "effect-browser")
      assert.include(client.getInstructions(), "browser_open")
      // from here on the client validates every structured content
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.deepStrictEqual(
        tools.map((tool) => tool.name),
        coreCatalog.map((row) => row.name)
      )
      assert.isBelow(Buffer.byteLength(JSON.stringify({ tools })), 16_000)
      for (const tool of tools) {
        const row = catalog.find((one) => one.name === tool.name)
        assert.strictEqual(tool.annotations?.readOnlyHint ?? false, row?.annotations.readOnly)
        assert.strictEqual(tool.annotations?.destructiveHint ?? true, row?.annotations.destructive)
        assert.isFalse(tool.inputSchema["additionalProperties"])
      }
    })
  )

  it.effect("answers with a text to read and with structured content that its schema admits", () =>
    Effect.gen(function* () {
      const { call } = yield* fresh
      const opened = yield* call("browser_open", { url: "http://shop.test/" })
      assert.include(textOf(opened), '[3] button "Save"')
      assert.deepInclude(opened.structuredContent, { url: "http://shop.test/", tabId: "t1" })
      assert.isNotTrue(opened.isError)
      const clicked = yield* call("browser_click_ref", { snapshotId: "s1", ref: 3 })
      assert.deepStrictEqual(clicked.structuredContent, { clicked: true, target: 'button "Save"', x: 50, y: 60 })
    })
  )

  it.effect("hands a picture as image content, once", () =>
    Effect.gen(function* () {
      const { call } = yield* fresh
      const shot = yield* call("browser_screenshot")
      const image = shot.content.find((part) => part.type === "image")
      assert.strictEqual(image?.mimeType, "image/png")
      assert.strictEqual(
        Buffer.from(image?.data ?? "", "base64")
          .subarray(1, 4)
          .toString(),
        "PNG"
      )
      assert.notProperty(shot.structuredContent, "image")
      assert.strictEqual(shot.structuredContent?.["width"], 1)
    })
  )

  it.effect("tells an error by code, message and next step, without structured content", () =>
    Effect.gen(function* () {
      const { call } = yield* Peer
      yield* call("browser_reset_session")
      const none = yield* call("browser_click", { x: 1, y: 2 })
      assert.match(textOf(none), /^BROWSER_SESSION_UNKNOWN: .*Next: Call browser_open/)
      const failed = yield* call("browser_open", { url: "http://refused.test/" })
      assert.isTrue(failed.isError)
      assert.match(
        textOf(failed),
        /^BROWSER_NAVIGATION_FAILED: Could not open http:\/\/refused\.test\/.* Next: The server does not answer there/
      )
      assert.isUndefined(failed.structuredContent)
      const invalid = yield* call("browser_open", { url: "", zz: 1 })
      assert.match(textOf(invalid), /^BROWSER_INVALID_ARGUMENTS: .*zz is not known.*url must not be empty/)
    })
  )

  it.effect("refuses an unknown tool by protocol, with the names that may have been meant", () =>
    Effect.gen(function* () {
      const { client } = yield* Peer
      const refused = (name: string) =>
        Effect.promise(() => client.callTool({ name }).catch((cause: unknown) => cause as McpError))
      for (const [name, near] of [
        ["browser_nothing_like_it", undefined],
        ["browser_opne", "browser_open"],
        ["click_ref", "browser_click_ref"],
        // one that is not offered, if no other is near
        ["browser_hoover", "browser_hover"]
      ] as const) {
        const error = yield* refused(name)
        assert.instanceOf(error, McpError)
        assert.strictEqual((error as McpError).code, ErrorCode.InvalidParams)
        const { message } = error as McpError
        assert.include(message, `BROWSER_TOOL_UNKNOWN: There is no tool "${name}"`)
        if (near === undefined) assert.notInclude(message, "near")
        else assert.include(message, `(near: ${near}`)
      }
    })
  )

  it.effect("refuses parameters of another form by protocol, with what is wrong and what to do", () =>
    Effect.gen(function* () {
      const { call, client } = yield* Peer
      const refused = (params: unknown) =>
        Effect.promise(() => client.callTool(params as { name: string }).catch((cause: unknown) => cause as McpError))
      const name = "browser_open"
      for (const [params, words] of [
        [{ name, arguments: ["http://shop.test/"] }, "and are a list; send {} or leave them out"],
        [{ name, arguments: null }, "and are null"],
        [{ name, arguments: 'url "x"' }, "and are a string; send {}"],
        [{ name, arguments: '{"url":"http://shop.test/"}' }, "and are a string; send the object itself, not its text"],
        [{ arguments: {} }, "name is missing"],
        [{ name: 7 }, "name must be a string, and is a number"],
        [{}, "name is missing"]
      ] as const) {
        const error = yield* refused(params)
        assert.instanceOf(error, McpError)
        assert.strictEqual((error as McpError).code, ErrorCode.InvalidParams)
        const { message } = error as McpError
        assert.include(message, "BROWSER_INVALID_ARGUMENTS")
        assert.include(message, words)
        assert.include(message, "Next: Correct them and call again; nothing was done.")
      }
      assert.notStrictEqual((yield* call("browser_reset_session")).isError, true)
    })
  )

  it.effect("reports progress to a client that asks for it", () =>
    Effect.gen(function* () {
      const { call } = yield* Peer
      yield* call("browser_reset_session")
      const said: Array<string> = []
      const steps: Array<number> = []
      const onprogress = ({ message, progress }: Progress) => {
        said.push(message ?? "")
        steps.push(progress)
      }
      yield* call("browser_open", { url: "http://shop.test/" }, { onprogress })
      assert.deepStrictEqual(said, ["browser_open began", "starting the browser", "opening http://shop.test/"])
      assert.deepStrictEqual(steps, [1, 2, 3])
    })
  )

  /** Starts a call that never ends, waits for a progress message and cancels it; yields the message. */
  const hang = (until: (message: string) => boolean) =>
    Effect.flatMap(Peer, ({ client }) =>
      Effect.callback<string>((resume) => {
        const abort = new AbortController()
        let heard = ""
        client
          .callTool({ name: "browser_execute", arguments: { script: "hang" } }, undefined, {
            signal: abort.signal,
            onprogress: ({ message = "" }) => {
              if (!until(message)) return
              heard = message
              abort.abort()
            }
          })
          .catch(() => resume(Effect.succeed(heard)))
      })
    )

  it.effect("says every few seconds that a long call goes on", () =>
    Effect.gen(function* () {
      yield* fresh
      const beat = yield* hang((message) => message.includes("under way"))
      assert.match(beat, /^browser_execute is still under way/)
    })
  )

  it.effect("frees the lane when a call is cancelled", () =>
    Effect.gen(function* () {
      const { call } = yield* fresh
      yield* hang(() => true)
      // sooner than the time of the cancelled one would free it
      const next = yield* Effect.timeout(call("browser_execute", { script: "1" }), "20 seconds")
      assert.isTrue(next.structuredContent?.["ok"])
    })
  )
})

/** A connection of its own, with a session. */
const opened = (args = server) =>
  Effect.tap(connect(args), ({ call }) => call("browser_open", { url: "http://shop.test/" }))

describe("MCP server process", () => {
  it.live("offers every tool when asked to", () =>
    Effect.gen(function* () {
      const { client } = yield* connect([...server, "all"])
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.lengthOf(tools, catalog.length)
    })
  )

  it.live("ends with code 0 when its input ends, having printed nothing but the protocol", () =>
    Effect.gen(function* () {
      const { call, client, server } = yield* opened()
      const failed = yield* call("browser_execute", { script: "defect" })
      assert.match(textOf(failed), /^BROWSER_INTERNAL/)
      yield* Effect.promise(() => client.close())
      assert.strictEqual(yield* Effect.promise(() => server.ended), 0)
      assert.deepStrictEqual(server.foreign, [])
      assert.include(server.stderr, "browser_execute failed by a fault of its own")
    })
  )

  it.live("answers every message, whatever else is written between them", () =>
    Effect.gen(function* () {
      const { client, server } = yield* opened()
      for (const line of ["garbage", "[1,2", "\u0000", ""]) server.child.stdin.write(`${line}\n`)
      const tools = yield* Effect.promise(() => client.listTools())
      assert.isAbove(tools.tools.length, 10)
      assert.deepStrictEqual(
        server.foreign.map((line) => JSON.parse(line).error.code),
        [-32700, -32700, -32700]
      )
    })
  )

  it.live("answers calls that were under way when its input ended", () =>
    Effect.gen(function* () {
      const { call, server } = yield* opened()
      const end = Effect.sync(() => server.child.stdin.end())
      const [answer] = yield* Effect.all([call("browser_content", { format: "txt" }), end], { concurrency: 2 })
      assert.include(textOf(answer), "Three orders")
      assert.strictEqual(yield* Effect.promise(() => server.ended), 0)
    })
  )

  it.live("does not wait for ever for a call that hangs when its input ends", () =>
    Effect.gen(function* () {
      const { client, server } = yield* opened()
      client.callTool({ name: "browser_execute", arguments: { script: "hang" } }).catch(() => {})
      server.child.stdin.end()
      assert.strictEqual(yield* Effect.promise(() => server.ended), 0)
    })
  )
})
