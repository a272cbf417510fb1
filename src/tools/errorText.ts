/** An error for an agent to read. */
import type { BrowserError } from "../schemas/errors.ts"
import { oneLine } from "./render/text.ts"

/** What happened, and what to do. */
export const remedyText = (error: BrowserError): string =>
  `${oneLine(error.message, 4_000)} Next: ${oneLine(error.next, 1_000)}`

/** One text: code, what happened, what to do. */
export const errorText = (error: BrowserError): string => `${error.code}: ${remedyText(error)}`
