/** The host's end of the line to its parent: lines in, replies and events out. */
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { makeMessageSplitter } from "../src/layers/cdp/MessageSplitter.ts"
import { type Greeting, type HostErrorJson, type HostEvent, hostLimits } from "../src/schemas/HostProtocol.ts"

export interface Link {
  readonly greet: (greeting: Greeting) => void
  readonly tell: (event: HostEvent) => void
  readonly reply: (id: number, result: unknown) => void
  readonly refuse: (id: number, err: HostErrorJson) => void
  /** Waits until what was said has left, at most for the given ms. */
  readonly drained: (ms: number) => Promise<void>
}

const newline = 0x0a

/**
 * Connects to the parent. `line` is called for every whole line; `gone` once, when the parent is gone or has sent a line
 * above the limit.
 */
export const openLink = (options: {
  readonly port: number
  readonly temporary: string
  readonly line: (text: string) => void
  readonly gone: (reason: string) => void
}): Promise<Link> =>
  new Promise((resolve, reject) => {
    const { gone, line, port, temporary } = options
    let over = false
    const end = (reason: string): void => {
      if (over) return
      over = true
      socket.destroy()
      gone(reason)
    }
    const splitter = makeMessageSplitter(
      hostLimits.line,
      {
        message: (text) => {
          if (!over) line(text)
        },
        oversized: (_, size) => end(`a line of ${size} bytes arrived`)
      },
      newline
    )
    const socket: Socket = connect({ host: "127.0.0.1", port })
    socket.setNoDelay(true)
    socket.on("error", (error) => {
      reject(error)
      end(error.message)
    })
    socket.on("close", () => end("the parent closed the connection"))
    socket.on("data", (chunk) => {
      splitter.push(chunk)
      // a line without an end is not waited for
      if (splitter.unfinished() > hostLimits.line) end("a line without an end arrived")
    })

    let waiting: Array<string> = []
    /** Many lines of one turn leave in one piece, in their order; answers do not wait for the next one. */
    const flush = (): void => {
      if (waiting.length === 0) return
      const text = waiting.join("")
      waiting = []
      if (!over) socket.write(text)
    }
    const write = (text: string, answers = false): void => {
      if (answers) queueMicrotask(flush)
      else if (waiting.length === 0) setImmediate(flush)
      waiting.push(text, "\n")
    }
    const writeSpooled = (id: number, result: string): void => {
      const file = join(temporary, `${randomUUID()}.json`)
      writeFile(file, result, { mode: 0o600 }).then(
        () => write(JSON.stringify({ id, ok: true, file, bytes: Buffer.byteLength(result) })),
        (error: Error) =>
          write(JSON.stringify({ id, ok: false, err: { code: "BROWSER_HOST_REFUSED", message: error.message } }))
      )
    }

    socket.on("connect", () =>
      resolve({
        greet: (greeting) => write(JSON.stringify(greeting)),
        tell: (event) => write(JSON.stringify(event)),
        reply: (id, result) => {
          const text = JSON.stringify(result ?? {})
          // one that is nearly as large as the limit may be larger in bytes
          if (text.length * 3 > hostLimits.inline && Buffer.byteLength(text) > hostLimits.inline) writeSpooled(id, text)
          else write(`{"id":${id},"ok":true,"result":${text}}`, true)
        },
        refuse: (id, err) => write(JSON.stringify({ id, ok: false, err }), true),
        drained: (ms) =>
          new Promise((done) => {
            setTimeout(done, ms)
            setImmediate(() => socket.end(() => done()))
          })
      })
    )
  })
