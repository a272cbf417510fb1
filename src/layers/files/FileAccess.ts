/** Files within configured roots. Every decision is made on real paths, so that no link and no ".." leads outside. */
import { tmpdir } from "node:os"
import { Effect, Exit, FileSystem, Layer, Path, Scope, Semaphore } from "effect"
import type { PlatformError } from "effect"
import type { BrowserConfig } from "../../schemas/config.ts"
import { ReadPathDenied, WritePathDenied } from "../../schemas/errors.ts"
import type { ReadablePath, WritablePath } from "../../services/FileAccess.ts"
import { FileAccess } from "../../services/FileAccess.ts"

const reasonOf = (error: PlatformError.PlatformError): string => {
  switch (error.reason._tag) {
    case "NotFound":
      return "it does not exist"
    case "PermissionDenied":
      return "the system does not permit it"
    case "AlreadyExists":
      return "something else is in its place"
    default:
      return `the system refused (${error.reason._tag})`
  }
}

/** Why a file could not be written into a folder that may be written. */
const writeReasonOf = (error: PlatformError.PlatformError): string => {
  switch (error.reason._tag) {
    case "NotFound":
      // its folder is there or could be made, but is of a kind that holds no new files, as those under /proc
      return "no file can be made in its folder"
    case "AlreadyExists":
      return "something else took its place meanwhile"
    default: {
      const { cause } = error.reason
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined
      return code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : reasonOf(error)
    }
  }
}

/**
 * Access to files under `config.writeRoots` and `config.readRoots`. An absent list means the working directory and the
 * temporary folder; an empty one means nothing at all.
 */
export const layer = (
  config: Pick<BrowserConfig, "writeRoots" | "readRoots">
): Layer.Layer<FileAccess, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    FileAccess,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const workingDirectory = process.cwd()
      const standard = [workingDirectory, tmpdir()]

      const exists = (place: string) => Effect.isSuccess(fs.lstat(place))

      /** The deepest part of a path that exists, and the rest. */
      const split = Effect.fnUntraced(function* (given: string) {
        let ancestor = path.resolve(workingDirectory, given)
        const rest: Array<string> = []
        while (!(yield* exists(ancestor)) && path.dirname(ancestor) !== ancestor) {
          rest.unshift(path.basename(ancestor))
          ancestor = path.dirname(ancestor)
        }
        return { ancestor, rest }
      })

      /** The real place of a path: links of its deepest existing ancestor are followed, the rest is taken as it is. */
      const realPlace = Effect.fnUntraced(function* (given: string) {
        const { ancestor, rest } = yield* split(given)
        return path.join(yield* fs.realPath(ancestor), ...rest)
      })

      const realRoots = (roots: ReadonlyArray<string>) =>
        Effect.forEach(roots, (root) =>
          Effect.orElseSucceed(realPlace(root), () => path.resolve(workingDirectory, root))
        )

      const isInside = (place: string, roots: ReadonlyArray<string>) =>
        roots.some((root) => {
          const relative = path.relative(root, place)
          return (
            relative === "" || !(relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
          )
        })

      const outside = (kind: "read" | "write", roots: ReadonlyArray<string>) =>
        roots.length === 0
          ? `no folder may be ${kind === "read" ? "read" : "written"}`
          : `it lies outside the ${kind} roots (${roots.join(", ")})`

      const named = (given: string) =>
        given === "" ? "it is empty" : given.includes("\0") ? "it holds a zero character" : undefined

      const admitWrite = Effect.fn("FileAccess.admitWrite")(function* (given: string) {
        const denied = (reason: string) => new WritePathDenied({ path: given, reason })
        const fault = named(given)
        if (fault !== undefined) return yield* denied(fault)
        const place = yield* Effect.mapError(realPlace(path.dirname(path.resolve(workingDirectory, given))), (error) =>
          denied(reasonOf(error))
        ).pipe(Effect.map((folder) => path.join(folder, path.basename(path.resolve(workingDirectory, given)))))
        const roots = yield* realRoots(config.writeRoots ?? standard)
        if (!isInside(place, roots)) return yield* denied(outside("write", roots))
        const { ancestor } = yield* split(path.dirname(place))
        const above = yield* Effect.mapError(fs.stat(ancestor), (error) => denied(reasonOf(error)))
        if (above.type !== "Directory") return yield* denied(`${ancestor} is not a folder`)
        if (yield* exists(place)) {
          const { type } = yield* Effect.mapError(fs.lstat(place), (error) => denied(reasonOf(error)))
          if (type === "Directory") return yield* denied("it is a folder")
          if (type === "SymbolicLink") return yield* denied("it is a symbolic link")
          if (type !== "File") return yield* denied("it is not a regular file")
        }
        return place as WritablePath
      })

      /** Makes the folder of an admitted path, and a place beside for what is not whole yet. */
      const makePlace = Effect.fnUntraced(function* (place: WritablePath) {
        const folder = path.dirname(place)
        yield* fs.makeDirectory(folder, { recursive: true })
        // a folder may have been replaced by a link since the path was admitted
        if ((yield* fs.realPath(folder)) !== folder) {
          return yield* new WritePathDenied({ path: place, reason: "its folder was replaced by a link" })
        }
        const beside = yield* fs.makeTempDirectoryScoped({ directory: folder, prefix: ".effect-browser-" })
        return path.join(beside, "draft")
      })

      const orDenied =
        (place: WritablePath) =>
        <A, R>(effect: Effect.Effect<A, WritePathDenied | PlatformError.PlatformError, R>) =>
          Effect.catchTag(effect, "PlatformError", (error) =>
            Effect.fail(new WritePathDenied({ path: place, reason: writeReasonOf(error) }))
          )

      const moveIn = Effect.fn("FileAccess.moveIn")(
        function* (file: string, place: WritablePath) {
          const draft = yield* makePlace(place)
          yield* Effect.catch(fs.rename(file, place), () =>
            // it lies on another file system
            Effect.andThen(fs.copyFile(file, draft), fs.rename(draft, place))
          )
        },
        Effect.scoped,
        (effect, _, place) => orDenied(place)(effect)
      )

      const write = Effect.fn("FileAccess.write")(
        function* (place: WritablePath, data: Uint8Array) {
          const draft = yield* makePlace(place)
          const file = yield* fs.open(draft, { flag: "wx", mode: 0o644, noFollow: true })
          yield* file.writeAll(data)
          // a rename replaces a link in that place, it does not follow it
          yield* fs.rename(draft, place)
        },
        Effect.scoped,
        (effect, place) => orDenied(place)(effect)
      )

      const create = Effect.fn("FileAccess.create")(
        function* (place: WritablePath) {
          const draft = yield* makePlace(place)
          const open = yield* Scope.make()
          yield* Effect.addFinalizer(() => Scope.close(open, Exit.void))
          const one = yield* Semaphore.make(1)
          const file = yield* Scope.provide(fs.open(draft, { flag: "wx", mode: 0o644, noFollow: true }), open)
          return {
            // one after another, each behind the one before
            append: (data: Uint8Array) => orDenied(place)(one.withPermits(1)(file.writeAll(data))),
            // some systems do not move a file that is open
            commit: orDenied(place)(Effect.andThen(Scope.close(open, Exit.void), fs.rename(draft, place)))
          }
        },
        (effect, place) => orDenied(place)(effect)
      )

      const admitRead = Effect.fn("FileAccess.admitRead")(function* (given: string) {
        const denied = (reason: string) => new ReadPathDenied({ path: given, reason })
        const fault = named(given)
        if (fault !== undefined) return yield* denied(fault)
        const roots = yield* realRoots(config.readRoots ?? standard)
        // what lies outside is refused in the same words whether it is there or not
        const place = yield* Effect.mapError(realPlace(given), (error) => denied(reasonOf(error)))
        if (!isInside(place, roots)) return yield* denied(outside("read", roots))
        const { type } = yield* Effect.mapError(fs.lstat(place), (error) => denied(reasonOf(error)))
        if (type !== "File") return yield* denied(type === "Directory" ? "it is a folder" : "it is not a regular file")
        return place as ReadablePath
      })

      const read = Effect.fn("FileAccess.read")(
        function* (place: ReadablePath, maxBytes: number) {
          const file = yield* fs.open(place, { flag: "r", noFollow: true })
          const { size, type } = yield* file.stat
          if (type !== "File") return yield* new ReadPathDenied({ path: place, reason: "it is not a regular file" })
          if (size > maxBytes) {
            return yield* new ReadPathDenied({ path: place, reason: `it has ${size} bytes; the limit is ${maxBytes}` })
          }
          const data = new Uint8Array(Number(size))
          for (let filled = 0; filled < data.length; ) {
            const got = Number(yield* file.read(data.subarray(filled)))
            if (got === 0) return data.subarray(0, filled)
            filled += got
          }
          return data
        },
        Effect.scoped,
        (effect, place) =>
          Effect.catchTag(effect, "PlatformError", (error) =>
            Effect.fail(new ReadPathDenied({ path: place, reason: reasonOf(error) }))
          )
      )

      return FileAccess.of({ admitWrite, write, create, moveIn, admitRead, read })
    })
  )
