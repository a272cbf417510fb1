/**
 * The folder of the browser's profile: a temporary one of our own, or one that is given and kept.
 *
 * A given profile is locked with a file of ours besides Chromium's own lock, because the headless shell has none.
 */
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { Effect, FileSystem, Schema } from "effect"
import type { PlatformError } from "effect/PlatformError"
import { ProfileInUse } from "../../../schemas/errors.ts"
import { secretName } from "../../cdp/secretName.ts"
import { processExists, startTimeOf } from "./processIdentity.ts"
import { checkSingleton } from "./singleton.ts"

const LockOwner = Schema.fromJsonString(
  Schema.Struct({ host: Schema.String, pid: Schema.Int, started: Schema.optionalKey(Schema.String) })
)
type LockOwner = typeof LockOwner.Type

const lockName = "effect-browser.lock"

/** Whether the owner of our lock is alive. Another host's number means nothing here, so such a lock is stale. */
export const isOwnerAlive = (
  owner: LockOwner,
  facts: { readonly host: string; readonly exists: boolean; readonly started: string | undefined }
): boolean =>
  owner.host === facts.host &&
  facts.exists &&
  (owner.started === undefined || facts.started === undefined || owner.started === facts.started)

const alreadyExists = (error: PlatformError) => error.reason._tag === "AlreadyExists"

const judge = Effect.fnUntraced(
  function* (text: string) {
    const owner = yield* Schema.decodeEffect(LockOwner)(text)
    const started = yield* startTimeOf(owner.pid)
    return isOwnerAlive(owner, { host: hostname(), exists: processExists(owner.pid), started })
  },
  Effect.orElseSucceed(() => false)
)

/** Writes the lock under a name of its own and links it: the lock appears whole, or not at all. */
const createLock = Effect.fnUntraced(function* (lock: string, text: string) {
  const files = yield* FileSystem.FileSystem
  const draft = `${lock}.${secretName()}`
  yield* files.writeFileString(draft, text, { flag: "wx", mode: 0o600 })
  return yield* files.link(draft, lock).pipe(
    Effect.as(true),
    Effect.catch((error) =>
      alreadyExists(error)
        ? Effect.succeed(false)
        : // A file system without links.
          files.writeFileString(lock, text, { flag: "wx", mode: 0o600 }).pipe(
            Effect.as(true),
            Effect.catchIf(alreadyExists, () => Effect.succeed(false))
          )
    ),
    Effect.ensuring(Effect.ignore(files.remove(draft, { force: true })))
  )
})

/** Removes a stale lock unless it is another one by now. */
const removeStale = Effect.fnUntraced(function* (lock: string, stale: string) {
  const files = yield* FileSystem.FileSystem
  const aside = `${lock}.${secretName()}`
  yield* Effect.ignore(files.rename(lock, aside))
  const moved = yield* files.readFileString(aside).pipe(Effect.orElseSucceed(() => stale))
  if (moved !== stale) yield* Effect.ignore(files.link(aside, lock))
  yield* Effect.ignore(files.remove(aside, { force: true }))
})

const takeLock = Effect.fnUntraced(function* (profile: string) {
  const files = yield* FileSystem.FileSystem
  const lock = join(profile, lockName)
  const started = yield* startTimeOf("self")
  const text = yield* Schema.encodeEffect(LockOwner)({
    host: hostname(),
    pid: process.pid,
    ...(started === undefined ? {} : { started })
  }).pipe(Effect.orDie)
  for (let attempt = 0; attempt < 3; attempt++) {
    if (yield* createLock(lock, text)) return lock
    const found = yield* files.readFileString(lock).pipe(Effect.orElseSucceed(() => undefined))
    if (found === undefined) continue
    if (yield* judge(found)) return yield* new ProfileInUse({ profile })
    yield* removeStale(lock, found)
  }
  return yield* new ProfileInUse({ profile })
})

/**
 * Takes a given profile folder, creating it if it is missing, until the scope closes. It is never removed.
 *
 * Fails with `ProfileInUse` if a living browser holds it, without starting anything and without touching the owner; a
 * lock that a dead one left is removed.
 */
export const acquireGivenProfile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const folder = resolve(path)
  yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 })
  const profile = yield* files.realPath(folder)
  yield* Effect.acquireRelease(takeLock(profile), (lock) => Effect.ignore(files.remove(lock, { force: true })))
  if (yield* checkSingleton(profile)) return yield* new ProfileInUse({ profile })
  return profile
})
