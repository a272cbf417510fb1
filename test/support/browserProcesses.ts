/** What is left of a browser: looked up in the process table, which only Linux shows as files. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { Effect, Schedule } from "effect"

interface Process {
  readonly pid: number
  readonly state: string
  readonly group: number
  readonly commandLine: string
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Processes that run; those that are dead and uncollected are left out. */
const running = (): ReadonlyArray<Process> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`)
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      const [state = "Z", , group = "0"] = fields
      if (stat === "" || state === "Z" || state === "X") return []
      return [
        {
          pid: Number(name),
          state,
          group: Number(group),
          commandLine: read(`/proc/${name}/cmdline`).replaceAll("\0", " ")
        }
      ]
    })

/** Numbers of the processes of a group. */
export const groupMembers = (group: number): ReadonlyArray<number> =>
  running()
    .filter((process) => process.group === group)
    .map((process) => process.pid)

/** Numbers of the processes that name `text` in their arguments. */
export const processesNaming = (text: string): ReadonlyArray<number> =>
  running()
    .filter((process) => process.commandLine.includes(text))
    .map((process) => process.pid)

/** Local addresses on which the processes listen, as the kernel writes them (proc_net_tcp(5), state 0A). */
export const listeningSockets = (pids: ReadonlyArray<number>): ReadonlyArray<string> => {
  const owned = new Set(
    pids.flatMap((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
          try {
            return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
          } catch {
            return []
          }
        })
      } catch {
        return []
      }
    })
  )
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    read(table)
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === "0A" && owned.has(`socket:[${fields[9]}]`))
      .map((fields) => fields[1] ?? "")
  )
}

/**
 * Waits until `left` gives an empty list: processes of others give no event. Yields what is left after `ms`.
 */
export const untilNothing = <A>(left: () => ReadonlyArray<A>, ms: number): Effect.Effect<ReadonlyArray<A>> =>
  Effect.sync(left).pipe(
    Effect.repeat({ until: (found) => found.length === 0, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOrElse({ duration: ms, orElse: () => Effect.sync(left) })
  )
