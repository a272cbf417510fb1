import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { join } from "node:path"
import { TestSite } from "../support/TestSite.ts"

layer(Layer.merge(TestSite.layer, NodeServices.layer), { excludeTestServices: true })("the example program", (it) => {
  it.effect("opens a page, follows a link, prints what is there, and ends by itself with everything closed", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const next = site.body("<h1>Second page</h1>", "second")
      const start = site.body(`<p>Start</p><a href="${next}">Onward</a>`, "Start page")
      const child = yield* ChildProcess.make(
        process.execPath,
        [join(import.meta.dirname, "../../examples/effect-app.ts"), start],
        { stdin: "ignore", stderr: "ignore", extendEnv: true, forceKillAfter: "3 seconds" }
      )
      const output = yield* Stream.mkString(Stream.decodeText(child.stdout))
      assert.strictEqual(yield* child.exitCode, ChildProcessSpawner.ExitCode(0))
      assert.include(output, `"Start page" shows 2 elements`)
      assert.include(output, `now at ${next}`)
      assert.include(output, "# Second page")
    })
  )

  it.effect("tells an error by its code and the next step, without a stack", () =>
    Effect.gen(function* () {
      const child = yield* ChildProcess.make(
        process.execPath,
        [join(import.meta.dirname, "../../examples/effect-app.ts"), "notaurl"],
        { stdin: "ignore", stdout: "ignore", extendEnv: true, forceKillAfter: "3 seconds" }
      )
      const said = yield* Stream.mkString(Stream.decodeText(child.stderr))
      assert.strictEqual(yield* child.exitCode, ChildProcessSpawner.ExitCode(1))
      assert.match(said, /^BROWSER_NAVIGATION_BLOCKED: .*notaurl/m)
      assert.match(said, /^Next: ./m)
      assert.notMatch(said, /^ +at /m)
    })
  )
})
