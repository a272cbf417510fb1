/** Identifiers as brands: one kind of id cannot be passed for another. */
import { Schema } from "effect"

/** Name of a registered browser provider, as in configuration ("chromium", "electron"). */
export const ProviderId = Schema.NonEmptyString.pipe(Schema.brand("ProviderId"))
export type ProviderId = typeof ProviderId.Type

/** Key of a task: the unit that owns one session, one lane and one history. */
export const TaskKey = Schema.NonEmptyString.pipe(Schema.brand("TaskKey"))
export type TaskKey = typeof TaskKey.Type

/** Id of an open session, unique in this process. */
export const SessionId = Schema.NonEmptyString.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** Id of a tab as the agent sees it: "t1", "t2", ... unique in its session and never reused. */
export const TabId = Schema.NonEmptyString.pipe(Schema.brand("TabId"))
export type TabId = typeof TabId.Type

/** Id of a snapshot: "s1", "s2", ... unique in its session and never reused. */
export const SnapshotId = Schema.NonEmptyString.pipe(Schema.brand("SnapshotId"))
export type SnapshotId = typeof SnapshotId.Type

/** Id of a JavaScript dialog: "d-1", "d-2", ... unique in its session and never reused. */
export const DialogId = Schema.NonEmptyString.pipe(Schema.brand("DialogId"))
export type DialogId = typeof DialogId.Type

/** `Target.TargetID` of the Chrome DevTools Protocol. */
export const TargetId = Schema.NonEmptyString.pipe(Schema.brand("TargetId"))
export type TargetId = typeof TargetId.Type

/** `Target.SessionID` of the Chrome DevTools Protocol (flattened sessions). */
export const CdpSessionId = Schema.NonEmptyString.pipe(Schema.brand("CdpSessionId"))
export type CdpSessionId = typeof CdpSessionId.Type

/** `Page.FrameId` of the Chrome DevTools Protocol; stable through process swaps. */
export const FrameId = Schema.NonEmptyString.pipe(Schema.brand("FrameId"))
export type FrameId = typeof FrameId.Type

/** `Browser.BrowserContextID` of the Chrome DevTools Protocol. */
export const BrowserContextId = Schema.NonEmptyString.pipe(Schema.brand("BrowserContextId"))
export type BrowserContextId = typeof BrowserContextId.Type
