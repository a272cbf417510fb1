import { readdirSync, readFileSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { ScrapeLine } from "../../src/schemas/scrapes.ts"
import type { ScrapeResult } from "../../src/schemas/tools/scrape.ts"
import { Tools } from "../../src/services/Tools.ts"
import { makeFakeSession } from "../support/FakeSession.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { layerTools } from "../support/ToolsHarness.ts"

const task = TaskKey.make("default")
const call = (name: string, args: unknown = {}) => Tools.use((tools) => tools.invoke(task, name, args))
const scrape = (args: object) =>
  Effect.map(call("browser_scrape", args), ({ structured }) => structured as unknown as ScrapeResult)
const open = call("browser_open", { url: "http://shop.test/" })
const own = temporaryFolder("scrape")
const folder = () => mkdtempSync(`${own}/`)
const lines = (path: string): ReadonlyArray<ScrapeLine> =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ScrapeLine)
const urls = (...names: ReadonlyArray<string>) => names.map((name) => `http://shop.test/${name}`)

describe("browser_scrape", () => {
  it.live("writes a line for each page, says of each that failed why, and counts both", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      yield* open
      const started = yield* scrape({ action: "start", urls: urls("a", "refused", "c"), script: "1", outPath })
      const ended = yield* scrape({ action: "status", id: started.id, timeoutMs: 5_000 })
      assert.deepInclude(ended, { state: "done", total: 3, done: 2, failed: 1, path: outPath })
      const all = lines(outPath).toSorted((a, b) => a.seq - b.seq)
      assert.deepStrictEqual(
        all.map(({ seq, url, ok }) => [seq, url, ok]),
        [
          [1, "http://shop.test/a", true],
          [2, "http://shop.test/refused", false],
          [3, "http://shop.test/c", true]
        ]
      )
      assert.deepStrictEqual(all[0]?.data, { at: "http://shop.test/a", script: "1" })
      assert.include(all[1]?.error, "BROWSER_NAVIGATION_FAILED")
      assert.deepStrictEqual<unknown>((yield* scrape({ action: "list" })).jobs, [ended])
      const tabs = (what: string) => session.log.filter((line) => line === what).length
      assert.strictEqual(tabs("background closed"), tabs("background"))
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.live("a stop is final: what was read is in the file, and the batch never becomes done", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      yield* open
      const { id } = yield* scrape({
        action: "start",
        urls: urls("a", "hang", "c"),
        script: "1",
        outPath,
        concurrency: 1
      })
      while ((yield* scrape({ action: "status", id })).done === 0) yield* Effect.sleep(5)
      assert.strictEqual((yield* scrape({ action: "stop", id })).state, "stopped")
      yield* Effect.sleep(50)
      assert.deepInclude(yield* scrape({ action: "status", id }), { state: "stopped", done: 1 })
      assert.deepStrictEqual(
        lines(outPath).map(({ seq }) => seq),
        [1]
      )
      assert.include(session.log, "background closed")
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.live("ends as failed when the session is lost, and leaves its tabs to nobody", () => {
    const session = makeFakeSession()
    return Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      yield* open
      const { id } = yield* scrape({
        action: "start",
        urls: urls("a", "lost", "c"),
        script: "1",
        outPath,
        concurrency: 1
      })
      const ended = yield* scrape({ action: "status", id, timeoutMs: 5_000 })
      assert.deepInclude(ended, { state: "failed", done: 1, failed: 0 })
      assert.include(ended.error, "BROWSER_SESSION_LOST")
    }).pipe(Effect.provide(layerTools(session)))
  })

  it.live("a page that takes too long is one line, and the batch goes on", () =>
    Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      yield* open
      const { id } = yield* scrape({
        action: "start",
        urls: urls("hang", "b"),
        script: "throw",
        outPath,
        concurrency: 1,
        timeoutMs: 50
      })
      yield* scrape({ action: "status", id, timeoutMs: 5_000 })
      const errors = lines(outPath).map(({ error }) => error)
      assert.include(errors[0], "BROWSER_OPERATION_TIMEOUT")
      assert.include(errors[1], "the script threw")
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.live("starts nothing without pages, a script, a path that may be written, or a session", () =>
    Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      const code = (args: object) => Effect.map(Effect.flip(scrape(args)), (error) => error.code)
      const order = { action: "start", urls: urls("a"), script: "1", outPath }
      assert.strictEqual(yield* code(order), "BROWSER_SESSION_UNKNOWN")
      yield* open
      assert.strictEqual(yield* code({ ...order, urls: [] }), "BROWSER_SCRAPE_EMPTY")
      assert.strictEqual(yield* code({ action: "start", urls: urls("a"), outPath }), "BROWSER_SCRAPE_EMPTY")
      assert.strictEqual(yield* code({ ...order, outPath: "/etc/out.jsonl" }), "BROWSER_WRITE_PATH_DENIED")
      assert.strictEqual(yield* code({ action: "start", urls: urls("a"), script: "1" }), "BROWSER_INVALID_ARGUMENTS")
      assert.strictEqual(yield* code({ action: "status", id: "scrape-99" }), "BROWSER_SCRAPE_UNKNOWN")
      assert.strictEqual(yield* code({ action: "stop" }), "BROWSER_INVALID_ARGUMENTS")
      assert.deepStrictEqual((yield* scrape({ action: "list" })).jobs, [])
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.live("a tab stays at its site, and each line bears the place of its address in the list", () =>
    Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      yield* open
      const { id } = yield* scrape({
        action: "start",
        urls: ["http://a.test/1", "http://b.test/2", "http://www.a.test/3", "http://b.test/4", "http://a.test/1"],
        script: "1",
        outPath,
        concurrency: 1
      })
      yield* scrape({ action: "status", id, timeoutMs: 30_000 })
      assert.deepStrictEqual(
        lines(outPath).map(({ seq, url }) => [seq, url]),
        [
          [1, "http://a.test/1"],
          [3, "http://www.a.test/3"],
          [5, "http://a.test/1"],
          [2, "http://b.test/2"],
          [4, "http://b.test/4"]
        ]
      )
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.live("refuses a file that another batch still writes, and takes it afterwards", () =>
    Effect.gen(function* () {
      const outPath = join(folder(), "out.jsonl")
      yield* open
      const order = { action: "start", script: "1", outPath }
      const { id } = yield* scrape({ ...order, urls: urls("hang") })
      const refused = yield* Effect.flip(scrape({ ...order, urls: urls("b") }))
      assert.strictEqual(refused.code, "BROWSER_WRITE_PATH_DENIED")
      assert.include(refused.message, `${id} is still writing it`)
      assert.include(refused.next, `wait until ${id} has ended`)
      yield* scrape({ action: "stop", id })
      const next = yield* scrape({ ...order, urls: urls("b") })
      assert.deepInclude(yield* scrape({ action: "status", id: next.id, timeoutMs: 5_000 }), { state: "done", done: 1 })
      assert.lengthOf(lines(outPath), 1)
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.live("once it has ended, nothing is beside its file", () =>
    Effect.gen(function* () {
      const place = folder()
      yield* open
      const order = { action: "start", urls: urls("a"), script: "1", outPath: join(place, "out.jsonl") }
      const { id } = yield* scrape(order)
      yield* scrape({ action: "status", id, timeoutMs: 30_000 })
      assert.deepStrictEqual(readdirSync(place), ["out.jsonl"])
    }).pipe(Effect.provide(layerTools(makeFakeSession())))
  )

  it.live("that the end of the program breaks off leaves no half file beside its place", () => {
    const place = folder()
    const session = makeFakeSession()
    return Effect.gen(function* () {
      yield* Effect.gen(function* () {
        yield* open
        yield* scrape({ action: "start", urls: urls("hang"), script: "1", outPath: join(place, "out.jsonl") })
        while (!session.log.includes("background")) yield* Effect.sleep(5)
      }).pipe(Effect.provide(layerTools(session)))
      assert.deepStrictEqual(readdirSync(place), ["out.jsonl"])
    })
  })
})
