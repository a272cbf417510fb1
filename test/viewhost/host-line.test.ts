import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeHostLine } from "../../src/layers/viewhost/HostLine.ts"
import { TabCrashed } from "../../src/schemas/errors.ts"
import { type HostEvent, hostProtocolVersion, toHostError, ViewId } from "../../src/schemas/HostProtocol.ts"

const start = { startImmediately: true } as const
const view = ViewId.make("v1")

/** A line to a host that says what the test wants. */
const makeLine = Effect.gen(function* () {
  const temporary = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "host-line-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const written: Array<{ readonly id: number; readonly op: string; readonly params?: unknown }> = []
  const closed = { count: 0 }
  let receiver: { readonly line: (text: string) => void; readonly lost: (reason: string) => void } | undefined
  const { end, host } = yield* makeHostLine({
    greeting: { secret: "", protocol: hostProtocolVersion, pid: 7, chrome: "130", electron: "33", userAgent: "UA" },
    temporary,
    write: (line) => {
      written.push(JSON.parse(line))
    },
    close: () => {
      closed.count++
    },
    read: (own) => {
      receiver = own
    }
  })
  return {
    host,
    end,
    temporary,
    written,
    closed,
    say: (value: unknown) => receiver?.line(typeof value === "string" ? value : JSON.stringify(value)),
    hangUp: (reason: string) => receiver?.lost(reason)
  }
})

describe("a call of the host", () => {
  it.effect("is written at once and gets its answer, in whatever order answers come", () =>
    Effect.gen(function* () {
      const { host, say, written } = yield* makeLine
      const one = yield* Effect.forkChild(host.call("listTasks", {}), start)
      const two = yield* Effect.forkChild(host.call("ping", {}), start)
      assert.deepStrictEqual(
        written.map(({ id, op }) => [id, op]),
        [
          [1, "listTasks"],
          [2, "ping"]
        ]
      )
      say({ id: 2, ok: true })
      say({ id: 1, ok: true, result: { tasks: [] } })
      assert.deepStrictEqual(yield* Fiber.join(two), {})
      assert.deepStrictEqual(yield* Fiber.join(one), { tasks: [] })
    })
  )

  it.effect("that is refused fails with the very error", () =>
    Effect.gen(function* () {
      const { host, say } = yield* makeLine
      const asked = yield* Effect.forkChild(host.call("showView", { viewId: view }), start)
      say({ id: 1, ok: false, err: toHostError(new TabCrashed({ tabId: "t1", what: "page" })) })
      assert.deepInclude(yield* Effect.flip(Fiber.join(asked)), { _tag: "TabCrashed", tabId: "t1" })
    })
  )

  it.effect("whose answer has another form fails by itself, and the others go on", () =>
    Effect.gen(function* () {
      const { host, say } = yield* makeLine
      const asked = yield* Effect.forkChild(host.call("listTasks", {}), start)
      const other = yield* Effect.forkChild(host.call("ping", {}), start)
      say({ id: 1, ok: true, result: { tasks: "none" } })
      say({ id: 2, ok: true, result: {} })
      assert.strictEqual((yield* Effect.flip(Fiber.join(asked)))._tag, "HostRefused")
      yield* Fiber.join(other)
    })
  )

  it.effect("that is interrupted or too late is given up in the host too, and its late answer is dropped", () =>
    Effect.gen(function* () {
      const { host, say, written } = yield* makeLine
      const asked = yield* Effect.forkChild(host.call("ping", {}), start)
      yield* Fiber.interrupt(asked)
      const late = yield* Effect.forkChild(host.call("ping", {}, { timeout: "2 seconds" }), start)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* Effect.flip(Fiber.join(late)))._tag, "OperationTimeout")
      assert.deepStrictEqual(
        written.filter(({ op }) => op === "cancel").map(({ params }) => params),
        [{ target: 1 }, { target: 3 }]
      )
      say({ id: 1, ok: true, result: {} })
      say({ id: 3, ok: true, result: {} })
      assert.isFalse(host.isClosed())
    })
  )

  it.live("with a large result gets it from a file, which is gone then", () =>
    Effect.gen(function* () {
      const { host, say, temporary } = yield* makeLine
      const file = join(temporary, "large.json")
      const value = { text: "x".repeat(3_000_000) }
      writeFileSync(file, JSON.stringify(value))
      const asked = yield* Effect.forkChild(host.call("command", { viewId: view, method: "A.b" }), start)
      say({ id: 1, ok: true, file, bytes: 3_000_011 })
      assert.isTrue(JSON.stringify(yield* Fiber.join(asked)) === JSON.stringify(value))
      yield* Effect.sleep("5 millis").pipe(Effect.repeat({ until: () => !existsSync(file) }))
    }).pipe(Effect.scoped)
  )

  it.effect("is not answered from a file anywhere else", () =>
    Effect.gen(function* () {
      const { host, say, temporary } = yield* makeLine
      for (const [id, file] of [
        [1, "/etc/hostname"],
        [2, join(temporary, "..", "other.json")],
        [3, join(temporary, "below", "x.json")]
      ] as const) {
        const asked = yield* Effect.forkChild(host.call("ping", {}), start)
        say({ id, ok: true, file, bytes: 1 })
        assert.include((yield* Effect.flip(Fiber.join(asked))).message, "out of place")
      }
    })
  )
})

describe("the line", () => {
  it.effect("drops what is neither answer nor event, and goes on", () =>
    Effect.gen(function* () {
      const { host, say } = yield* makeLine
      const asked = yield* Effect.forkChild(host.call("ping", {}), start)
      for (const garbage of [
        "",
        "no JSON",
        "[]",
        "1",
        "null",
        '{"event":"cdp"}',
        '{"event":"new"}',
        '{"id":"x"}',
        "{"
      ]) {
        say(garbage)
      }
      say({ id: 1, ok: true, result: {} })
      yield* Fiber.join(asked)
    })
  )

  it.effect("tells its listeners of events in their order, until they go", () =>
    Effect.gen(function* () {
      const { host, say } = yield* makeLine
      const seen: Array<HostEvent["event"]> = []
      yield* Effect.scoped(
        Effect.andThen(
          host.listen(({ event }) => {
            seen.push(event)
          }),
          Effect.sync(() => {
            say({ event: "visibleTask" })
            say({ event: "viewClosed", viewId: "v1" })
          })
        )
      )
      say({ event: "viewClosed", viewId: "v2" })
      assert.deepStrictEqual(seen, ["visibleTask", "viewClosed"])
    })
  )

  it.effect("that breaks fails all that is under way and all that comes, once, with the reason", () =>
    Effect.gen(function* () {
      const { end, hangUp, host } = yield* makeLine
      const asked = yield* Effect.forkChild(host.call("ping", {}), start)
      end("it was ended by SIGKILL")
      hangUp("it closed the connection")
      for (const failed of [Fiber.join(asked), host.call("ping", {})]) {
        assert.deepInclude(yield* Effect.flip(failed), { _tag: "HostDead", reason: "it was ended by SIGKILL" })
      }
      assert.isTrue(host.isClosed())
      assert.strictEqual((yield* host.closed).reason, "it was ended by SIGKILL")
    })
  )

  it.effect("is hung up with its scope, and what is under way then fails", () =>
    Effect.gen(function* () {
      const owner = yield* Scope.make()
      const { closed, host } = yield* makeLine.pipe(Scope.provide(owner))
      const asked = yield* Effect.forkChild(host.call("ping", {}), start)
      yield* Scope.close(owner, Exit.void)
      assert.strictEqual(closed.count, 1)
      assert.strictEqual((yield* Effect.flip(Fiber.join(asked)))._tag, "HostDead")
    })
  )

  it.effect("that the host itself ends says what the host said", () =>
    Effect.gen(function* () {
      const { hangUp, host, say } = yield* makeLine
      say({ event: "ending", reason: "its window was closed" })
      hangUp("it closed the connection")
      assert.strictEqual((yield* host.closed).reason, "its window was closed")
    })
  )
})
