/** `effect-browser tools`: what there is. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "../lazily.ts"

export const tools = Command.make(
  "tools",
  {
    tool: Argument.String("tool").pipe(
      Argument.withDescription("name of one tool, with or without browser_"),
      Argument.optional
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("as JSON: what each tool takes and gives, and how it can fail"),
      Flag.withDefault(false)
    )
  },
  (options) =>
    Effect.flatMap(
      lazily(() => import("../handlers/listTools.ts")),
      ({ listTools }) => listTools(options)
    )
).pipe(
  Command.withDescription("List the tools, or tell what one of them takes and gives and how it can fail"),
  Command.withExamples([
    { command: "effect-browser tools", description: "all of them" },
    { command: "effect-browser tools click_ref", description: "one of them" }
  ])
)
