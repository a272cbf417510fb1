import { assert, describe, it } from "@effect/vitest"
import { instructions } from "../../src/tools/instructions.ts"
import { mcpTool } from "../../src/adapters/mcp/mcpTool.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { BrowserError } from "../../src/schemas/errors.ts"
import { defaultTimeouts } from "../../src/services/Timeouts.ts"
import { inputSchema, listedInput } from "../../src/tools/jsonSchema.ts"
import { callBudget, longestLimit, workBudget } from "../../src/tools/budgets.ts"
import { catalog, coreCatalog, findRow } from "../../src/tools/catalog.ts"

const parameters = (row: (typeof catalog)[number]) => Object.keys(mcpTool(row).inputSchema.properties ?? {})

describe("catalog", () => {
  it("names every tool once", () => {
    assert.strictEqual(new Set(catalog.map((row) => row.name)).size, catalog.length)
    for (const row of catalog) assert.strictEqual(findRow(row.name), row)
  })

  it("gives the work of every tool less time than a call as a whole has", () => {
    for (const row of catalog) {
      assert.isBelow(workBudget(row, defaultTimeouts), defaultBrowserConfig.toolTimeoutMs, row.name)
    }
  })

  it("ends a call limited by its caller 5 s before the whole budget at the latest", () => {
    assert.strictEqual(callBudget(60_000, undefined), 60_000)
    assert.strictEqual(callBudget(60_000, 600_000), 55_000)
    assert.strictEqual(callBudget(60_000, 300), 300)
    assert.strictEqual(longestLimit(8_000), 8_000)
  })

  it("lists every parameter that a tool takes, and none besides", () => {
    const names = (schema: unknown): ReadonlyArray<string> => {
      if (typeof schema !== "object" || schema === null) return []
      const { items, properties } = schema as { readonly items?: unknown; readonly properties?: object }
      const own = Object.entries(properties ?? {}).flatMap(([name, inner]) => [
        name,
        ...names(inner).map((one) => `${name}.${one}`)
      ])
      return [...own, ...names(items)]
    }
    for (const row of catalog) assert.sameMembers([...names(listedInput(row))], [...names(inputSchema(row))], row.name)
    assert.isAbove(catalog.filter((row) => names(listedInput(row)).includes("timeoutMs")).length, 10)
  })

  it("never shares an execution of what changes something", () => {
    for (const row of catalog.filter((one) => one.coalesced)) assert.strictEqual(row.lane, "read", row.name)
    for (const row of catalog.filter((one) => one.guarded)) assert.isFalse(row.coalesced, row.name)
  })

  it("puts what changes the page into the write lane, except what must get past a hanging call", () => {
    const beside = catalog.filter((row) => row.guarded && row.lane !== "write").map((row) => row.name)
    assert.deepStrictEqual(beside.sort(), ["browser_cdp", "browser_dialog", "browser_reset_session", "browser_stop"])
  })

  it("lets the page-free tools answer and the escapes through while a dialog is open, and nothing else", () => {
    const of = (behaviour: string) =>
      catalog
        .filter((row) => row.whileDialog === behaviour)
        .map((row) => row.name.slice("browser_".length))
        .sort()
    assert.deepStrictEqual(of("answers"), [
      "auth",
      "cdp",
      "console",
      "dialog",
      "download",
      "handoff",
      "history",
      "list_tabs",
      "network",
      "replay",
      "restrict",
      "scrape",
      "session",
      "space",
      "switch_tab",
      "tasks"
    ])
    assert.deepStrictEqual(of("snapshot"), ["snapshot"])
    assert.deepStrictEqual(of("looks"), ["challenge", "content", "execute", "find", "screenshot"])
    assert.deepStrictEqual(of("escapes"), ["close_tab", "open", "reset", "reset_session"])
  })

  it("says of each tool that does not act on the page that it is read-only, unless it writes a file or a setting", () => {
    const writes = catalog.filter((row) => !row.guarded && !row.annotations.readOnly).map((row) => row.name)
    assert.deepStrictEqual(writes.sort(), [
      "browser_handoff",
      "browser_restrict",
      "browser_scrape",
      "browser_screenshot",
      "browser_space"
    ])
    for (const row of catalog.filter((one) => one.guarded)) assert.isFalse(row.annotations.readOnly, row.name)
  })

  it("keeps replayable and secret to tools that are in the history", () => {
    for (const row of catalog) {
      if (row.replayable || row.secret.length > 0) assert.isDefined(row.history, row.name)
    }
  })

  it("offers in the core set every tool that an error or the instructions send the agent to", () => {
    const mentioned = new Set(instructions.match(/browser_[a-z_]+/g))
    for (const member of BrowserError.members) {
      const source = Object.getOwnPropertyDescriptor(member.prototype, "next")?.get?.toString() ?? ""
      for (const name of source.match(/browser_[a-z_]+/g) ?? []) mentioned.add(name)
    }
    const core = new Set<string>(coreCatalog.map((row) => row.name))
    const later = new Set(["browser_history", "browser_scrape"])
    assert.deepStrictEqual(
      [...mentioned].filter((name) => !core.has(name) && !later.has(name)),
      []
    )
  })

  it("lists the core set in less than 16,000 bytes", () => {
    const list = JSON.stringify({ tools: coreCatalog.map(mcpTool) })
    assert.isBelow(Buffer.byteLength(list), 15_950)
  })

  it("describes every tool in one or two short sentences", () => {
    for (const row of catalog) {
      assert.isAtMost(row.description.length, 120, row.name)
      assert.match(row.description, /\.$/)
    }
  })

  it("explains in the instructions every parameter that the list leaves without words", () => {
    const silent = coreCatalog.flatMap((row) =>
      Object.entries(mcpTool(row).inputSchema.properties ?? {})
        .filter(
          ([, schema]) => typeof schema === "object" && schema["enum"] === undefined && !("description" in schema)
        )
        .map(([name]) => name)
    )
    const byThemselves = ["fields", "deltaY", "limit", "tabId", "maxChars", "fullPage"]
    // another one stands for them, or they are for whoever watches; docs/tools.md has them
    const seldom = ["space", "visible", "wholeFrameTree"]
    for (const name of new Set(silent)) {
      if (byThemselves.includes(name) || seldom.includes(name)) continue
      assert.match(instructions, new RegExp(`\\b${name}\\b`), name)
    }
  })

  it("closes every schema of the list", () => {
    for (const row of catalog) {
      const tool = mcpTool(row)
      assert.isFalse(tool.inputSchema["additionalProperties"], row.name)
      assert.isFalse(tool.outputSchema?.["additionalProperties"], row.name)
      assert.notInclude(JSON.stringify(tool), "NaN")
      assert.notInclude(JSON.stringify(tool), "$ref")
    }
  })

  it("takes a reference only together with its snapshot", () => {
    for (const row of catalog) {
      const names = parameters(row)
      assert.strictEqual(names.includes("ref"), names.includes("snapshotId"), row.name)
    }
  })
})
