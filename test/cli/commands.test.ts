import { readFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { Arbitrary, Effect, Schema } from "effect"
import { TestConsole } from "effect/testing"
import { Command } from "effect/cli"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { doctorText } from "../../src/cli/doctorText.ts"
import { exitCode, exitCodes, kindOf } from "../../src/cli/exitCodes.ts"
import { failure } from "../../src/cli/failure.ts"
import { oneShotAdvice } from "../../src/cli/oneShotAdvice.ts"
import { root } from "../../src/cli/root.ts"
import { runNames } from "../../src/cli/runNames.ts"
import { makeStyle, wantsColour } from "../../src/cli/style.ts"
import { inspectElectron } from "../../src/layers/providers/electron/doctor.ts"
import { ElectronDoctor, EndpointDoctor } from "../../src/schemas/doctor.ts"
import { BrowserError, InvalidArguments, NavigationFailed } from "../../src/schemas/errors.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { version } from "../../src/version.ts"

const run = (...argv: ReadonlyArray<string>) =>
  Command.runWith(root, { version })(argv).pipe(Effect.as(0), Effect.catch(failure), Effect.provide(NodeServices.layer))

/** A port of this machine where nobody listens. */
const closedPort = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
    })
)

const printed = Effect.map(TestConsole.logLines, (lines) => lines.map(String).join("\n"))
const complained = Effect.map(TestConsole.errorLines, (lines) => lines.map(String).join("\n"))

describe("command line", () => {
  it("knows its commands before any of them is loaded", () => {
    const names = root.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
    assert.deepStrictEqual([...runNames].sort(), names.sort())
  })

  it("has the version of the package", () => {
    const manifest: unknown = JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, "utf8"))
    assert.deepInclude(manifest as object, { version })
  })

  it.effect("lists the tools for people and for programs", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run("tools"), 0)
      const table = yield* printed
      for (const row of catalog) assert.include(table, row.name)
      yield* run("tools", "--json")
      const lines = yield* TestConsole.logLines
      const listed = JSON.parse(String(lines.at(-1))) as ReadonlyArray<{ readonly name: string }>
      assert.deepStrictEqual(
        listed.map((tool) => tool.name),
        catalog.map((row) => row.name)
      )
      // what only matters inside stays inside
      const told = new Set(listed.flatMap((tool) => Object.keys(tool)))
      const contract = ["name", "title", "description", "core", "annotations", "inputSchema", "outputSchema", "errors"]
      assert.sameMembers([...told], [...contract, "needs"])
    })
  )

  it.effect("tells of one tool what it takes and gives and how it can fail, by its name or the end of it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run("tools", "fill"), 0)
      const text = yield* printed
      assert.match(text, /^browser_fill {2}acts/)
      assert.match(text, /fields +required +list of /)
      assert.match(text, /fields\[\]\.value +/)
      assert.match(text, /submit +default false +boolean/)
      assert.include(text, "its own: BROWSER_FILL_FAILED")
      for (const row of catalog) {
        assert.strictEqual(yield* run("tools", row.name), 0)
        yield* run("tools", row.name.replace("browser_", ""), "--json")
        const [lines, json] = (yield* TestConsole.logLines).slice(-2).map(String)
        const one = JSON.parse(json ?? "") as {
          readonly name: string
          readonly errors: ReadonlyArray<string>
          readonly inputSchema: { readonly properties?: object }
        }
        assert.strictEqual(one.name, row.name)
        for (const name of Object.keys(one.inputSchema.properties ?? {})) assert.include(lines, `  ${name} `)
        // one that calls any other can fail with everything
        if (row.errors.length < BrowserError.members.length) for (const code of one.errors) assert.include(lines, code)
      }
    })
  )

  it.effect("refuses to tell of a tool that there is not, with the names that may have been meant", () =>
    Effect.gen(function* () {
      for (const more of [[], ["--json"]]) {
        assert.strictEqual(yield* run("tools", "clik_ref", ...more), 2)
        assert.include(
          (yield* TestConsole.errorLines).map(String).at(-1),
          `"browser_clik_ref" (near: browser_click_ref`
        )
      }
      assert.deepStrictEqual(yield* TestConsole.logLines, [])
    })
  )

  it.effect("shows help and succeeds when it is asked for", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run("--help"), 0)
      assert.include(yield* printed, "doctor")
      assert.strictEqual(yield* run("mcp", "--help"), 0)
    })
  )

  it.effect("refuses wrong options and arguments with exit code 2 and does nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run("mcp", "--nonsense"), 2)
      assert.strictEqual(yield* run("mcp", "--tols", "all"), 2)
      assert.match(yield* complained, /--tols[\s\S]*--tools$/)
      assert.strictEqual(yield* run("nonsense"), 2)
      assert.strictEqual(yield* run("call"), 2)
      assert.strictEqual(yield* run("call", "open", "{"), 2)
      assert.include(yield* complained, "BROWSER_INVALID_ARGUMENTS")
      assert.include(yield* complained, "JSON")
      assert.strictEqual(yield* run("call", "content", "[1]"), 2)
      assert.include(yield* complained, "they are a list; write them as one JSON object in single quotes")
      assert.strictEqual(yield* run("doctor", "--viewport", "12"), 2)
      assert.include(yield* complained, "--viewport must be a width and a height in CSS px, such as 1280x800")
      assert.strictEqual(yield* run("call", "click", "{}"), 2)
      assert.include(yield* complained, "give --url")
    })
  )

  it.effect("refuses an unknown tool and wrong arguments before any browser is started", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run("call", "opne", "{}"), 2)
      assert.include(yield* complained, "browser_open")
      assert.strictEqual(yield* run("call", "open", '{"uri":1}'), 2)
      assert.include(yield* complained, "uri is not known")
    })
  )

  it.effect("says that there is no browser with exit code 3", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run("call", "open", '{"url":"http://a.test/"}', "--provider", "none"), 3)
      assert.include(yield* complained, "BROWSER_PROVIDER_CONFIGURED_MISSING")
      assert.strictEqual(yield* run("doctor", "--provider", "chromum"), 3)
      assert.strictEqual(yield* printed, "")
    })
  )

  it.effect("says that there is no browser, too, where none answers at the address to attach to", () =>
    Effect.gen(function* () {
      const port = yield* closedPort
      const url = '{"url":"http://a.test/"}'
      for (const endpoint of [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}/devtools/browser/x`]) {
        assert.strictEqual(yield* run("call", "open", url, "--endpoint", endpoint), 3)
      }
      assert.match(yield* complained, /BROWSER_CONNECTION_LOST.*\n.*Next:.* Check that the browser runs.*doctor/)
    })
  )

  it.effect("examines the browser to attach to instead of those of the machine, where there is one", () =>
    Effect.gen(function* () {
      const label = `http://127.0.0.1:${yield* closedPort}`
      assert.strictEqual(yield* run("doctor", "--endpoint", `${label}/?token=s3cret`), 3)
      assert.include(yield* printed, `Browser to attach to, at ${label}`)
      assert.include(yield* printed, "BROWSER_CONNECTION_LOST")
      assert.notInclude(yield* printed, "apt install")
      assert.strictEqual(yield* run("doctor", "--endpoint", `${label}/?token=s3cret`, "--json"), 3)
      const lines = yield* TestConsole.logLines
      const { endpoint } = JSON.parse(String(lines.at(-1))) as { readonly endpoint: unknown }
      assert.isTrue(Schema.is(EndpointDoctor)(endpoint))
      assert.notInclude(yield* printed, "s3cret")
    })
  )

  it.prop(
    "gives no advice that needs the browser of the command, which is gone with it",
    { error: Arbitrary.schema(BrowserError) },
    ({ error }) => {
      const advice = oneShotAdvice(error)
      assert.notMatch(advice, /browser_[a-z]|take a (fresh )?snapshot|new tab/i, error._tag)
      assert.isNotEmpty(advice)
    },
    { arbitrary: { runs: 600 } }
  )

  it.effect("tells an error by its code and the next step, on standard error", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failure(new NavigationFailed({ url: "http://a/", reason: "refused" })), 4)
      assert.match(
        yield* complained,
        /BROWSER_NAVIGATION_FAILED.*: Could not open http:\/\/a\/: refused\.\n.*Next:.* Check/
      )
      assert.strictEqual(yield* printed, "")
    })
  )
})

describe("exit codes", () => {
  it("are distinct", () => {
    const codes = Object.values(exitCodes).map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, codes.length)
  })

  it("know every kind of error", () => {
    const kinds = new Set(BrowserError.members.map((member) => kindOf(member.identifier)))
    assert.deepStrictEqual([...kinds].sort(), ["files", "internal", "noBrowser", "page", "time", "usage"])
    assert.strictEqual(exitCode(new InvalidArguments({ tool: "a", issues: [] })), 2)
  })
})

describe("colours", () => {
  it("are shown on a terminal only, unless the environment says otherwise", () => {
    assert.isTrue(wantsColour(true, {}))
    assert.isFalse(wantsColour(false, {}))
    assert.isFalse(wantsColour(true, { NO_COLOR: "1" }))
    assert.isTrue(wantsColour(false, { FORCE_COLOR: "1" }))
    assert.isFalse(wantsColour(true, { FORCE_COLOR: "0" }))
    assert.isFalse(wantsColour(true, { TERM: "dumb" }))
    assert.strictEqual(makeStyle(false).red("a"), "a")
    assert.strictEqual(makeStyle(true).red("a"), "\u001b[31ma\u001b[39m")
  })
})

describe("doctor", () => {
  const facts = {
    candidates: [
      { source: "configured", path: "/opt/none", usable: false, problem: "it does not exist" },
      { source: "embedded", path: "/pkg", usable: false, problem: "no package for this machine" }
    ],
    launch: { ok: false, code: "BROWSER_NOT_FOUND", message: "No browser was found.", next: "Install one." },
    sandbox: { enabled: true, reason: "" },
    embedded: { libraries: "embedded", missingLibraries: ["libnss3.so"], fonts: "system" },
    machine: { platform: "linux", arch: "x64", root: false, container: false },
    electron: {
      wanted: "42.9.3",
      candidates: [
        { source: "pnpm", path: "/store/electron", version: "43.4.1", usable: false, problem: "it is 43.4.1" }
      ],
      remedy: "Install it.",
      display: false,
      profile: "/home/u/profile"
    }
  } as const

  it("says what was tried, what is missing and how to get it", () => {
    const text = doctorText(facts, makeStyle(false))
    for (const part of [
      "/opt/none: it does not exist",
      "BROWSER_NOT_FOUND",
      "libnss3.so",
      "apt install chromium",
      "CHROME_PATH"
    ]) {
      assert.include(text, part)
    }
  })

  it("names the browser that is taken", () => {
    const chosen = { source: "installed", path: "/usr/bin/chromium", usable: true } as const
    const launch = { ok: true, executable: chosen.path, product: "Chrome/156", protocol: "1.3", ms: 420 } as const
    const text = doctorText({ ...facts, candidates: [chosen], chosen, launch }, makeStyle(false))
    assert.include(text, "Chrome/156, protocol 1.3, answered after 420 ms")
    assert.notInclude(text, "apt install")
  })

  it("says which Electron was found, why it is not used, and what its window lacks", () => {
    const text = doctorText(facts, makeStyle(false))
    for (const part of [
      "Electron 42.9.3",
      "pnpm store     /store/electron: it is 43.4.1",
      "Install it.",
      "set DISPLAY"
    ]) {
      assert.include(text, part)
    }
    const chosen = { source: "environment", path: "/e/electron", version: "42.9.3", usable: true } as const
    const { remedy: _, ...electron } = facts.electron
    const usable = { ...electron, candidates: [chosen], chosen, display: true }
    const good = doctorText({ ...facts, electron: usable }, makeStyle(true))
    assert.include(good, `\u001b[1m${chosen.path}`)
    assert.include(good, "ELECTRON_PATH")
    assert.notInclude(good, "set DISPLAY")
  })

  it.live("looks for Electron where it runs, and starts none", () =>
    Effect.gen(function* () {
      const profile = "/tmp/its-profile"
      const found = yield* inspectElectron({ profile })
      assert.strictEqual(found.profile, profile)
      assert.strictEqual(found.chosen === undefined, found.remedy !== undefined)
      assert.isTrue(Schema.is(ElectronDoctor)(found))
    })
  )
})
