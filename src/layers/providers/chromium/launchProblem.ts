/** Says from how a browser ended at its start what was wrong. */
import type { BrowserExit } from "./browserProcess.ts"

export type LaunchProblem = { readonly kind: "profileInUse" } | { readonly kind: "failed"; readonly reason: string }

/** `chrome::RESULT_CODE_PROFILE_IN_USE`. */
const profileInUseCode = 21

const advice: ReadonlyArray<readonly [pattern: RegExp, reason: (match: RegExpExecArray) => string]> = [
  [
    /error while loading shared libraries: ([^:\s]+)/,
    ([, library]) => `the library ${library} is missing; install the system package that holds it`
  ],
  [/version `(GLIBC\w*_[\d.]+)' not found/, ([, version]) => `the system's C library is too old (it lacks ${version})`],
  [
    /No usable sandbox/,
    () => "the kernel offers no sandbox (user namespaces are off); allow them, or pass --no-sandbox in args knowingly"
  ],
  [/Running as root without --no-sandbox/, () => "it refuses to run as root in its sandbox"],
  [
    /Missing X server or \$DISPLAY|cannot open display|Unable to open X display/,
    () => "there is no display; set headless, or start it under Xvfb"
  ],
  [/No space left on device/, () => "the disk is full"]
]

/** The lines that say most: those marked fatal, else the last ones. */
const essence = (words: string): string => {
  const lines = words
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/dbus|unexpected operator/i.test(line))
  const fatal = lines.filter((line) => /FATAL|CHECK failed/.test(line))
  return (fatal.length > 0 ? fatal : lines).slice(-3).join(" | ").slice(-600)
}

const howItEnded = ({ code, signal }: BrowserExit): string =>
  signal === undefined ? `it exited with code ${code}` : `it was ended by ${signal}`

/**
 * What was wrong. `givenProfile`: the profile is not a fresh one of ours; `held`: a living browser has it.
 */
export const launchProblem = (facts: {
  readonly exit: BrowserExit
  readonly words: string
  readonly givenProfile: boolean
  readonly held: boolean
}): LaunchProblem => {
  const { exit, words, givenProfile, held } = facts
  const refused = exit.code === profileInUseCode || /SingletonLock|profile appears to be in use/.test(words)
  // A browser that hands over to the owner of the profile ends with code 0.
  if (givenProfile && (refused || (exit.code === 0 && held))) return { kind: "profileInUse" }
  for (const [pattern, reason] of advice) {
    const match = pattern.exec(words)
    if (match !== null) return { kind: "failed", reason: `${reason(match)}.` }
  }
  const text = essence(words)
  return { kind: "failed", reason: text === "" ? `${howItEnded(exit)}.` : `${howItEnded(exit)}. It said: ${text}` }
}
