import { assert, describe, it } from "@effect/vitest"
import type { BrowserExit } from "../../src/layers/providers/chromium/browserProcess.ts"
import { launchProblem } from "../../src/layers/providers/chromium/launchProblem.ts"
import { looksLikeContainer, sandboxState } from "../../src/layers/providers/chromium/machine.ts"

const exited: BrowserExit = { code: 1, signal: undefined }
const facts = { exit: exited, words: "", givenProfile: true, held: false }
const reason = (given: Partial<typeof facts>) => {
  const problem = launchProblem({ ...facts, ...given })
  return problem.kind === "failed" ? problem.reason : problem.kind
}

describe("a browser that ends at its start", () => {
  it("has found its profile in use by code 21, by its words, or by handing over to the owner", () => {
    assert.strictEqual(reason({ exit: { code: 21, signal: undefined } }), "profileInUse")
    assert.strictEqual(reason({ words: "Failed to create /p/SingletonLock: File exists (17)" }), "profileInUse")
    assert.strictEqual(reason({ exit: { code: 0, signal: undefined }, held: true }), "profileInUse")
  })

  it("never blames a profile that is fresh", () => {
    assert.match(reason({ exit: { code: 21, signal: undefined }, givenProfile: false }), /code 21/)
    assert.match(reason({ exit: { code: 0, signal: undefined } }), /code 0/)
  })

  it("is explained by what it lacks", () => {
    const shared = "x: error while loading shared libraries: libnss3.so: cannot open shared object file"
    assert.match(reason({ words: shared }), /library libnss3\.so is missing/)
    assert.match(reason({ words: "[1:1:FATAL:z.cc] No usable sandbox! Update your kernel" }), /user namespaces/)
    assert.match(reason({ words: "ERROR: Missing X server or $DISPLAY" }), /no display/)
    assert.match(reason({ words: "lib: version `GLIBC_2.34' not found" }), /GLIBC_2\.34/)
  })

  it("is otherwise quoted, without noise and in few words", () => {
    const words = `${"[1:ERROR:dbus/bus.cc] no bus\n".repeat(50)}first\n[1:FATAL:a.cc] broken\nlast\n`
    const text = reason({ words, exit: { code: undefined, signal: "SIGTRAP" } })
    assert.strictEqual(text, "it was ended by SIGTRAP. It said: [1:FATAL:a.cc] broken")
    assert.isBelow(reason({ words: "y".repeat(5000) }).length, 700)
  })
})

describe("the sandbox", () => {
  it("is off only for root on Linux", () => {
    const on = (platform: NodeJS.Platform, uid: number | undefined) =>
      sandboxState({ platform, uid, container: true }).enabled
    assert.deepStrictEqual(
      [on("linux", 0), on("linux", 1000), on("darwin", 0), on("win32", undefined)],
      [false, true, true, true]
    )
  })

  it("tells a container by its marks", () => {
    const none = { markers: false, containerVariable: undefined, controlGroups: "0::/init.scope" }
    assert.isFalse(looksLikeContainer(none))
    assert.isFalse(looksLikeContainer({ ...none, containerVariable: "" }))
    assert.isTrue(looksLikeContainer({ ...none, markers: true }))
    assert.isTrue(looksLikeContainer({ ...none, containerVariable: "podman" }))
    assert.isTrue(looksLikeContainer({ ...none, controlGroups: "12:cpu:/kubepods/besteffort/pod1" }))
  })
})
