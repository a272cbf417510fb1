/**
 * Which Electron the tests use, and whether they can. It is not looked for where the product looks: the product takes
 * one version only, whose program cannot always be fetched, while the tests also run on an older one.
 */
import { existsSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join } from "node:path"
import { electronVersion } from "../../src/schemas/electron.ts"

/** An Electron for tests. */
export interface ElectronHere {
  readonly executable: string
  readonly version: string
}

/** The version that is fetched where the pinned one is not installed. */
export const fetchedVersion = "33.2.1"

/** Goes up whenever what is unpacked, or written beside it, changes. */
const layout = 1

/** The user's cache, as the XDG rules have it. */
export const cacheFolder = (): string => {
  const configured = process.env["XDG_CACHE_HOME"]
  return join(configured?.startsWith("/") === true ? configured : join(homedir(), ".cache"), "effect-browser")
}

/** Where the fetched Electron lies, inside the cache. */
export const fetchedFolder = (cache: string): string => join(cache, `test-electron-${fetchedVersion}-${layout}`)

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** The pinned version, if it is installed here with its program. */
const installed = (): ElectronHere | undefined => {
  const folder = join(import.meta.dirname, "../../node_modules/electron")
  const name = read(join(folder, "path.txt"))
  if (name === undefined || read(join(folder, "dist/version"))?.trim().replace(/^v/, "") !== electronVersion) {
    return undefined
  }
  const executable = join(folder, "dist", name)
  return existsSync(executable) ? { executable, version: electronVersion } : undefined
}

const fetched = (): ElectronHere | undefined => {
  const executable = join(fetchedFolder(cacheFolder()), "electron")
  return process.platform === "linux" && existsSync(executable) ? { executable, version: fetchedVersion } : undefined
}

/** The Electron for the tests: the pinned one where it is installed, else the fetched one, else none. */
export const electronHere = (): ElectronHere | undefined => installed() ?? fetched()

/** Whether a window can be shown: on a display that is there, or on one that Xvfb can give. */
const displayHere = (): boolean =>
  process.platform !== "linux" ||
  Boolean(process.env["DISPLAY"]) ||
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, "Xvfb")))

/** What keeps the tests of the Electron host from running here, with the remedy; undefined if nothing does. */
export const electronMissing = (): string | undefined => {
  const missing = [
    ...(electronHere() === undefined ? ["no Electron is here (npm run fetch:electron fetches one)"] : []),
    ...(displayHere() ? [] : ["no display is here (set DISPLAY, or install Xvfb: apt install xvfb)"])
  ]
  return missing.length === 0 ? undefined : missing.join("; ")
}
