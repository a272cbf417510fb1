/**
 * The browser as a plugin of DSH (DeepSeek Harness): its tools, a section of the system prompt, one session for each
 * agent. Everything is undone when the plugin is disposed; nothing is started before the first call.
 */
import type { Context as DshContext } from "@deepseek-ai/cordis"
import type {} from "@deepseek-ai/dsh-agent"
import type {} from "@deepseek-ai/dsh-system-prompt"
import type {} from "@deepseek-ai/dsh-tools"
import { Cause, Effect, Exit, Layer, Logger, ManagedRuntime, Schema } from "effect"
import * as EffectBrowser from "../../EffectBrowser.ts"
import { BrowserConfig } from "../../schemas/config.ts"
import { Tasks } from "../../services/Tasks.ts"
import { Tools } from "../../services/Tools.ts"
import { catalog, coreCatalog } from "../../tools/catalog.ts"
import { instructions } from "../../tools/instructions.ts"
import { dshTool, type Invoke, taskOf } from "./dshTool.ts"

/** ms that DSH gives a call beyond its own limit. */
const grace = 5_000

/** Settings of the plugin: those of the library, and which tools are registered. */
export const DshConfig = Schema.Struct({
  ...BrowserConfig.fields,
  tools: Schema.Literals(["core", "all"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("core" as const)))
})
export type DshConfig = typeof DshConfig.Type

/** Name of the plugin. */
export const name = "effect-browser"

/** Services of DSH that it needs. */
export const inject = ["tools", "systemPrompt"]

/** Checks the settings; an unknown key is an error that names it. */
export const Config = Schema.toStandardSchemaV1(Schema.UndefinedOr(DshConfig), {
  parseOptions: { onExcessProperty: "error", errors: "all" }
})

/** Lines of the library's log, in DSH's: standard output belongs to its user interface. */
const logInto = (ctx: DshContext) =>
  Logger.layer([
    Logger.make(({ cause, logLevel, message }) => {
      const text = [
        ...(Array.isArray(message) ? message : [message]).map(String),
        ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])
      ].join(" ")
      if (logLevel === "Fatal" || logLevel === "Error") ctx.logger.error(text)
      else if (logLevel === "Warn") ctx.logger.warn(text)
      else if (logLevel === "Info") ctx.logger.info(text)
      else ctx.logger.debug(text)
    })
  ])

/** Registers everything for the life of the plugin. */
export const apply = (ctx: DshContext, settings: DshConfig | undefined): void => {
  const config = settings ?? Schema.decodeUnknownSync(DshConfig)({})
  const runtime = ManagedRuntime.make(EffectBrowser.layer(config).pipe(Layer.provideMerge(logInto(ctx))))
  const ending = new AbortController()
  const tasks = new Set<string>()

  const invoke: Invoke = (task, tool, args, signal) => {
    tasks.add(task)
    return runtime.runPromiseExit(
      Effect.flatMap(Tools, (tools) => tools.invoke(task, tool, args)),
      { signal: AbortSignal.any([signal, ending.signal]) }
    )
  }

  ctx.effect(
    () => async () => {
      ending.abort()
      await runtime.dispose()
    },
    "effect-browser: sessions and browser"
  )
  ctx.systemPrompt.section({ name: "tool:browser", order: 150, text: instructions })
  const rows = config.tools === "all" ? catalog : coreCatalog
  for (const row of rows) {
    if (config.allowedTools?.includes(row.name) === false) continue
    ctx.tools.register(dshTool(row, config.toolTimeoutMs + grace, invoke))
  }
  ctx.on("agent/disposed", ({ agent }) => {
    if (!tasks.delete(taskOf(agent))) return
    runtime.runCallback(
      Effect.flatMap(Tasks, (all) => all.resetSession(taskOf(agent))),
      { onExit: (exit) => (Exit.isFailure(exit) ? ctx.logger.warn(Cause.pretty(exit.cause)) : undefined) }
    )
  })
}
