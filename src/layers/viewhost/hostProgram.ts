/** Where the host's program lies in this package, whichever of its bundles runs. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** Path of the built program of the host; looked for in `dist/` of the folders above this module. */
export const hostProgram = (from: string = import.meta.dirname): string => {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const place of [join(folder, "host", "main.cjs"), join(folder, "dist", "host", "main.cjs")]) {
      if (existsSync(place)) return place
    }
    // Electron then says that it is not there
    if (dirname(folder) === folder) return join(from, "host", "main.cjs")
  }
}
