/**
 * The other side of every comparison: a browser of its own with the same arguments, and CDP over its pipe by the least
 * code that does it. No checks, no deadlines, no library: what is measured here is what the browser itself needs.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.d.ts"
import type { BrowserUnderTest } from "../browserUnderTest.ts"

export type Commands = ProtocolMapping.Commands

export interface RawEvent {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

interface Message extends RawEvent {
  readonly id?: number
  readonly result: object
  readonly error?: { readonly message: string }
}

interface Waiting {
  readonly method: string
  readonly resolve: (result: object) => void
  readonly reject: (error: Error) => void
}

const separator = 0

export class RawBrowser {
  private readonly child
  private readonly profile: string
  private readonly input: Writable
  private readonly exited: Promise<void>
  private readonly waiting = new Map<number, Waiting>()
  private readonly listeners = new Map<string, (event: RawEvent) => void>()
  private parts: Array<Buffer> = []
  private lastId = 0
  /** commands sent so far */
  commands = 0

  constructor(browser: BrowserUnderTest) {
    this.profile = mkdtempSync(join(tmpdir(), "bench-raw-"))
    this.child = spawn(browser.executable, browser.argumentsFor(this.profile), {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      env: { ...process.env, ...browser.environment },
      detached: true
    })
    this.input = this.child.stdio[3] as Writable
    this.exited = new Promise((resolve) => this.child.once("exit", () => resolve()))
    const output = this.child.stdio[4] as Readable
    output.on("data", (chunk: Buffer) => this.take(chunk))
    this.input.on("error", () => {})
    process.once("exit", this.kill)
  }

  private take(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
      const part = chunk.subarray(start, end)
      const whole = this.parts.length === 0 ? part : Buffer.concat([...this.parts, part])
      this.parts = []
      start = end + 1
      this.dispatch(JSON.parse(whole.toString("utf8")) as Message)
    }
    if (start < chunk.length) this.parts.push(chunk.subarray(start))
  }

  private dispatch(message: Message): void {
    if (message.id === undefined) {
      this.listeners.get(message.sessionId ?? "")?.(message)
      return
    }
    const waiting = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (message.error === undefined) waiting?.resolve(message.result)
    else waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`))
  }

  send<M extends keyof Commands>(
    method: M,
    params?: Commands[M]["paramsType"][0],
    sessionId?: string
  ): Promise<Commands[M]["returnType"]> {
    this.commands++
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve: (result) => resolve(result as Commands[M]["returnType"]), reject })
      this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  }

  /** Events of a session go to one listener. */
  listen(sessionId: string, listener: (event: RawEvent) => void): void {
    this.listeners.set(sessionId, listener)
  }

  private readonly kill = (): void => {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, "SIGKILL")
    } catch {
      // it is gone
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }

  async stop(): Promise<void> {
    process.removeListener("exit", this.kill)
    this.send("Browser.close").catch(() => {})
    await this.exited
    this.kill()
  }
}
