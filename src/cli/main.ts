#!/usr/bin/env node
/** Entry of the command line: small, so that all the rest is loaded from what Node has compiled before. */
import * as module from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"

// In a folder that nobody else writes to: what is in there is run. Node before 22.1 has no such cache, and where the
// folder cannot be made there is none either. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE hold as for any program.
const cacheHome = process.env["XDG_CACHE_HOME"] ?? ""
const cache = join(cacheHome.startsWith("/") ? cacheHome : join(homedir(), ".cache"), "effect-browser", "compiled")
module.enableCompileCache?.(process.env["NODE_COMPILE_CACHE"] ?? cache)

// What is made at the start is kept: looking for garbage among it takes 30 ms of both cores, just when the first page comes.
setFlagsFromString("--no-incremental-marking")

const { runProgram } = await import("./program.ts")
runProgram()

// A server that mostly waits needs no room for garbage, and agents run many: a quarter less memory for 5 % more time.
setTimeout(() => {
  setFlagsFromString("--incremental-marking")
  setFlagsFromString("--optimize-for-size")
}, 3_000).unref()
