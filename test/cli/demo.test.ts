import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { TestConsole } from "effect/testing"
import { play } from "../../src/cli/demo/play.ts"
import { serveDemoSite } from "../../src/cli/demo/site.ts"
import { beginning, clipped, duration, refusal, success, trouble, wrapped } from "../../src/cli/demo/stepText.ts"
import { bookingStory } from "../../src/cli/demo/story.ts"
import { reference, type StoryStep } from "../../src/cli/demo/StoryStep.ts"
import { visitStory } from "../../src/cli/demo/visit.ts"
import { makeStyle } from "../../src/cli/style.ts"
import { SnapshotStale, TabUnknown } from "../../src/schemas/errors.ts"
import { findRow } from "../../src/tools/catalog.ts"

const paper = (width = 60) => ({ width, style: makeStyle(false) })
const printed = Effect.map(TestConsole.logLines, (lines) => lines.map(String).join("\n"))
const step = (options: Partial<StoryStep>): StoryStep => ({
  id: "one",
  title: "A step",
  tool: "browser_snapshot",
  args: () => ({ args: {} }),
  judge: () => ({ shows: ["seen"] }),
  ...options
})
const answer = (structured: { readonly [key: string]: Schema.Json }) => Effect.succeed({ structured, content: [] })
const stale = new SnapshotStale({ snapshotId: "s1" as SnapshotStale["snapshotId"], ref: 3, reason: "it left the page" })

describe("play", () => {
  it.effect("prints each step with its call and its outcome, and hands results to later steps", () =>
    Effect.gen(function* () {
      const called: Array<unknown> = []
      const story = [
        step({ id: "look" }),
        step({ id: "act", title: "Another", args: (told) => ({ args: { had: told.get("look") } }) })
      ]
      const call = (tool: string, args: unknown) => {
        called.push([tool, args])
        return answer({ n: called.length })
      }
      assert.strictEqual((yield* play(story, { call, paper: paper(), limit: 5 })).steps, 2)
      assert.deepStrictEqual(called, [
        ["browser_snapshot", {}],
        ["browser_snapshot", { had: { n: 1 } }]
      ])
      const text = yield* printed
      assert.include(text, ' 2  Another\n    browser_snapshot {"had":{"n":1}}\n    ✓ seen')
    })
  )

  it.effect("takes the refusal that the story wants, and no other", () =>
    Effect.gen(function* () {
      const refused = step({ refusedWith: "BROWSER_SNAPSHOT_STALE", judge: () => ({ problem: "it went through" }) })
      const options = { paper: paper(), limit: 5 }
      yield* play([refused], { ...options, call: () => Effect.fail(stale) })
      assert.include(yield* printed, "BROWSER_SNAPSHOT_STALE")
      const tab = new TabUnknown({ tabId: "t9" as TabUnknown["tabId"], known: [] })
      const other = yield* Effect.flip(play([refused], { ...options, call: () => Effect.fail(tab) }))
      assert.include(other.message, "BROWSER_TAB_UNKNOWN")
      assert.strictEqual(other.error, tab)
      const through = yield* Effect.flip(play([refused], { ...options, call: () => answer({}) }))
      assert.include(through.message, "it went through")
    })
  )

  it.effect("stops at the first step that is not as the story says, and tells which", () =>
    Effect.gen(function* () {
      let calls = 0
      const call = () => {
        calls++
        return answer({})
      }
      const broken = step({ tool: "browser_find", judge: () => ({ problem: "nothing was found" }) })
      const error = yield* Effect.flip(play([step({}), broken, step({})], { call, paper: paper(), limit: 5 }))
      assert.deepInclude(error, { step: 2, tool: "browser_find", problem: "nothing was found" })
      assert.strictEqual(calls, 2)
      assert.include(yield* printed, "✗ not as expected")
    })
  )

  it.effect("does not call a tool whose arguments are missing", () =>
    Effect.gen(function* () {
      const lost = step({ args: (told) => reference(told, "open", "Save") })
      const error = yield* Effect.flip(play([lost], { call: () => Effect.die("called"), paper: paper(), limit: 5 }))
      assert.include(error.problem, 'no element "Save"')
    })
  )
})

describe("stories", () => {
  const site = { url: "http://127.0.0.1:1", partner: "http://localhost:2" }
  it("call tools that are there, and name each step once", () => {
    for (const story of [bookingStory(site, "x.png"), visitStory("http://a", "x.png")]) {
      assert.strictEqual(new Set(story.map(({ id }) => id)).size, story.length)
      for (const { tool } of story) assert.isDefined(findRow(tool), tool)
    }
  })
})

describe("step text", () => {
  const Text = Arbitrary.schema(Schema.String)
  const Width = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 40, maximum: 100 })))
  it.prop(
    "never writes beyond the width, whatever it has to show",
    { text: Text, word: Text, width: Width },
    ({ text, width, word }) => {
      const page = paper(width)
      const lines = [
        ...beginning(page, { number: 3, title: text, tool: "browser_scroll_into_view", args: { text: word } }),
        ...success(page, { shows: [text, word, text], ms: 1234, limit: 2 }),
        ...refusal(page, { code: "BROWSER_TARGET_AMBIGUOUS", message: text, ms: 5 }),
        ...trouble(page, { problem: word, ms: 99_999 })
      ]
      for (const line of lines) assert.isAtMost(Array.from(line).length, width, JSON.stringify(line))
    },
    { arbitrary: { runs: 200 } }
  )

  it("keeps every word when it wraps, and says what it cuts", () => {
    assert.deepStrictEqual(wrapped("one two threefour", 7), ["one two", "threefo", "ur"])
    assert.strictEqual(clipped("harbour  master", 9), "harbour …")
    assert.strictEqual(clipped("fits", 4), "fits")
    assert.deepStrictEqual([duration(4), duration(999.6), duration(1234)], ["4 ms", "1.0 s", "1.2 s"])
  })

  it("shows times at the right edge, aligned", () => {
    const page = paper(50)
    const lines = [
      ...success(page, { shows: ["a"], ms: 1, limit: 3 }),
      ...success(page, { shows: ["b".repeat(90)], ms: 12_345, limit: 3 })
    ]
    assert.isTrue(lines.every((line) => line.length === 50))
  })

  it("colours only what it is told to", () => {
    const coloured = success({ width: 60, style: makeStyle(true) }, { shows: ["seen"], ms: 1, limit: 3 })
    assert.include(coloured.join(), "\u001b[")
    assert.notInclude(success(paper(), { shows: ["seen"], ms: 1, limit: 3 }).join(), "\u001b")
  })
})

describe("demo site", () => {
  const read = (url: string, body?: string) =>
    Effect.promise(async () => {
      const response = await fetch(url, body === undefined ? {} : { method: "POST", body })
      return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
    })

  it.live("serves its pages on two origins, and keeps what is held", () =>
    Effect.gen(function* () {
      const { partner, url } = yield* serveDemoSite
      const index = yield* read(url)
      assert.include(index.text, `src="${partner}/pilots.html"`)
      assert.match(index.type ?? "", /^text\/html/)
      assert.include((yield* read(`${partner}/pilots.html`)).text, "Request a pilot")
      assert.strictEqual((yield* read(`${url}/harbour.css`)).type, "text/css; charset=utf-8")
      assert.strictEqual((yield* read(`${url}/nothing`)).status, 404)
      const held = yield* read(`${url}/api/berths`, `{"name":"B12","held":true}`)
      assert.deepInclude(JSON.parse(held.text)[2], { name: "B12", held: true })
      assert.strictEqual((yield* read(`${url}/api/berths`)).text, held.text)
      assert.strictEqual((yield* read(`${url}/api/berths`, "nonsense")).text, held.text)
      assert.deepStrictEqual(JSON.parse((yield* read(`${url}/api/bookings`, "{}")).text), { reference: "KH-1204" })
    })
  )

  it.live("is gone when its scope is closed", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(Effect.tap(serveDemoSite, (site) => read(site.url)))
      assert.strictEqual(
        yield* Effect.promise(() =>
          fetch(url).then(
            () => "there",
            () => "gone"
          )
        ),
        "gone"
      )
    })
  )
})
