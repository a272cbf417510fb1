import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { buildCommandLine } from "../../scripts/build-command-line.ts"
import { TestSite } from "../support/TestSite.ts"

/** The command line as it is shipped, built from the sources of now, with a cache of its own. */
class Built extends Context.Service<Built, { readonly program: string; readonly cache: string }>()("Built") {
  static readonly layer = Layer.effect(
    Built,
    Effect.acquireRelease(
      Effect.promise(async () => {
        // inside the project, where its packages are found
        const bin = join(import.meta.dirname, `../../dist-test-${process.pid}`)
        await buildCommandLine(bin)
        return {
          program: join(bin, "effect-browser.js"),
          cache: mkdtempSync(join(tmpdir(), "effect-browser-cache-")),
          bin
        }
      }),
      ({ bin, cache }) =>
        Effect.sync(() => {
          for (const folder of [bin, cache]) rmSync(folder, { recursive: true, force: true })
        })
    )
  )
}

const run = (...args: ReadonlyArray<string>) => Effect.scoped(running(args))

const running = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const { cache, program } = yield* Built
  const child = yield* ChildProcess.make(process.execPath, [program, ...args], {
    env: { XDG_CACHE_HOME: cache, NO_COLOR: "1" },
    extendEnv: true,
    stdin: "ignore",
    forceKillAfter: "3 seconds"
  })
  const text = (stream: typeof child.stdout) => Stream.mkString(Stream.decodeText(stream))
  const [out, err, code] = yield* Effect.all([text(child.stdout), text(child.stderr), child.exitCode], {
    concurrency: "unbounded"
  })
  return { out, err, code: Number(code) }
})

const kept = Effect.map(Built, ({ cache }) => {
  const folder = join(cache, "effect-browser", "compiled")
  return readdirSync(folder).map((name) => ({ name, written: statSync(join(folder, name)).mtimeMs }))
})

layer(Layer.mergeAll(Built.layer, TestSite.layer, NodeServices.layer), { excludeTestServices: true })(
  "the built command line",
  (it) => {
    it.effect("says the same each time, and only what was asked for, from what the first time compiled", () =>
      Effect.gen(function* () {
        const first = yield* run("--help")
        assert.deepInclude(first, { err: "", code: 0 })
        assert.include(first.out, "mcp")
        const [help, ...others] = yield* kept
        assert.match(help?.name ?? "", /^help-/)
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual(yield* run("--help"), first)
        assert.deepStrictEqual(yield* kept, [help])
      })
    )

    it.effect("keeps what each command needs by itself, and says what is wrong as ever", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* run("tools"), { err: "", code: 0 })
        assert.include((yield* run("nonsense")).err, "nonsense")
        const names = (yield* kept).map(({ name }) => name.replace(/-.*/, ""))
        assert.includeMembers(names, ["tools", "help"])
        assert.notInclude(names, "nonsense")
      })
    )

    it.effect("loads the packages that it does not hold", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const url = site.body(
          "<h1>Title</h1><p>A <b>bold</b> word</p><table><tr><th>A</th></tr><tr><td>1</td></tr></table>"
        )
        const { out, err, code } = yield* run("call", "content", '{"format":"markdown"}', "--url", url)
        assert.strictEqual(code, 0, err)
        assert.include(out, "# Title\n\nA **bold** word")
        assert.notMatch(err, /Experimental|Deprecation/)
      })
    )
  }
)
