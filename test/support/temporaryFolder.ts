/** A folder for the files of a test file, which goes with the last of its tests. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "@effect/vitest"

/** To be called while tests are collected. Absolute, without links. */
export const temporaryFolder = (name: string): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
