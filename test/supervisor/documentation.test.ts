import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { assert, it } from "@effect/vitest"
import { proofs } from "../support/supervisorMatrix.ts"

const root = join(import.meta.dirname, "../..")

/** File and name of every test of some files, as the runner collects them. */
const collected = async (files: ReadonlyArray<string>): Promise<ReadonlyArray<{ name: string; file: string }>> => {
  const folder = mkdtempSync(join(tmpdir(), "collected-"))
  try {
    const list = join(folder, "tests.json")
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    // names that are put together are known only to who runs the files
    const args = [vitest, "list", "--no-static-parse", `--json=${list}`, ...files]
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, args, { cwd: root }, (error) => (error === null ? resolve() : reject(error)))
    })
    return JSON.parse(readFileSync(list, "utf8")) as Array<{ name: string; file: string }>
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it("each test that the page on the supervisor names is there", { timeout: 120_000 }, async () => {
  const tests = await collected([...new Set(proofs.map(({ file }) => file))])
  const known = new Set(tests.map(({ file, name }) => `${relative(root, file)} > ${name.split(" > ").at(-1)}`))
  assert.isAtLeast(known.size, proofs.length / 2)
  assert.deepStrictEqual(
    proofs.map(({ file, test }) => `${file} > ${test}`).filter((name) => !known.has(name)),
    []
  )
})
