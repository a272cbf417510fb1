/** What `effect-browser call` does. */
import { Console, Effect, Option } from "effect"
import * as EffectBrowser from "../../EffectBrowser.ts"
import { checkAddresses } from "../../layers/providers/session/AddressesLive.ts"
import { InvalidArguments } from "../../schemas/errors.ts"
import { TaskKey } from "../../schemas/ids.ts"
import { Tools } from "../../services/Tools.ts"
import { findRow } from "../../tools/catalog.ts"
import { checkCall } from "../../tools/invoke.ts"
import type { BrowserOptions } from "../browserFlags.ts"
import { errorStyle } from "../style.ts"
import { loadConfig } from "../settings.ts"
import { wholeName } from "../wholeName.ts"

export interface CallOptions extends BrowserOptions {
  readonly tool: string
  readonly args: string
  readonly url: Option.Option<string>
  readonly json: boolean
}

const task = TaskKey.make("call")

const shape = `write them as one JSON object in single quotes, such as '{"url":"https://example.com"}'`

/** The arguments as they were typed. Fails with what is wrong with them. */
const readArguments = (text: string): Effect.Effect<unknown, string> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => `they are not JSON (${error instanceof Error ? error.message : "cannot be parsed"}); ${shape}`
  }).pipe(
    Effect.filterOrFail(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      (value) => `they are ${Array.isArray(value) ? "a list" : JSON.stringify(value)}; ${shape}`
    )
  )

const run = Effect.fnUntraced(function* (name: string, args: unknown, options: CallOptions) {
  const tools = yield* Tools
  if (Option.isSome(options.url)) yield* tools.invoke(task, "browser_open", { url: options.url.value })
  const answer = yield* tools.invoke(task, name, args)
  if (options.json) return yield* Console.log(JSON.stringify(answer.structured, undefined, 2))
  for (const part of answer.content) {
    if (part.type === "text") yield* Console.log(part.text)
    else
      yield* Console.error(`${errorStyle().dim("Note:")} the picture is not shown; give it a "savePath", or see --json`)
  }
})

/** Calls the tool in a browser of its own and prints the result. */
export const callTool = Effect.fnUntraced(function* (options: CallOptions) {
  const name = wholeName(options.tool)
  const invalid = (issue: string) => new InvalidArguments({ tool: name, issues: [issue] })
  const args = yield* Effect.mapError(readArguments(options.args), invalid)
  const addresses = yield* checkCall(name, args)
  if (findRow(name)?.session === "required" && Option.isNone(options.url)) {
    return yield* invalid("the tool needs a page: give --url")
  }
  const config = yield* loadConfig(options)
  yield* checkAddresses(config, [...Option.toArray(options.url), ...addresses])
  yield* Effect.provide(run(name, args, options), EffectBrowser.layer(config))
})
