/** What Linux tells about a process; undefined where it tells nothing. */
import { readFileSync } from "node:fs"

/** Clock ticks a second in /proc; the same on every Linux that Node runs on. */
const ticksPerSecond = 100

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** ms of user and system time since the process began, to 10 ms. */
export const cpuTime = (pid: number): number | undefined => {
  // the name in parentheses may hold anything, spaces too
  const fields = read(`/proc/${pid}/stat`)?.split(")").at(-1)?.trim().split(" ")
  const [user, system] = [fields?.[11], fields?.[12]].map(Number)
  if (user === undefined || system === undefined || Number.isNaN(user + system)) return undefined
  return ((user + system) * 1_000) / ticksPerSecond
}

export interface Memory {
  /** MB (10^6 bytes) now */
  readonly rss: number
  /** MB at the most so far */
  readonly peak: number | undefined
  /** MB, pages shared with other processes counted by share */
  readonly pss: number | undefined
}

const megabytes = (text: string | undefined, name: string): number | undefined => {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text ?? "")?.[1]
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / 1e6
}

/** Memory of one process, without its children. */
export const memory = (pid: number): Memory | undefined => {
  const status = read(`/proc/${pid}/status`)
  const rss = megabytes(status, "VmRSS")
  if (rss === undefined) return undefined
  return { rss, peak: megabytes(status, "VmHWM"), pss: megabytes(read(`/proc/${pid}/smaps_rollup`), "Pss") }
}
