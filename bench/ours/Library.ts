/** The library without a protocol above it: a child process that embeds it, asked over Node's channel. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { ToolAnswer } from "../../src/services/Tools.ts"
import type { BrowserUnderTest } from "../browserUnderTest.ts"
import type { Answer, Caller } from "./Caller.ts"
import type { LibraryCall } from "./libraryProgram.ts"

export class Library implements Caller {
  private readonly child: ChildProcess
  private readonly ended: Promise<never>
  calls = 0
  characters = 0

  constructor(browser: BrowserUnderTest) {
    const args = browser.configured === undefined ? [] : [browser.configured]
    this.child = fork(join(import.meta.dirname, "libraryProgram.ts"), args, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      execArgv: []
    })
    this.ended = once(this.child, "exit").then(() => Promise.reject(new Error("the library's process ended")))
    // who waits for an answer is told
    this.ended.catch(() => {})
    process.once("exit", this.kill)
  }

  private readonly kill = (): void => void this.child.kill("SIGKILL")

  get pid(): number {
    return this.child.pid ?? 0
  }

  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    this.child.send({ name, args } satisfies LibraryCall)
    const [{ answer, error }] = (await Promise.race([once(this.child, "message"), this.ended])) as [
      { readonly answer?: ToolAnswer; readonly error?: string }
    ]
    if (answer === undefined) throw new Error(`${name}: ${error}`)
    const text = answer.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    this.calls++
    this.characters += text.length
    return {
      text,
      structured: answer.structured,
      images: answer.content.flatMap((part) =>
        part.type === "image" ? [Buffer.from(part.data).toString("base64")] : []
      )
    }
  }

  async stop(): Promise<void> {
    process.removeListener("exit", this.kill)
    const ended = once(this.child, "exit")
    this.child.disconnect()
    await ended
  }
}
