/**
 * A reference of a snapshot cannot be used (any more).
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode, list } from "./code.ts"

/** The snapshot id is not kept for the active tab (ten are kept). */
export class SnapshotUnknown extends Schema.TaggedError<SnapshotUnknown>()("SnapshotUnknown", {
  code: errorCode("BROWSER_SNAPSHOT_UNKNOWN"),
  snapshotId: Schema.String,
  retained: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The snapshot "${this.snapshotId}" is not known in this tab (kept: ${list(this.retained)}).`
  }
  get next() {
    return `Call browser_snapshot and use its id.`
  }
}

/** What the reference meant is gone or has become something else; `reason` says what changed. */
export class SnapshotStale extends Schema.TaggedError<SnapshotStale>()("SnapshotStale", {
  code: errorCode("BROWSER_SNAPSHOT_STALE"),
  snapshotId: Schema.String,
  ref: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `Reference ${this.ref} of snapshot "${this.snapshotId}" is out of date: ${ended(this.reason)}`
  }
  get next() {
    return `Call browser_snapshot and use a reference of the new one.`
  }
}

/** That snapshot has no such reference. */
export class RefUnknown extends Schema.TaggedError<RefUnknown>()("RefUnknown", {
  code: errorCode("BROWSER_REF_UNKNOWN"),
  snapshotId: Schema.String,
  ref: Schema.Int
}) {
  override get message() {
    return `Snapshot "${this.snapshotId}" has no reference ${this.ref}.`
  }
  get next() {
    return `Use a number that stands in that snapshot.`
  }
}

/** The reference could not be looked up in the page. */
export class RefResolveFailed extends Schema.TaggedError<RefResolveFailed>()("RefResolveFailed", {
  code: errorCode("BROWSER_REF_RESOLVE_FAILED"),
  ref: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `Reference ${this.ref} could not be looked up: ${ended(this.reason)}`
  }
  get next() {
    return `Call browser_snapshot and try again.`
  }
}
