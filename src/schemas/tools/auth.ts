/** Parameters and results of the tool about cookies. */
import { Schema } from "effect"
import { Cookie } from "../cookies.ts"
import { optionalText } from "./common.ts"

export const AuthParams = Schema.Struct({
  action: Schema.Literals(["flush", "restore", "clear", "import"]).annotate({
    description: "flush: give out the cookies; restore: set those of cookies; import: those of a file; clear: remove"
  }),
  cookies: Schema.optionalKey(
    Schema.Array(Schema.Record(Schema.String, Schema.Json)).annotate({
      description: "for restore: as flush gives them, or as another program exported them"
    })
  ),
  file: optionalText("import: JSON file to read; flush: file to write instead of giving the cookies out"),
  domain: optionalText("for flush and clear: this domain and its subdomains"),
  name: optionalText("for flush and clear: exactly this name"),
  all: Schema.optionalKey(Schema.Boolean.annotate({ description: "for clear without domain and name" }))
})
export const AuthResult = Schema.Struct({
  cookies: Schema.optionalKey(Schema.Array(Cookie)),
  path: Schema.optionalKey(Schema.String.annotate({ description: "file that was written" })),
  count: Schema.optionalKey(Schema.Int.annotate({ description: "cookies that were given out" })),
  restored: Schema.optionalKey(Schema.Int),
  failed: Schema.optionalKey(Schema.Int),
  failures: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        index: Schema.Int.annotate({ description: "place in the list, from 0" }),
        name: Schema.optionalKey(Schema.String),
        reason: Schema.String
      })
    ).annotate({ description: "what was not set, and why; at most 100" })
  ),
  removed: Schema.optionalKey(Schema.Int),
  names: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "names of what was removed" }))
})
export type AuthResult = typeof AuthResult.Type
