/** The program `effect-browser`. */
import { Command } from "effect/cli"
import { call } from "./commands/call.ts"
import { doctor } from "./commands/doctor.ts"
import { mcp } from "./commands/mcp.ts"
import { tools } from "./commands/tools.ts"
import { demo } from "./demo/demo.ts"

export const root = Command.make("effect-browser").pipe(
  Command.withDescription("A real browser for AI agents"),
  Command.withSubcommands([demo, mcp, call, tools, doctor])
)
