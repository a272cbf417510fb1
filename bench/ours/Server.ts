/**
 * Our side of every comparison: the MCP server as a child process, driven by the least client that does it. As on the
 * raw side nothing is checked here, so that what is compared is our server with the browser itself.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import type { BrowserUnderTest } from "../browserUnderTest.ts"
import type { Answer, Caller } from "./Caller.ts"

/** The built program. */
export const program = join(import.meta.dirname, "../../dist/bin/effect-browser.js")

/** Command line of the server, without Node. */
export const serverArguments = (browser: BrowserUnderTest): ReadonlyArray<string> => [
  program,
  "mcp",
  ...(browser.configured === undefined ? [] : ["--executable", browser.configured])
]

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface ToolResult {
  readonly content: ReadonlyArray<
    { readonly type: "text"; readonly text: string } | { readonly type: "image"; readonly data: string }
  >
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export class Server implements Caller {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  /** the end of what it wrote to standard error */
  words = ""
  calls = 0
  /** characters of text content handed over */
  characters = 0
  /** characters of the longest answer */
  longest = 0

  private constructor(args: ReadonlyArray<string>) {
    this.child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] })
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.words = (this.words + chunk.toString()).slice(-4_000)
    })
    let unfinished = ""
    this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (unfinished + chunk).split("\n")
      unfinished = lines.pop() ?? ""
      for (const line of lines) this.take(JSON.parse(line) as Message)
    })
    this.child.stdin.on("error", () => {})
    this.child.once("exit", () => {
      for (const { reject } of this.waiting.values()) reject(new Error(`the server ended:\n${this.words}`))
    })
  }

  /** Starts a server; ready when the protocol is. */
  static async start(
    browser: BrowserUnderTest,
    nodeOptions: ReadonlyArray<string> = [],
    programOptions: ReadonlyArray<string> = []
  ): Promise<Server> {
    const server = new Server([...nodeOptions, ...serverArguments(browser), ...programOptions])
    await server.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "effect-browser-bench", version: "0" }
    })
    server.send({ method: "notifications/initialized" })
    return server
  }

  private take({ error, id, result }: Message): void {
    const waiting = id === undefined ? undefined : this.waiting.get(id)
    if (id === undefined || waiting === undefined) return
    this.waiting.delete(id)
    if (error === undefined) waiting.resolve(result)
    else waiting.reject(new Error(error.message))
  }

  private send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  private request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      signal?.addEventListener("abort", () => {
        if (!this.waiting.delete(id)) return
        this.send({ method: "notifications/cancelled", params: { requestId: id } })
        reject(new Error("cancelled"))
      })
      this.send({ id, method, params })
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Lists the tools, as every host does; bytes of the list as JSON. */
  async listTools(): Promise<{ readonly count: number; readonly bytes: number }> {
    const { tools } = (await this.request("tools/list", {})) as { readonly tools: ReadonlyArray<unknown> }
    return { count: tools.length, bytes: Buffer.byteLength(JSON.stringify(tools)) }
  }

  /** Round trip of a message that does nothing. */
  async ping(): Promise<void> {
    await this.request("ping", {})
  }

  /** Calls a tool; throws if it answers with an error. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}, signal?: AbortSignal): Promise<Answer> {
    const result = (await this.request("tools/call", { name, arguments: args }, signal)) as ToolResult
    const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    this.calls++
    this.characters += text.length
    this.longest = Math.max(this.longest, text.length)
    if (result.isError === true) throw new Error(`${name}: ${text}`)
    return {
      text,
      structured: result.structuredContent ?? {},
      images: result.content.flatMap((part) => (part.type === "image" ? [part.data] : []))
    }
  }

  async stop(): Promise<void> {
    this.child.stdin.end()
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit")
  }
}
