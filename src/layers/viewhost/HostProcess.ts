/** The host's process: started with a pipe that it watches, its last words kept, ended for certain. */
import { Deferred, Effect, type PlatformError, Queue, type Scope, Stream } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"

export interface HostProcess {
  readonly pid: number
  /** Waits for its end and says how it came: "it ended with code 1". */
  readonly exited: Effect.Effect<string>
  /** The last of what it wrote to standard error. */
  readonly lastWords: Effect.Effect<string>
}

/** Characters of standard error that are kept. */
const keptWords = 4096

/** Time (ms) for an orderly end, once its connection is closed, and for the end after a kill. */
const patience = 4_000
const killWait = 3_000

/** Effect tells a death by signal in the text of the error only. */
const signalIn = (error: PlatformError.PlatformError): string => {
  const text = error.cause instanceof Error ? error.cause.message : error.message
  return /signal: '(\w+)'/.exec(text)?.[1] ?? "a signal"
}

/**
 * Starts the host for the life of the scope. Closing it waits until the process has ended by itself, since its
 * connection is closed by then, and kills it if it does not.
 */
export const startHostProcess = Effect.fnUntraced(function* (options: {
  readonly executable: string
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}): Effect.fn.Return<HostProcess, PlatformError.PlatformError, ChildProcessSpawner.ChildProcessSpawner | Scope.Scope> {
  // nothing is ever written; the host ends when the pipe does, and so when we are killed
  const held = yield* Queue.unbounded<Uint8Array>()
  const child = yield* ChildProcess.make(options.executable, options.args, {
    stdin: Stream.fromQueue(held),
    stdout: "ignore",
    env: options.environment,
    extendEnv: false,
    killSignal: "SIGKILL",
    forceKillAfter: "1 second"
  })

  let words = ""
  const wordsRead = yield* Deferred.make<void>()
  yield* child.stderr.pipe(
    Stream.decodeText(),
    Stream.runForEach((text) =>
      Effect.sync(() => {
        words = (words + text).slice(-keptWords)
      })
    ),
    Effect.ignore,
    Effect.ensuring(Deferred.succeed(wordsRead, undefined)),
    Effect.forkScoped
  )

  const exit = yield* Deferred.make<string>()
  yield* child.exitCode.pipe(
    Effect.match({
      onSuccess: (code) => `it ended with code ${code}`,
      onFailure: (error) => `it was ended by ${signalIn(error)}`
    }),
    Effect.flatMap((how) => Deferred.succeed(exit, how)),
    Effect.forkScoped({ startImmediately: true })
  )

  const kill = Effect.suspend(() => {
    if (process.platform === "win32")
      return Effect.ignore(child.kill({ killSignal: "SIGKILL", forceKillAfter: killWait }))
    // it leads a group, and nobody else can have the number while a process of the group exists
    return Effect.ignore(Effect.try(() => process.kill(-child.pid, "SIGKILL")))
  })

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const ended = yield* Deferred.await(exit).pipe(Effect.timeoutOption(patience))
      // helpers of one that crashed may still be there
      yield* kill
      if (ended._tag === "None") {
        const killed = yield* Deferred.await(exit).pipe(Effect.timeoutOption(killWait))
        if (killed._tag === "None") yield* Effect.logWarning(`The view host (process ${child.pid}) could not be ended`)
      }
      yield* Effect.asVoid(child.unref)
    }).pipe(Effect.ignoreCause)
  )

  return {
    pid: child.pid,
    exited: Deferred.await(exit),
    lastWords: Deferred.await(wordsRead).pipe(
      // processes of its own may keep the stream open
      Effect.timeoutOption("500 millis"),
      Effect.map(() => words)
    )
  }
})
