/**
 * Names of the folders in which files lie that are not whole yet. A program that is killed leaves its own behind; who
 * writes next beside it knows it by the name.
 */
import { createHash } from "node:crypto"
import { readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** Where numbers of processes mean what they mean here: on this host, and in this container of it. */
const numbersOf = (): string => {
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    return ""
  }
}

let known: string | undefined
/** Worked out when the first file is written: cryptography takes 6 ms to load. */
const here = (): string =>
  (known ??= createHash("sha256").update(`${hostname()} ${numbersOf()}`).digest("hex").slice(0, 12))

/** How the name of a draft's folder begins. */
export const draftPrefix = (): string => `.effect-browser-${here()}-${process.pid}-`

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it may belong to someone else
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Whether this is the name of a draft of a process that ran here and is gone. */
export const isAbandoned = (name: string): boolean => {
  const [, place, pid] = /^\.effect-browser-([0-9a-f]{12})-([1-9]\d*)-\w{6}$/.exec(name) ?? []
  return place === here() && !isRunning(Number(pid))
}
