import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, FileSystem } from "effect"
import { chooseExecutable, locateBrowser, probeExecutables } from "../../src/layers/providers/chromium/locate.ts"
import { BrowserCandidate } from "../../src/schemas/doctor.ts"

const nothing = { environment: {}, installed: Effect.succeed<ReadonlyArray<string>>([]) }
const explicit = (candidate: BrowserCandidate) =>
  candidate.source === "configured" || candidate.source === "environment"

const makeExecutable = Effect.fnUntraced(function* (mode: number) {
  const files = yield* FileSystem.FileSystem
  const path = `${yield* files.makeTempDirectoryScoped()}/browser`
  yield* files.writeFileString(path, "", { mode })
  return path
})

describe("choosing an executable", () => {
  it.prop(
    "takes the first usable one, never passes over an explicit one, and names all that was tried",
    { candidates: Arbitrary.array(Arbitrary.schema(BrowserCandidate), { minLength: 0, maxLength: 6 }) },
    ({ candidates }) => {
      const { chosen, tried } = chooseExecutable(candidates)
      const decisive = candidates.findIndex((candidate) => candidate.usable || explicit(candidate))
      const candidate = candidates[decisive]
      if (candidate?.usable === true) assert.strictEqual(chosen, candidate)
      else {
        assert.isUndefined(chosen)
        const looked = decisive === -1 ? candidates : candidates.slice(0, decisive + 1)
        assert.isAtLeast(tried?.length ?? 0, Math.max(1, looked.length))
      }
    }
  )
})

describe("locating the browser", () => {
  it.effect("prefers the configured path to CHROME_PATH, and that to installed browsers", () =>
    Effect.gen(function* () {
      const [configured, named, installed] = [yield* makeExecutable(0o755), yield* makeExecutable(0o755), "/installed"]
      const options = { environment: { CHROME_PATH: named }, installed: Effect.succeed([installed]) }
      const all = yield* locateBrowser({ headless: true, executablePath: configured }, options)
      assert.deepStrictEqual(all, { source: "configured", path: configured })
      assert.deepStrictEqual(yield* locateBrowser({ headless: true }, options), { source: "environment", path: named })
      const none = { ...options, environment: { CHROME_PATH: "" } }
      assert.deepStrictEqual(yield* locateBrowser({ headless: true }, none), { source: "installed", path: installed })
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("says that an explicit path does not exist or cannot be executed instead of using another browser", () =>
    Effect.gen(function* () {
      const options = { ...nothing, installed: Effect.succeed(["/installed"]) }
      const tried = (executablePath: string, environment: NodeJS.ProcessEnv = {}) =>
        locateBrowser(executablePath === "" ? { headless: true } : { headless: true, executablePath }, {
          ...options,
          environment
        }).pipe(
          Effect.flip,
          Effect.map((error) => error.tried)
        )
      assert.deepStrictEqual(yield* tried("/no/such/browser"), ["executablePath /no/such/browser (does not exist)"])
      assert.deepStrictEqual(yield* tried("", { CHROME_PATH: "/tmp" }), ["CHROME_PATH /tmp (is not a file)"])
      const plain = yield* makeExecutable(0o644)
      assert.deepStrictEqual(yield* tried(plain), [`executablePath ${plain} (is not executable)`])
      const broken = yield* tried("/no/such/browser", { CHROME_PATH: yield* makeExecutable(0o755) })
      assert.lengthOf(broken, 1)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("takes the embedded browser when none is installed, and not for a window", () =>
    Effect.gen(function* () {
      const probed = yield* probeExecutables({ headless: true }, nothing)
      const embedded = probed.candidates.find((candidate) => candidate.source === "embedded")
      assert.strictEqual(embedded?.usable, process.platform === "linux" && process.arch === "x64")
      const error = yield* Effect.flip(locateBrowser({ headless: false }, nothing))
      assert.strictEqual(error.code, "BROWSER_NOT_FOUND")
      assert.lengthOf(error.tried, 2)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
