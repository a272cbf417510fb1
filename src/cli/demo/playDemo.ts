/** What `effect-browser demo` does. */
import { tmpdir } from "node:os"
import { dirname, resolve } from "node:path"
import { Console, Effect, Option } from "effect"
import * as EffectBrowser from "../../EffectBrowser.ts"
import { checkAddresses } from "../../layers/providers/session/AddressesLive.ts"
import type { BrowserError } from "../../schemas/errors.ts"
import { TaskKey } from "../../schemas/ids.ts"
import { Tools } from "../../services/Tools.ts"
import { version } from "../../version.ts"
import type { BrowserOptions } from "../browserFlags.ts"
import { ExitWith } from "../ExitWith.ts"
import { exitCodes } from "../exitCodes.ts"
import { loadConfig } from "../settings.ts"
import { errorStyle, outputStyle } from "../style.ts"
import { play, type StoryBroken, summary } from "./play.ts"
import { type DemoSiteFailed, serveDemoSite } from "./site.ts"
import type { Paper } from "./stepText.ts"
import { wrapped } from "./stepText.ts"
import { bookingStory } from "./story.ts"
import { visitStory } from "./visit.ts"

export interface DemoOptions extends BrowserOptions {
  readonly url: Option.Option<string>
  readonly out: string
}

const task = TaskKey.make("demo")

/** Lines are at most so long, also in wide terminals: they are to be read. */
const widest = 100
const narrowest = 40

const paper = (): Paper => ({
  width: Math.max(narrowest, Math.min(widest, process.stdout.columns ?? widest)),
  style: outputStyle()
})

const heading = ({ style, width }: Paper, text: string) =>
  Console.log([style.bold(`effect-browser ${version}`), ...wrapped(text, width)].join("\n"))

const tell = Effect.fnUntraced(function* ({ url }: DemoOptions, picture: string) {
  const tools = yield* Tools
  const page = paper()
  const call = (tool: string, args: unknown) => tools.invoke(task, tool, args)
  if (Option.isSome(url)) {
    yield* heading(page, `What an agent sees of ${url.value}`)
    const played = yield* play(visitStory(url.value, picture), { call, paper: page, limit: 24 })
    return yield* Console.log(summary(page, played))
  }
  const site = yield* serveDemoSite
  yield* heading(page, `An agent books a berth at ${site.url}. Every step is one tool call in a real browser.`)
  const played = yield* play(bookingStory(site, picture), { call, paper: page, limit: 8 })
  yield* Console.log(`${summary(page, played)} The picture is ${picture}`)
})

/** A tool that failed is told as everywhere; anything else by its message. */
const fault = (error: DemoSiteFailed | StoryBroken): Effect.Effect<never, BrowserError | ExitWith> =>
  error._tag === "StoryBroken" && error.error !== undefined
    ? Effect.fail(error.error)
    : Effect.andThen(
        Console.error(`${errorStyle().red(error.message)}`),
        Effect.fail(new ExitWith({ exitCode: exitCodes.page.code }))
      )

/**
 * Plays the demo in a browser of its own, and closes everything afterwards. The folder of the picture may be written,
 * whatever the configuration says: whoever starts the demo names it.
 */
export const playDemo = Effect.fnUntraced(function* (options: DemoOptions) {
  const config = yield* loadConfig(options)
  yield* checkAddresses(config, Option.toArray(options.url))
  const picture = resolve(options.out)
  const writeRoots = [...(config.writeRoots ?? [process.cwd(), tmpdir()]), dirname(picture)]
  yield* tell(options, picture).pipe(
    Effect.scoped,
    // nobody waits half a second here before the page asks: it is to be seen behind its dialog all the same
    Effect.provide(EffectBrowser.layer({ dialogWay: "gate", ...config, writeRoots })),
    Effect.catchTag(["DemoSiteFailed", "StoryBroken"], fault)
  )
})
