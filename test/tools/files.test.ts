import { Effect, FileSystem, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"
import { makeFakeSession } from "../support/FakeSession.ts"
import { layerTools } from "../support/ToolsHarness.ts"

const call = (name: string, args: unknown = {}) =>
  Tools.use((tools) => tools.invoke(TaskKey.make("default"), name, args))
const open = call("browser_open", { url: "http://shop.test/" })

describe("browser_upload_file", () => {
  it.live("hands real paths to the page, several too, and says what took them", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
      yield* fs.writeFileString(`${folder}/a.txt`, "a")
      yield* fs.writeFileString(`${folder}/b.txt`, "b")
      yield* open
      const one = yield* call("browser_upload_file", { filePath: `${folder}/../${folder.split("/").at(-1)}/a.txt` })
      assert.strictEqual(one.structured["path"], `${folder}/a.txt`)
      assert.isUndefined(one.structured["paths"])
      const two = yield* call("browser_upload_file", { filePaths: [`${folder}/a.txt`, `${folder}/b.txt`] })
      assert.deepStrictEqual(two.structured["paths"], [`${folder}/a.txt`, `${folder}/b.txt`])
      assert.deepStrictEqual(session.log.slice(1), ["uploadFiles 1 input[type=file]", "uploadFiles 2 input[type=file]"])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeServices.layer, layerTools(session))))
  })

  it.live("touches no page for a file that is missing, a folder, or outside the read roots", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* open
      for (const args of [
        { filePath: `${folder}/missing.txt` },
        { filePath: folder },
        { filePath: "/etc/hostname" },
        { filePaths: [`${folder}/missing.txt`, "/etc/hostname"] }
      ]) {
        const error = yield* Effect.flip(call("browser_upload_file", args))
        assert.strictEqual(error.code, "BROWSER_READ_PATH_DENIED")
      }
      assert.strictEqual((yield* Effect.flip(call("browser_upload_file"))).code, "BROWSER_INVALID_ARGUMENTS")
      assert.deepStrictEqual(session.log, ["open"])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeServices.layer, layerTools(session))))
  })
})

describe("browser_download", () => {
  it.live("moves the whole file to its place, with name, size and kind in the result", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
      yield* open
      const url = "http://shop.test/report"
      const done = yield* call("browser_download", { url, savePath: `${folder}/new/report.csv` })
      assert.deepStrictEqual(done.structured, {
        path: `${folder}/new/report.csv`,
        bytes: 5,
        name: "report.csv",
        url,
        mimeType: "text/csv"
      })
      assert.strictEqual(yield* fs.readFileString(`${folder}/new/report.csv`), "a,b,c")
      assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/new`), ["report.csv"])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeServices.layer, layerTools(session))))
  })

  it.live(
    "fetches nothing for a path that may not be written, and writes nothing for a file that does not come",
    () => {
      const session = makeFakeSession()
      return Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
        yield* open
        yield* fs.symlink("/etc", `${folder}/link`)
        for (const savePath of ["/etc/evil", `${folder}/link/evil`, folder]) {
          const error = yield* Effect.flip(call("browser_download", { url: "http://shop.test/report", savePath }))
          assert.strictEqual(error.code, "BROWSER_WRITE_PATH_DENIED")
        }
        assert.deepStrictEqual(session.log, ["open"])
        const missing = call("browser_download", { url: "http://shop.test/missing", savePath: `${folder}/a.csv` })
        assert.strictEqual((yield* Effect.flip(missing)).code, "BROWSER_DOWNLOAD_FAILED")
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["link"])
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeServices.layer, layerTools(session))))
    }
  )
})
