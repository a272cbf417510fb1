/** What of a call is kept in the history: pure. */
import type { Schema } from "effect"
import type { HistoryEntry } from "../schemas/history.ts"
import { historyLimits, secretMark } from "../schemas/history.ts"

type Params = HistoryEntry["params"]

/** Arguments fit to be kept, and whether something was left out of them. */
export interface Recorded {
  readonly params: Params
  readonly secret: boolean
  readonly truncated: boolean
}

/** The arguments with some of them left out, and a mark in their place. */
export const withoutArguments = (params: Params, names: ReadonlyArray<string>, mark = secretMark): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, names.includes(name) ? mark : value]))

const clipped = (value: Schema.Json): Schema.Json =>
  typeof value === "string"
    ? value.length <= historyLimits.text
      ? value
      : value.slice(0, historyLimits.text)
    : Array.isArray(value)
      ? value.map(clipped)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clipped(inner)]))
        : value

/** `shown`: the arguments without what is secret; the same object if nothing is. */
export const recordedOf = (params: Params, shown: Params): Recorded => {
  const short = clipped(shown) as Params
  const tooMuch = JSON.stringify(short).length > historyLimits.params
  return {
    params: tooMuch ? {} : short,
    secret: shown !== params,
    truncated: tooMuch || JSON.stringify(short) !== JSON.stringify(shown)
  }
}

/** Whether a step can be done again by what is kept of it. */
export const replayOf = (replayable: boolean, { secret, truncated }: Recorded): HistoryEntry["replay"] =>
  !replayable ? "no" : secret ? "secret" : truncated ? "truncated" : "yes"

/** A value of an entry as it is shown: strings cut, whatever their depth. */
export const shownValue = (value: Schema.Json): Schema.Json =>
  typeof value === "string"
    ? value.length <= historyLimits.shown
      ? value
      : `${value.slice(0, historyLimits.shown - 1).toWellFormed()}…`
    : Array.isArray(value)
      ? value.slice(0, 50).map(shownValue)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shownValue(inner)]))
        : value
