/** The debugging port of a server's Node: to collect garbage before memory is measured. */

interface Reply {
  readonly id?: number
  readonly result: unknown
}

export class Inspector {
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, (result: unknown) => void>()
  private lastId = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
      const { id, result } = JSON.parse(String(data)) as Reply
      if (id === undefined) return
      this.waiting.get(id)?.(result)
      this.waiting.delete(id)
    })
  }

  /** `words` gives what the server wrote to standard error; Node names the address there. */
  static async connect(words: () => string): Promise<Inspector> {
    const address = /Debugger listening on (ws:\S+)/.exec(words())?.[1]
    if (address === undefined) throw new Error(`the server's Node does not name its debugging port:\n${words()}`)
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve)
      socket.addEventListener("error", () => reject(new Error("the debugging port does not answer")))
    })
    return new Inspector(socket)
  }

  private command(method: string): Promise<unknown> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      this.socket.send(JSON.stringify({ id, method }))
    })
  }

  async collectGarbage(): Promise<void> {
    await this.command("HeapProfiler.collectGarbage")
  }

  /** MB */
  async heapUsed(): Promise<number> {
    const { usedSize } = (await this.command("Runtime.getHeapUsage")) as { readonly usedSize: number }
    return usedSize / 1e6
  }

  close(): void {
    this.socket.close()
  }
}
