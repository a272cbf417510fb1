/** What the command `doctor` shows about Electron. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect } from "effect"
import type { ElectronConfig } from "../../../schemas/config.ts"
import type { ElectronDoctor } from "../../../schemas/doctor.ts"
import { electronVersion } from "../../../schemas/electron.ts"
import { chooseElectron, findElectrons, judgeElectron, placesHere } from "../../viewhost/locate.ts"
import { hasDisplay, profileFolder } from "../../viewhost/surroundings.ts"

/** Looks where Electron is looked for, and starts nothing. Never fails: what is missing is part of the answer. */
export const inspectElectron = Effect.fn("Electron.inspect")(function* (
  config: Pick<ElectronConfig, "profile">
): Effect.fn.Return<ElectronDoctor> {
  const found = yield* findElectrons(placesHere()).pipe(Effect.provide(NodeFileSystem.layer))
  const candidates = found.map(judgeElectron)
  const chosen = candidates.find(({ usable }) => usable)
  const choice = chooseElectron(found)
  return {
    wanted: electronVersion,
    candidates,
    ...(chosen === undefined ? {} : { chosen }),
    ...(choice.chosen === undefined ? { remedy: choice.error.remedy } : {}),
    display: hasDisplay(process.env),
    profile: profileFolder(config.profile)
  }
})
