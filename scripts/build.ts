/**
 * Builds the package: page programs, demo pages, library with types in `dist/`, command line in one folder of
 * `dist/bin/`, view host in `dist/host/`.
 */
import { execFileSync } from "node:child_process"
import { renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { buildCommandLine } from "./build-command-line.ts"
import { buildDemoPages } from "./build-demo-pages.ts"
import { buildHost } from "./build-host.ts"
import { buildInPage } from "./build-in-page.ts"
import { buildToolList } from "./build-tool-list.ts"

const root = join(import.meta.dirname, "..")
/** Built beside and put into place at the end: what runs from `dist/` meanwhile goes on. */
const next = join(root, `dist-${process.pid}`)

await buildInPage()
buildDemoPages()
await buildToolList()
execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json"), "--outDir", next],
  {
    cwd: root,
    stdio: "inherit"
  }
)
await buildCommandLine(join(next, "bin"))
await buildHost(join(next, "host"))
rmSync(join(root, "dist"), { recursive: true, force: true })
renameSync(next, join(root, "dist"))
