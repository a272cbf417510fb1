/**
 * The lock by which Chromium keeps a profile to itself (`process_singleton_posix.cc`): `SingletonLock`, a symbolic link
 * to "host-pid", and `SingletonSocket`, a link to a socket on which the owner listens.
 *
 * Chromium refuses a profile whose lock names another host, which is what a rebuilt container finds. So a lock whose
 * owner cannot be alive is removed before the start.
 */
import { rmdir } from "node:fs/promises"
import { connect } from "node:net"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { Effect, FileSystem } from "effect"
import { commandLineOf, processExists } from "./processIdentity.ts"

export interface SingletonOwner {
  readonly host: string
  readonly pid: number
}

/** Reads the target of `SingletonLock`; a host name may contain hyphens itself. */
export const parseSingletonLock = (target: string): SingletonOwner | undefined => {
  const at = target.lastIndexOf("-")
  const pid = Number(target.slice(at + 1))
  return at > 0 && /^\d+$/.test(target.slice(at + 1)) && pid > 0 ? { host: target.slice(0, at), pid } : undefined
}

export interface SingletonFacts {
  readonly owner: SingletonOwner | undefined
  /** someone accepts connections on the owner's socket */
  readonly answers: boolean
  /** name of this host */
  readonly host: string
  /** a process with the owner's number exists here */
  readonly exists: boolean
  /** its arguments; undefined where the system does not tell */
  readonly commandLine: string | undefined
  readonly profile: string
}

/** Whether a living browser holds the profile. */
export const isHeld = (facts: SingletonFacts): boolean => {
  if (facts.answers) return true
  if (facts.owner === undefined || facts.owner.host !== facts.host || !facts.exists) return false
  // The number may have been given to another process since. A browser on its standard profile does not name it.
  return (
    facts.commandLine === undefined ||
    facts.commandLine.includes(facts.profile) ||
    /chrom|edge|brave|vivaldi|opera/i.test(facts.commandLine.split(" ", 1)[0] ?? "")
  )
}

const answers = (path: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ path })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.on("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeoutOrElse({ duration: "1 second", orElse: () => Effect.succeed(false) }))

/**
 * Removes the lock of a browser that is dead, with the folder that held its socket: one of the temporary folder, which
 * nobody else would remove.
 */
export const removeSingleton = Effect.fnUntraced(function* (profile: string) {
  const files = yield* FileSystem.FileSystem
  const socket = yield* files.readLink(join(profile, "SingletonSocket")).pipe(Effect.option)
  const remove = (path: string) => Effect.ignore(files.remove(path, { force: true }))
  for (const name of ["SingletonLock", "SingletonSocket", "SingletonCookie"]) yield* remove(join(profile, name))
  if (socket._tag === "None" || !/^\/.+\/SingletonSocket$/.test(socket.value)) return
  const folder = dirname(socket.value)
  for (const name of ["SingletonSocket", "SingletonCookie"]) yield* remove(join(folder, name))
  // Fails, as it should, if anything else lies in it.
  yield* Effect.ignore(Effect.tryPromise(() => rmdir(folder)))
})

/** Whether a living browser holds `profile`. A lock that nobody holds is removed. */
export const checkSingleton = Effect.fnUntraced(function* (profile: string) {
  const files = yield* FileSystem.FileSystem
  const link = (name: string) => files.readLink(join(profile, name)).pipe(Effect.orElseSucceed(() => undefined))
  const lock = yield* link("SingletonLock")
  if (lock === undefined) {
    // An owner that was killed while it was ending may have left its socket alone.
    yield* removeSingleton(profile)
    return false
  }
  const owner = parseSingletonLock(lock)
  const socket = yield* link("SingletonSocket")
  const host = hostname()
  const here = owner !== undefined && owner.host === host
  const held = isHeld({
    owner,
    answers: socket === undefined ? false : yield* answers(socket),
    host,
    exists: here && processExists(owner.pid),
    commandLine: here ? yield* commandLineOf(owner.pid) : undefined,
    profile
  })
  if (!held) yield* removeSingleton(profile)
  return held
})
