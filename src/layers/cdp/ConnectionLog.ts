/**
 * What the reader has to say, written by a fiber of its own: the reader never waits, not even for a logger.
 */
import { Effect, Queue, type Scope } from "effect"

interface Note {
  readonly level: "Debug" | "Warn"
  readonly text: string
}

export interface ConnectionLog {
  /** Takes a line; the oldest ones are dropped when more than 64 wait. Never throws. */
  readonly write: (level: Note["level"], text: string) => void
}

const emit = ({ level, text }: Note) => (level === "Debug" ? Effect.logDebug(text) : Effect.logWarning(text))

/** A log for one connection, written until the scope closes; what then still waits is written too. */
export const makeConnectionLog = Effect.fnUntraced(function* (
  endpoint: string
): Effect.fn.Return<ConnectionLog, never, Scope.Scope> {
  const notes = yield* Queue.sliding<Note>(64)
  const annotated = Effect.annotateLogs({ component: "CdpConnection", endpoint })
  yield* Effect.addFinalizer(() =>
    Queue.clear(notes).pipe(
      Effect.flatMap((rest) => Effect.forEach(rest, emit, { discard: true })),
      annotated,
      Effect.ignoreCause
    )
  )
  yield* Queue.take(notes).pipe(Effect.flatMap(emit), annotated, Effect.forever, Effect.forkScoped)
  return {
    write: (level, text) => {
      Queue.offerUnsafe(notes, { level, text })
    }
  }
})

/** True for the first eight and then for each power of two: a flood of one kind stays a handful of lines. */
export const isWorthALine = (count: number): boolean => count <= 8 || (count & (count - 1)) === 0
