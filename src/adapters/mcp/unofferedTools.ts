/**
 * Calls of tools that are not offered. The server would answer them with the bare "not found"; the protocol's error
 * stays, and says which name was probably meant, or how the tool can be had.
 */
import { Option, Schema } from "effect"
import { McpSchema } from "effect/ai"
import { ToolNotOffered, ToolUnknown } from "../../schemas/errors.ts"
import { errorText } from "../../tools/errorText.ts"
import { catalog } from "../../tools/catalog.ts"
import { nearNames } from "../../tools/nearNames.ts"
import type { ToolRegistrations } from "./registrations.ts"

const ToolCall = Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Finite]),
  method: Schema.Literal("tools/call"),
  params: Schema.Struct({ name: Schema.String })
})
const asToolCall = Schema.decodeUnknownOption(ToolCall)

/** Why there is no such tool here; undefined for one that is offered. */
const refusal = (name: string, { remedy, rows }: Pick<ToolRegistrations, "rows" | "remedy">) => {
  const offered = rows.map((row) => row.name)
  if (offered.some((one) => one === name)) return undefined
  const known = catalog.find((row) => row.name === name)
  if (known !== undefined) {
    return new ToolNotOffered({ tool: name, remedy: remedy?.(known) ?? "Use another tool of the list." })
  }
  const near = nearNames(name, offered)
  const names = catalog.map((row) => row.name)
  return new ToolUnknown({ tool: name.slice(0, 100), near: near.length > 0 ? near : nearNames(name, names) })
}

/** The answer to a message that calls a tool which is not offered: an error of JSON-RPC (MCP, "Protocol Errors"). */
export const refusalOf =
  (options: Pick<ToolRegistrations, "rows" | "remedy">) =>
  (message: unknown): object | undefined => {
    const call = Option.getOrUndefined(asToolCall(message))
    const error = call === undefined ? undefined : refusal(call.params.name, options)
    return error === undefined
      ? undefined
      : {
          jsonrpc: "2.0",
          id: call?.id,
          error: { code: McpSchema.INVALID_PARAMS_ERROR_CODE, message: errorText(error), data: { code: error.code } }
        }
  }
