import { execFileSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"

const parent = join(import.meta.dirname, "../support/compiledParent.ts")

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "effect-browser-compiled-"))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** A program of many functions, which calls those below `calls`, and says what it has. */
const write = (): string => {
  const file = join(place, "program.cjs")
  const functions = Array.from({ length: 6_000 }, (_, n) => `(x) => { const y = x + ${n}; return [y, { y }].length }`)
  writeFileSync(
    file,
    `const all = [${functions.join(",")}]
console.log(JSON.stringify({ sum: all.slice(0, Number(process.env.CALLS ?? 10)).reduce((sum, one) => sum + one(1), 0),
  has: [typeof exports, typeof module, require("node:path").basename(__filename), __dirname] }))`
  )
  return file
}

const play = (options: {
  readonly file: string
  readonly build?: string
  readonly run?: string
  readonly calls?: number
  readonly folder?: string
  /** takes the place of the folder while the program runs */
  readonly meanwhile?: string
}) => {
  const { file, build = "b1", run = "mcp", calls = 10, folder = join(place, "kept") } = options
  const out = execFileSync(process.execPath, [parent, file, build, folder, run], {
    encoding: "utf8",
    env: { ...process.env, CALLS: String(calls), MEANWHILE: options.meanwhile ?? "" }
  })
  return Object.assign(
    {},
    ...out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object)
  ) as {
    readonly sum: number
    readonly has: ReadonlyArray<string>
    readonly taken: boolean
  }
}

const kept = () => readdirSync(join(place, "kept"))
const content = (name: string) => readFileSync(join(place, "kept", name))

describe("a program that is run from what was compiled before", () => {
  it("runs as a CommonJS module, from what an earlier run left", () => {
    const file = write()
    const first = play({ file })
    assert.deepStrictEqual(first, {
      sum: 20,
      has: ["object", "object", "program.cjs", place],
      taken: false
    })
    assert.strictEqual(kept().length, 1)
    const before = content(kept()[0]!)
    assert.deepStrictEqual(play({ file }), { ...first, taken: true })
    assert.isTrue(content(kept()[0]!).equals(before), "what is as good is left as it is")
  })

  it("takes nothing of another build, nor of another run", () => {
    const file = write()
    play({ file })
    assert.isFalse(play({ file, build: "b2" }).taken)
    assert.isFalse(play({ file, run: "help" }).taken)
    assert.isTrue(play({ file, build: "b2" }).taken)
    assert.strictEqual(kept().length, 3)
  })

  it("keeps what a run compiled that needed noticeably more", () => {
    const file = write()
    play({ file })
    const before = content(kept()[0]!).length
    assert.strictEqual(play({ file, calls: 6_000 }).taken, true)
    const more = content(kept()[0]!).length
    assert.isAbove(more, before)
    // and not what one compiled that needed less
    play({ file })
    assert.strictEqual(content(kept()[0]!).length, more)
  })

  it("leaves what another run has kept meanwhile, if that is as good", () => {
    const file = write()
    play({ file, calls: 6_000 })
    const before = content(kept()[0]!)
    renameSync(join(place, "kept"), join(place, "aside"))
    assert.include(play({ file, meanwhile: join(place, "aside") }), { taken: false, sum: 20 })
    assert.isTrue(content(kept()[0]!).equals(before))
  })

  it("does not hand over what is cut off, and replaces it", () => {
    const file = write()
    play({ file })
    const [name] = kept()
    for (const length of [content(name!).length - 1, 7, 0]) {
      truncateSync(join(place, "kept", name!), length)
      assert.include(play({ file }), { taken: false, sum: 20 }, `${length} bytes`)
      assert.isTrue(play({ file }).taken)
    }
  })

  it("runs where nothing can be kept, or shall be", () => {
    const file = write()
    writeFileSync(join(place, "no folder"), "")
    assert.include(play({ file, folder: join(place, "no folder") }), { taken: false, sum: 20 })
    assert.include(play({ file, folder: join(place, "no folder", "below") }), { taken: false, sum: 20 })
    assert.include(play({ file, folder: "" }), { taken: false, sum: 20 })
    // the system refuses a folder there as if what is above it were missing
    if (process.platform === "linux")
      assert.include(play({ file, folder: "/proc/no/folder" }), { taken: false, sum: 20 })
    assert.deepStrictEqual(readdirSync(place).sort(), ["no folder", "program.cjs"])
  })

  it("forgets what nobody has written for a month", () => {
    const file = write()
    mkdirSync(join(place, "kept"))
    const days = (count: number) => Date.now() / 1_000 - count * 24 * 3_600
    for (const [name, age] of [
      ["old", 31],
      ["new", 29]
    ] as const) {
      writeFileSync(join(place, "kept", name), "")
      utimesSync(join(place, "kept", name), days(age), days(age))
    }
    play({ file })
    assert.notInclude(kept(), "old")
    assert.include(kept(), "new")
  })
})
