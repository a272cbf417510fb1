/** The browser's process group: started with two pipes, its last words kept, ended for certain. */
import { Deferred, Effect, type PlatformError, Queue, Schedule, type Scope, Stream } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"
import { groupRuns } from "./processIdentity.ts"

/** How the browser's main process ended: by itself with a code, or by a signal. */
export interface BrowserExit {
  readonly code: number | undefined
  readonly signal: string | undefined
}

export interface BrowserProcess {
  /** number of the main process, and of the group of all its processes */
  readonly pid: number
  /** what the browser writes on its file descriptor 4 */
  readonly output: Stream.Stream<Uint8Array, PlatformError.PlatformError>
  /** hands over bytes for its file descriptor 3, in order */
  readonly write: (bytes: Uint8Array) => Effect.Effect<unknown>
  /** Waits for the end of the main process. */
  readonly exited: Effect.Effect<BrowserExit>
  /** Waits until standard error has been read to its end, and gives the last of it. */
  readonly lastWords: Effect.Effect<string>
  /** Waits, at most for the given ms, until no process of the group is left; kills what then still runs. */
  readonly endGroup: (patience: number) => Effect.Effect<void>
}

/** Characters of standard error that are kept. */
const keptWords = 4096

/** How long (ms) killed processes may take to go. */
const killWait = 5_000

/** Effect tells a death by signal in the text of the error only. */
const exitOfFailure = (error: PlatformError.PlatformError): BrowserExit => {
  const cause = error.cause
  const text = cause instanceof Error ? cause.message : error.message
  return { code: undefined, signal: /signal: '(\w+)'/.exec(text)?.[1] ?? "unknown" }
}

/**
 * Starts the browser for the life of the scope; closing it kills the whole group.
 *
 * Fails with `PlatformError` if the executable cannot be started.
 */
export const startBrowserProcess = Effect.fnUntraced(function* (options: {
  readonly executable: string
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}): Effect.fn.Return<
  BrowserProcess,
  PlatformError.PlatformError,
  ChildProcessSpawner.ChildProcessSpawner | Scope.Scope
> {
  const input = yield* Queue.unbounded<Uint8Array>()
  const child = yield* ChildProcess.make(options.executable, options.args, {
    stdin: "ignore",
    stdout: "ignore",
    additionalFds: {
      fd3: { type: "input", stream: Stream.fromQueue(input) },
      fd4: { type: "output" }
    },
    env: options.environment,
    extendEnv: true,
    killSignal: "SIGKILL",
    forceKillAfter: "2 seconds"
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

  const exit = yield* Deferred.make<BrowserExit>()
  yield* child.exitCode.pipe(
    Effect.match({
      onSuccess: (code): BrowserExit => ({ code, signal: undefined }),
      onFailure: exitOfFailure
    }),
    Effect.flatMap((ended) => Deferred.succeed(exit, ended)),
    Effect.forkScoped({ startImmediately: true })
  )

  const groupEnded = Effect.andThen(
    Deferred.await(exit),
    process.platform === "win32"
      ? Effect.void
      : groupRuns(child.pid).pipe(
          Effect.repeat({ until: (running) => !running, schedule: Schedule.spaced("20 millis") })
        )
  )
  const kill = Effect.suspend(() => {
    if (process.platform === "win32")
      return Effect.ignore(child.kill({ killSignal: "SIGKILL", forceKillAfter: killWait }))
    // Nobody else can have the number while a process of the group exists.
    return Effect.ignore(Effect.try(() => process.kill(-child.pid, "SIGKILL")))
  })
  const endGroup = Effect.fnUntraced(
    function* (patience: number) {
      const orderly = yield* groupEnded.pipe(Effect.timeoutOption(patience))
      if (orderly._tag === "None") {
        yield* kill
        const killed = yield* groupEnded.pipe(Effect.timeoutOption(killWait))
        if (killed._tag === "None") yield* Effect.logWarning(`Processes of the browser ${child.pid} could not be ended`)
      }
      // The group is gone; the spawner would go on waiting for dead processes that nobody has collected.
      yield* Effect.asVoid(child.unref)
    },
    (ending) => Effect.ignoreCause(ending)
  )
  yield* Effect.addFinalizer(() => endGroup(0))

  return {
    pid: child.pid,
    output: child.getOutputFd(4),
    write: (bytes) => Queue.offer(input, bytes),
    exited: Deferred.await(exit),
    lastWords: Deferred.await(wordsRead).pipe(
      // Grandchildren may keep the stream open.
      Effect.timeoutOption("500 millis"),
      Effect.map(() => words)
    ),
    endGroup
  }
})
