/** `effect-browser tools`: what there is. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { lazily } from "../lazily.ts"

export const tools = Command.make(
  "tools",
  {
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
).pipe(Command.withDescription("List the tools"))
