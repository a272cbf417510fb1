/** `effect-browser mcp`: the MCP server on standard input and output. */
import { Config, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { browserFlags } from "../browserFlags.ts"
import { lazily } from "../lazily.ts"

export const mcp = Command.make(
  "mcp",
  {
    ...browserFlags,
    tools: Flag.Literals("tools", ["core", "all"]).pipe(
      Flag.withDescription("tools to offer: the usual ones unless told otherwise, or all"),
      Flag.withMetavar("SET"),
      // as it is: an option's own complaint about a variable cannot be understood
      Flag.withFallbackConfig(Config.String("EFFECT_BROWSER_TOOLS")),
      Flag.withDefault("core")
    ),
    task: Flag.String("task").pipe(
      Flag.withDescription("key of the task whose session the tools use"),
      Flag.withMetavar("KEY"),
      Flag.withFallbackConfig(Config.String("EFFECT_BROWSER_TASK")),
      Flag.withDefault("default")
    )
  },
  (options) =>
    Effect.flatMap(
      lazily(() => import("../handlers/serveMcp.ts")),
      ({ serveMcp }) => serveMcp(options)
    )
).pipe(Command.withDescription("Serve the tools to an MCP client over standard input and output"))
