/** `effect-browser demo`: the browser at work, step by step. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { browserFlags } from "../browserFlags.ts"
import { lazily } from "../lazily.ts"

export const demo = Command.make(
  "demo",
  {
    ...browserFlags,
    url: Argument.String("url").pipe(
      Argument.withDescription("page to look at; without it a booking is played on a site of the demo's own"),
      Argument.optional
    ),
    out: Flag.String("out").pipe(
      Flag.withDescription("where the picture is saved (.png)"),
      Flag.withMetavar("FILE"),
      Flag.withDefault("effect-browser-demo.png")
    )
  },
  (options) =>
    Effect.flatMap(
      lazily(() => import("./playDemo.ts")),
      ({ playDemo }) => playDemo(options)
    )
).pipe(
  Command.withDescription("Show the browser at work: each step is one tool call"),
  Command.withExamples([
    { command: "effect-browser demo", description: "play a booking on the demo's own site" },
    { command: "effect-browser demo https://example.com", description: "look at any page" }
  ])
)
