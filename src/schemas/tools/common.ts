/** Pieces that the parameters and results of several tools share. */
import { Effect, Schema } from "effect"
import { Dialog } from "../dialog.ts"
import { SnapshotId } from "../ids.ts"
import { FrameName, SnapshotElement, TabInfo } from "../snapshot.ts"

/** A parameter that takes `value` when it is absent; its JSON Schema shows the default. */
export const optionalWith = <S extends Schema.Top>(schema: S, value: S["Encoded"] & S["Type"]) => {
  const shown = schema.annotate({ default: value }) as S
  return shown.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))
}

/** An optional text that is not empty. */
export const optionalText = (description: string) => Schema.optionalKey(Schema.NonEmptyString.annotate({ description }))

/** What `timeoutMs` is, unless a tool says otherwise. */
export const callLimit = "time limit in ms"

/** A budget of the caller in ms; it can only narrow the tool's own. */
export const timeoutMs = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 600_000 })).annotate({ description: callLimit })
)

const snapshotId = SnapshotId.annotate({ description: "snapshot that the reference is from" })

/** Reference to an element of a snapshot: a number alone could mean another element after a navigation. */
export const reference = {
  snapshotId,
  ref: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "reference of the element" })
} as const

/** A reference that may be absent as a whole; {@link referenceIsWhole} refuses half of one. */
export const optionalReference = {
  snapshotId: Schema.optionalKey(reference.snapshotId),
  ref: Schema.optionalKey(reference.ref)
} as const
export const referenceIsWhole = Schema.makeFilter(
  (value: { readonly ref?: number; readonly snapshotId?: string }) =>
    value.ref === undefined || value.snapshotId !== undefined || "ref needs the snapshotId that it is from"
)

/** How something is named, in words, and the arguments that name it in that way. */
type Ways = { readonly [way: string]: ReadonlyArray<string> }

/**
 * Refuses arguments that name a thing in several ways: which one was meant nobody can know. Arguments of one way that
 * belong together must all be there.
 */
export const namedOnce = (what: string, ways: Ways) =>
  Schema.makeFilter((value: object) => {
    const has = (name: string) => Reflect.get(value, name) !== undefined
    const named = Object.keys(ways).filter((way) => ways[way]?.some(has))
    if (named.length > 1) return `must name ${what} in one way only, not by ${named.join(" and by ")}`
    const half = named.find((way) => ways[way]?.every(has) === false)
    return half === undefined || `must give ${ways[half]?.join(" and ")} together`
  })

/** A reference or a selector, not both. */
export const elementIsNamedOnce = namedOnce("the element", { ref: ["ref"], selector: ["selector"] })

export const Modifier = Schema.Literals(["alt", "ctrl", "meta", "shift"])
export type Modifier = typeof Modifier.Type

export const modifiers = Schema.optionalKey(
  Schema.Array(Modifier).annotate({ description: "keys held down meanwhile" })
)

/** Downloads that an act started. */
export const DownloadInfo = Schema.Struct({
  url: Schema.String,
  suggestedName: Schema.String,
  state: Schema.Literals(["running", "saved", "refused", "failed"]),
  path: Schema.optionalKey(Schema.String.annotate({ description: "where it is, or will be when it is whole" })),
  bytes: Schema.optionalKey(Schema.Int),
  reason: Schema.optionalKey(Schema.String.annotate({ description: "why it was refused or failed" }))
})
export type DownloadInfo = typeof DownloadInfo.Type

const named = { ref: Schema.Int, label: Schema.String } as const

const blocked = { url: Schema.String, reason: Schema.String } as const

/**
 * What an act brought about, as far as it was over when the tool answered. `changes` compares with the latest snapshot
 * of the tab and carries references that can be used at once.
 */
export const outcome = {
  dialog: Schema.optionalKey(Dialog.annotate({ description: "dialog that opened; answer it with browser_dialog" })),
  navigatedTo: Schema.optionalKey(Schema.String.annotate({ description: "URL that the tab went to" })),
  status: Schema.optionalKey(Schema.Int.annotate({ description: "HTTP status of that page, unless it is 2xx" })),
  blocked: Schema.optionalKey(
    Schema.Struct({
      ...blocked,
      also: Schema.optionalKey(Schema.Array(Schema.Struct(blocked)).annotate({ description: "further ones" }))
    }).annotate({ description: "address that the tab, or a window of it, was led to and did not reach" })
  ),
  newTabs: Schema.optionalKey(Schema.Array(TabInfo)),
  note: Schema.optionalKey(
    Schema.String.annotate({ description: "what else there is to know, such as that the tab has closed" })
  ),
  downloads: Schema.optionalKey(Schema.Array(DownloadInfo)),
  unsettled: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "true if the page was still busy when the time for settling was over" })
  ),
  changes: Schema.optionalKey(
    Schema.Struct({
      snapshotId: SnapshotId,
      title: Schema.optionalKey(Schema.String.annotate({ description: "title of the page, if it is another one" })),
      elements: Schema.Array(SnapshotElement).annotate({ description: "new or changed" }),
      frames: Schema.optionalKey(Schema.Array(FrameName).annotate({ description: "frames that they stand in" })),
      removed: Schema.Array(Schema.Int).annotate({ description: "references that are gone" }),
      moved: Schema.optionalKey(
        Schema.Array(Schema.Struct({ ...named, before: Schema.optionalKey(Schema.Struct(named)) })).annotate({
          description: "what stands elsewhere among the others, and before what; at most 10"
        })
      ),
      truncated: Schema.optionalKey(Schema.Boolean)
    })
  )
} as const
export const Outcome = Schema.Struct(outcome)
export type Outcome = typeof Outcome.Type

/** Beside the outcome of what may send a form. */
export const unsent = {
  unsent: Schema.optionalKey(
    Schema.Struct({
      fields: Schema.Array(
        Schema.Struct({ ref: Schema.optionalKey(Schema.Int), target: Schema.String, reason: Schema.String })
      ).annotate({ description: "what the browser says of them; at most 10" }),
      total: Schema.Int
    }).annotate({ description: "form that the browser did not send, since fields of it are invalid" })
  )
} as const
const ActOutcome = Schema.Struct({ ...outcome, ...unsent })
export type ActOutcome = typeof ActOutcome.Type
