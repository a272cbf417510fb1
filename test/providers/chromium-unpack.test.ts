import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, FileSystem, Schema } from "effect"
import { cacheFolders, embeddedEnvironment } from "../../src/layers/providers/chromium/embedded.ts"
import { readTar } from "../../src/layers/providers/chromium/tar.ts"

const header = (name: string, size: number, type = "0") => {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(size.toString(8).padStart(11, "0"), 124)
  block.write(type, 156)
  block.write("ustar\u000000", 257)
  return block
}
const archive = (entries: ReadonlyArray<readonly [name: string, data: Uint8Array, type?: string]>) =>
  Buffer.concat([
    ...entries.flatMap(([name, data, type]) => [
      header(name, data.length, type),
      data,
      Buffer.alloc((512 - (data.length % 512)) % 512)
    ]),
    Buffer.alloc(1024)
  ])

const Entries = Schema.Array(
  Schema.Tuple([Schema.String.check(Schema.isPattern(/^[a-z]{1,20}(\/[a-z]{1,20}){0,3}$/)), Schema.Uint8Array])
)

describe("reading a tar archive", () => {
  it.prop("gives back every file, byte for byte", { entries: Arbitrary.schema(Entries) }, ({ entries }) => {
    const files = readTar(archive(entries))
    assert.deepStrictEqual(
      files.map(({ path, data }) => [path, Buffer.from(data).toString("hex")]),
      entries.map(([path, data]) => [path, Buffer.from(data).toString("hex")])
    )
  })

  it.effect("reads what tar writes, folders left out", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      mkdirSync(`${folder}/in/deep`, { recursive: true })
      writeFileSync(`${folder}/in/deep/a`, "A".repeat(700))
      writeFileSync(`${folder}/in/b`, "")
      execFileSync("tar", ["--format=ustar", "-cf", `${folder}/t.tar`, "-C", `${folder}/in`, "."])
      const found = readTar(readFileSync(`${folder}/t.tar`)).map(({ path, data }) => [path, data.length])
      assert.deepStrictEqual(found.sort(), [
        ["b", 0],
        ["deep/a", 700]
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it("refuses paths that lead out of the folder", () => {
    for (const path of ["../x", "/etc/x", "a/../../x", "a\\..\\x"]) {
      assert.throws(() => readTar(archive([[path, new Uint8Array(1)]])), RangeError)
    }
  })

  it("refuses an archive that is cut off anywhere", () => {
    const whole = archive([
      ["a", new Uint8Array(600)],
      ["b", new Uint8Array(10)]
    ])
    const end = whole.length - 1024
    for (let length = 0; length <= end; length += 128) {
      assert.throws(() => readTar(whole.subarray(0, length)), RangeError)
    }
    assert.lengthOf(readTar(whole), 2)
  })
})

describe("the embedded browser", () => {
  it("is unpacked beside the packages, else in the user's cache, else in a temporary folder of the user's own", () => {
    const facts = { packageFolder: "/app/node_modules/@sparticuz/chromium", home: "/h", temporary: "/tmp", user: 7 }
    assert.deepStrictEqual(cacheFolders({ ...facts, cacheHome: undefined }), [
      "/app/node_modules/.cache/effect-browser",
      "/h/.cache/effect-browser",
      "/tmp/effect-browser-7"
    ])
    assert.strictEqual(cacheFolders({ ...facts, cacheHome: "/c" })[1], "/c/effect-browser")
    assert.strictEqual(cacheFolders({ ...facts, cacheHome: "relative" })[1], "/h/.cache/effect-browser")
  })

  it("gets its own libraries and fonts only where the machine lacks them", () => {
    const facts = { folder: "/f", missingLibraries: [], fonts: true, libraryPath: undefined }
    assert.deepStrictEqual(embeddedEnvironment(facts), {})
    const bare = { ...facts, missingLibraries: ["libnss3.so"], fonts: false }
    assert.deepStrictEqual(embeddedEnvironment(bare), {
      LD_LIBRARY_PATH: "/f/lib",
      FONTCONFIG_FILE: "/f/fonts.conf"
    })
    assert.strictEqual(embeddedEnvironment({ ...bare, libraryPath: "/x:/y" })["LD_LIBRARY_PATH"], "/f/lib:/x:/y")
  })
})
