/** Loads a program as the launcher does, runs it, keeps what was compiled, and prints what happened. */
import { renameSync } from "node:fs"
import { load } from "../../src/cli/CompiledProgram.ts"

const [file = "", build = "", folder = "", run = ""] = process.argv.slice(2)
const program = load({ file, build, folder: folder === "" ? undefined : folder, run })
program.run()
const meanwhile = process.env["MEANWHILE"] ?? ""
if (meanwhile !== "") renameSync(meanwhile, folder)
program.keep()
console.log(JSON.stringify({ taken: program.taken }))
