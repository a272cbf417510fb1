/** On what the numbers were measured. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus, loadavg, release, totalmem } from "node:os"
import { version } from "../src/version.ts"

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const distribution = (): string | undefined =>
  attempt(() => /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1])

/** Lines of "what: value". */
export const machineLines = (product: string): ReadonlyArray<string> => {
  const commit = attempt(() =>
    execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    }).trim()
  )
  return [
    `Machine: ${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 1e9)} GB, ${distribution() ?? process.platform} (kernel ${release()})`,
    `Load average at the start: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}`,
    `Browser: ${product}; Node ${process.version}; effect-browser ${version}${commit === undefined ? "" : ` at ${commit}`}`,
    `Date: ${new Date().toISOString().slice(0, 10)}`
  ]
}
