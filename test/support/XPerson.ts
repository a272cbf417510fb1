/**
 * A person at an X display: pointer and keyboard by the extension XTEST, so that what they do comes to programs from the
 * window system, as everything a person does.
 */
import { Effect, type Scope } from "effect"
import { xConnect, xNamed, xRequest } from "./xConnection.ts"

export interface XPerson {
  /** Moves the pointer to a place on the screen. */
  readonly move: (x: number, y: number) => Effect.Effect<void>
  /** Moves there and presses the left button once. */
  readonly click: (x: number, y: number) => Effect.Effect<void>
  /** Turns the wheel down by one notch. */
  readonly wheel: Effect.Effect<void>
  /** Presses keys by their codes (of the evdev keyboard) one after the other. */
  readonly keys: (...codes: ReadonlyArray<number>) => Effect.Effect<void>
}

export const xKeys = { a: 38, b: 56, c: 54, enter: 36, escape: 9, down: 116 } as const

const [keyPress, keyRelease, buttonPress, buttonRelease, motion] = [2, 3, 4, 5, 6] as const

type Step = readonly [type: number, detail: number, x?: number, y?: number]

const start = async (display: string) => {
  const connection = await xConnect(display)
  const extension = await connection.ask(xNamed(98, "XTEST"))
  if (extension[8] !== 1) throw new Error("the display has no XTEST")
  const fake = ([type, detail, x = 0, y = 0]: Step): void => {
    const made = xRequest(extension[9] ?? 0, 2, [type | (detail << 8), 0, connection.root], 36)
    made.writeInt16LE(x, 24)
    made.writeInt16LE(y, 26)
    connection.send(made)
  }
  return {
    connection,
    act: async (...steps: ReadonlyArray<Step>): Promise<void> => {
      for (const step of steps) fake(step)
      // everything before it is done when it answers
      await connection.ask(xRequest(43, 0, []))
    }
  }
}

/** A person at the display until the scope closes. */
export const xPerson = (display: string): Effect.Effect<XPerson, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => start(display)),
      ({ connection }) => Effect.sync(connection.close)
    ),
    ({ act }) => {
      const does = (...steps: ReadonlyArray<Step>) => Effect.promise(() => act(...steps))
      const press = (button: number): ReadonlyArray<Step> => [
        [buttonPress, button],
        [buttonRelease, button]
      ]
      return {
        move: (x, y) => does([motion, 0, x, y]),
        click: (x, y) => does([motion, 0, x, y], ...press(1)),
        wheel: does(...press(5)),
        keys: (...codes) =>
          does(
            ...codes.flatMap(
              (code): ReadonlyArray<Step> => [
                [keyPress, code],
                [keyRelease, code]
              ]
            )
          )
      }
    }
  )
