/** Takes the parent's lines: decodes each by its schema, runs its handler, answers once. */
import { Option, Schema } from "effect"
import {
  type HostErrorJson,
  type HostOperation,
  hostOperations,
  HostRequest,
  toHostError
} from "../src/schemas/HostProtocol.ts"
import { HostRefused, isBrowserError } from "../src/schemas/errors.ts"
import type { Handlers } from "./core/Handlers.ts"
import type { Link } from "./Link.ts"

const decodeRequest = Schema.decodeUnknownOption(Schema.fromJsonString(HostRequest))

const decoders = Object.fromEntries(
  Object.entries(hostOperations).map(([name, { params }]) => [
    name,
    Schema.decodeUnknownResult(params as Schema.Decoder<unknown>, { onExcessProperty: "error" })
  ])
) as { readonly [Op in HostOperation]: (input: unknown) => ReturnType<ReturnType<typeof Schema.decodeUnknownResult>> }

const wireError = (thrown: unknown, operation: string): HostErrorJson => {
  if (isBrowserError(thrown)) return toHostError(thrown)
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return toHostError(new HostRefused({ operation, reason }))
}

export class Dispatcher {
  private readonly handlers: Handlers
  private readonly link: Pick<Link, "reply" | "refuse">
  /** calls under way; one that was given up is not in it any more */
  private readonly running = new Set<number>()

  constructor(handlers: Handlers, link: Pick<Link, "reply" | "refuse">) {
    this.handlers = handlers
    this.link = link
  }

  /** Takes one line. What is no request is dropped: the parent is of our own build. */
  take(line: string) {
    const request = Option.getOrUndefined(decodeRequest(line))
    if (request === undefined) return
    const { id, op } = request
    const decoded = decoders[op](request.params ?? {})
    if (decoded._tag === "Failure") {
      const reason = (decoded.failure as Error).message
      return this.link.refuse(id, toHostError(new HostRefused({ operation: op, reason })))
    }
    if (op === "cancel") {
      this.running.delete((decoded.success as { readonly target: number }).target)
      return
    }
    this.running.add(id)
    const settled = (value: unknown) => {
      if (this.running.delete(id)) this.link.reply(id, value)
      else this.handlers.abandoned(op, value)
    }
    const refuse = (thrown: unknown) => {
      if (this.running.delete(id)) this.link.refuse(id, wireError(thrown, op))
    }
    const handle = this.handlers[op] as (params: unknown) => unknown
    try {
      const result = handle(decoded.success)
      if (result instanceof Promise) result.then(settled, refuse)
      else settled(result)
    } catch (thrown) {
      refuse(thrown)
    }
  }
}
