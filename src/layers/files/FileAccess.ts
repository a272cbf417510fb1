/** Files within configured roots. Every decision is made on real paths, so that no link and no ".." leads outside. */
import { tmpdir } from "node:os"
import { Effect, Exit, FileSystem, Layer, Path, Scope, Semaphore } from "effect"
import type { PlatformError } from "effect"
import type { BrowserConfig } from "../../schemas/config.ts"
import { ReadPathDenied, WritePathDenied } from "../../schemas/errors.ts"
import type { ReadablePath, WritablePath } from "../../services/FileAccess.ts"
import { FileAccess } from "../../services/FileAccess.ts"
import { draftPrefix, isAbandoned } from "./drafts.ts"

/** What is wrong with a path, and what helps if another root does not. */
interface Fault {
  readonly reason: string
  readonly remedy?: string
}

const notRegular: Fault = { reason: "it is not a regular file", remedy: "Use a regular file." }
const anotherName = "Choose another name for the file."
const anotherFolder = "Choose another folder for the file."

const faultOf = (error: PlatformError.PlatformError, kind: "read" | "write"): Fault => {
  switch (error.reason._tag) {
    case "NotFound":
      return {
        reason: "it does not exist",
        remedy: "Check the name of the file and those of its folders; a relative path begins at the working directory."
      }
    case "PermissionDenied":
      return {
        reason: "the system does not permit it",
        remedy: kind === "read" ? "Use a file that this program may read." : anotherFolder
      }
    case "AlreadyExists":
      return { reason: "something else is in its place", remedy: anotherName }
    default:
      return {
        reason: `the system refused (${error.reason._tag})`,
        remedy: kind === "read" ? "Check that the path names a file that can be read." : anotherFolder
      }
  }
}

/** Why a file could not be written into a folder that may be written. */
const writeFaultOf = (error: PlatformError.PlatformError): Fault => {
  switch (error.reason._tag) {
    case "NotFound":
      // its folder is there or could be made, but is of a kind that holds no new files, as those under /proc
      return { reason: "no file can be made in its folder", remedy: anotherFolder }
    case "AlreadyExists":
      return { reason: "something else took its place meanwhile", remedy: anotherName }
    default: {
      const { cause } = error.reason
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined
      return code === "ENOSPC" || code === "EDQUOT"
        ? { reason: "the disk is full", remedy: "Free some space, or write to another disk." }
        : faultOf(error, "write")
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

      const outside = (kind: "read" | "write", roots: ReadonlyArray<string>): Fault =>
        roots.length === 0
          ? {
              reason: `no folder may be ${kind === "read" ? "read" : "written"}`,
              remedy: `Do without a file: the configuration (${kind}Roots) lets none be ${kind === "read" ? "read" : "written"}.`
            }
          : { reason: `it lies outside the ${kind} roots (${roots.join(", ")})` }

      const named = (given: string): Fault | undefined => {
        const reason = given === "" ? "it is empty" : given.includes("\0") ? "it holds a zero character" : undefined
        return reason === undefined ? undefined : { reason, remedy: "Give the path of a file." }
      }

      const admitWrite = Effect.fn("FileAccess.admitWrite")(function* (given: string) {
        const denied = (why: Fault) => new WritePathDenied({ path: given, ...why })
        const refused = (error: PlatformError.PlatformError) => denied(faultOf(error, "write"))
        const fault = named(given)
        if (fault !== undefined) return yield* denied(fault)
        const place = yield* Effect.mapError(
          realPlace(path.dirname(path.resolve(workingDirectory, given))),
          refused
        ).pipe(Effect.map((folder) => path.join(folder, path.basename(path.resolve(workingDirectory, given)))))
        const roots = yield* realRoots(config.writeRoots ?? standard)
        if (!isInside(place, roots)) return yield* denied(outside("write", roots))
        const { ancestor } = yield* split(path.dirname(place))
        const above = yield* Effect.mapError(fs.stat(ancestor), refused)
        if (above.type !== "Directory") {
          return yield* denied({ reason: `${ancestor} is not a folder`, remedy: anotherFolder })
        }
        if (yield* exists(place)) {
          const { type } = yield* Effect.mapError(fs.lstat(place), refused)
          if (type === "Directory") {
            return yield* denied({ reason: "it is a folder", remedy: "Add the name of a file to the path." })
          }
          if (type === "SymbolicLink") return yield* denied({ reason: "it is a symbolic link", remedy: anotherName })
          if (type !== "File") return yield* denied({ reason: "it is not a regular file", remedy: anotherName })
        }
        return place as WritablePath
      })

      /** Makes the folder of an admitted path, and a place beside for what is not whole yet. */
      const makePlace = Effect.fnUntraced(function* (place: WritablePath) {
        const folder = path.dirname(place)
        yield* fs.makeDirectory(folder, { recursive: true })
        // a folder may have been replaced by a link since the path was admitted
        if ((yield* fs.realPath(folder)) !== folder) {
          const reason = "its folder was replaced by a link"
          return yield* new WritePathDenied({ path: place, reason, remedy: anotherFolder })
        }
        const present = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
        yield* Effect.forEach(present.filter(isAbandoned), (name) =>
          Effect.ignore(fs.remove(path.join(folder, name), { recursive: true, force: true }))
        )
        const beside = yield* fs.makeTempDirectoryScoped({ directory: folder, prefix: draftPrefix() })
        return path.join(beside, "draft")
      })

      const orDenied =
        (place: WritablePath) =>
        <A, R>(effect: Effect.Effect<A, WritePathDenied | PlatformError.PlatformError, R>) =>
          Effect.catchTag(effect, "PlatformError", (error) =>
            Effect.fail(new WritePathDenied({ path: place, ...writeFaultOf(error) }))
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
        const denied = (why: Fault) => new ReadPathDenied({ path: given, ...why })
        const refused = (error: PlatformError.PlatformError) => denied(faultOf(error, "read"))
        const fault = named(given)
        if (fault !== undefined) return yield* denied(fault)
        const roots = yield* realRoots(config.readRoots ?? standard)
        // what lies outside is refused in the same words whether it is there or not
        const place = yield* Effect.mapError(realPlace(given), refused)
        if (!isInside(place, roots)) return yield* denied(outside("read", roots))
        const { type } = yield* Effect.mapError(fs.lstat(place), refused)
        if (type === "Directory") {
          return yield* denied({ reason: "it is a folder", remedy: "Name the files in it, one by one." })
        }
        if (type !== "File") return yield* denied(notRegular)
        return place as ReadablePath
      })

      const read = Effect.fn("FileAccess.read")(
        function* (place: ReadablePath, maxBytes: number) {
          const file = yield* fs.open(place, { flag: "r", noFollow: true })
          const { size, type } = yield* file.stat
          if (type !== "File") return yield* new ReadPathDenied({ path: place, ...notRegular })
          if (size > maxBytes) {
            const reason = `it has ${size} bytes; the limit is ${maxBytes}`
            return yield* new ReadPathDenied({ path: place, reason, remedy: "Use a smaller file." })
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
            Effect.fail(new ReadPathDenied({ path: place, ...faultOf(error, "read") }))
          )
      )

      return FileAccess.of({ admitWrite, write, create, moveIn, admitRead, read })
    })
  )
