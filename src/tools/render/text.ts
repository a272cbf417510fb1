/**
 * Text for the reader of an answer. Lines are ours: what a page says stands inside them as one line, so that no page
 * can write a line that looks like one of ours. Longer text of a page stands apart, in a block of its own.
 */

/** Characters of an answer's texts together. */
export const textLimit = 25_000

/** An answer as text, before it is bounded. */
export interface Rendered {
  /** ours, one line each */
  readonly lines: ReadonlyArray<string>
  /** text of the page, as it is */
  readonly page?: string | undefined
  readonly image?: { readonly data: Uint8Array; readonly mimeType: string } | undefined
}

// Control characters, separators of lines, marks that reorder what is shown, and the byte order mark.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
const unseen = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
const unseenButLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Stands for a line break until a text is one line; no page has it, for it is no character. */
const lineBreak = "\ufdd0"

/** The start of a text, at most `max` UTF-16 units with the mark that says that something is missing. */
export const cut = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, Math.max(0, max - 1))
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`

/** Text of a page as one line: white space collapsed, what cannot be seen left out, at most `max` characters. */
export const oneLine = (text: string, max = 500): string =>
  // what is far beyond the limit is not looked at: labels may have megabytes
  cut(
    text
      .slice(0, max * 4)
      .toWellFormed()
      .replace(unseen, " ")
      .replace(/\s+/g, " ")
      .trim(),
    max
  )

/** As {@link oneLine}, in quotation marks that the text cannot leave. */
export const quoted = (text: string, max = 500): string =>
  `"${oneLine(text, max).replace(/[\\"]/g, (mark) => `\\${mark}`)}"`

/** As {@link quoted}, of what may have several lines: their breaks stand in it as \\n. */
export const quotedLines = (text: string, max = 500): string =>
  quoted(
    cut(text.trimEnd(), max)
      .split(/\r\n|[\r\n]/)
      .join(lineBreak),
    2 * max
  ).replaceAll(lineBreak, "\\n")

/** What else there is to know of a result. */
export const noteLine = (note: string): string => `note: ${oneLine(note, 2_000)}`

/** A line of ours that is certain to be one line, whatever stands in it. */
export const asLine = (line: string): string => line.toWellFormed().replace(unseen, " ")

/** "1 cookie", "2 cookies". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

/** Text of a page as a block: its line breaks stay. */
export const block = (text: string): string => text.toWellFormed().replace(/\r\n?/g, "\n").replace(unseenButLines, "")

/** A URL for a line of ours. */
export const address = (url: string): string => oneLine(url, 400).replaceAll(" ", "%20")

/** At most ten items of ours, and how many more there are. */
export const named = (items: ReadonlyArray<string>): string =>
  items.length > 10 ? `${items.slice(0, 10).join(", ")} and ${items.length - 10} more` : items.join(", ")

const more = (count: number, what: string) => `[cut: ${count} more ${what} not shown]`

/** Bounds lines to `limit` characters in all; what is left out is said in the last one. */
export const boundedLines = (lines: ReadonlyArray<string>, limit: number): string => {
  const whole = lines.join("\n")
  if (whole.length <= limit) return whole
  const room = limit - more(lines.length, "lines").length - 1
  let used = 0
  let kept = 0
  for (const line of lines) {
    if (used + line.length + 1 > room) break
    used += line.length + 1
    kept++
  }
  return kept === 0 ? cut(whole, limit) : [...lines.slice(0, kept), more(lines.length - kept, "lines")].join("\n")
}

/** Bounds a block to `limit` characters; what is left out is said at its end. */
export const boundedBlock = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const note = (count: number) => `\n${more(count, "characters")}`
  const kept = Math.max(0, limit - note(text.length).length)
  return `${text.slice(0, kept).toWellFormed()}${note(text.length - kept)}`
}
