import { Effect, FileSystem, Layer, Path, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as FileAccessLive from "../../src/layers/files/FileAccess.ts"
import { FileAccess } from "../../src/services/FileAccess.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** A folder with the roots `in` and, beside it, `out`. */
const inFolders = <A, E>(
  use: (folder: {
    readonly root: string
    readonly out: string
    readonly fs: FileSystem.FileSystem
  }) => Effect.Effect<A, E, FileAccess>,
  lists?: { readonly writeRoots: ReadonlyArray<string>; readonly readRoots: ReadonlyArray<string> }
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const base = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "files-" }))
    const root = path.join(base, "in")
    const out = path.join(base, "out")
    yield* fs.makeDirectory(root)
    yield* fs.makeDirectory(out)
    return yield* Effect.provide(
      use({ root, out, fs }),
      FileAccessLive.layer(lists ?? { writeRoots: [root], readRoots: [root] })
    )
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const reasonOf = <A>(effect: Effect.Effect<A, { readonly reason: string }>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

describe("FileAccess", () => {
  it.live("writes a file under a root, with the folders that it lacks, and leaves nothing beside it", () =>
    inFolders(({ root, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        const place = yield* files.admitWrite(`${root}/a/b/c.txt`)
        assert.isFalse(yield* fs.exists(`${root}/a`))
        yield* files.write(place, bytes("one"))
        yield* files.write(place, bytes("two"))
        assert.strictEqual(yield* fs.readFileString(`${root}/a/b/c.txt`), "two")
        assert.deepStrictEqual(yield* fs.readDirectory(`${root}/a/b`), ["c.txt"])
      })
    )
  )

  it.live("says what to do about each path that is refused, which another root would not help", () =>
    inFolders(({ root, out, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        yield* fs.writeFileString(`${root}/a.txt`, "a")
        const nextOf = <A>(effect: Effect.Effect<A, { readonly next: string }>) =>
          Effect.map(Effect.flip(effect), ({ next }) => next)
        assert.include(yield* nextOf(files.admitRead(`${root}/missing.txt`)), "Check the name")
        assert.include(yield* nextOf(files.admitRead(root)), "files in it")
        assert.include(yield* nextOf(files.admitRead("")), "path of a file")
        assert.include(yield* nextOf(files.admitWrite(root)), "Add the name of a file")
        assert.include(yield* nextOf(files.admitWrite(`${root}/a.txt/b.txt`)), "another folder")
        assert.include(yield* nextOf(files.admitRead(`${out}/a.txt`)), "under one of the read roots")
        assert.include(yield* nextOf(files.admitWrite(`${out}/a.txt`)), "under one of the write roots")
        const whole = yield* files.admitRead(`${root}/a.txt`)
        assert.include(yield* nextOf(files.read(whole, 0)), "smaller file")
      })
    )
  )

  it.live("says which part of a path is no folder, before anything is done", () =>
    inFolders(({ root, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        yield* fs.writeFileString(`${root}/a.txt`, "a")
        for (const given of [`${root}/a.txt/b.txt`, `${root}/a.txt/b/c.txt`]) {
          assert.strictEqual(yield* reasonOf(files.admitWrite(given)), `${root}/a.txt is not a folder`)
        }
      })
    )
  )

  it.live.skipIf(process.platform !== "linux")("says that a folder takes no files, where it is of that kind", () => {
    const processes = { writeRoots: ["/proc/self"], readRoots: [] }
    return inFolders(
      () =>
        Effect.gen(function* () {
          const files = yield* FileAccess
          const place = yield* files.admitWrite("/proc/self/picture.png")
          assert.match(yield* reasonOf(files.write(place, bytes("x"))), /no file can be made in its folder|permit/)
        }),
      processes
    )
  })

  it.live("lets no path out of the roots: not by .., not by a link, not by a look-alike", () =>
    inFolders(({ root, out, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        yield* fs.symlink(out, `${root}/link`)
        yield* fs.symlink(`${out}/x.txt`, `${root}/dangling.txt`)
        yield* fs.makeDirectory(`${root}-evil`)
        for (const given of [
          `${root}/../out/x.txt`,
          `${root}/link/x.txt`,
          `${root}/link/deep/er/x.txt`,
          `${root}-evil/x.txt`,
          `${out}/x.txt`,
          "/etc/passwd"
        ]) {
          assert.include(yield* reasonOf(files.admitWrite(given)), "outside the write roots", given)
        }
        assert.include(yield* reasonOf(files.admitWrite(`${root}/dangling.txt`)), "symbolic link")
        assert.include(yield* reasonOf(files.admitWrite(root)), "folder")
        assert.include(yield* reasonOf(files.admitWrite("")), "empty")
        assert.include(yield* reasonOf(files.admitWrite(`${root}/a\0b`)), "zero")
      })
    )
  )

  it.live("refuses to write where a folder became a link after the path was admitted", () =>
    inFolders(({ root, out, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        yield* fs.makeDirectory(`${root}/a`)
        const place = yield* files.admitWrite(`${root}/a/x.txt`)
        yield* fs.remove(`${root}/a`, { recursive: true })
        yield* fs.symlink(out, `${root}/a`)
        assert.include(yield* reasonOf(files.write(place, bytes("x"))), "link")
        assert.deepStrictEqual(yield* fs.readDirectory(out), [])
      })
    )
  )

  it.live("reads regular files under a root, up to a size", () =>
    inFolders(({ root, out, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        yield* fs.writeFileString(`${root}/a.txt`, "hello")
        yield* fs.writeFileString(`${out}/b.txt`, "secret")
        yield* fs.symlink(`${out}/b.txt`, `${root}/b.txt`)
        const place = yield* files.admitRead(`${root}/a.txt`)
        assert.strictEqual(new TextDecoder().decode(yield* files.read(place, 5)), "hello")
        assert.include(yield* reasonOf(files.read(place, 4)), "limit is 4")
        assert.include(yield* reasonOf(files.admitRead(`${root}/b.txt`)), "outside the read roots")
        assert.include(yield* reasonOf(files.admitRead(`${out}/b.txt`)), "outside the read roots")
        assert.include(yield* reasonOf(files.admitRead(`${root}/none.txt`)), "does not exist")
        assert.include(yield* reasonOf(files.admitRead(root)), "folder")
      })
    )
  )

  it.live("takes an empty list for nothing at all", () =>
    inFolders(
      ({ root }) =>
        Effect.gen(function* () {
          const files = yield* FileAccess
          assert.include(yield* reasonOf(files.admitWrite(`${root}/a.txt`)), "no folder may be written")
          assert.include(yield* reasonOf(files.admitRead(`${root}/a.txt`)), "no folder may be read")
        }),
      { writeRoots: [], readRoots: [] }
    )
  )

  it.live("takes an absent list for the working directory and the temporary folder", () =>
    Effect.gen(function* () {
      const files = yield* FileAccess
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* files.admitWrite(`${folder}/a.txt`)
      yield* files.admitWrite("a.txt")
      yield* files.admitRead("package.json")
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(FileAccessLive.layer({}), NodeServices.layer)))
  )

  it.live("moves a file of ours to its place, also over another one, and follows no link that took the place", () =>
    inFolders(({ root, out, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        const place = yield* files.admitWrite(`${root}/a/b.txt`)
        for (const text of ["one", "two"]) {
          yield* fs.writeFileString(`${out}/ours`, text)
          yield* files.moveIn(`${out}/ours`, place)
          assert.strictEqual(yield* fs.readFileString(place), text)
        }
        assert.deepStrictEqual(yield* fs.readDirectory(`${root}/a`), ["b.txt"])
        yield* fs.writeFileString(`${out}/victim`, "untouched")
        yield* fs.remove(place)
        yield* fs.symlink(`${out}/victim`, place)
        yield* fs.writeFileString(`${out}/ours`, "three")
        yield* files.moveIn(`${out}/ours`, place)
        assert.strictEqual(yield* fs.readFileString(`${out}/victim`), "untouched")
        yield* fs.remove(`${root}/a`, { recursive: true })
        yield* fs.symlink(out, `${root}/a`)
        yield* fs.writeFileString(`${out}/ours`, "four")
        assert.include(yield* reasonOf(files.moveIn(`${out}/ours`, place)), "replaced by a link")
      })
    )
  )

  it.live("shows a file that is written piece by piece only when it is whole, its pieces in order", () =>
    inFolders(({ root, fs }) =>
      Effect.gen(function* () {
        const files = yield* FileAccess
        const place = yield* files.admitWrite(`${root}/lines.txt`)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const sink = yield* files.create(place)
            yield* Effect.forEach(
              Array.from({ length: 50 }),
              (_, index) => sink.append(bytes(`${"x".repeat(index)}|`)),
              { concurrency: "unbounded" }
            )
            assert.isFalse(yield* fs.exists(place))
            yield* sink.commit
          })
        )
        const parts = (yield* fs.readFileString(place)).split("|")
        assert.deepStrictEqual(
          parts.map((part) => part.length),
          [...Array.from({ length: 50 }).keys(), 0]
        )
        const given = yield* files.admitWrite(`${root}/given-up.txt`)
        yield* Effect.scoped(Effect.flatMap(files.create(given), (sink) => sink.append(bytes("half"))))
        assert.deepStrictEqual(yield* fs.readDirectory(root), ["lines.txt"])
      })
    )
  )

  it.live("removes what a killed program left half written beside a file, and nothing of one that runs", () =>
    inFolders(({ root, fs }) =>
      Effect.gen(function* () {
        const half = Effect.gen(function* () {
          const script = `${import.meta.dirname}/../support/draftParent.ts`
          const writer = yield* ChildProcess.make(process.execPath, [script, `${root}/half.jsonl`], {
            stdin: "ignore",
            forceKillAfter: "1 second"
          })
          yield* writer.stdout.pipe(Stream.decodeText(), Stream.splitLines, Stream.runHead)
          return writer
        })
        const killed = yield* half
        const running = yield* half
        const drafts = yield* fs.readDirectory(root)
        assert.lengthOf(drafts, 2)
        yield* Effect.exit(killed.kill({ killSignal: "SIGKILL" }))
        assert.sameMembers(yield* fs.readDirectory(root), drafts)
        const files = yield* FileAccess
        yield* files.write(yield* files.admitWrite(`${root}/whole.txt`), bytes("whole"))
        const left = yield* fs.readDirectory(root)
        assert.lengthOf(left, 2)
        assert.include(left, "whole.txt")
        assert.include(left.join(), `-${running.pid}-`)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )
  )
})
