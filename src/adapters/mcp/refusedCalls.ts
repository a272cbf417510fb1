/**
 * Calls that reach no tool: of one that is not offered, and those whose parameters have another form than the protocol's.
 * The server would answer them with a bare "not found" or "invalid"; the protocol's error stays, and says what is wrong
 * and what to do.
 */
import { Option, Schema } from "effect"
import { McpSchema } from "effect/ai"
import { type BrowserError, InvalidArguments, ToolNotOffered, ToolUnknown } from "../../schemas/errors.ts"
import { errorText } from "../../tools/errorText.ts"
import { catalog } from "../../tools/catalog.ts"
import { nearNames } from "../../tools/nearNames.ts"
import type { ToolRegistrations } from "./registrations.ts"

const ToolCall = Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Finite]),
  method: Schema.Literal("tools/call"),
  params: Schema.optionalKey(Schema.Unknown)
})
const asToolCall = Schema.decodeUnknownOption(ToolCall)
const asObject = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))

/** Why there is no such tool here; undefined for one that is offered. */
const unoffered = (name: string, { remedy, rows }: Pick<ToolRegistrations, "rows" | "remedy">) => {
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

/** A JSON value by its type. */
const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`

/** Whether a text is what should have been sent as an object. */
const isWritten = (value: unknown): boolean => {
  if (typeof value !== "string") return false
  try {
    return Option.isSome(asObject(JSON.parse(value)))
  } catch {
    return false
  }
}

const objectWanted = (value: unknown): string =>
  `they must be a JSON object, and are ${typeOf(value)}; ${
    isWritten(value) ? "send the object itself, not its text" : "send {} or leave them out where there are none"
  }`

/** Why a call reaches no tool; undefined if it does. */
const refusal = (
  params: unknown,
  options: Pick<ToolRegistrations, "rows" | "remedy">
): Extract<BrowserError, InvalidArguments | ToolNotOffered | ToolUnknown> | undefined => {
  const call = Option.getOrElse(asObject(params), () => ({}) as { readonly [key: string]: unknown })
  const { arguments: args, name } = call
  if (typeof name !== "string") {
    const found = name === undefined ? "is missing" : `must be a string, and is ${typeOf(name)}`
    return new InvalidArguments({ tool: "tools/call", issues: [`name ${found}: it is that of a tool of tools/list`] })
  }
  const none = unoffered(name, options)
  if (none !== undefined || args === undefined || Option.isSome(asObject(args))) return none
  return new InvalidArguments({ tool: name, issues: [objectWanted(args)] })
}

/** The answer to a message that calls a tool which it cannot reach: an error of JSON-RPC (MCP, "Protocol Errors"). */
export const refusalOf =
  (options: Pick<ToolRegistrations, "rows" | "remedy">) =>
  (message: unknown): object | undefined => {
    const call = Option.getOrUndefined(asToolCall(message))
    const error = call === undefined ? undefined : refusal(call.params, options)
    return error === undefined
      ? undefined
      : {
          jsonrpc: "2.0",
          id: call?.id,
          error: { code: McpSchema.INVALID_PARAMS_ERROR_CODE, message: errorText(error), data: { code: error.code } }
        }
  }
