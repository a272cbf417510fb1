/**
 * A window manager for tests, as far as minimising and restoring need one: without it nobody does what windows ask for.
 * It puts windows where they want to be, and says of minimised ones that they are hidden (ICCCM 4.1.4, EWMH).
 */
import { Effect, type Scope } from "effect"
import { xConnect, xRequest } from "./xConnection.ts"

const [mapRequest, configureRequest, clientMessage] = [20, 23, 33] as const
const [normal, iconic] = [1, 3] as const

const start = async (display: string) => {
  const connection = await xConnect(display)
  const { atom, root, send } = connection
  const atoms = {
    change: await atom("WM_CHANGE_STATE"),
    state: await atom("WM_STATE"),
    netState: await atom("_NET_WM_STATE"),
    hidden: await atom("_NET_WM_STATE_HIDDEN"),
    active: await atom("_NET_ACTIVE_WINDOW")
  }
  const property = (window: number, name: number, type: number, values: ReadonlyArray<number>): void =>
    send(xRequest(18, 0, [window, name, type, 32, values.length, ...values]))
  /** 4: the type of an atom */
  const show = (window: number): void => {
    property(window, atoms.netState, 4, [])
    property(window, atoms.state, atoms.state, [normal, 0])
    send(xRequest(8, 0, [window]))
  }
  const hide = (window: number): void => {
    property(window, atoms.state, atoms.state, [iconic, 0])
    property(window, atoms.netState, 4, [atoms.hidden])
    send(xRequest(10, 0, [window]))
  }
  const configure = (event: Buffer): void => {
    const mask = event.readUInt16LE(26)
    const wanted = [
      event.readInt16LE(16),
      event.readInt16LE(18),
      event.readUInt16LE(20),
      event.readUInt16LE(22),
      event.readUInt16LE(24),
      event.readUInt32LE(12),
      event[1] ?? 0
    ]
    const values = wanted.filter((_, bit) => (mask & (1 << bit)) !== 0)
    send(xRequest(12, 0, [event.readUInt32LE(8), mask, ...values]))
  }
  connection.onEvent((event) => {
    // the highest bit says that another program sent it
    switch ((event[0] ?? 0) & 0x7f) {
      case mapRequest:
        return show(event.readUInt32LE(8))
      case configureRequest:
        return configure(event)
      case clientMessage: {
        const window = event.readUInt32LE(4)
        const name = event.readUInt32LE(8)
        const [first, second] = [event.readUInt32LE(12), event.readUInt32LE(16)]
        if (name === atoms.change && first === iconic) hide(window)
        else if (name === atoms.active || (name === atoms.netState && first === 0 && second === atoms.hidden))
          show(window)
      }
    }
  })
  // substructure redirect and notify: what windows ask for comes here
  send(xRequest(2, 0, [root, 1 << 11, (1 << 20) | (1 << 19)]))
  await connection.ask(xRequest(43, 0, []))
  return connection
}

/** Manages the windows of the display until the scope closes. */
export const xWindowManager = (display: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.promise(() => start(display)),
      ({ close }) => Effect.sync(close)
    )
  )
