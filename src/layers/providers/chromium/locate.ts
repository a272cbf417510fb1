/**
 * Which browser is used: the configured one, that of CHROME_PATH, an installed one, or the embedded one.
 *
 * Looking around ({@link probeExecutables}) is apart from deciding ({@link chooseExecutable}).
 */
import { existsSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"
import { Effect, FileSystem } from "effect"
import type { ChromiumConfig } from "../../../schemas/config.ts"
import type { BrowserCandidate } from "../../../schemas/doctor.ts"
import { BrowserNotFound } from "../../../schemas/errors.ts"
import { type EmbeddedPackage, embeddedPackage, embeddedProblem } from "./embeddedPackage.ts"

export type BrowserSource = BrowserCandidate["source"]

/** The browser to start. The embedded one has yet to be unpacked: its path is that of the package. */
export type LocatedBrowser =
  | { readonly source: Exclude<BrowserSource, "embedded">; readonly path: string }
  | { readonly source: "embedded"; readonly path: string; readonly embedded: EmbeddedPackage }

/** What was found, in the order of preference. */
export interface ExecutableFacts {
  readonly candidates: ReadonlyArray<BrowserCandidate>
  /** undefined if it is not installed, or was not looked for */
  readonly embedded: EmbeddedPackage | undefined
}

/** A path that the user named must work; it is never passed over in silence. */
const isExplicit = (candidate: BrowserCandidate) =>
  candidate.source === "configured" || candidate.source === "environment"

const describe = (candidate: BrowserCandidate): string => {
  const name = {
    configured: `executablePath ${candidate.path}`,
    environment: `CHROME_PATH ${candidate.path}`,
    installed: candidate.path,
    embedded: "the embedded browser (@sparticuz/chromium)"
  }[candidate.source]
  return candidate.problem === undefined ? name : `${name} (${candidate.problem})`
}

/** The candidate to use, or what was tried in vain. */
export const chooseExecutable = (
  candidates: ReadonlyArray<BrowserCandidate>
):
  | { readonly chosen: BrowserCandidate; readonly tried?: never }
  | { readonly chosen?: never; readonly tried: ReadonlyArray<string> } => {
  const tried: Array<string> = []
  for (const candidate of candidates) {
    if (candidate.usable) return { chosen: candidate }
    tried.push(describe(candidate))
    if (isExplicit(candidate)) return { tried }
  }
  if (!candidates.some((candidate) => candidate.source === "installed")) {
    tried.unshift("installed Chrome, Chromium and Edge (none found)")
  }
  return { tried }
}

const namesOnPath = [
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "microsoft-edge-stable",
  "microsoft-edge"
]

/** Installations that chrome-launcher's finder does not know. */
const wellKnownPaths = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): ReadonlyArray<string> => {
  switch (platform) {
    case "darwin":
      return [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"
      ]
    case "win32":
      return [environment["PROGRAMFILES"], environment["PROGRAMFILES(X86)"]]
        .filter((folder) => folder !== undefined)
        .map((folder) => join(folder, "Microsoft", "Edge", "Application", "msedge.exe"))
    default:
      return (
        (environment["PATH"] ?? "")
          .split(delimiter)
          .filter((folder) => folder.startsWith("/"))
          // some hundred of them at each start: `join` would take a millisecond
          .flatMap((folder) => namesOnPath.map((name) => `${folder.replace(/\/+$/, "")}/${name}`))
      )
  }
}

/** chrome-launcher's finder throws when it finds nothing, and when a tool that it runs is missing. */
const foundByChromeLauncher = Effect.tryPromise(async () => {
  const finder = await import("chrome-launcher/dist/chrome-finder.js")
  switch (process.platform) {
    case "darwin":
      return finder.darwin()
    case "win32":
      return finder.win32()
    default:
      return finder.linux()
  }
}).pipe(Effect.orElseSucceed((): ReadonlyArray<string> => []))

/** Those of the paths that can be executed, without the ones that are another one by another name. */
const usable = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const found = new Map<string, string>()
  const problems = yield* Effect.forEach(paths, executableProblem, { concurrency: "unbounded" })
  for (const path of paths.filter((_, index) => problems[index] === undefined)) {
    const real = yield* files.realPath(path).pipe(Effect.orElseSucceed(() => path))
    if (!found.has(real)) found.set(real, path)
  }
  return [...found.values()]
})

/** Paths of installed browsers, best first, as far as they are where such browsers usually are: nothing is run. */
export const plainlyInstalled: Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem> = Effect.suspend(() =>
  // most are not there, and an error made for each costs 4 ms of each start
  usable(wellKnownPaths(process.platform, process.env).filter((path) => existsSync(path)))
)

/** Whether {@link plainlyInstalled} has any. */
export const isPlainlyInstalled: Effect.Effect<boolean, never, FileSystem.FileSystem> = Effect.gen(function* () {
  for (const path of wellKnownPaths(process.platform, process.env)) {
    if (existsSync(path) && (yield* executableProblem(path)) === undefined) return true
  }
  return false
})

/** Paths of all installed browsers, best first; each exists and can be executed. */
export const installedBrowsers: Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem> = Effect.flatMap(
  foundByChromeLauncher,
  (found) => usable([...wellKnownPaths(process.platform, process.env), ...found])
)

/** As {@link installedBrowsers}; chrome-launcher, which runs other programs to search, is asked only where it is needed. */
const quicklyInstalled: typeof installedBrowsers = Effect.flatMap(plainlyInstalled, (known) =>
  known.length > 0 ? Effect.succeed(known) : installedBrowsers
)

/** What keeps a path from being executed; undefined if nothing does. */
export const executableProblem = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const info = yield* files.stat(path).pipe(Effect.option)
  if (info._tag === "None") return "does not exist"
  if (info.value.type !== "File") return "is not a file"
  const executable = process.platform === "win32" || (info.value.mode & 0o111) !== 0
  return executable ? undefined : "is not executable"
})

/**
 * Looks for candidates in the order of preference, and no further than to what would be used.
 * `installed` says how installed browsers are found.
 */
export const probeExecutables = Effect.fnUntraced(function* (
  config: Pick<ChromiumConfig, "executablePath" | "headless"> & { readonly embedded?: boolean },
  options?: {
    readonly environment?: NodeJS.ProcessEnv
    readonly installed?: Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem>
    /** also after an explicit path: to show all that is there */
    readonly all?: boolean
  }
) {
  const environment = options?.environment ?? process.env
  const candidates: Array<BrowserCandidate> = []
  const add = (source: BrowserSource, path: string, problem: string | undefined) =>
    candidates.push({ source, path, usable: problem === undefined, ...(problem === undefined ? {} : { problem }) })

  if (config.executablePath !== undefined) {
    const path = resolve(config.executablePath)
    add("configured", path, yield* executableProblem(path))
  }
  const fromEnvironment = environment["CHROME_PATH"]
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    const path = resolve(fromEnvironment)
    add("environment", path, yield* executableProblem(path))
  }
  const decided = () => options?.all !== true && candidates.length > 0
  if (decided()) return { candidates, embedded: undefined }

  const skipped: typeof installedBrowsers = Effect.succeed([])
  for (const path of yield* config.embedded === true && options?.all !== true
    ? skipped
    : (options?.installed ?? (options?.all === true ? installedBrowsers : quicklyInstalled))) {
    if (!candidates.some((candidate) => candidate.path === path)) add("installed", path, undefined)
  }
  if (decided()) return { candidates, embedded: undefined }
  const embedded = yield* embeddedPackage
  const problem = yield* embeddedProblem(embedded)
  add(
    "embedded",
    embedded?.folder ?? "@sparticuz/chromium",
    problem ?? (config.headless ? undefined : "it has no window; install a browser or set headless")
  )
  return { candidates, embedded }
})

/** The browser to use. Fails with `BrowserNotFound`, naming what was tried. */
export const locateBrowser = Effect.fnUntraced(function* (
  config: Pick<ChromiumConfig, "executablePath" | "headless"> & { readonly embedded?: boolean },
  options?: Parameters<typeof probeExecutables>[1]
) {
  const { candidates, embedded } = yield* probeExecutables(config, options)
  const { chosen, tried } = chooseExecutable(candidates)
  if (chosen === undefined) return yield* new BrowserNotFound({ tried })
  const { path, source } = chosen
  const located: LocatedBrowser | undefined =
    source !== "embedded" ? { source, path } : embedded === undefined ? undefined : { source, path, embedded }
  return located ?? (yield* new BrowserNotFound({ tried: [path] }))
})
