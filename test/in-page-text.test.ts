import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { agreement, asBoolean, chooseOption, listOptions } from "../src/in-page/fieldValue.ts"
import {
  isCounter,
  isGenerated,
  isPositional,
  isState,
  onlyCounted,
  type RecordFacts,
  sameRecord
} from "../src/in-page/identity.ts"
import { bare, clip, collapse, fold, TextSink } from "../src/in-page/text.ts"

const text = Arbitrary.schema(Schema.String)

describe("texts", () => {
  it.effect.prop("collapsing leaves no run of whitespace and changes nothing when repeated", { text }, ({ text }) =>
    Effect.sync(() => {
      const once = collapse(text)
      assert.notMatch(once, /\s\s|^\s|\s$/)
      assert.strictEqual(collapse(once), once)
    })
  )
  it.effect.prop("a clipped text keeps its limit and is a beginning of the whole", { text }, ({ text }) =>
    Effect.sync(() => {
      const clipped = clip(text, 10)
      assert.isAtMost(clipped.length, 10)
      assert.isTrue(text.startsWith(clipped.replace(/…$/, "")) || clipped === text)
    })
  )
  it("half of a surrogate pair is never left", () => {
    assert.strictEqual(clip("abc😀def", 5), "abc…")
    assert.strictEqual(clip("abc😀def", 6), "abc😀…")
  })
  it.effect.prop(
    "a sink gives what collapsing the joined parts gives",
    { parts: Arbitrary.schema(Schema.Array(Schema.String)) },
    ({ parts }) =>
      Effect.sync(() => {
        const sink = new TextSink(1_000_000)
        for (const part of parts) sink.add(part)
        assert.strictEqual(sink.toString(), collapse(parts.join("")))
      })
  )
  it("a sink takes no more than its limit, however much it is given", () => {
    const sink = new TextSink(50)
    for (let turn = 0; turn < 100; turn += 1) sink.add("word ".repeat(1000))
    assert.strictEqual(sink.toString().length, 50)
  })
  it("invisible characters and glyphs of icon fonts are no text", () => {
    assert.strictEqual(collapse("\uf015 Ho\u00adme\u200b"), "Home")
  })
  it("what people write is compared without case, colon and asterisk", () => {
    assert.strictEqual(fold("  E-Mail Address: * "), "e-mail address")
    assert.strictEqual(bare("(555) 12-34"), "5551234")
  })
})

describe("values of fields", () => {
  it("only true and false are true and false", () => {
    assert.deepStrictEqual([true, "true", false, "false", "yes", "1", 1, ["true"]].map(asBoolean), [
      true,
      true,
      false,
      false,
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })
  const agreements: ReadonlyArray<readonly [asked: string, held: string, numeric: boolean, how: string]> = [
    ["a", "a", false, "same"],
    ["a\r\nb", "a\nb", false, "same"],
    ["5551234", "555-1234", false, "reformatted"],
    ["abc", "", false, "empty"],
    ["abc", "abd", false, "other"],
    ["1.50", "1.5", true, "same"],
    ["1", "2", true, "other"],
    ["--", "++", false, "other"]
  ]
  for (const [asked, held, numeric, how] of agreements) {
    it(`"${asked}" that became "${held}" is ${how}`, () => assert.strictEqual(agreement(asked, held, numeric), how))
  }
  it("an option is chosen by value, then by text, then by text in any case", () => {
    const options = [
      { value: "a", text: "B" },
      { value: "b", text: "a" },
      { value: "c", text: "Large" }
    ]
    assert.deepStrictEqual(
      ["a", "B", "large", "C", "x"].map((wanted) => chooseOption(options, wanted)),
      [0, 0, 2, 2, -1]
    )
  })
  it("at most twenty options are told", () => {
    assert.isTrue(listOptions(Array.from({ length: 25 }, (_, index) => String(index))).endsWith("and 5 more"))
  })
})

describe("identity", () => {
  it("amounts are told from numbers that name something", () => {
    for (const amount of ["3", "3 likes", "(12)", "$5.00", "12 %", "5 min ago", "Qty: 2", "3/5", "12:30", "+4"])
      assert.isTrue(isCounter(amount), amount)
    for (const name of ["Order 1001", "Item 3", "10042", "2026-03-01", "3.4.2026", "Ann", "Room 12 B"])
      assert.isFalse(isCounter(name), name)
  })
  it("states are told from names", () => {
    assert.isTrue(isState("In progress"))
    assert.isFalse(isState("Ann"))
  })
  it("a count in a name may change, a number that names may not", () => {
    assert.isTrue(onlyCounted("Inbox (3)", "Inbox (12)"))
    assert.isTrue(onlyCounted("3 new messages", "4 new messages"))
    assert.isFalse(onlyCounted("View 3", "View 4"))
    assert.isFalse(onlyCounted("(3)", "(4)"))
  })
  it("an attribute that repeats the position names nothing", () => {
    assert.isTrue(isPositional("row-3", 3))
    assert.isTrue(isPositional("row-4", 3))
    assert.isFalse(isPositional("row-42", 3))
    assert.isTrue(isGenerated(":r5:"))
    assert.isFalse(isGenerated("save-button"))
  })

  const record: RecordFacts = {
    semantic: true,
    proof: "",
    target: "",
    heading: "",
    leaves: [],
    telling: [],
    place: "",
    beside: "A|C"
  }
  const cases: ReadonlyArray<
    readonly [what: string, then: Partial<RecordFacts>, now: Partial<RecordFacts>, same: boolean]
  > = [
    [
      "the same proof, another name",
      { proof: "data-id=7", leaves: ["Ann"], telling: ["Ann"] },
      { proof: "data-id=7", leaves: ["Anna"], telling: ["Anna"] },
      true
    ],
    [
      "another proof, the same name",
      { proof: "data-id=7", leaves: ["Ann"], telling: ["Ann"] },
      { proof: "data-id=8", leaves: ["Ann"], telling: ["Ann"] },
      false
    ],
    ["another name", { leaves: ["Ann"], telling: ["Ann"] }, { leaves: ["Bob"], telling: ["Bob"] }, false],
    [
      "another amount in place",
      { leaves: ["Ann", "3 likes"], telling: ["Ann"] },
      { leaves: ["Ann", "4 likes"], telling: ["Ann"] },
      true
    ],
    [
      "another amount between other neighbours",
      { leaves: ["Ann", "3 likes"], telling: ["Ann"] },
      { leaves: ["Ann", "4 likes"], telling: ["Ann"], beside: "X|Y" },
      false
    ],
    ["nothing that tells, all texts the same", { leaves: ["3"] }, { leaves: ["3"] }, true],
    ["nothing that tells, another text", { leaves: ["3"] }, { leaves: ["4"] }, false],
    ["another heading", { heading: "Lamp" }, { heading: "Chair" }, false],
    [
      "another target",
      { target: "/a", leaves: ["x"], telling: [] },
      { target: "/b", leaves: ["x"], telling: [] },
      false
    ],
    [
      "more text than before",
      { leaves: ["Ann"], telling: ["Ann"] },
      { leaves: ["Ann", "is missing"], telling: ["Ann", "is missing"] },
      true
    ]
  ]
  for (const [what, then, now, same] of cases) {
    it(`${what}: ${same ? "the same record" : "another record"}`, () => {
      assert.strictEqual(sameRecord({ ...record, ...then }, { ...record, ...now }), same)
    })
  }
  it.effect.prop("a record is itself", { leaves: Arbitrary.schema(Schema.Array(Schema.String)) }, ({ leaves }) =>
    Effect.sync(() => {
      const facts = { ...record, leaves, telling: leaves.slice(0, 2) }
      assert.isTrue(sameRecord(facts, facts))
    })
  )
})
