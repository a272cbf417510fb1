/** The program itself; what is built of it is started by the launcher. */
import { runProgram } from "./program.ts"

runProgram()
