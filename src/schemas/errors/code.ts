import { Effect, Schema } from "effect"

/** The stable code of an error class: part of its JSON form, filled in by the constructor. */
export const errorCode = <const Code extends `BROWSER_${string}`>(code: Code) =>
  Schema.Literal(code).pipe(Schema.withConstructorDefault(Effect.succeed(code)))

/** A text that came from elsewhere as the end of a sentence: with a full stop, unless it has its own. */
export const ended = (text: string): string =>
  /[.!?…]["')\]]*$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`

/** Characters of a page's own text inside a message. */
const shownText = 500

/** A page's own text inside a message: its beginning, if it is long, and that there is more. */
export const excerpt = (text: string): string =>
  text.length <= shownText
    ? text
    : `${text.slice(0, shownText).replace(/[\ud800-\udbff]$/, "")}… (the first ${shownText} characters)`

/** Joins at most ten items for a message; an empty list reads "none". */
export const list = (items: ReadonlyArray<string>): string =>
  items.length === 0
    ? "none"
    : items.length > 10
      ? `${items.slice(0, 10).join(", ")} and ${items.length - 10} more`
      : items.join(", ")
