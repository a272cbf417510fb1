/** The time of an operation on a page, and what is said and done when it is over. */
import { Effect } from "effect"
import { OperationTimeout } from "../../schemas/errors.ts"
import type { Watch } from "../../services/endings.ts"
import { CurrentLimit, type OperationName, timeLeft, Timeouts, withinUnless } from "../../services/Timeouts.ts"
import { type FrameModel, frameName } from "./FrameTable.ts"
import type { Liveness } from "./Liveness.ts"

/** Kept of the time that a caller gives (ms) for stopping a script that does not end, and for saying so. */
const stopMs = 450

const awaited = "the page is on its way to another one, whose server has not answered; browser_stop keeps this one"
const awaitedRemedy =
  "Call browser_stop to keep the page that is there, browser_open for another address, or try again later for the page that is awaited."

/**
 * Runs an operation within its budget, or within what a caller left of it, with room for what follows a time-out; `watch`
 * may end it for other reasons.
 */
export const withRoom =
  <A2, E2>(operation: string, name: OperationName, watch: Watch<A2, E2>) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | A2, E | E2 | OperationTimeout> =>
    Effect.flatMap(timeLeft, (left) =>
      Effect.withFiber((fiber) => {
        const usual = fiber.getRef(Timeouts)[name]
        // a script keeps its own
        const room = name === "execute" ? left : Math.max((left * 3) / 4, left - stopMs)
        const limit = room < usual ? fiber.getRef(CurrentLimit) : undefined
        const given = Math.min(room, usual)
        return withinUnless(operation, given, limit ?? given, watch)(effect)
      })
    )

const nothingStopped: [page: boolean, frames: ReadonlyArray<FrameModel>] = [false, []]

/** How far an operation had come. */
interface Progress {
  /** the page waits for the next one, so that it answers nothing and nothing runs in it */
  readonly leaves: boolean
  /** something was asked of the page */
  readonly begun: boolean
  /** what the operation says of a page that answers */
  readonly late: string | undefined
  /** what had been done */
  readonly done: string | undefined
}

/** Stops what keeps the page busy, and fails with the error and what is known of its cause. */
export const explained = (
  error: OperationTimeout,
  { stopBusyFrames, stopIfBusy }: Liveness,
  { begun, done, late, leaves }: Progress
): Effect.Effect<never, OperationTimeout> => {
  const stopping = Effect.all([stopIfBusy, stopBusyFrames], { concurrency: "unbounded" })
  return Effect.flatMap(leaves ? Effect.succeed(nothingStopped) : stopping, ([page, frames]) => {
    const busy = page ? "the page" : frames.length > 0 ? `the frame ${frames.map(frameName).join(", ")}` : ""
    const why =
      busy !== ""
        ? `${busy} was too busy to answer; what ran in it, be it this look at it, was stopped`
        : begun
          ? (late ?? (leaves ? awaited : undefined))
          : `${awaited}; nothing was done`
    const detail = [why, done].filter((part) => part !== undefined).join("; ")
    return Effect.fail(
      detail === ""
        ? error
        : new OperationTimeout({
            operation: error.operation,
            budget: error.budget,
            detail,
            ...(leaves ? { remedy: awaitedRemedy } : {})
          })
    )
  })
}
