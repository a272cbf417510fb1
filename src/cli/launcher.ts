#!/usr/bin/env node
/** Starts the command line: small, so that all the rest is loaded from what was compiled before. */
import { homedir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { load } from "./CompiledProgram.ts"
import { runNames } from "./runNames.ts"

/** Of the program beside this file; put in by the build. */
declare const programBuild: string

// In a folder that nobody else writes to: what is in there is run. Where it cannot be made nothing is kept.
const cacheHome = process.env["XDG_CACHE_HOME"] ?? ""
const folder = join(cacheHome.startsWith("/") ? cacheHome : join(homedir(), ".cache"), "effect-browser", "compiled")

/** Sets flags of V8: those that every version from Node 20 to 26 knows, for V8 complains of others. */
const set = (...flags: ReadonlyArray<string>) => {
  for (const flag of flags) setFlagsFromString(`--${flag}`)
}

/**
 * What is made at the start is kept: looking for garbage among it, and making code faster that runs once, keeps both
 * cores busy just when the first page comes.
 */
const whileStarting = () =>
  set(
    "no-incremental-marking",
    "no-minor-gc-task",
    "semi-space-growth-factor=16",
    "no-turbofan",
    "no-optimize-for-size",
    // it is set along with that, but not back
    "max-semi-space-size=0"
  )

/** A server that mostly waits needs no room for garbage, and agents run many: a quarter less memory for 5 % more time. */
const whileServing = () =>
  set("incremental-marking", "minor-gc-task", "semi-space-growth-factor=2", "turbofan", "optimize-for-size")

whileStarting()
const program = load({
  file: join(import.meta.dirname, "main.cjs"),
  build: programBuild,
  // turned off as Node's own of this kind is
  folder: process.env["NODE_DISABLE_COMPILE_CACHE"] === undefined ? folder : undefined,
  run: runNames.find((name) => name === process.argv[2]) ?? "help"
})

const keep = () => {
  // V8 takes it again only under the flags that it was made under
  whileStarting()
  program.keep()
  whileServing()
}
process.once("exit", keep)
setTimeout(whileServing, 3_000).unref()
// V8 throws away what has not run for long: at the end of a long run there would be less to keep
setTimeout(() => {
  process.removeListener("exit", keep)
  keep()
}, 60_000).unref()

program.run()
