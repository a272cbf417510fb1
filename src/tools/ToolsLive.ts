/** The service `Tools` over tasks and files. */
import { Effect, Layer } from "effect"
import type { BrowserConfig } from "../schemas/config.ts"
import { ConfigInvalid } from "../schemas/errors.ts"
import { Addresses } from "../services/Addresses.ts"
import { Browser } from "../services/Browser.ts"
import { Control } from "../services/Control.ts"
import { FileAccess } from "../services/FileAccess.ts"
import { History } from "../services/History.ts"
import { Scrapes } from "../services/Scrapes.ts"
import { Tasks } from "../services/Tasks.ts"
import { Tools } from "../services/Tools.ts"
import { unknownToolIssues } from "./catalog.ts"
import { invoke } from "./invoke.ts"

/** The tools of the catalog. */
export const layer = (
  config: BrowserConfig
): Layer.Layer<Tools, never, Tasks | FileAccess | Control | History | Scrapes | Browser | Addresses> =>
  Layer.effect(
    Tools,
    Effect.gen(function* () {
      const issues = unknownToolIssues("allowedTools", config.allowedTools ?? [])
      // a misspelt name would forbid more than it was meant to
      if (issues.length > 0) return yield* Effect.die(new ConfigInvalid({ issues }))
      const tasks = yield* Tasks
      const files = yield* FileAccess
      const control = yield* Control
      const history = yield* History
      const scrapes = yield* Scrapes
      const browser = yield* Browser
      const addresses = yield* Addresses
      return Tools.of({
        invoke: Effect.fn("Tools.invoke")(function* (task, name, args) {
          yield* Effect.annotateCurrentSpan({ tool: name, task })
          return yield* invoke({ task, tasks, files, control, history, scrapes, addresses, config }, name, args)
        }),
        capabilities: (task) =>
          Effect.suspend(() => {
            const session = tasks.peek(task)
            return session === undefined
              ? Effect.match(browser.select, {
                  onSuccess: (provider) => provider.capabilities,
                  onFailure: () => undefined
                })
              : Effect.succeed(session.capabilities)
          })
      })
    })
  )
