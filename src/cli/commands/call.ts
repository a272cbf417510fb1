/** `effect-browser call`: one tool, once. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { browserFlags } from "../browserFlags.ts"
import { lazily } from "../lazily.ts"

export const call = Command.make(
  "call",
  {
    ...browserFlags,
    tool: Argument.String("tool").pipe(Argument.withDescription("name of the tool, with or without browser_")),
    args: Argument.String("json").pipe(
      Argument.withDescription("its arguments as a JSON object"),
      Argument.withDefault("{}")
    ),
    url: Flag.String("url").pipe(Flag.withDescription("page to open first"), Flag.withMetavar("URL"), Flag.optional),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("print the structured result instead of the text"),
      Flag.withDefault(false)
    )
  },
  (options) =>
    Effect.flatMap(
      lazily(() => import("../handlers/callTool.ts")),
      ({ callTool }) => callTool(options)
    )
).pipe(
  Command.withDescription("Start a browser, call one tool, and print its result"),
  Command.withExamples([
    { command: 'effect-browser call open \'{"url":"https://example.com"}\'', description: "see a page" },
    {
      command: 'effect-browser call screenshot \'{"savePath":"page.png"}\' --url https://example.com',
      description: "save a picture of a page"
    }
  ])
)
