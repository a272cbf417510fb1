/** Rows of the catalog as tools of DSH. */
import { HarnessError } from "@deepseek-ai/dsh-llm"
import { assertSupportedJsonSchema, type ToolDefinition } from "@deepseek-ai/dsh-tools"
import { Cause, Effect, Exit } from "effect"
import { type BrowserError, isBrowserError } from "../../schemas/errors.ts"
import { TaskKey } from "../../schemas/ids.ts"
import type { ToolAnswer } from "../../services/Tools.ts"
import { remedyText } from "../../tools/errorText.ts"
import { contentOf } from "../../tools/invoke.ts"
import type { ToolRow } from "../../tools/ToolRow.ts"
import { dshOutput, dshParameters } from "./dshSchema.ts"

/** An error of a tool; observers route on its `code`, the model reads what to do next. */
export class DshBrowserError extends HarnessError {
  override readonly name = "BrowserError"

  constructor(error: BrowserError) {
    super(remedyText(error), error.code)
  }
}

/** The task of a call that no agent makes. */
const noAgent = "default"

/** How a call is made: `Tools.invoke`, with the call's own end as interruption. */
export type Invoke = (
  task: TaskKey,
  name: string,
  args: unknown,
  signal: AbortSignal
) => Promise<Exit.Exit<ToolAnswer, BrowserError>>

/** The task of an agent: its id is that of its session, and stays when it is resumed. */
export const taskOf = (agent: { readonly id: string } | undefined): TaskKey => TaskKey.make(agent?.id ?? noAgent)

/** The value of an answer, or the error that DSH is to see; never anything without a code. */
const settle = (exit: Exit.Exit<ToolAnswer, BrowserError>, name: string, signal: AbortSignal): unknown => {
  if (Exit.isSuccess(exit)) return exit.value.structured
  const failed = exit.cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined && isBrowserError(failed.error)) throw new DshBrowserError(failed.error)
  if (signal.aborted) throw signal.reason
  throw new HarnessError(`${name} ended, since the browser's plugin was stopped.`, "BROWSER_SESSION_LOST")
}

/** Text of a result; a picture stays in the value, since a content block would need an attachment of its own. */
const blocks = (row: ToolRow, args: unknown, value: unknown) =>
  contentOf(Effect.runSync(Effect.orDie(row.show(args, value)))).flatMap((part) =>
    part.type === "text" ? [{ type: "text" as const, text: part.text }] : []
  )

/**
 * A tool of DSH. Arguments are decoded by the tool itself, so that an unknown one is refused although the root of DSH's
 * schemas is open; `timeoutMs` lies beyond the tool's own limit, whose error tells more.
 */
export const dshTool = (row: ToolRow, timeoutMs: number, invoke: Invoke): ToolDefinition => {
  const schema: unknown = dshOutput(row)
  assertSupportedJsonSchema(schema)
  return {
    name: row.name,
    description: row.description,
    parameters: dshParameters(row),
    output: { schema, render: (args, value) => blocks(row, args, value) },
    timeoutMs,
    // reads of one task take their places in its lane, in the order of the calls
    isConcurrencySafe: () => row.annotations.readOnly,
    execute: async (args, { agent, signal }) =>
      settle(await invoke(taskOf(agent), row.name, args, signal), row.name, signal)
  }
}
