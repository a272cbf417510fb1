/** One step of a story: a tool, what it is called with, and what must come of it. */
import { Option, Schema } from "effect"
import type { BrowserErrorCode } from "../../schemas/errors.ts"
import { SnapshotElement } from "../../schemas/snapshot.ts"

/** The structured results of the steps so far, by step. */
export type Told = ReadonlyMap<string, unknown>

/** What a tool is called with, or why it cannot be called. */
export type StepArguments = { readonly args: { readonly [key: string]: unknown } } | { readonly problem: string }

/** What came of a step: lines to show, or what is wrong with it. */
export type Verdict = { readonly shows: ReadonlyArray<string> } | { readonly problem: string }

export interface StoryStep {
  /** by which later steps find its result */
  readonly id: string
  readonly title: string
  readonly tool: string
  readonly args: (told: Told) => StepArguments
  /** the step is left out unless this holds */
  readonly onlyIf?: (told: Told) => boolean
  /** the code that the tool must fail with; absent: it must succeed */
  readonly refusedWith?: BrowserErrorCode
  /** what to look for in the result of a tool that succeeded */
  readonly judge: (result: unknown) => Verdict
}

/** Reads a result by the parts that a step needs. */
export const judging =
  <S extends Schema.Codec<unknown, unknown>>(schema: S, judge: (value: S["Type"]) => Verdict) =>
  (result: unknown): Verdict =>
    Option.match(Schema.decodeUnknownOption(schema)(result), {
      onNone: () => ({ problem: "the result does not have the expected form" }),
      onSome: judge
    })

/** A verdict by one condition. */
export const when = (holds: boolean, problem: string, ...shows: ReadonlyArray<string>): Verdict =>
  holds ? { shows } : { problem }

/** What snapshots, searches and acts say about elements. */
export const WithElements = Schema.Struct({
  snapshotId: Schema.optionalKey(Schema.String),
  elements: Schema.optionalKey(Schema.Array(SnapshotElement)),
  matches: Schema.optionalKey(Schema.Array(SnapshotElement)),
  changes: Schema.optionalKey(Schema.Struct({ snapshotId: Schema.String, elements: Schema.Array(SnapshotElement) }))
})

/** The elements that a result lists. */
export const elementsOf = (result: typeof WithElements.Type): ReadonlyArray<SnapshotElement> => [
  ...(result.elements ?? []),
  ...(result.matches ?? []),
  ...(result.changes?.elements ?? [])
]

/** Arguments that name the element with a label, as an earlier step saw it. */
export const reference = (told: Told, step: string, label: string): StepArguments => {
  const result = Option.getOrUndefined(Schema.decodeUnknownOption(WithElements)(told.get(step)))
  const found = result === undefined ? undefined : elementsOf(result).find((element) => element.label === label)
  const snapshotId = result?.changes?.snapshotId ?? result?.snapshotId
  return found === undefined || snapshotId === undefined
    ? { problem: `the step "${step}" showed no element "${label}"` }
    : { args: { ref: found.ref, snapshotId } }
}

/** Arguments that depend on nothing. */
export const plain = (args: { readonly [key: string]: unknown }) => (): StepArguments => ({ args })

/** An element in one line. */
export const brief = ({ kind, label, ref, value }: SnapshotElement): string =>
  kind === "text" ? `- ${label}` : `[${ref}] ${kind} "${label}"${value === undefined ? "" : ` = "${value}"`}`
