/** Whether a process still is the one that was meant, although numbers of processes are used again. */
import { readdir, readFile } from "node:fs/promises"
import { Effect, FileSystem } from "effect"

/**
 * Start of a process in clock ticks since boot: field 22 of `/proc/PID/stat` (proc(5)). The name in field 2 may hold
 * anything, so fields are counted from its closing parenthesis.
 */
export const startTimeInStat = (stat: string): string | undefined => fieldsAfterName(stat)[19]

const fieldsAfterName = (stat: string): ReadonlyArray<string> =>
  stat
    .slice(stat.lastIndexOf(")") + 1)
    .trim()
    .split(" ")

/**
 * Whether the process of a `/proc/PID/stat` belongs to a group (field 5) and runs (field 3): one that is dead and only
 * waits to be collected by its parent does not.
 */
export const runsInGroup = (stat: string, group: number): boolean => {
  const [state, , number] = fieldsAfterName(stat)
  return number === String(group) && state !== "Z" && state !== "X"
}

/** Start of a process; undefined where the system does not tell, or if there is no such process. */
export const startTimeOf = Effect.fnUntraced(function* (pid: number | "self") {
  const files = yield* FileSystem.FileSystem
  return yield* files.readFileString(`/proc/${pid}/stat`).pipe(
    Effect.map(startTimeInStat),
    Effect.orElseSucceed(() => undefined)
  )
})

/** Arguments of a process joined by spaces; undefined where the system does not tell. */
export const commandLineOf = Effect.fnUntraced(function* (pid: number) {
  const files = yield* FileSystem.FileSystem
  return yield* files.readFileString(`/proc/${pid}/cmdline`).pipe(
    Effect.map((text) => text.replaceAll("\0", " ").trim()),
    Effect.orElseSucceed(() => undefined)
  )
})

/** Whether a process (negative: any process of a group) exists. */
export const processExists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to someone else
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Whether any process of a group runs. */
export const groupRuns = (group: number): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    if (!processExists(-group)) return Effect.succeed(false)
    if (process.platform !== "linux") return Effect.succeed(true)
    // Dead members count as existing until their parent collects them, which some first processes do late or never.
    return Effect.tryPromise(async () => {
      const numbers = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
      const stats = await Promise.all(numbers.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")))
      return stats.some((stat) => stat !== "" && runsInGroup(stat, group))
    }).pipe(Effect.orElseSucceed(() => true))
  })
