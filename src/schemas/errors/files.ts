/**
 * A file cannot be read, written or moved.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode } from "./code.ts"

/** The file may not be read, or is not there. */
export class ReadPathDenied extends Schema.TaggedError<ReadPathDenied>()("ReadPathDenied", {
  code: errorCode("BROWSER_READ_PATH_DENIED"),
  path: Schema.String,
  reason: Schema.String,
  /** what helps, where another root does not */
  remedy: Schema.optionalKey(Schema.NonEmptyString)
}) {
  override get message() {
    return `The file ${this.path} cannot be read: ${ended(this.reason)}`
  }
  get next() {
    return this.remedy ?? `Use a file under one of the read roots.`
  }
}

/** The path may not be written. */
export class WritePathDenied extends Schema.TaggedError<WritePathDenied>()("WritePathDenied", {
  code: errorCode("BROWSER_WRITE_PATH_DENIED"),
  path: Schema.String,
  reason: Schema.String,
  /** what helps, where another root does not */
  remedy: Schema.optionalKey(Schema.NonEmptyString)
}) {
  override get message() {
    return `The path ${this.path} cannot be written: ${ended(this.reason)}`
  }
  get next() {
    return this.remedy ?? `Use a path under one of the write roots.`
  }
}

/** Nothing there takes files. */
export class UploadNoInput extends Schema.TaggedError<UploadNoInput>()("UploadNoInput", {
  code: errorCode("BROWSER_UPLOAD_NO_INPUT"),
  selector: Schema.String
}) {
  override get message() {
    return `${this.selector} matches nothing that takes a file.`
  }
  get next() {
    return `Name the file input, its label or the button that opens the file chooser.`
  }
}

/** The file was not taken. */
export class UploadFailed extends Schema.TaggedError<UploadFailed>()("UploadFailed", {
  code: errorCode("BROWSER_UPLOAD_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `The upload failed: ${ended(this.reason)}`
  }
  get next() {
    return `Take a snapshot and try again.`
  }
}

/** The provider cannot download. */
export class DownloadUnsupported extends Schema.TaggedError<DownloadUnsupported>()("DownloadUnsupported", {
  code: errorCode("BROWSER_DOWNLOAD_UNSUPPORTED"),
  provider: Schema.String
}) {
  override get message() {
    return `The provider "${this.provider}" cannot download files.`
  }
  get next() {
    return `Use another provider.`
  }
}

/** The download did not complete; no partial file is left. */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  code: errorCode("BROWSER_DOWNLOAD_FAILED"),
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The download of ${this.url} failed: ${ended(this.reason)} No partial file was left.`
  }
  get next() {
    return `Check the address and try again.`
  }
}

/** The download is larger than allowed (bytes); no partial file is left. */
export class DownloadTooLarge extends Schema.TaggedError<DownloadTooLarge>()("DownloadTooLarge", {
  code: errorCode("BROWSER_DOWNLOAD_TOO_LARGE"),
  url: Schema.String,
  limit: Schema.Int
}) {
  override get message() {
    return `The download of ${this.url} is larger than ${this.limit} bytes. No partial file was left.`
  }
  get next() {
    return `Raise the limit in the configuration, or fetch a smaller file.`
  }
}

/** The provider has no access to cookies. */
export class AuthUnsupported extends Schema.TaggedError<AuthUnsupported>()("AuthUnsupported", {
  code: errorCode("BROWSER_AUTH_UNSUPPORTED"),
  provider: Schema.String
}) {
  override get message() {
    return `The provider "${this.provider}" cannot read or write cookies.`
  }
  get next() {
    return `Use another provider.`
  }
}

/** The cookie file holds nothing usable. */
export class AuthFileInvalid extends Schema.TaggedError<AuthFileInvalid>()("AuthFileInvalid", {
  code: errorCode("BROWSER_AUTH_FILE_INVALID"),
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The cookie file ${this.path} cannot be used: ${ended(this.reason)}`
  }
  get next() {
    return `Give a JSON array of cookies, or { "cookies": [...] }.`
  }
}

/** Clearing needs a domain, a name, or all: true. */
export class AuthScopeMissing extends Schema.TaggedError<AuthScopeMissing>()("AuthScopeMissing", {
  code: errorCode("BROWSER_AUTH_SCOPE_MISSING")
}) {
  override get message() {
    return `Clearing cookies needs a domain, a name, or all: true.`
  }
  get next() {
    return `Say which cookies to clear.`
  }
}
