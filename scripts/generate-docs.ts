/**
 * Writes docs/tools.md, docs/errors.md and docs/configuration.md from the catalog and the schemas, and the tables of
 * docs/supervisor.md from the list of its proofs; with --check it only compares.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { configurationPage } from "./docs/configurationPage.ts"
import { errorsPage } from "./docs/errorsPage.ts"
import { supervisorPage } from "./docs/supervisorTables.ts"
import { toolsPage } from "./docs/toolsPage.ts"
import { storedExamples } from "./examples/storedExamples.ts"

const folder = join(import.meta.dirname, "../docs")
const pages: ReadonlyArray<readonly [string, string]> = [
  ["tools.md", toolsPage(storedExamples())],
  ["errors.md", errorsPage()],
  ["configuration.md", configurationPage()],
  ["supervisor.md", supervisorPage(readFileSync(join(folder, "supervisor.md"), "utf8"))]
]

if (process.argv.includes("--check")) {
  const stale = pages.filter(([name, text]) => {
    const path = join(folder, name)
    return !existsSync(path) || readFileSync(path, "utf8") !== text
  })
  for (const [name] of stale) console.error(`docs/${name} is out of date: run "npm run docs"`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
}
