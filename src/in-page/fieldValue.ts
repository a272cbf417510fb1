/** What may be asked of a field, and what it made of it. Nothing here touches the DOM. */
import { bare, collapse } from "./text.ts"

/** A value as a caller gives it. */
export type Asked = string | boolean | number | ReadonlyArray<string>

/** The value as one text. */
export const asText = (value: Asked): string => (Array.isArray(value) ? value.join(", ") : String(value))

/** The value as a list of choices. */
export const asChoices = (value: Asked): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(String) : [String(value)]

/** True or false, also in words; undefined for everything else: "yes" is not understood. */
export const asBoolean = (value: Asked): boolean | undefined =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : undefined

/** The form that a kind of field takes its value in. */
export const expectedForm: Readonly<Record<string, string>> = {
  date: "a date as YYYY-MM-DD",
  time: "a time as HH:MM (24 hours)",
  "datetime-local": "date and time as YYYY-MM-DDTHH:MM",
  month: "a month as YYYY-MM",
  week: "a week as YYYY-Www, such as 2027-W05",
  color: "a colour as #rrggbb",
  number: "a number such as 12.5",
  range: "a number"
}

const day = String.raw`\d{4,6}-\d\d-\d\d`
const clock = String.raw`\d\d:\d\d(:\d\d(\.\d{1,3})?)?`

/** The forms of what there may be none of, and what that is. */
const forms: Readonly<Record<string, readonly [form: RegExp, what: string]>> = {
  date: [new RegExp(`^${day}$`), "day"],
  time: [new RegExp(`^${clock}$`), "time"],
  "datetime-local": [new RegExp(`^${day}[T ]${clock}$`), "day or time"],
  month: [/^\d{4,6}-\d\d$/, "month"],
  week: [/^\d{4,6}-W\d\d$/, "week"]
}

/** For a value in the form that its kind of field takes, which the field does not take all the same: what there is none of. */
export const whatIsAbsent = (type: string, text: string): string | undefined => {
  const [form, what] = forms[type] ?? []
  return form?.test(text) === true ? what : undefined
}

const lines = (text: string): string => text.replace(/\r\n?/g, "\n")

/** How the text that a field holds agrees with the text that was asked for. */
export const agreement = (
  asked: string,
  held: string,
  numeric: boolean
): "same" | "reformatted" | "empty" | "other" => {
  if (lines(asked) === lines(held)) return "same"
  if (held.trim() === "") return "empty"
  if (numeric) return asked.trim() !== "" && Number(asked) === Number(held) ? "same" : "other"
  if (collapse(asked) === collapse(held)) return "same"
  return bare(asked) !== "" && bare(asked) === bare(held) ? "reformatted" : "other"
}

/** Which of the options are meant: by value first, then by text, then by text in any case. */
export const chooseOption = (
  options: ReadonlyArray<{ readonly value: string; readonly text: string }>,
  wanted: string
): number => {
  const text = collapse(wanted)
  const lower = text.toLowerCase()
  const rules: ReadonlyArray<(option: { readonly value: string; readonly text: string }) => boolean> = [
    (option) => option.value === wanted,
    (option) => option.text === text,
    (option) => option.text.toLowerCase() === lower,
    (option) => option.value.toLowerCase() === lower
  ]
  for (const rule of rules) {
    const index = options.findIndex(rule)
    if (index >= 0) return index
  }
  return -1
}

/** The options for a refusal: at most 20, and how many there are beside them. */
export const listOptions = (texts: ReadonlyArray<string>): string => {
  const shown = texts.slice(0, 20).map((text) => `"${text}"`)
  return texts.length > shown.length ? `${shown.join(", ")} and ${texts.length - shown.length} more` : shown.join(", ")
}
