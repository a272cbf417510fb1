/**
 * The embedded browser as it lies in the npm package `@sparticuz/chromium`: a compressed `headless_shell` for Linux on
 * x64, with the libraries and fonts that a bare machine lacks. Only its files are used, nothing of its code.
 */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Effect, FileSystem, Schema } from "effect"

export interface EmbeddedPackage {
  /** folder of the package */
  readonly folder: string
  readonly version: string
}

/** Compressed files of the package, in its folder `bin`. */
export const embeddedArchives = {
  executable: "chromium.br",
  libraries: "al2023.tar.br",
  fonts: "fonts.tar.br",
  graphics: "swiftshader.tar.br"
} as const

const Manifest = Schema.fromJsonString(Schema.Struct({ name: Schema.String, version: Schema.NonEmptyString }))
const packageName = "@sparticuz/chromium"

/** The package, as this module would import it; undefined if it is not installed. */
export const embeddedPackage: Effect.Effect<EmbeddedPackage | undefined, never, FileSystem.FileSystem> = Effect.gen(
  function* () {
    const files = yield* FileSystem.FileSystem
    // The manifest is not among the package's exports, so it is read from beside the entry point.
    const entry = yield* Effect.try(() => createRequire(import.meta.url).resolve(packageName))
    const folder = dirname(dirname(entry))
    const text = yield* files.readFileString(join(folder, "package.json"))
    const { version } = yield* Schema.decodeEffect(Manifest)(text)
    return { folder, version }
  }
).pipe(Effect.orElseSucceed(() => undefined))

/** The loader that the binary names; musl systems (Alpine) have none there. */
const loader = "/lib64/ld-linux-x86-64.so.2"

/** What keeps the embedded browser from being used on this machine; undefined if nothing does. */
export const embeddedProblem = Effect.fnUntraced(function* (embedded: EmbeddedPackage | undefined) {
  const files = yield* FileSystem.FileSystem
  const exists = (path: string) => files.exists(path).pipe(Effect.orElseSucceed(() => false))
  if (process.platform !== "linux" || process.arch !== "x64") {
    return `it is for linux x64, not for ${process.platform} ${process.arch}`
  }
  if (embedded === undefined) return "the package is not installed"
  if (!(yield* exists(join(embedded.folder, "bin", embeddedArchives.executable)))) return "the package is incomplete"
  if (!(yield* exists(loader))) return "it needs glibc, which this system lacks"
  return undefined
})
