/** What must not grow: looked at while nothing is under way. */
import { readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { Effect, Metric } from "effect"

export interface Measured {
  readonly fibers: number
  /** open file descriptors */
  readonly files: number
  /** what keeps the event loop: timers, sockets, pipes, processes */
  readonly resources: number
  /** listeners on the process itself */
  readonly listeners: number
  /** what is in the temporary folder */
  readonly folders: number
  /** processes below this one */
  readonly processes: number
  /** MB after a collection */
  readonly heap: number
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

const processes = (): ReadonlyArray<Process> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8")
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8")
        return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        // it ended meanwhile
        return []
      }
    })

/** Processes below this one, and whether each is a renderer. */
export const descendants = (): ReadonlyArray<Process> => {
  const all = processes()
  const found: Array<Process> = []
  const visit = (parent: number): void => {
    for (const one of all) {
      if (one.parent !== parent) continue
      found.push(one)
      visit(one.pid)
    }
  }
  visit(process.pid)
  return found
}

const fibersNow = Effect.map(Metric.snapshot, (metrics) => {
  const active = metrics.find(({ id }) => id === "child_fibers_active")
  return Number((active?.state as { readonly value?: number | bigint } | undefined)?.value ?? 0)
})

/** All of it, now. */
export const measure: Effect.Effect<Measured> = Effect.map(fibersNow, (fibers) => {
  globalThis.gc?.()
  return {
    fibers,
    files: readdirSync("/proc/self/fd").length,
    resources: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    folders: readdirSync(tmpdir()).length,
    processes: descendants().length,
    heap: process.memoryUsage().heapUsed / 1e6
  }
})
