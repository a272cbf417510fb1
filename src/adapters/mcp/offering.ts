/**
 * Which tools a client is shown: those that the task's browser can do. Before a session is open that is the browser
 * that would be used. A call of a tool that is not shown is answered all the same, with the error that says what is
 * missing.
 */
import { Effect, type Layer } from "effect"
import { McpServer } from "effect/ai"
import type { TaskKey } from "../../schemas/ids.ts"
import type { Capabilities } from "../../services/BrowserSession.ts"
import { Tools } from "../../services/Tools.ts"
import type { ToolRow } from "../../tools/ToolRow.ts"

/** Names of the tools that these capabilities leave out. */
export const leftOut = (
  rows: ReadonlyArray<Pick<ToolRow, "name" | "capability">>,
  capabilities: Capabilities | undefined
): ReadonlySet<string> =>
  new Set(
    rows
      .filter(({ capability }) => capability !== undefined && capabilities?.[capability] !== true)
      .map(({ name }) => name)
  )

export interface Offering {
  /** Leaves tools out of lists. */
  readonly layer: Layer.Layer<never, never, McpServer.McpServer>
  /** Tells the client to list again, if another set of tools is offered than it was told of. */
  readonly tell: Effect.Effect<void>
}

/** What is offered for a task. */
export const makeOffering = Effect.fnUntraced(function* (rows: ReadonlyArray<ToolRow>, task: TaskKey) {
  const server = yield* McpServer.McpServer
  const tools = yield* Tools
  const nameOf = (names: ReadonlySet<string>) => [...names].join(" ")
  // the same object call after call
  let latest: Capabilities | undefined
  let hidden = leftOut(rows, undefined)
  const current = Effect.map(tools.capabilities(task), (capabilities) => {
    if (capabilities !== latest) hidden = leftOut(rows, capabilities)
    latest = capabilities
    return hidden
  })
  /** what the client has seen last; undefined: it has not asked */
  let told: string | undefined
  let toldOf: ReadonlySet<string> | undefined
  const visibility = McpServer.visibility(
    ({ method, target }) =>
      method === "tools/list"
        ? Effect.map(current, (hidden) => {
            told = nameOf(hidden)
            toldOf = hidden
            return !hidden.has(target)
          })
        : Effect.succeed(true),
    { global: true }
  )
  const offering: Offering = {
    layer: visibility,
    tell: Effect.flatMap(current, (hidden) => {
      if (told === undefined || toldOf === hidden) return Effect.void
      toldOf = hidden
      const now = nameOf(hidden)
      if (told === now) return Effect.void
      told = now
      return Effect.ignore(server.notifications["notifications/tools/list_changed"]({}))
    })
  }
  return offering
})
