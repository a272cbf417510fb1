import { Effect, Schema } from "effect"

/** The stable code of an error class: part of its JSON form, filled in by the constructor. */
export const errorCode = <const Code extends `BROWSER_${string}`>(code: Code) =>
  Schema.Literal(code).pipe(Schema.withConstructorDefault(Effect.succeed(code)))

/** What is wrong, as the end of a sentence; a question to the reader may end it. */
export const issueList = (issues: ReadonlyArray<string>): string => {
  const text = issues.join("; ")
  return text.endsWith("?") ? text : `${text}.`
}

/** Joins at most ten items for a message; an empty list reads "none". */
export const list = (items: ReadonlyArray<string>): string =>
  items.length === 0
    ? "none"
    : items.length > 10
      ? `${items.slice(0, 10).join(", ")} and ${items.length - 10} more`
      : items.join(", ")
