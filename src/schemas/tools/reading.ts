/** Parameters and results of the tools that look at a page. */
import { Schema } from "effect"
import { SnapshotId } from "../ids.ts"
import { FrameName, Snapshot, SnapshotElement } from "../snapshot.ts"
import {
  elementIsNamedOnce,
  optionalReference,
  optionalText,
  optionalWith,
  outcome,
  referenceIsWhole,
  timeoutMs
} from "./common.ts"

export const SnapshotParams = Schema.Struct({
  query: optionalText("only elements whose kind or label contains this"),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })).annotate({
      description: "at most this many elements"
    })
  ),
  interactive: optionalWith(Schema.Boolean.annotate({ description: "only elements that can be acted on" }), false),
  ...optionalReference,
  selector: optionalText("only what stands inside the first element that matches"),
  since: Schema.optionalKey(SnapshotId.annotate({ description: "only what is new or changed since this snapshot" })),
  cursor: optionalText("next page of a truncated snapshot"),
  wholeFrameTree: optionalWith(Schema.Boolean.annotate({ description: "frame_tree without its cap" }), false)
}).check(referenceIsWhole, elementIsNamedOnce)
export type SnapshotParams = typeof SnapshotParams.Type
export const SnapshotResult = Snapshot

export const ContentFormat = Schema.Literals(["html", "markdown", "txt", "json"])
export const ContentParams = Schema.Struct({
  format: ContentFormat,
  selector: optionalText("only the first element that matches"),
  maxChars: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 })).annotate({
      description: "at most this many characters"
    })
  ),
  timeoutMs
})
export type ContentParams = typeof ContentParams.Type
export const ContentResult = Schema.Struct({
  content: Schema.String,
  truncated: Schema.Boolean,
  total: Schema.Int.annotate({ description: "characters before the cut" }),
  note: Schema.optionalKey(Schema.String.annotate({ description: "what is missing, and how to get at it" }))
})

export const ExecuteParams = Schema.Struct({
  script: Schema.NonEmptyString.annotate({
    description: "an expression, statements (the last one's value counts) or a body with return; await works"
  }),
  args: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "args in the script" })),
  timeoutMs
})
export type ExecuteParams = typeof ExecuteParams.Type
export const ExecuteResult = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "false if the script threw" }),
  kind: Schema.optionalKey(
    Schema.Literals(["json", "undefined", "number", "bigint", "symbol", "function", "node", "unserialisable"]).annotate(
      {
        description: "what the value is; json: value is JSON text"
      }
    )
  ),
  value: Schema.optionalKey(Schema.String.annotate({ description: "the value as JSON text, or its description" })),
  truncated: Schema.optionalKey(Schema.Boolean),
  exception: Schema.optionalKey(Schema.String),
  ...outcome
})

export const PictureFormat = Schema.Literals(["png", "jpeg", "webp"])
export type PictureFormat = typeof PictureFormat.Type

/** The format that a file's extension says; undefined: it says none that is known here. */
export const pictureFormatOf = (path: string): PictureFormat | undefined =>
  /\.png$/i.test(path) ? "png" : /\.jpe?g$/i.test(path) ? "jpeg" : /\.webp$/i.test(path) ? "webp" : undefined

const extensionFits = Schema.makeFilter(
  ({ format, savePath }: { readonly format?: PictureFormat; readonly savePath?: string }) => {
    if (savePath === undefined) return true
    const said = pictureFormatOf(savePath)
    if (said === undefined) return "must give a savePath that ends in .png, .jpg, .jpeg or .webp"
    return format === undefined || format === said || `must not ask for format ${format} in a file named as ${said}`
  }
)

export const ScreenshotParams = Schema.Struct({
  fullPage: optionalWith(Schema.Boolean.annotate({ description: "the whole page, not only the viewport" }), false),
  savePath: optionalText("file to write; absent: the picture is returned"),
  ...optionalReference,
  // absent is not its default: then the extension of savePath says it
  format: Schema.optionalKey(PictureFormat.annotate({ default: "png" })),
  timeoutMs
}).check(referenceIsWhole, extensionFits)
export type ScreenshotParams = typeof ScreenshotParams.Type
export const ScreenshotResult = Schema.Struct({
  image: Schema.optionalKey(Schema.String.annotate({ description: "base64; absent if written to a file" })),
  mimeType: Schema.String,
  width: Schema.Int.annotate({ description: "pixels" }),
  height: Schema.Int.annotate({ description: "pixels" }),
  scale: Schema.Finite.annotate({ description: "pixels per CSS px" }),
  bytes: Schema.Int,
  path: Schema.optionalKey(Schema.String),
  truncated: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "true if the page or element is larger than a picture can be" })
  ),
  note: Schema.optionalKey(Schema.String.annotate({ description: "what the picture leaves out, and how to get it" }))
})
export type ScreenshotResult = typeof ScreenshotResult.Type

export const FindParams = Schema.Struct({
  text: Schema.NonEmptyString.annotate({
    description: "part of a text or name, in any case"
  }),
  limit: optionalWith(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })), 20)
})
export const FindResult = Schema.Struct({
  snapshotId: SnapshotId,
  matches: Schema.Array(SnapshotElement),
  frames: Schema.optionalKey(Schema.Array(FrameName).annotate({ description: "frames that matches stand in" })),
  total: Schema.Int,
  truncated: Schema.Boolean,
  note: Schema.optionalKey(Schema.String.annotate({ description: "what was not looked through" }))
})

export const WaitParams = Schema.Struct({
  selector: optionalText("CSS selector"),
  text: optionalText("text that stands in the page"),
  gone: optionalText("text that must no longer be visible"),
  state: Schema.optionalKey(Schema.Literals(["visible", "attached", "hidden", "detached"])),
  visible: Schema.optionalKey(Schema.Boolean.annotate({ description: "false is the same as state attached" })),
  timeoutMs
})
export type WaitParams = typeof WaitParams.Type
export const WaitResult = Schema.Struct({
  found: Schema.Boolean,
  selector: Schema.optionalKey(Schema.String),
  tag: Schema.optionalKey(Schema.String),
  text: Schema.optionalKey(Schema.String.annotate({ description: "at most 200 characters" })),
  waitedMs: Schema.Int
})
