/** Parameters and results of the tools that move files between the page and the disk. */
import { Schema } from "effect"
import { elementIsNamedOnce, optionalReference, optionalText, outcome, referenceIsWhole, timeoutMs } from "./common.ts"

export const DownloadParams = Schema.Struct({
  url: Schema.NonEmptyString.annotate({ description: "http or https address" }),
  savePath: Schema.NonEmptyString.annotate({ description: "file to write" }),
  timeoutMs
})
export const DownloadResult = Schema.Struct({
  path: Schema.String,
  bytes: Schema.Int,
  name: Schema.String.annotate({ description: "as the server proposes it" }),
  url: Schema.String.annotate({ description: "after redirects" }),
  mimeType: Schema.optionalKey(Schema.String)
})

/** What takes the files unless the call says otherwise. */
export const defaultFileInput = "input[type=file]"

export const UploadParams = Schema.Struct({
  filePath: optionalText("file to give to the page"),
  filePaths: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString)
      .check(Schema.isMinLength(1), Schema.isMaxLength(100))
      .annotate({ description: "several files" })
  ),
  // absent is not its default: a reference may take its place
  selector: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "file input, its label, or the button that opens the file chooser",
      default: defaultFileInput
    })
  ),
  ...optionalReference,
  timeoutMs
}).check(referenceIsWhole, elementIsNamedOnce)
export type UploadParams = typeof UploadParams.Type
export const UploadResult = Schema.Struct({
  path: Schema.String.annotate({ description: "real path of the file, or of the first one" }),
  paths: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "real paths, if there are several" })),
  target: Schema.String.annotate({ description: "what took the files" }),
  ...outcome
})
