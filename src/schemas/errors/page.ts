/**
 * Reading from or drawing the page failed.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode } from "./code.ts"

/** The snapshot failed as a whole. */
export class SnapshotFailed extends Schema.TaggedError<SnapshotFailed>()("SnapshotFailed", {
  code: errorCode("BROWSER_SNAPSHOT_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `The snapshot failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** Reading the content failed as a whole. */
export class ContentFailed extends Schema.TaggedError<ContentFailed>()("ContentFailed", {
  code: errorCode("BROWSER_CONTENT_FAILED"),
  reason: Schema.String,
  /** what helps, where that is known */
  remedy: Schema.optionalKey(Schema.NonEmptyString)
}) {
  override get message() {
    return `Reading the content failed: ${ended(this.reason)}`
  }
  get next() {
    return this.remedy ?? `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** Running the script failed as a whole. */
export class ExecuteFailed extends Schema.TaggedError<ExecuteFailed>()("ExecuteFailed", {
  code: errorCode("BROWSER_EXECUTE_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `Running the script failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** Scrolling failed as a whole. */
export class ScrollFailed extends Schema.TaggedError<ScrollFailed>()("ScrollFailed", {
  code: errorCode("BROWSER_SCROLL_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `Scrolling failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** The screenshot failed as a whole. */
export class ScreenshotFailed extends Schema.TaggedError<ScreenshotFailed>()("ScreenshotFailed", {
  code: errorCode("BROWSER_SCREENSHOT_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `The screenshot failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** Printing to PDF failed as a whole. */
export class PdfFailed extends Schema.TaggedError<PdfFailed>()("PdfFailed", {
  code: errorCode("BROWSER_PDF_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `Printing to PDF failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** Looking for a challenge failed as a whole. */
export class ChallengeDetectFailed extends Schema.TaggedError<ChallengeDetectFailed>()("ChallengeDetectFailed", {
  code: errorCode("BROWSER_CHALLENGE_DETECT_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `Looking for a challenge failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** Highlighting failed as a whole. */
export class HighlightFailed extends Schema.TaggedError<HighlightFailed>()("HighlightFailed", {
  code: errorCode("BROWSER_HIGHLIGHT_FAILED"),
  reason: Schema.String
}) {
  override get message() {
    return `Highlighting failed: ${ended(this.reason)}`
  }
  get next() {
    return `Try again after browser_snapshot; if the page stays broken, browser_reload.`
  }
}

/** The picture was taken but could not be written. */
export class ScreenshotSaveFailed extends Schema.TaggedError<ScreenshotSaveFailed>()("ScreenshotSaveFailed", {
  code: errorCode("BROWSER_SCREENSHOT_SAVE_FAILED"),
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The screenshot could not be written to ${this.path}: ${ended(this.reason)}`
  }
  get next() {
    return `Give another savePath, or leave it out to get the picture inline.`
  }
}

/** Neither a selector nor clear was given. */
export class HighlightInvalid extends Schema.TaggedError<HighlightInvalid>()("HighlightInvalid", {
  code: errorCode("BROWSER_HIGHLIGHT_INVALID")
}) {
  override get message() {
    return `browser_highlight needs a selector, or clear: true.`
  }
  get next() {
    return `Give one of them.`
  }
}
