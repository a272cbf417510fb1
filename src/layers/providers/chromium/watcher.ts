/**
 * A tiny child that outlives us when we are killed: it ends the browser's processes and removes the temporary folder.
 *
 * It reads lines from a pipe that we hold: `browser PID`, `exited`, `done`. The end of the pipe without `done` means
 * that we are gone. It leads a process group of its own, so that signals for ours do not reach it. It kills only while
 * the browser was not reported to have exited and its start time is still the one that was seen at first (where the
 * system tells), so that a number that was given to another process is left alone.
 */
import { type Cause, Effect, Queue, Stream } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"

/** For every POSIX system; `$1` is the temporary folder. */
const shellScript = `
PATH=${"$"}{PATH:+$PATH:}/usr/bin:/bin
folder=$1 browser=unknown started=
start_of() {
  line=
  read -r line < "/proc/$1/stat" || return 0
  set -- ${"$"}{line##*)}
  echo "${"$"}{20}"
}
pause() { sleep 0.1 || sleep 1; }
while read -r word value; do
  case $word in
    browser) browser=$value; started=$(start_of "$value") ;;
    exited) browser= ;;
    done) exit 0 ;;
  esac
done
tries=5
case $browser in
  '') ;;
  unknown) tries=100 ;;
  *)
    now=$(start_of "$browser")
    if [ -z "$now" ] || [ "$now" = "$started" ]; then
      kill -s KILL -- "-$browser"
    fi ;;
esac
turns=0
while rm -rf -- "$folder"; [ $turns -lt $tries ] || [ -e "$folder" ] && [ $turns -lt 100 ]; do
  pause; turns=$((turns + 1))
done
`

/** The same for Node: Windows, and systems without a shell. */
const nodeScript = String.raw`
const { spawnSync } = require("node:child_process"), { rmSync } = require("node:fs")
const folder = process.argv[1]
let browser = "unknown", rest = ""
process.on("SIGINT", () => {}).on("SIGTERM", () => {})
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n")
  rest = lines.pop()
  for (const line of lines) {
    if (line.startsWith("browser ")) browser = Number(line.slice(8))
    else if (line === "exited") browser = 0
    else if (line === "done") process.exit(0)
  }
}).on("error", () => {}).on("close", () => {
  if (typeof browser === "number" && browser > 0) {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(browser), "/T", "/F"], { windowsHide: true })
    else try { process.kill(-browser, "SIGKILL") } catch {}
  }
  let turns = 0
  const least = browser === "unknown" ? 100 : 5
  const remove = () => {
    let gone = true
    try { rmSync(folder, { recursive: true, force: true }) } catch { gone = false }
    turns++
    if (turns < 100 && (!gone || turns < least)) setTimeout(remove, 100)
    else process.exit(0)
  }
  remove()
})
`

export interface Watcher {
  /** The browser runs: its processes form the group of that number. */
  readonly browserStarted: (pid: number) => void
  /** The browser has exited: its number is no longer ours. */
  readonly browserExited: () => void
}

/** What runs as the watcher. */
export type WatcherKind = "shell" | "node"

/**
 * Starts the watcher for the life of the scope; closing the scope ends it without letting it do anything.
 *
 * `temporaryFolder` is removed if we die. Where there is neither a shell nor a
 * way to start Node, the browser runs unwatched and the log says so.
 */
export const startWatcher = Effect.fnUntraced(function* (
  temporaryFolder: string,
  kinds: ReadonlyArray<WatcherKind> = process.platform === "win32" ? ["node"] : ["shell", "node"]
): Effect.fn.Return<Watcher, never, ChildProcessSpawner.ChildProcessSpawner | import("effect").Scope.Scope> {
  const orders = yield* Queue.unbounded<string, Cause.Done>()
  const start = (kind: WatcherKind) => {
    const [command, args] =
      kind === "shell"
        ? ["/bin/sh", ["-c", shellScript, "effect-browser-watcher", temporaryFolder]]
        : [process.execPath, ["-e", nodeScript, temporaryFolder]]
    return ChildProcess.make(command, args, {
      stdin: Stream.fromQueue(orders).pipe(Stream.encodeText),
      stdout: "ignore",
      stderr: "ignore",
      cwd: process.platform === "win32" ? undefined : "/",
      detached: true,
      windowsHide: true,
      env: { ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: undefined },
      extendEnv: true,
      killSignal: "SIGKILL",
      forceKillAfter: "1 second"
    })
  }
  const [first, ...others] = kinds
  const watcher = yield* others
    .reduce(
      (tried, kind) => Effect.catch(tried, () => start(kind)),
      Effect.suspend(() => start(first ?? "node"))
    )
    .pipe(Effect.option)
  if (watcher._tag === "None") {
    yield* Effect.logWarning("No watcher could be started: if this process is killed, the browser's folder may stay.")
  } else {
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        yield* Queue.offer(orders, "done\n")
        yield* Queue.end(orders)
        yield* watcher.value.exitCode
      }).pipe(Effect.timeoutOption("2 seconds"), Effect.ignoreCause)
    )
  }
  return {
    browserStarted: (pid) => {
      Queue.offerUnsafe(orders, `browser ${pid}\n`)
    },
    browserExited: () => {
      Queue.offerUnsafe(orders, "exited\n")
    }
  }
})
