/** Parameters and results of the tools about the page as a whole: challenge, emulation, PDF, highlight. */
import { Schema } from "effect"
import {
  elementIsNamedOnce,
  optionalReference,
  optionalText,
  optionalWith,
  referenceIsWhole,
  timeoutMs
} from "./common.ts"

export const ChallengeParams = Schema.Struct({ timeoutMs })
export const ChallengeResult = Schema.Struct({
  present: Schema.Boolean.annotate({ description: "a bot check is in the page, perhaps an invisible one" }),
  blocked: Schema.Boolean.annotate({ description: "it stands in the way" }),
  kind: Schema.optionalKey(
    Schema.String.annotate({ description: "cloudflare, turnstile, hcaptcha, recaptcha, generic" })
  ),
  reason: Schema.optionalKey(Schema.String),
  hint: Schema.optionalKey(Schema.String.annotate({ description: "what to do; only if it stands in the way" }))
})

const pixels = (description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({ description }))

export const EmulateParams = Schema.Struct({
  width: pixels("CSS px; together with height"),
  height: pixels("CSS px; together with width"),
  deviceScaleFactor: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0.1, maximum: 10 })).annotate({ description: "pixels per CSS px" })
  ),
  mobile: Schema.optionalKey(Schema.Boolean.annotate({ description: "as a phone: its viewport rules, and touch" })),
  userAgent: optionalText("user agent"),
  colorScheme: Schema.optionalKey(Schema.Literals(["light", "dark"])),
  clear: optionalWith(Schema.Boolean.annotate({ description: "first undo all that was emulated" }), false),
  timeoutMs
})

/** What is emulated; absent: as the browser has it. */
export type Emulation = Omit<typeof EmulateParams.Type, "clear" | "timeoutMs">

export const Emulated = Schema.Literals(["viewport", "deviceScaleFactor", "mobile", "userAgent", "colorScheme"])
export type Emulated = typeof Emulated.Type
export const EmulateResult = Schema.Struct({
  applied: Schema.Array(Emulated).annotate({ description: "what is emulated in this tab now" }),
  cleared: Schema.Boolean
})

const inches = (description: string) =>
  Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0.5, maximum: 200 })).annotate({ description }))

export const PdfParams = Schema.Struct({
  savePath: Schema.NonEmptyString.annotate({ description: "file to write" }),
  landscape: optionalWith(Schema.Boolean, false),
  printBackground: optionalWith(Schema.Boolean.annotate({ description: "colours and pictures behind the text" }), true),
  paperWidth: inches("inches; absent: US letter"),
  paperHeight: inches("inches; absent: US letter"),
  timeoutMs
})
export const PdfResult = Schema.Struct({ path: Schema.String, bytes: Schema.Int })

export const HighlightParams = Schema.Struct({
  selector: optionalText("element to mark for the person who watches"),
  ...optionalReference,
  clear: optionalWith(Schema.Boolean.annotate({ description: "take the mark away" }), false),
  timeoutMs
}).check(referenceIsWhole, elementIsNamedOnce)
export const HighlightResult = Schema.Struct({
  matched: Schema.Boolean,
  cleared: Schema.Boolean,
  target: Schema.optionalKey(Schema.String),
  box: Schema.optionalKey(
    Schema.Struct({ x: Schema.Finite, y: Schema.Finite, width: Schema.Finite, height: Schema.Finite }).annotate({
      description: "CSS px of the top viewport"
    })
  )
})
