/** `effect-browser doctor`: what browser there is, and what is missing. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { browserFlags } from "../browserFlags.ts"
import { lazily } from "../lazily.ts"

export const doctor = Command.make(
  "doctor",
  {
    ...browserFlags,
    json: Flag.Boolean("json").pipe(Flag.withDescription("print the facts as JSON"), Flag.withDefault(false))
  },
  (options) =>
    Effect.flatMap(
      lazily(() => import("../handlers/examine.ts")),
      ({ examine }) => examine(options)
    )
).pipe(
  Command.withDescription(
    "Try the browser once (with --endpoint that one) and say what was found, and how to get what is missing"
  )
)
