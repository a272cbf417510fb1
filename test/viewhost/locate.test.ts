import { join, dirname } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, FileSystem, Schema } from "effect"
import {
  chooseElectron,
  type ElectronPlace,
  electronPlaces,
  findElectrons,
  judgeElectron,
  locateElectron,
  placesHere
} from "../../src/layers/viewhost/locate.ts"
import { electronVersion, FoundElectron } from "../../src/schemas/electron.ts"
import { withVariable } from "../support/variables.ts"

const Version = Schema.Literals([electronVersion, "42.9.4", "43.4.1", "42.9.3-beta.1", "142.9.3"])
/** Of any place and state; with the wanted version often enough to matter. */
const Found = FoundElectron.mapFields((fields) => ({ ...fields, version: Schema.optionalKey(Version) }))
const several = Arbitrary.array(Arbitrary.schema(Found), { minLength: 0, maxLength: 6 })

describe("choosing an Electron", () => {
  it.prop(
    "takes the first of exactly the pinned version that has its program, and no other",
    { found: several },
    ({ found }) => {
      const wanted = found.find(({ binary, version }) => version === electronVersion && binary.state === "ready")
      const { chosen } = chooseElectron(found)
      assert.strictEqual(chosen?.executable, wanted?.binary.state === "ready" ? wanted.binary.executable : undefined)
      assert.strictEqual(chosen?.source, wanted?.source)
    }
  )

  it.prop("names every one that it rejects, and why", { found: several }, ({ found }) => {
    const choice = chooseElectron(found)
    if (choice.chosen !== undefined) return
    assert.lengthOf(choice.error.rejected, found.length)
    for (const [index, one] of found.entries()) {
      const { problem, usable } = judgeElectron(one)
      assert.isFalse(usable)
      assert.include(choice.error.rejected[index], one.path)
      assert.include(choice.error.rejected[index], String(problem))
    }
  })

  it.prop("says how to fetch a program that only is missing", { path: Schema.NonEmptyString }, ({ path }) => {
    const folder = join("/", path)
    const choice = chooseElectron([
      { source: "prefix", path: "/other", version: "43.4.1", binary: { state: "absent" } },
      { source: "dependency", path: folder, version: electronVersion, binary: { state: "absent" } }
    ])
    assert.isUndefined(choice.chosen)
    assert.include(choice.error?.next, `node ${join(folder, "install.js")}`)
  })
})

const facts = {
  environment: {},
  dependency: undefined,
  module: "/app/node_modules/effect-browser/dist",
  workingDirectory: "/project",
  program: "/opt/node/bin"
}
const paths = (places: ReadonlyArray<ElectronPlace>) => places.map(({ path }) => path)
const Folder = Schema.String.check(Schema.isPattern(/^(\/[a-z]{1,3}){0,12}$/))

describe("the places to look at", () => {
  it("come in their order: dependency, ELECTRON_PATH, prefixes, DSH, stores", () => {
    const environment = {
      ELECTRON_PATH: "/e/electron",
      npm_config_prefix: "/npm",
      PREFIX: "/prefix",
      DSH_HOME: "/dsh"
    }
    const places = electronPlaces({ ...facts, environment, dependency: "/app/node_modules/electron" })
    assert.deepStrictEqual(
      places.slice(0, 11).map(({ path, source }) => `${source} ${path}`),
      [
        "dependency /app/node_modules/electron",
        "environment /e/electron",
        "prefix /npm/lib/node_modules/electron",
        "prefix /npm/node_modules/electron",
        "prefix /prefix/lib/node_modules/electron",
        "prefix /prefix/node_modules/electron",
        "dsh /npm/lib/node_modules/@deepseek-ai/dsh/node_modules/electron",
        "dsh /npm/node_modules/@deepseek-ai/dsh/node_modules/electron",
        "dsh /prefix/lib/node_modules/@deepseek-ai/dsh/node_modules/electron",
        "dsh /prefix/node_modules/@deepseek-ai/dsh/node_modules/electron",
        "dsh /dsh/profiles/node_modules/electron"
      ]
    )
    assert.deepStrictEqual(paths(places.slice(11)), [
      "/app/node_modules/effect-browser/dist/node_modules/.pnpm",
      "/app/node_modules/effect-browser/node_modules/.pnpm",
      "/app/node_modules/node_modules/.pnpm",
      "/app/node_modules/.pnpm",
      "/node_modules/.pnpm",
      "/project/node_modules/.pnpm",
      "/opt/node/bin/node_modules/.pnpm",
      "/opt/node/node_modules/.pnpm",
      "/opt/node_modules/.pnpm"
    ])
  })

  it("count empty variables as absent", () => {
    const environment = { ELECTRON_PATH: "", npm_config_prefix: "", PREFIX: "", DSH_HOME: "" }
    assert.deepStrictEqual(electronPlaces({ ...facts, environment }), electronPlaces(facts))
  })

  it.prop(
    "are never the same twice, and reach at most eight parents up",
    { module: Folder, workingDirectory: Folder, program: Folder },
    (folders) => {
      const all = { module: folders.module || "/", program: folders.program || "/" }
      const workingDirectory = folders.workingDirectory || "/"
      const found = paths(electronPlaces({ ...facts, ...all, workingDirectory }))
      assert.strictEqual(new Set(found).size, found.length)
      for (const start of [all.module, workingDirectory, all.program]) {
        const up = Array.from({ length: 8 }).reduce<string>((folder) => dirname(folder), start)
        for (const folder of [start, up]) assert.include(found, join(folder, "node_modules", ".pnpm"))
        const above = dirname(up)
        const reachable = [all.module, workingDirectory, all.program].some((one) =>
          one.startsWith(above) ? one.slice(above.length).split("/").length - 1 <= 8 : false
        )
        if (!reachable) assert.notInclude(found, join(above, "node_modules", ".pnpm"))
      }
    }
  )
})

/** Lays a package as npm leaves it; `program` adds what its installer adds. */
const layPackage = Effect.fnUntraced(function* (
  folder: string,
  version: string,
  program?: { readonly version?: string; readonly mode?: number; readonly pathTxt?: string }
) {
  const files = yield* FileSystem.FileSystem
  yield* files.makeDirectory(folder, { recursive: true })
  yield* files.writeFileString(join(folder, "package.json"), JSON.stringify({ name: "electron", version }))
  // what must never run: it would fetch a program and block
  yield* files.writeFileString(join(folder, "index.js"), 'throw new Error("the package was loaded")')
  if (program !== undefined) {
    yield* files.makeDirectory(join(folder, "dist"), { recursive: true })
    yield* files.writeFileString(join(folder, "dist", "version"), program.version ?? version)
    yield* files.writeFileString(join(folder, "dist", "electron"), "", { mode: program.mode ?? 0o755 })
    yield* files.writeFileString(join(folder, "path.txt"), program.pathTxt ?? "electron")
  }
  return folder
})

const temporary = Effect.flatMap(FileSystem.FileSystem, (files) =>
  Effect.flatMap(files.makeTempDirectoryScoped(), (folder) => files.realPath(folder))
)

/** Only the places that the given facts lead to, with nothing of this machine's own. */
const lookIn = (root: string, environment: { readonly [name: string]: string }, dependency?: string) =>
  electronPlaces({
    environment,
    dependency,
    module: join(root, "a/b/c/d/e/f/g/module"),
    workingDirectory: join(root, "work"),
    program: join(root, "bin")
  }).filter(({ path }) => path.startsWith(root))

const rejections = (places: ReadonlyArray<ElectronPlace>) =>
  locateElectron(places).pipe(
    Effect.flip,
    Effect.map((error) => ({ rejected: error.rejected, next: error.next, code: error.code }))
  )

describe("locating Electron", () => {
  it.effect("takes its own dependency before any other, and each further place when the ones before have none", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const root = yield* temporary
      const laid = [
        ["dependency", yield* layPackage(join(root, "own/electron"), electronVersion, {})],
        ["environment", yield* layPackage(join(root, "named/electron"), electronVersion, {})],
        ["prefix", yield* layPackage(join(root, "npm/lib/node_modules/electron"), electronVersion, {})],
        ["dsh", yield* layPackage(join(root, "dsh/profiles/node_modules/electron"), electronVersion, {})],
        [
          "pnpm",
          yield* layPackage(
            join(root, `node_modules/.pnpm/electron@${electronVersion}/node_modules/electron`),
            electronVersion,
            {}
          )
        ]
      ] as const
      const environment = {
        ELECTRON_PATH: join(root, "named/electron/dist/electron"),
        npm_config_prefix: join(root, "npm"),
        DSH_HOME: join(root, "dsh")
      }
      const places = lookIn(root, environment, join(root, "own/electron"))
      for (const [source, folder] of laid) {
        assert.deepStrictEqual(yield* locateElectron(places), {
          source,
          executable: join(folder, "dist", "electron"),
          version: electronVersion
        })
        yield* files.remove(folder, { recursive: true })
      }
      const error = yield* rejections(places)
      assert.strictEqual(error.code, "BROWSER_ELECTRON_NOT_FOUND")
      assert.deepStrictEqual(error.rejected, [`${environment.ELECTRON_PATH} (ELECTRON_PATH): no such file`])
      assert.include(error.next, `npm install electron@${electronVersion}`)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("rejects every other version, newer and older, and packages that are not Electron's", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const root = yield* temporary
      const store = join(root, "node_modules/.pnpm")
      for (const version of ["43.4.1", "42.9.2", "42.10.0"]) {
        yield* layPackage(join(store, `electron@${version}`, "node_modules/electron"), version, {})
      }
      const forged = yield* layPackage(join(root, "npm/lib/node_modules/electron"), electronVersion, {})
      yield* files.writeFileString(
        join(forged, "package.json"),
        JSON.stringify({ name: "not-electron", version: electronVersion })
      )
      const { rejected } = yield* rejections(lookIn(root, { PREFIX: join(root, "npm") }))
      assert.deepStrictEqual(
        rejected.map((text) => text.replace(/^.*: /, "")),
        ["it is 42.10.0", "it is 42.9.2", "it is 43.4.1"]
      )
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("rejects a package whose program was not fetched, is of another version or cannot be executed", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const root = yield* temporary
      const bare = yield* layPackage(join(root, "own/electron"), electronVersion)
      const cut = yield* layPackage(join(root, "npm/lib/node_modules/electron"), electronVersion, {})
      yield* files.remove(join(cut, "dist/electron"))
      const stale = yield* layPackage(join(root, "npm/node_modules/electron"), electronVersion, { version: "v42.9.1" })
      const plain = yield* layPackage(join(root, "dsh/profiles/node_modules/electron"), electronVersion, {
        mode: 0o644
      })
      const places = lookIn(root, { PREFIX: join(root, "npm"), DSH_HOME: join(root, "dsh") }, bare)
      const { next, rejected } = yield* rejections(places)
      const fetch = (folder: string) => `fetch it with: node ${join(folder, "install.js")}`
      assert.deepStrictEqual(rejected, [
        `${bare} (own dependency): its program has not been fetched; ${fetch(bare)}`,
        `${cut} (npm's prefix): its program has not been fetched; ${fetch(cut)}`,
        `${stale} (npm's prefix): its program is 42.9.1; fetch the right one with: node ${join(stale, "install.js")}`,
        `${plain} (DSH): ${join(plain, "dist/electron")} is not an executable file`
      ])
      assert.include(next, `node ${join(bare, "install.js")}`)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("believes ELECTRON_PATH only with a proof of its version: the package around it, or a store's folder", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const root = yield* temporary
      const lone = join(root, "lone")
      yield* files.writeFileString(lone, "", { mode: 0o755 })
      const located = (path: string) => locateElectron(lookIn(root, { ELECTRON_PATH: path }))
      const reason = (path: string) => Effect.map(Effect.flip(located(path)), ({ rejected }) => rejected[0] ?? "")

      assert.include(yield* reason(lone), "nothing beside it says which version it is")
      assert.include(yield* reason(join(root, "nowhere")), "no such file")
      assert.include(yield* reason(root), "nothing beside it says")

      const stored = join(root, `store/electron@${electronVersion}/app/dist`)
      yield* files.makeDirectory(stored, { recursive: true })
      yield* files.writeFileString(join(stored, "electron"), "", { mode: 0o755 })
      assert.strictEqual((yield* located(join(stored, "electron"))).executable, join(stored, "electron"))
      yield* files.chmod(join(stored, "electron"), 0o644)
      assert.include(yield* reason(join(stored, "electron")), "is not an executable file")

      // the package decides, whatever the name of a folder says
      const other = yield* layPackage(join(root, `x/electron@${electronVersion}/electron`), "43.4.1", {})
      assert.include(yield* reason(join(other, "dist/electron")), "it is 43.4.1")

      const right = yield* layPackage(join(root, "y/electron"), electronVersion, {})
      yield* files.symlink(join(right, "dist/electron"), join(root, "link"))
      assert.strictEqual((yield* located(join(root, "link"))).source, "environment")
      const application = join(right, "dist/Electron.app/Contents/MacOS")
      yield* files.makeDirectory(application, { recursive: true })
      yield* files.writeFileString(join(application, "Electron"), "", { mode: 0o755 })
      assert.strictEqual((yield* located(join(application, "Electron"))).source, "environment")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("names a package once, however many ways lead to it", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const root = yield* temporary
      const stored = join(root, "node_modules/.pnpm/electron@43.4.1/node_modules/electron")
      yield* layPackage(stored, "43.4.1", {})
      yield* files.symlink(stored, join(root, "node_modules/electron"))
      const found = yield* findElectrons(lookIn(root, {}, join(root, "node_modules/electron")))
      assert.deepStrictEqual(
        found.map(({ path, source }) => [source, path]),
        [["dependency", join(root, "node_modules/electron")]]
      )
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("finds the dependency that a module would import, without loading it", () =>
    Effect.gen(function* () {
      const root = yield* temporary
      yield* withVariable("ELECTRON_PATH", undefined)
      const folder = yield* layPackage(join(root, "node_modules/electron"), electronVersion, {})
      const places = placesHere(join(root, "node_modules/effect-browser/dist/index.js"))
      const { executable, source } = yield* locateElectron(places)
      assert.deepStrictEqual([source, executable], ["dependency", join(folder, "dist", "electron")])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
