import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { processesNaming, untilNothing } from "../support/browserProcesses.ts"
import { connect, textOf } from "../support/McpClient.ts"
import { TestSite } from "../support/TestSite.ts"

const program = join(import.meta.dirname, "../../src/cli/main.ts")

/** A server with a real browser, whose files and processes can be told by their folder. */
const real = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(realpathSync(tmpdir()), "mcp-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const peer = yield* connect([program, "mcp"], { ...process.env, TMPDIR: folder })
  return { ...peer, folder }
})

const shop = `<h1>Orders</h1><p id="state">nothing saved</p>
  <label>Name <input></label>
  <button onclick="state.textContent = 'saved ' + document.querySelector('input').value">Save</button>
  <button onclick="state.textContent = String(confirm('Really?'))">Ask</button>`

const refOf = (structured: { readonly [key: string]: unknown } | undefined, label: string): number => {
  const elements = structured?.["elements"] as ReadonlyArray<{ readonly ref: number; readonly label: string }>
  return elements.find((element) => element.label === label)?.ref ?? -1
}

describe("MCP server with a real browser", () => {
  it.live(
    "lets an agent open, fill, click and look, and leaves nothing behind when its input ends",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { call, client, server, folder } = yield* real
        yield* Effect.promise(() => client.listTools())
        const opened = yield* call("browser_open", { url: site.body(shop, "Shop") })
        assert.include(textOf(opened), '"Shop"')
        const snapshotId = opened.structuredContent?.["snapshotId"]
        const filled = yield* call("browser_fill", {
          fields: [{ snapshotId, ref: refOf(opened.structuredContent, "Name"), value: "Ada" }]
        })
        assert.include(textOf(filled), '= "Ada"')
        const clicked = yield* call("browser_click_ref", { snapshotId, ref: refOf(opened.structuredContent, "Save") })
        assert.include(textOf(clicked), "saved Ada")
        const shot = yield* call("browser_screenshot")
        const png = Buffer.from(shot.content.find((part) => part.type === "image")?.data ?? "", "base64")
        assert.deepStrictEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1280, 800])
        assert.isNotEmpty(processesNaming(folder))

        yield* Effect.promise(() => client.close())
        assert.strictEqual(yield* Effect.promise(() => server.ended), 0)
        assert.deepStrictEqual(server.foreign, [])
        assert.deepStrictEqual(yield* untilNothing(() => processesNaming(folder), 5_000), [])
        assert.deepStrictEqual(yield* untilNothing(() => readdirSync(folder), 5_000), [])
      }).pipe(Effect.provide(TestSite.layer)),
    90_000
  )

  it.live(
    "hands a dialog to the agent with the click that opened it, and takes the answer",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { call } = yield* real
        const opened = yield* call("browser_open", { url: site.body(shop) })
        const ask = refOf(opened.structuredContent, "Ask")
        const clicked = yield* call("browser_click_ref", {
          snapshotId: opened.structuredContent?.["snapshotId"],
          ref: ask
        })
        assert.include(textOf(clicked), 'confirm "Really?"')
        const refused = yield* call("browser_click", { text: "Save" })
        assert.match(textOf(refused), /^BROWSER_DIALOG_OPEN/)
        assert.include(textOf(yield* call("browser_snapshot")), "Really?")
        yield* call("browser_dialog", { action: "accept" })
        assert.include(textOf(yield* call("browser_content", { format: "txt" })), "true")
      }).pipe(Effect.provide(TestSite.layer)),
    90_000
  )

  it.live(
    "leaves nothing behind when it is told to end in the middle of a call",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { call, client, server, folder } = yield* real
        yield* call("browser_open", { url: site.body(shop) })
        client.callTool({ name: "browser_execute", arguments: { script: "for (;;) {}" } }).catch(() => {})
        server.child.kill("SIGTERM")
        yield* Effect.promise(() => server.ended)
        assert.deepStrictEqual(yield* untilNothing(() => processesNaming(folder), 5_000), [])
        assert.deepStrictEqual(yield* untilNothing(() => readdirSync(folder), 5_000), [])
      }).pipe(Effect.provide(TestSite.layer)),
    90_000
  )
})
