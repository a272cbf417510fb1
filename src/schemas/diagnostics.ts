/** What a page writes to its console and what it loads, as data. Times are seconds since 1970. */
import { Schema } from "effect"

/** Levels of a console line; `exception` is one that nobody caught. */
export const ConsoleLevel = Schema.Literals(["debug", "log", "info", "warning", "error", "exception"])
export type ConsoleLevel = typeof ConsoleLevel.Type

/** A console line. */
export const ConsoleEntry = Schema.Struct({
  at: Schema.Finite.annotate({ description: "seconds since 1970" }),
  level: ConsoleLevel,
  text: Schema.String,
  url: Schema.optionalKey(Schema.String.annotate({ description: "script that wrote it" })),
  line: Schema.optionalKey(Schema.Int.annotate({ description: "line in that script, from 1" }))
})
export type ConsoleEntry = typeof ConsoleEntry.Type

/** A request of a page. `status` is absent until the answer has begun; `failure` says why none came. */
export const NetworkEntry = Schema.Struct({
  at: Schema.Finite.annotate({ description: "seconds since 1970" }),
  method: Schema.String,
  url: Schema.String.annotate({ description: "credentials are masked" }),
  type: Schema.String.annotate({ description: "document, script, image, xhr, fetch, ..." }),
  status: Schema.optionalKey(Schema.Int),
  mime_type: Schema.optionalKey(Schema.String),
  failure: Schema.optionalKey(Schema.String)
})
export type NetworkEntry = typeof NetworkEntry.Type
