/** As much of the X protocol (version 11, least significant byte first) as a person and a window manager of the tests need. */
import { connect } from "node:net"

export interface XConnection {
  readonly root: number
  readonly send: (request: Buffer) => void
  /** Sends a request and waits for its reply. */
  readonly ask: (request: Buffer) => Promise<Buffer>
  /** The number of a name. */
  readonly atom: (name: string) => Promise<number>
  readonly onEvent: (listener: (event: Buffer) => void) => void
  readonly close: () => void
}

/** A request of so many bytes (a multiple of 4), its values 32 bits each, to be completed by who needs others. */
export const xRequest = (opcode: number, detail: number, values: ReadonlyArray<number>, bytes?: number): Buffer => {
  const made = Buffer.alloc(bytes ?? 4 + 4 * values.length)
  made[0] = opcode
  made[1] = detail
  made.writeUInt16LE(made.length / 4, 2)
  for (const [index, value] of values.entries()) made.writeUInt32LE(value >>> 0, 4 + 4 * index)
  return made
}

/** A request that ends with a name. */
export const xNamed = (opcode: number, name: string): Buffer => {
  const padded = Buffer.alloc((name.length + 3) & ~3)
  padded.write(name, "latin1")
  const made = Buffer.concat([xRequest(opcode, 0, [name.length]), padded])
  made.writeUInt16LE(made.length / 4, 2)
  return made
}

export const xConnect = async (display: string): Promise<XConnection> => {
  const socket = connect(`/tmp/.X11-unix/X${display.replace(/^:|\..*$/g, "")}`)
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject))
  const waiting: Array<(packet: Buffer) => void> = []
  let hear = (_: Buffer): void => {}
  let got = Buffer.alloc(0)
  let isSetUp = false
  const lengthOf = (packet: Buffer): number => {
    if (!isSetUp) return packet.length < 8 ? 8 : 8 + 4 * packet.readUInt16LE(6)
    // only replies can be longer
    return packet.length < 32 || packet[0] !== 1 ? 32 : 32 + 4 * packet.readUInt32LE(4)
  }
  socket.on("data", (chunk) => {
    got = Buffer.concat([got, chunk])
    while (got.length >= lengthOf(got)) {
      const packet = got.subarray(0, lengthOf(got))
      got = got.subarray(packet.length)
      const isReply = !isSetUp || packet[0] === 1
      isSetUp = true
      if (isReply) waiting.shift()?.(packet)
      else if (packet[0] !== 0) hear(packet)
    }
  })
  const ask = (request: Buffer): Promise<Buffer> => {
    socket.write(request)
    return new Promise((resolve) => waiting.push(resolve))
  }
  const setup = await ask(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  if (setup[0] !== 1) throw new Error(`the display refused: ${setup.toString("latin1")}`)
  const vendor = (setup.readUInt16LE(24) + 3) & ~3
  return {
    root: setup.readUInt32LE(40 + vendor + 8 * (setup[29] ?? 0)),
    send: (request) => {
      socket.write(request)
    },
    ask,
    atom: async (name) => (await ask(xNamed(16, name))).readUInt32LE(8),
    onEvent: (listener) => {
      hear = listener
    },
    close: () => socket.destroy()
  }
}
