/** What `effect-browser mcp` does. */
import { Effect } from "effect"
import * as EffectBrowser from "../../EffectBrowser.ts"
import { serveStdio } from "../../adapters/mcp/stdioServer.ts"
import { TaskKey } from "../../schemas/ids.ts"
import { ConfigInvalid, InvalidArguments } from "../../schemas/errors.ts"
import type { ToolRow } from "../../tools/ToolRow.ts"
import { catalog, coreCatalog } from "../../tools/catalog.ts"
import type { BrowserOptions } from "../browserFlags.ts"
import { loadConfig } from "../settings.ts"

export interface McpOptions extends BrowserOptions {
  /** "core" or "all"; anything else comes from the environment */
  readonly tools: string
  readonly task: string
}

/** Serves until standard input ends; then everything is closed. */
export const serveMcp = Effect.fnUntraced(function* (options: McpOptions) {
  const config = yield* loadConfig(options)
  if (options.tools !== "all" && options.tools !== "core") {
    return yield* new ConfigInvalid({ issues: ['EFFECT_BROWSER_TOOLS must be "core" or "all"'] })
  }
  if (options.task === "") return yield* new InvalidArguments({ tool: "mcp", issues: ["--task must not be empty"] })
  const offered = options.tools === "all" ? catalog : coreCatalog
  const rows = offered.filter((row) => config.allowedTools?.includes(row.name) ?? true)
  const remedy = ({ name }: ToolRow) =>
    config.allowedTools?.includes(name) === false
      ? "The configuration (allowedTools) leaves it out: use another tool, or ask the operator."
      : "Use another tool; the server offers this one when it is started as: effect-browser mcp --tools all (or with EFFECT_BROWSER_TOOLS=all)."
  yield* Effect.provide(serveStdio({ rows, task: TaskKey.make(options.task), remedy }), EffectBrowser.layer(config))
})
