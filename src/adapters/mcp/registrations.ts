/** The catalog's tools in an MCP server. */
import { Context, Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import type { TaskKey } from "../../schemas/ids.ts"
import { Tools } from "../../services/Tools.ts"
import type { ToolRow } from "../../tools/ToolRow.ts"
import { errorResult, successResult } from "./callResult.ts"
import { mcpTool } from "./mcpTool.ts"
import { makeOffering } from "./offering.ts"
import { withProgress } from "./progress.ts"

export interface ToolRegistrations {
  /** Tools to offer. */
  readonly rows: ReadonlyArray<ToolRow>
  /** Task of the connection: its calls share one browser session. */
  readonly task: TaskKey
  /** How to get a tool of the catalog that is not offered, or what to do instead; for whoever calls it. */
  readonly remedy?: (row: ToolRow) => string
}

/** Registers the tools. Arguments are decoded by the tool layer, so that its errors say what is wrong. */
export const registrations = ({
  rows,
  task
}: ToolRegistrations): Layer.Layer<never, never, McpServer.McpServer | Tools> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      const tools = yield* Tools
      const offering = yield* makeOffering(rows, task)
      yield* Effect.forEach(
        rows,
        (row) =>
          server.addTool({
            tool: mcpTool(row),
            annotations: Context.empty(),
            handle: (args: unknown) =>
              tools.invoke(task, row.name, args).pipe(
                Effect.match({ onSuccess: successResult, onFailure: errorResult }),
                // a session may be open now, or gone
                Effect.ensuring(offering.tell),
                withProgress(server, row.name)
              )
          }),
        { discard: true }
      )
      return offering.layer
    })
  )
