/** A browser whose processes are all stopped, as by a debugger or a system that freezes groups: it answers nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"
import { groupMembers, processesNaming, untilNothing } from "../support/browserProcesses.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { withVariable } from "../support/variables.ts"

const folder = temporaryFolder("frozen")
const call = (task: string, name: string, args: unknown = {}) =>
  Tools.use((tools) => tools.invoke(TaskKey.make(task), name, args)).pipe(
    Effect.match({
      onSuccess: ({ content }) => content.map((part) => ("text" in part ? part.text : "")).join("\n"),
      onFailure: ({ code, message }) => `${code}: ${message}`
    })
  )
const open = (task: string) => call(task, "browser_open", { url: "about:blank" })

/** The browser of this test: it leads the group of its processes. */
const browser = (): number => {
  const [leader] = processesNaming("--remote-debugging-pipe").filter(
    (pid) => processesNaming(folder).includes(pid) && groupMembers(pid).length > 1
  )
  return leader ?? assert.fail("there is no browser")
}

const frozen = Effect.sync(() => {
  const leader = browser()
  process.kill(-leader, "SIGSTOP")
  return leader
})

const tools = Layer.unwrap(Effect.as(withVariable("TMPDIR", folder), chromiumTools()))

describe.runIf(process.platform === "linux")("a browser that is frozen", { timeout: 60_000 }, () => {
  it.live("is ended by browser_reset_session, which says so, and the next session has a new one", () =>
    Effect.gen(function* () {
      yield* open("one")
      const before = yield* frozen
      const reset = yield* call("one", "browser_reset_session")
      assert.strictEqual(reset, "session closed: its browser did not answer any more and was ended")
      assert.deepStrictEqual(yield* untilNothing(() => groupMembers(before), 5_000), [])
      assert.include(yield* open("one"), "about:blank")
      assert.notStrictEqual(browser(), before)
      // one that answers is left alone
      const after = browser()
      assert.strictEqual(yield* call("one", "browser_reset_session"), "session closed")
      yield* open("two")
      assert.strictEqual(browser(), after)
    }).pipe(Effect.provide(tools))
  )

  for (const [name, args] of [
    ["browser_close_tab", { tabId: "t1" }],
    ["browser_reset", {}]
  ] as const) {
    it.live(`is ended by ${name}, which tells every task that its session is lost`, () =>
      Effect.gen(function* () {
        yield* open("one")
        yield* open("two")
        const before = yield* frozen
        const closing = yield* call("one", name, args)
        assert.include(closing, "BROWSER_SESSION_LOST")
        assert.include(closing, "did not answer any more and was ended")
        assert.deepStrictEqual(yield* untilNothing(() => groupMembers(before), 5_000), [])
        assert.include(yield* call("two", "browser_snapshot"), "did not answer any more and was ended")
        assert.include(yield* open("two"), "about:blank")
      }).pipe(Effect.provide(tools))
    )
  }

  it.live("is replaced when another task opens a session", () =>
    Effect.gen(function* () {
      yield* open("one")
      const before = yield* frozen
      assert.include(yield* open("two"), "about:blank")
      assert.notStrictEqual(browser(), before)
    }).pipe(Effect.provide(tools))
  )
})
