/** The official MCP client, speaking to a server in a process of its own. */
import { spawn } from "node:child_process"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"
import type { Scope } from "effect"

/** A server process; unlike the SDK's own transport it keeps what was printed, and tells how the process ended. */
class ServerProcess implements Transport {
  readonly child
  readonly ended: Promise<number | string | null>
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  stderr = ""
  /** lines on standard output that are no protocol messages */
  readonly foreign: Array<string> = []
  private rest = ""

  constructor(command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) {
    this.child = spawn(command, args, { stdio: "pipe", env })
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        if (this.rest !== "") this.foreign.push(this.rest)
        resolve(code ?? signal)
        this.onclose?.()
      })
    })
  }

  async start() {
    this.child.stdin.on("error", () => {})
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString()
    })
    this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = `${this.rest}${chunk}`.split("\n")
      this.rest = lines.pop() ?? ""
      // one a turn: with a result the SDK forgets who wants the progress that came with it
      for (const line of lines) setImmediate(() => this.take(line))
    })
  }

  private take(line: string) {
    try {
      this.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(line)))
    } catch {
      this.foreign.push(line)
    }
  }

  async send(message: JSONRPCMessage) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async close() {
    this.child.stdin.end()
  }
}

/** A tool result as the client sees it. */
export interface CallResult {
  readonly content: ReadonlyArray<{
    readonly type: string
    readonly text?: string
    readonly data?: string
    readonly mimeType?: string
  }>
  readonly structuredContent?: { readonly [key: string]: unknown }
  readonly isError?: boolean
}

type CallOptions = Parameters<Client["callTool"]>[2]

export interface Connected {
  readonly client: Client
  readonly server: ServerProcess
  readonly call: (name: string, args?: Record<string, unknown>, options?: CallOptions) => Effect.Effect<CallResult>
}

/** All texts of a result. */
export const textOf = (result: CallResult): string => result.content.map((part) => part.text ?? "").join("\n")

/** A connected client; at the end the server's input is closed, and the process killed if it does not go. */
export const connect = (
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = process.env
): Effect.Effect<Connected, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = new ServerProcess(process.execPath, args, env)
      const client = new Client({ name: "test", version: "0" })
      await client.connect(server)
      const call: Connected["call"] = (name, input = {}, options) =>
        Effect.promise(() => client.callTool({ name, arguments: input }, undefined, options) as Promise<CallResult>)
      return { client, server, call }
    }),
    ({ client, server }) =>
      Effect.promise(() => client.close()).pipe(
        Effect.andThen(Effect.promise(() => server.ended)),
        Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.sync(() => server.child.kill("SIGKILL")) })
      )
  )
