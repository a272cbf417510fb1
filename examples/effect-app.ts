/** A program that uses a browser: `node examples/effect-app.ts [url]`. In your own project import from "effect-browser". */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { Browser, EffectBrowser, Ids } from "../src/index.ts"

/** Opens a page, follows its first link, and yields what stands there as Markdown. */
const followFirstLink = Effect.fn("followFirstLink")(function* (url: string) {
  const browser = yield* Browser
  // The session belongs to the scope: when it closes, or when this is interrupted, its tabs are gone.
  const session = yield* browser.open({ task: Ids.TaskKey.make("example") })

  const page = yield* session.open({ url, newTab: false })
  yield* Console.log(`"${page.title ?? page.url}" shows ${page.elements.length} elements`)

  const link = page.elements.find(({ kind }) => kind === "link")
  if (link === undefined) return "There is no link."
  const { navigatedTo, target } = yield* session.clickRef({
    ref: link.ref,
    snapshotId: page.snapshotId,
    button: "left"
  })
  yield* Console.log(`clicked ${target ?? link.label}, now at ${navigatedTo ?? page.url}`)

  const { content } = yield* session.content({ format: "markdown", maxChars: 1_000 })
  return content
})

const program = followFirstLink(process.argv[2] ?? "https://example.com").pipe(
  Effect.flatMap(Console.log),
  Effect.catchTag("SnapshotStale", (error) => Console.error(`The page changed meanwhile: ${error.message}`)),
  // Errors are a closed union: each has a code, says what happened, and what to do next.
  Effect.catch((error) => {
    process.exitCode = 1
    return Console.error(`${error.code}: ${error.message}\nNext: ${error.next}`)
  }),
  Effect.scoped,
  Effect.provide(EffectBrowser.layer())
)

NodeRuntime.runMain(program)
