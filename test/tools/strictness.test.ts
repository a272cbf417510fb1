import { Arbitrary, Effect, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { jsonSchemaCheck } from "../support/jsonSchemaCheck.ts"
import { mcpTool } from "../../src/adapters/mcp/mcpTool.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { issueTexts } from "../../src/tools/issues.ts"
import { inputSchema, outputSchema } from "../../src/tools/jsonSchema.ts"
import { textLimit } from "../../src/tools/render/text.ts"

/** Of what is generated for some tools few values are accepted, one in ten of `browser_drag`. */
const checking = { runs: 40, maxDiscards: 4_000 }

for (const row of catalog) {
  const parameters = row.parameters as Schema.Codec<Record<string, unknown>, Record<string, unknown>>
  const success = row.success as Schema.Codec<Record<string, unknown>, Record<string, unknown>>
  const conformsIn = jsonSchemaCheck(inputSchema(row))
  const conformsOut = jsonSchemaCheck(outputSchema(row))
  const conformsListed = jsonSchemaCheck(mcpTool(row).outputSchema ?? {})

  describe(row.name, () => {
    it.effect.prop(
      "takes whatever its schema generates, and its JSON Schema agrees",
      { params: Arbitrary.schema(parameters) },
      Effect.fnUntraced(function* ({ params }) {
        const encoded = yield* Schema.encodeEffect(parameters)(params)
        yield* row.prepare(encoded)
        assert.deepStrictEqual(conformsIn(encoded), [])
      }),
      { arbitrary: checking }
    )

    it.effect.prop(
      "refuses one key more, naming it",
      { params: Arbitrary.schema(parameters) },
      Effect.fnUntraced(function* ({ params }) {
        const encoded = yield* Schema.encodeEffect(parameters)(params)
        const more = { ...encoded, zzUnknown: 1 }
        const error = yield* Effect.flip(row.prepare(more))
        assert.include(issueTexts(error), "zzUnknown is not known")
        assert.isNotEmpty(conformsIn(more))
      }),
      { arbitrary: checking }
    )

    it.effect.prop(
      "gives out every generated result in the shape of its schemas, with a text",
      { result: Arbitrary.schema(success) },
      Effect.fnUntraced(function* ({ result }) {
        const call = yield* prepared(row)
        const { structured, rendered } = yield* call.answer(result)
        const overTheWire: unknown = JSON.parse(JSON.stringify(structured))
        assert.deepStrictEqual(overTheWire, structured)
        assert.deepStrictEqual(conformsOut(structured), [])
        const { image: _, ...withoutPicture } = structured
        assert.deepStrictEqual(conformsListed(withoutPicture), [])
        assert.isNotEmpty(rendered.lines.join(""))
        for (const line of rendered.lines) assert.notMatch(line, /[\n\r\u2028\u2029]/)
      }),
      { arbitrary: checking }
    )

    it.effect.prop(
      "lets no field out that its schema does not name",
      { result: Arbitrary.schema(success) },
      Effect.fnUntraced(function* ({ result }) {
        const call = yield* prepared(row)
        const error = yield* Effect.flip(call.answer({ ...result, zzUnknown: 1 }))
        assert.include(error.message, "zzUnknown")
      }),
      { arbitrary: { ...checking, runs: 10 } }
    )
  })
}

const examples: Record<string, unknown> = {
  browser_open: { url: "https://example.com" },
  browser_find: { text: "a" },
  browser_content: { format: "txt" },
  browser_execute: { script: "1" },
  browser_click_ref: { snapshotId: "s1", ref: 1 },
  browser_scroll_into_view: { snapshotId: "s1", ref: 1 },
  browser_drag: { from: {}, to: {} },
  browser_fill: { fields: [{ value: "a" }] },
  browser_type: { text: "a" },
  browser_scrape: { action: "list" },
  browser_auth: { action: "flush" },
  browser_pdf: { savePath: "a.pdf" },
  browser_replay: { seq: 1 },
  browser_handoff: { state: "agent" },
  browser_download: { url: "https://example.com/a", savePath: "a" },
  browser_upload_file: { filePath: "a" },
  browser_press_key: { key: "a" },
  browser_dialog: { action: "accept" },
  browser_switch_tab: { tabId: "t1" },
  browser_close_tab: { tabId: "t1" },
  browser_cdp: { method: "Runtime.evaluate" }
}
const prepared = (row: (typeof catalog)[number]) => row.prepare(examples[row.name] ?? {})

describe("texts of answers", () => {
  it("have a limit that fits the default of a client", () => assert.strictEqual(textLimit, 25_000))
})
