/**
 * Keeps the browser from asking whether to open another program.
 *
 * A page that goes to an address such as `tel:` or `zoommtg:` makes a whole Chromium ask in a dialog of its own, also
 * without a window, over no protocol and with no end: from then on no input reaches any page of that site in the tab. Before it
 * asks, it looks whether it is itself the program for such addresses, and if it is does nothing at all
 * (`ExternalProtocolHandler` of Chromium). On Linux `xdg-settings` is what it asks; so one of ours is put in front, which
 * says yes.
 */
import { delimiter, join } from "node:path"
import { Effect, FileSystem } from "effect"

const script = "#!/bin/sh\necho yes\n"

/** Writes the stand-in below `folder`; yields the variables by which the browser finds it. */
export const noOtherPrograms = Effect.fnUntraced(function* (folder: string) {
  if (process.platform !== "linux") return {}
  const files = yield* FileSystem.FileSystem
  const programs = join(folder, "programs")
  yield* files.makeDirectory(programs, { recursive: true, mode: 0o700 })
  yield* files.writeFileString(join(programs, "xdg-settings"), script, { mode: 0o700 })
  const others = process.env["PATH"]
  return { PATH: others === undefined || others === "" ? programs : `${programs}${delimiter}${others}` }
})
