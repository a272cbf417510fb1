import { symlinkSync } from "node:fs"
import { hostname } from "node:os"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, FileSystem, Schema } from "effect"
import { runsInGroup, startTimeInStat } from "../../src/layers/providers/chromium/processIdentity.ts"
import { temporaryFilesIn } from "../../src/layers/cdp/temporaryFolder.ts"
import { acquireGivenProfile, isOwnerAlive } from "../../src/layers/providers/chromium/profile.ts"
import { checkSingleton, isHeld, parseSingletonLock } from "../../src/layers/providers/chromium/singleton.ts"

const temporary = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return yield* files.realPath(yield* files.makeTempDirectoryScoped())
})

/** The number of a process that has ended. */
const deadPid = 4_194_000

describe("Chromium's lock", () => {
  it.prop(
    "is read back whatever the host is called",
    {
      host: Arbitrary.schema(Schema.NonEmptyString),
      pid: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4_194_304 })))
    },
    ({ host, pid }) => {
      assert.deepStrictEqual(parseSingletonLock(`${host}-${pid}`), { host, pid })
    }
  )

  it("that names no process is nobody's", () => {
    assert.deepStrictEqual(
      ["", "host", "host-", "host-x", "-5", "host-0"].map(parseSingletonLock),
      Array(6).fill(undefined)
    )
  })

  it("is held by whoever answers, and otherwise by a browser with that number on this host", () => {
    const owner = { host: "h", pid: 7 }
    const facts = { owner, answers: false, host: "h", exists: true, commandLine: undefined, profile: "/p" }
    assert.isTrue(isHeld(facts))
    assert.isTrue(isHeld({ ...facts, owner: { host: "other", pid: 7 }, answers: true }))
    assert.isTrue(isHeld({ ...facts, commandLine: "x --user-data-dir=/p" }))
    assert.isTrue(isHeld({ ...facts, commandLine: "/opt/google/chrome/chrome --type=x" }))
    assert.isFalse(isHeld({ ...facts, commandLine: "/usr/sbin/sshd -D" }))
    assert.isFalse(isHeld({ ...facts, owner: { host: "other", pid: 7 } }))
    assert.isFalse(isHeld({ ...facts, exists: false }))
    assert.isFalse(isHeld({ ...facts, owner: undefined }))
  })

  it.effect("of a dead process, and of another host, is removed", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      for (const lock of [`${hostname()}-${deadPid}`, `rebuilt-container-${process.pid}`, "nonsense"]) {
        const profile = yield* temporary
        symlinkSync(lock, `${profile}/SingletonLock`)
        symlinkSync("/nowhere/SingletonSocket", `${profile}/SingletonSocket`)
        assert.isFalse(yield* checkSingleton(profile))
        assert.deepStrictEqual(yield* files.readDirectory(profile), [])
      }
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})

describe("our lock of a given profile", () => {
  it.effect("is taken once, also by many at the same time, and given back", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const profile = `${yield* temporary}/new/profile`
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.result(acquireGivenProfile(profile)),
        {
          concurrency: "unbounded"
        }
      ).pipe(Effect.scoped)
      assert.lengthOf(
        results.filter((result) => result._tag === "Success"),
        1
      )
      for (const result of results)
        if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "ProfileInUse")
      assert.deepStrictEqual(yield* files.readDirectory(profile), [])
      yield* Effect.scoped(acquireGivenProfile(profile))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect(
    "is taken over from a dead process, from another host, and from a process with the number of a dead one",
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const stale = [
          { host: hostname(), pid: deadPid },
          { host: "rebuilt-container", pid: process.pid },
          { host: hostname(), pid: process.pid, started: "1" },
          "not even JSON"
        ]
        for (const lock of stale) {
          const profile = yield* temporary
          yield* files.writeFileString(`${profile}/effect-browser.lock`, JSON.stringify(lock))
          yield* Effect.scoped(acquireGivenProfile(profile))
          assert.deepStrictEqual(yield* files.readDirectory(profile), [])
        }
      }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it("is alive as long as its process is known to be the same", () => {
    const owner = { host: "h", pid: 1, started: "10" }
    const facts = { host: "h", exists: true, started: "10" }
    assert.isTrue(isOwnerAlive(owner, facts))
    assert.isTrue(isOwnerAlive(owner, { ...facts, started: undefined }))
    assert.isFalse(isOwnerAlive(owner, { ...facts, started: "11" }))
    assert.isFalse(isOwnerAlive(owner, { ...facts, host: "i" }))
  })
})

describe("the process table", () => {
  const stat = (state: string, group: number) =>
    `42 (a) b (c) ${state} 1 ${group} 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 11`

  it("is read right for a process whose name holds parentheses and spaces", () => {
    assert.strictEqual(startTimeInStat(stat("S", 40)), "987654")
    assert.isTrue(runsInGroup(stat("S", 40), 40))
    assert.isFalse(runsInGroup(stat("S", 41), 40))
    assert.isFalse(runsInGroup(stat("Z", 40), 40))
  })
})

describe("the browser's temporary files", () => {
  it("lie in the folder that is removed, unless its name is too long for a socket in it", () => {
    assert.deepStrictEqual(temporaryFilesIn("/tmp/effect-browser-0123456789abcdef"), {
      TMPDIR: "/tmp/effect-browser-0123456789abcdef"
    })
    const socket = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
    for (let length = 1; length < 120; length++) {
      const folder = `/${"x".repeat(length)}`
      if (temporaryFilesIn(folder)["TMPDIR"] !== undefined) assert.isBelow((folder + socket).length, 104)
    }
  })
})
