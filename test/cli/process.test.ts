import { join } from "node:path"
import { Effect, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"

const program = join(import.meta.dirname, "../../src/cli/main.ts")

/** Runs the program as a process of its own. */
const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const child = yield* ChildProcess.make(process.execPath, [program, ...args], {
      env: { NO_COLOR: "", FORCE_COLOR: "", ...env },
      extendEnv: true,
      stdin: "ignore",
      forceKillAfter: "3 seconds"
    })
    const text = (stream: typeof child.stdout) => stream.pipe(Stream.decodeText(), Stream.mkString)
    const [out, err, code] = yield* Effect.all([text(child.stdout), text(child.stderr), child.exitCode], {
      concurrency: "unbounded"
    })
    return { out, err, code: Number(code) }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("program", () => {
  it.live("succeeds with help on standard output", () =>
    Effect.gen(function* () {
      const { out, err, code } = yield* run(["--help"])
      assert.strictEqual(code, 0)
      assert.include(out, "mcp")
      assert.strictEqual(err, "")
    })
  )

  it.live("ends with 2 on wrong usage, with the error and nothing else on standard error", () =>
    Effect.gen(function* () {
      const { out, err, code } = yield* run(["call", "opne", "{}"])
      assert.deepStrictEqual({ out, code }, { out: "", code: 2 })
      assert.match(err, /^BROWSER_TOOL_UNKNOWN: There is no tool "browser_opne" \(near: browser_open.*\nNext: .*\n$/)
    })
  )

  it.live("shows how a command is used beside the error, and nothing on standard output", () =>
    Effect.gen(function* () {
      for (const args of [["call"], ["mcp", "--nonsense"], ["nonsense"]]) {
        const { out, err, code } = yield* run(args)
        assert.deepStrictEqual({ out, code }, { out: "", code: 2 }, args.join(" "))
        assert.include(err, "USAGE")
        assert.include(err, "ERROR")
      }
    })
  )

  it.live("starts no browser for an address that cannot be opened", () =>
    Effect.gen(function* () {
      for (const args of [
        ["call", "open", '{"url":"htp:/x"}'],
        ["call", "content", '{"format":"txt"}', "--url", "htp:/x"],
        ["demo", "htp:/x"]
      ]) {
        // a browser that is not there would be told of first
        const { err, code } = yield* run([...args, "--executable", "/none/browser"])
        assert.strictEqual(code, 4, args.join(" "))
        assert.include(err, "BROWSER_NAVIGATION_BLOCKED")
      }
    })
  )

  it.live("ends with 3 where no browser can be had", () =>
    Effect.gen(function* () {
      const { out, err, code } = yield* run([
        "call",
        "open",
        '{"url":"http://a.test/"}',
        "--executable",
        "/none/browser"
      ])
      assert.deepStrictEqual({ out, code }, { out: "", code: 3 })
      assert.match(err, /BROWSER_(NOT_FOUND|LAUNCH_FAILED)/)
    })
  )

  it.live("starts no MCP server with wrong settings, and says so on standard error", () =>
    Effect.gen(function* () {
      const { out, err, code } = yield* run(["mcp", "--viewport", "wide"])
      assert.deepStrictEqual({ out, code }, { out: "", code: 2 })
      assert.include(err, "BROWSER_CONFIG_INVALID")
      const named = yield* run(["mcp"], { EFFECT_BROWSER_TOOLS: "al" })
      assert.strictEqual(named.code, 2)
      assert.match(named.err, /^BROWSER_CONFIG_INVALID: .*EFFECT_BROWSER_TOOLS must be "core" or "all"/)
    })
  )

  it.live("colours what it says only where it is wanted", () =>
    Effect.gen(function* () {
      assert.notInclude((yield* run(["tools"])).out, "\u001b[")
      assert.include((yield* run(["tools"], { FORCE_COLOR: "1" })).out, "\u001b[")
    })
  )
})
