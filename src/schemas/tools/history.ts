/** Parameters and results of the tools about what the task did. */
import { Schema } from "effect"
import { optionalWith } from "./common.ts"

export const HistoryParams = Schema.Struct({
  limit: optionalWith(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })).annotate({ description: "the latest so many" }),
    50
  )
})
export const HistoryResult = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      seq: Schema.Int.annotate({ description: "number of the step, never given twice" }),
      action: Schema.String,
      ok: Schema.Boolean,
      at: Schema.Finite.annotate({ description: "seconds since 1970" }),
      params: Schema.Record(Schema.String, Schema.Json).annotate({
        description: "arguments; long ones are cut, secret ones are left out"
      }),
      result: Schema.optionalKey(Schema.String),
      error: Schema.optionalKey(Schema.String),
      replayable: Schema.Boolean
    })
  ).annotate({ description: "oldest first" }),
  truncated: Schema.Boolean.annotate({ description: "true if there are earlier ones" })
})

export const ReplayParams = Schema.Struct({
  seq: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "number of the step" })
})
export const ReplayResult = Schema.Struct({
  replayed: Schema.Boolean,
  action: Schema.String,
  result: Schema.String.annotate({ description: "what came of it, in words" })
})
