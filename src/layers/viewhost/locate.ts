/**
 * Which Electron is used: the first of exactly the pinned version that has its program.
 *
 * Where is looked ({@link electronPlaces}) and what is taken ({@link chooseElectron}) are decisions over plain data;
 * {@link findElectrons} between them only reads files. The package `electron` itself is never loaded: where its program
 * is missing, loading it fetches one, blocks meanwhile and writes to standard output.
 */
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, FileSystem, Option, Schema } from "effect"
import {
  type ElectronCandidate,
  type ElectronSource,
  electronVersion,
  type FoundElectron
} from "../../schemas/electron.ts"
import { ElectronNotFound } from "../../schemas/errors.ts"

/** An Electron of the pinned version that can be started. */
export interface LocatedElectron {
  readonly source: ElectronSource
  readonly executable: string
  readonly version: string
}

/** A place to look at: a package, a program, or a store that holds packages of several versions. */
export type ElectronPlace =
  | {
      readonly kind: "package"
      readonly source: Exclude<ElectronSource, "environment" | "pnpm">
      readonly path: string
    }
  | { readonly kind: "program"; readonly source: "environment"; readonly path: string }
  | { readonly kind: "store"; readonly source: "pnpm"; readonly path: string }

/** How many parents of a folder are searched for a pnpm store. */
const storeParents = 8

const parentsOf = (folder: string): ReadonlyArray<string> => {
  const found = [folder]
  for (
    let parent = dirname(folder);
    found.length <= storeParents && parent !== found.at(-1);
    parent = dirname(parent)
  ) {
    found.push(parent)
  }
  return found
}

/** Where is looked, best first; nothing twice. Relative paths in variables count from the working directory. */
export const electronPlaces = (facts: {
  readonly environment: { readonly [name: string]: string | undefined }
  /** folder of the package that this module would import as "electron"; undefined: not installed */
  readonly dependency: string | undefined
  /** folder of this module */
  readonly module: string
  readonly workingDirectory: string
  /** folder of the program that runs */
  readonly program: string
}): ReadonlyArray<ElectronPlace> => {
  const { dependency, environment, module, program, workingDirectory } = facts
  const variable = (name: string): ReadonlyArray<string> => {
    const value = environment[name]
    return value === undefined || value === "" ? [] : [resolve(workingDirectory, value)]
  }
  // npm keeps global packages in lib/node_modules of its prefix, on Windows in node_modules.
  const globalFolders = [...variable("npm_config_prefix"), ...variable("PREFIX")].flatMap((prefix) => [
    join(prefix, "lib", "node_modules"),
    join(prefix, "node_modules")
  ])
  const places: ReadonlyArray<ElectronPlace> = [
    ...(dependency === undefined ? [] : [{ kind: "package", source: "dependency", path: dependency } as const]),
    ...variable("ELECTRON_PATH").map((path) => ({ kind: "program", source: "environment", path }) as const),
    ...globalFolders.map((folder) => ({ kind: "package", source: "prefix", path: join(folder, "electron") }) as const),
    ...[
      ...globalFolders.map((folder) => join(folder, "@deepseek-ai", "dsh", "node_modules")),
      ...variable("DSH_HOME").map((home) => join(home, "profiles", "node_modules"))
    ].map((folder) => ({ kind: "package", source: "dsh", path: join(folder, "electron") }) as const),
    ...[module, workingDirectory, program]
      .flatMap(parentsOf)
      .map((folder) => ({ kind: "store", source: "pnpm", path: join(folder, "node_modules", ".pnpm") }) as const)
  ]
  return places.filter(({ path }, index) => places.findIndex((other) => other.path === path) === index)
}

/** The command that fetches the program of a package. */
const fetchCommand = (folder: string): string => `node ${join(folder, "install.js")}`

const problemOf = (found: FoundElectron): string | undefined => {
  const { binary, path, source, version } = found
  if (source === "environment" && binary.state === "absent") return "no such file"
  if (version === undefined) return "nothing beside it says which version it is"
  if (version !== electronVersion) return `it is ${version}`
  switch (binary.state) {
    case "ready":
      return undefined
    case "notExecutable":
      return `${binary.executable} is not an executable file`
    case "stale":
      return `its program is ${binary.version}; fetch the right one with: ${fetchCommand(path)}`
    case "absent":
      return `its program has not been fetched; fetch it with: ${fetchCommand(path)}`
  }
}

/** What came of a place that was looked at. */
export const judgeElectron = (found: FoundElectron): ElectronCandidate => {
  const problem = problemOf(found)
  return {
    source: found.source,
    path: found.path,
    ...(found.version === undefined ? {} : { version: found.version }),
    usable: problem === undefined,
    ...(problem === undefined ? {} : { problem })
  }
}

const sources: Record<ElectronSource, string> = {
  dependency: "own dependency",
  environment: "ELECTRON_PATH",
  prefix: "npm's prefix",
  dsh: "DSH",
  pnpm: "pnpm store"
}

const installation = `Install it with Node 22.12 or newer (npm leaves it out on an older one): npm install electron@${electronVersion} && npx --no install-electron; or set ELECTRON_PATH to its executable.`

/** The Electron to use, or why none of those that were found is. */
export const chooseElectron = (
  found: ReadonlyArray<FoundElectron>
): { readonly chosen: LocatedElectron } | { readonly chosen?: never; readonly error: ElectronNotFound } => {
  const rejected: Array<string> = []
  for (const one of found) {
    const problem = problemOf(one)
    if (problem === undefined && one.binary.state === "ready") {
      return { chosen: { source: one.source, executable: one.binary.executable, version: electronVersion } }
    }
    rejected.push(`${one.path} (${sources[one.source]}): ${problem}`)
  }
  const unfetched = found.find(
    ({ binary, source, version }) =>
      source !== "environment" && version === electronVersion && (binary.state === "absent" || binary.state === "stale")
  )
  return {
    error: new ElectronNotFound({
      wanted: electronVersion,
      rejected,
      remedy: unfetched === undefined ? installation : `Fetch its program: ${fetchCommand(unfetched.path)}`
    })
  }
}

const Manifest = Schema.fromJsonString(Schema.Struct({ name: Schema.Literal("electron"), version: Schema.String }))

const readText = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => Effect.option(files.readFileString(path)))

/** The version that the package in a folder says it has; nothing if there is no package of that name. */
const versionOfPackage = Effect.fnUntraced(function* (folder: string) {
  const text = yield* readText(join(folder, "package.json"))
  return Option.map(Option.flatMap(text, Schema.decodeOption(Manifest)), ({ version }) => version)
})

const isExecutable = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const info = yield* Effect.option(files.stat(path))
  if (Option.isNone(info)) return undefined
  return info.value.type === "File" && (process.platform === "win32" || (info.value.mode & 0o111) !== 0)
})

const binaryAt = Effect.fnUntraced(function* (
  executable: string
): Effect.fn.Return<FoundElectron["binary"], never, FileSystem.FileSystem> {
  switch (yield* isExecutable(executable)) {
    case undefined:
      return { state: "absent" }
    case true:
      return { state: "ready", executable }
    case false:
      return { state: "notExecutable", executable }
  }
})

/** A package is only complete with `path.txt`, which names its program in `dist/`; `dist/version` says its version. */
const binaryOfPackage = Effect.fnUntraced(function* (
  folder: string,
  version: string
): Effect.fn.Return<FoundElectron["binary"], never, FileSystem.FileSystem> {
  const name = yield* readText(join(folder, "path.txt"))
  if (Option.isNone(name)) return { state: "absent" }
  const unpacked = Option.map(yield* readText(join(folder, "dist", "version")), (text) => text.trim().replace(/^v/, ""))
  if (Option.isSome(unpacked) && unpacked.value !== version) return { state: "stale", version: unpacked.value }
  return yield* binaryAt(join(folder, "dist", name.value.trim()))
})

const lookAtPackage = Effect.fnUntraced(function* (source: ElectronSource, path: string) {
  const version = yield* versionOfPackage(path)
  if (Option.isNone(version)) return []
  const found: FoundElectron = {
    source,
    path,
    version: version.value,
    binary: yield* binaryOfPackage(path, version.value)
  }
  return [found]
})

/** The folder of the package that a program belongs to: above `dist/`, and above the application on macOS. */
const packageOf = (executable: string): string => {
  const folder = dirname(executable)
  const application = join("Electron.app", "Contents", "MacOS")
  return dirname(folder.endsWith(application) ? folder.slice(0, -application.length - 1) : folder)
}

/** The version in the name of the folder of a store, "electron@42.9.3", perhaps with a suffix for peers. */
const versionInPath = (path: string): string | undefined =>
  /(?:^|[/\\])electron@(\d+\.\d+\.\d+[^/\\_(]*)/.exec(path)?.[1]

const lookAtProgram = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const real = yield* files.realPath(path).pipe(Effect.orElseSucceed(() => path))
  const version = Option.getOrElse(yield* versionOfPackage(packageOf(real)), () => versionInPath(real))
  const found: FoundElectron = {
    source: "environment",
    path,
    ...(version === undefined ? {} : { version }),
    binary: yield* binaryAt(path)
  }
  return [found]
})

const lookAtStore = Effect.fnUntraced(function* (store: string) {
  const files = yield* FileSystem.FileSystem
  const names = yield* files.readDirectory(store).pipe(Effect.orElseSucceed((): Array<string> => []))
  const folders = names.filter((name) => name.startsWith("electron@")).sort()
  return (yield* Effect.forEach(folders, (name) =>
    lookAtPackage("pnpm", join(store, name, "node_modules", "electron"))
  )).flat()
})

/** What lies at the places, in their order; a package that is reached by several ways is named once. */
export const findElectrons = Effect.fnUntraced(function* (places: ReadonlyArray<ElectronPlace>) {
  const files = yield* FileSystem.FileSystem
  const found = new Map<string, FoundElectron>()
  for (const place of places) {
    const here =
      place.kind === "package"
        ? yield* lookAtPackage(place.source, place.path)
        : place.kind === "program"
          ? yield* lookAtProgram(place.path)
          : yield* lookAtStore(place.path)
    for (const one of here) {
      const real = yield* files.realPath(one.path).pipe(Effect.orElseSucceed(() => one.path))
      if (!found.has(real)) found.set(real, one)
    }
  }
  return [...found.values()]
})

/** The places of this process. `module` is a file whose imports are resolved as this package's own. */
export const placesHere = (module: string = import.meta.url): ReadonlyArray<ElectronPlace> => {
  const file = module.startsWith("file:") ? fileURLToPath(module) : module
  const dependency = Option.getOrUndefined(
    // resolving only looks at files; the manifest may be named because the package has no "exports"
    Option.liftThrowable(() => dirname(createRequire(file).resolve("electron/package.json")))()
  )
  return electronPlaces({
    environment: process.env,
    dependency,
    module: dirname(file),
    workingDirectory: process.cwd(),
    program: dirname(process.execPath)
  })
}

/**
 * The Electron to start. Fails with `ElectronNotFound`, which lists everything that was found and why it is not used.
 */
export const locateElectron = Effect.fn("ViewHost.locateElectron")(function* (
  places: ReadonlyArray<ElectronPlace> = placesHere()
) {
  const choice = chooseElectron(yield* findElectrons(places))
  return choice.chosen ?? (yield* choice.error)
})
