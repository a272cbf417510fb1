/**
 * What this machine is, as far as the start of a browser depends on it.
 */
import { statfsSync } from "node:fs"
import { Effect, FileSystem } from "effect"

export interface MachineFacts {
  readonly platform: NodeJS.Platform
  /** "x64", "arm64", ... */
  readonly arch: string
  /** user id of this process; undefined where the system has none (Windows) */
  readonly uid: number | undefined
  readonly container: boolean
  /** bytes of /dev/shm that can be used; 0 if it is missing or not writable, undefined where there is none by nature */
  readonly sharedMemory: number | undefined
}

export interface SandboxState {
  readonly enabled: boolean
  /** why; a sentence for people */
  readonly reason: string
}

/**
 * Whether the browser runs in its sandbox.
 *
 * Chromium on Linux refuses to start as root unless the sandbox is off, so there is no choice for root. Everyone else
 * keeps it; where the kernel then offers none, the launch fails and says so.
 */
export const sandboxState = (machine: Pick<MachineFacts, "platform" | "uid" | "container">): SandboxState => {
  if (machine.platform !== "linux" || machine.uid !== 0) {
    return { enabled: true, reason: "The browser runs in its sandbox." }
  }
  return {
    enabled: false,
    reason: machine.container
      ? "Running as root in a container: Chromium has no sandbox for root, so it is off."
      : "Running as root: Chromium has no sandbox for root, so it is off. Run as another user to have it."
  }
}

/** Marks of a container: files that runtimes leave behind, and words in the control groups of process 1. */
export const looksLikeContainer = (facts: {
  readonly markers: boolean
  readonly containerVariable: string | undefined
  readonly controlGroups: string
}): boolean =>
  facts.markers ||
  (facts.containerVariable !== undefined && facts.containerVariable !== "") ||
  /docker|kubepods|containerd|lxc|libpod|podman|ecs/.test(facts.controlGroups)

const usableSharedMemory = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const writable = yield* files.access("/dev/shm", { writable: true }).pipe(Effect.isSuccess)
  if (!writable) return 0
  return yield* Effect.try(() => statfsSync("/dev/shm")).pipe(
    Effect.map((stats) => stats.bavail * stats.bsize),
    Effect.orElseSucceed(() => 0)
  )
})

/** Looks at the machine. Never fails: what cannot be read counts as absent. */
export const machineFacts: Effect.Effect<MachineFacts, never, FileSystem.FileSystem> = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const exists = (path: string) => files.exists(path).pipe(Effect.orElseSucceed(() => false))
  const linux = process.platform === "linux"
  const markers = linux && ((yield* exists("/.dockerenv")) || (yield* exists("/run/.containerenv")))
  const controlGroups = linux ? yield* files.readFileString("/proc/1/cgroup").pipe(Effect.orElseSucceed(() => "")) : ""
  return {
    platform: process.platform,
    arch: process.arch,
    uid: process.getuid?.(),
    container: looksLikeContainer({ markers, containerVariable: process.env["container"], controlGroups }),
    sharedMemory: linux ? yield* usableSharedMemory : undefined
  }
})
