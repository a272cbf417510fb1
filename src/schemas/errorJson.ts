/** Errors of the union as JSON values. Apart, because making the codec takes 2 ms of each start that does not need it. */
import { Schema } from "effect"
import { BrowserError } from "./errors.ts"

/** Errors as JSON values: used by the view-host link, and by who sends them on. */
export const BrowserErrorJson = Schema.toCodecJson(BrowserError)
