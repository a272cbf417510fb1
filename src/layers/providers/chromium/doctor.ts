/** What the command `doctor` shows about the local browser. */
import { Clock, Effect } from "effect"
import type { ChromiumConfig } from "../../../schemas/config.ts"
import type { ChromiumDoctor } from "../../../schemas/doctor.ts"
import { unpackedFolder } from "./embedded.ts"
import { launchChromium, launchPlatform } from "./launch.ts"
import { chooseExecutable, probeExecutables } from "./locate.ts"
import { machineFacts, sandboxState } from "./machine.ts"
import { missingLibraries, systemHasFonts } from "./systemFiles.ts"

const tryLaunch = (config: ChromiumConfig): Effect.Effect<ChromiumDoctor["launch"]> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const { executable, version } = yield* launchChromium(config)
    const { product, protocol } = version
    return { ok: true as const, executable, product, protocol, ms: (yield* Clock.currentTimeMillis) - begun }
  }).pipe(
    Effect.scoped,
    Effect.catch(({ code, message, next }) => Effect.succeed({ ok: false as const, code, message, next }))
  )

/**
 * Looks for browsers, starts the one that would be used (for at most `launchTimeoutMs`) and ends it again. It unpacks
 * the embedded browser if that is the one. Never fails: what is wrong is part of the answer.
 */
export const inspectChromium = Effect.fn("Chromium.inspect")(function* (
  config: ChromiumConfig
): Effect.fn.Return<ChromiumDoctor> {
  return yield* Effect.gen(function* () {
    const { candidates, embedded } = yield* probeExecutables(config, { all: true })
    const { chosen } = chooseExecutable(candidates)
    const launch = yield* tryLaunch(config)
    const machine = yield* machineFacts
    const missing = process.platform === "linux" ? yield* missingLibraries : []
    const folder = embedded === undefined ? undefined : yield* unpackedFolder(embedded)
    return {
      candidates,
      ...(chosen === undefined ? {} : { chosen }),
      launch,
      sandbox: sandboxState(machine),
      embedded: {
        ...(embedded === undefined ? {} : { version: embedded.version }),
        ...(folder === undefined ? {} : { folder }),
        libraries: missing.length === 0 ? ("system" as const) : ("embedded" as const),
        missingLibraries: missing,
        fonts: (yield* systemHasFonts) ? ("system" as const) : ("embedded" as const)
      },
      machine: {
        platform: machine.platform,
        arch: machine.arch,
        root: machine.uid === 0,
        container: machine.container,
        ...(machine.sharedMemory === undefined ? {} : { sharedMemoryBytes: machine.sharedMemory })
      }
    }
  }).pipe(Effect.provide(launchPlatform))
})
