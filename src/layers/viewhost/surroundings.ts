/** What the child process of the view host needs around it: variables, a display, a profile folder, a sandbox or not. */
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { DisplayMissing } from "../../schemas/errors.ts"

type Environment = { readonly [name: string]: string | undefined }

/**
 * Variables that the child must not inherit: the first turns Electron into Node, even when it is empty; the options in
 * the second are meant for this process, and Electron ends when it meets one that it does not allow.
 */
const withheld = ["ELECTRON_RUN_AS_NODE", "NODE_OPTIONS"]

/** All variables for the child: those of the parent without the ones that change what Electron is. */
export const childEnvironment = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => {
      const [name, value] = entry
      // names have no case on Windows
      return value !== undefined && !withheld.includes(platform === "win32" ? name.toUpperCase() : name)
    })
  )

/**
 * A language for pages where the system names none: without one they would see "c" among the languages of a person,
 * which no other browser shows.
 */
export const childLanguage = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform
): Readonly<Record<string, string>> => {
  const { LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = environment
  const named = [LANGUAGE, LC_ALL, LC_MESSAGES, LANG].find((one) => one !== undefined && one !== "")
  return platform === "linux" && (named === undefined || /^(C|POSIX)\b/.test(named)) ? { LANGUAGE: "en_US" } : {}
}

/** Whether a window can be shown. Only Linux and the BSDs need to be told where. */
export const hasDisplay = (environment: Environment, platform: NodeJS.Platform = process.platform): boolean =>
  platform === "win32" ||
  platform === "darwin" ||
  Boolean(environment["DISPLAY"]) ||
  Boolean(environment["WAYLAND_DISPLAY"])

/**
 * Fails with `DisplayMissing` where no window could be shown. Asked before each start: Electron itself takes seconds to
 * find out, and crashes.
 */
export const requireDisplay = (
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform
): Effect.Effect<void, DisplayMissing> =>
  Effect.suspend(() =>
    hasDisplay(environment, platform) ? Effect.void : Effect.fail(new DisplayMissing({ program: "Electron" }))
  )

/** Electron refuses to start as root on Linux unless its sandbox is off. Everyone else keeps it. */
export const sandboxArguments = (
  platform: NodeJS.Platform = process.platform,
  uid: number | undefined = process.getuid?.()
): ReadonlyArray<string> => (platform === "linux" && uid === 0 ? ["--no-sandbox"] : [])

const applicationData = (environment: Environment, platform: NodeJS.Platform, home: string): string => {
  switch (platform) {
    case "win32":
      return environment["APPDATA"] || join(home, "AppData", "Roaming")
    case "darwin":
      return join(home, "Library", "Application Support")
    default: {
      // the XDG rules say that a relative path is to be ignored
      const configured = environment["XDG_CONFIG_HOME"]
      return configured?.startsWith("/") === true ? configured : join(home, ".config")
    }
  }
}

/**
 * The profile folder of the view host, absolute: the configured one, that of `DSH_BROWSER_PLUS_USER_DATA`, or a folder
 * of its own in `DSH_HOME` or else in the user's application data. It is shared with no other program, because a
 * Chromium profile bears one process only.
 */
export const profileFolder = (
  configured: string | undefined,
  facts: {
    readonly environment: Environment
    readonly platform: NodeJS.Platform
    readonly home: string
  } = { environment: process.env, platform: process.platform, home: homedir() }
): string => {
  const { environment, home, platform } = facts
  const named = configured || environment["DSH_BROWSER_PLUS_USER_DATA"]
  return named
    ? resolve(named)
    : resolve(environment["DSH_HOME"] || applicationData(environment, platform, home), "effect-browser-host")
}
