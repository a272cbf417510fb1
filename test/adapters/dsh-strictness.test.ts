/** Every tool's arguments and results, generated, through the tool registry of DSH itself. */
import { Context } from "@deepseek-ai/cordis"
import SystemPrompt from "@deepseek-ai/dsh-system-prompt"
import {
  assertObjectJsonSchema,
  assertSupportedJsonSchema,
  type ToolExecutionInput,
  ToolRuntime,
  validateJsonSchemaValue
} from "@deepseek-ai/dsh-tools"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { dshOutput, dshParameters, dshSchema } from "../../src/adapters/dsh/dshSchema.ts"
import { dshTool } from "../../src/adapters/dsh/dshTool.ts"
import type { ToolAnswer } from "../../src/services/Tools.ts"
import type { ToolRow } from "../../src/tools/ToolRow.ts"
import { catalog } from "../../src/tools/catalog.ts"

type Values = Record<string, unknown>
const codec = (schema: Schema.Top) => schema as Schema.Codec<Values, Values>

/** As it comes from a model: through JSON. */
const overTheWire = (value: unknown): Values => JSON.parse(JSON.stringify(value)) as Values

/** What the bodies do when they are called. */
let next: (row: ToolRow, args: unknown) => Effect.Effect<unknown, unknown>

const answered = (structured: unknown): ToolAnswer => ({
  structured: structured as ToolAnswer["structured"],
  content: []
})

const definitionOf = (row: ToolRow) =>
  dshTool(row, 60_000, (_, __, args) => Effect.runPromiseExit(Effect.orDie(Effect.map(next(row, args), answered))))

const registry = (async () => {
  const context = new Context()
  await context.plugin(SystemPrompt, {})
  await context.plugin(ToolRuntime, {})
  const tools = await new Promise<ToolRuntime>((resolve) => {
    context.inject(["tools"], (inner) => resolve(inner.tools))
  })
  for (const row of catalog) tools.register(definitionOf(row))
  return tools
})()

const execute = (row: ToolRow, args: unknown) =>
  Effect.promise(async () =>
    (await registry).execute({
      callId: "call" as ToolExecutionInput["callId"],
      name: row.name,
      arguments: args,
      signal: new AbortController().signal
    })
  )

// a drag names each of its two ends once, which most generated ones do not
const runs = { arbitrary: { runs: 15, maxDiscards: 4_000 } }

describe.each(catalog.map((row) => [row.name, row] as const))("%s in DSH", (_, row) => {
  it.effect.prop(
    "takes what its schema generates, frozen, and gives out what its schema generates, unchanged",
    { params: Arbitrary.schema(codec(row.parameters)), result: Arbitrary.schema(codec(row.success)) },
    Effect.fnUntraced(function* ({ params, result }) {
      const args = overTheWire(yield* Schema.encodeEffect(codec(row.parameters))(params))
      let structured: unknown
      next = (called, given) =>
        Effect.gen(function* () {
          const call = yield* called.prepare(given)
          structured = (yield* call.answer(result)).structured
          return structured
        })
      assert.deepStrictEqual(validateJsonSchemaValue(dshParameters(row), args), [])
      const outcome = yield* execute(row, args)
      assert.isFalse(outcome.isError, outcome.error?.message)
      assert.deepStrictEqual(outcome.value, structured)
    }),
    runs
  )

  it.effect.prop(
    "is refused a result with one key more",
    { result: Arbitrary.schema(codec(row.success)) },
    Effect.fnUntraced(function* ({ result }) {
      next = () => Effect.succeed({ ...overTheWire(result), zzUnknown: 1 })
      const outcome = yield* execute(row, {})
      assert.strictEqual(outcome.error?.info?.code, "INVALID_TOOL_OUTPUT")
    }),
    { arbitrary: { runs: 5, maxDiscards: 4_000 } }
  )

  it("has schemas of the enforced subset, closed", () => {
    for (const schema of [dshParameters(row), dshOutput(row)] as ReadonlyArray<unknown>) {
      assertSupportedJsonSchema(schema)
      assertObjectJsonSchema(schema)
      assert.isFalse(schema.additionalProperties)
    }
  })
})

describe("a schema in the subset", () => {
  it("keeps types, choices and what is said, and drops bounds", () => {
    assert.deepStrictEqual(
      dshSchema({
        type: "object",
        properties: {
          a: { type: "integer", minimum: 1, description: "number" },
          b: { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
          c: { type: "array", items: { enum: ["x"], type: "string" }, maxItems: 3 },
          d: {}
        },
        required: ["a"],
        additionalProperties: false
      }),
      {
        type: "object",
        properties: {
          a: { type: "integer", description: "number" },
          b: { oneOf: [{ type: "string" }, { type: "null" }] },
          c: { type: "array", items: { type: "string", enum: ["x"] } },
          d: {}
        },
        required: ["a"],
        additionalProperties: false
      }
    )
  })
})
