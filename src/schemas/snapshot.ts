/** What an agent sees of a page: the elements that count, in reading order, with the text between them. */
import { Schema } from "effect"
import { Dialog, DialogRecord } from "./dialog.ts"
import { FrameId, SnapshotId, TabId } from "./ids.ts"

/** A tab of the session. */
export const TabInfo = Schema.Struct({
  id: TabId,
  url: Schema.String,
  title: Schema.String,
  active: Schema.Boolean.annotate({ description: "true for the tab that page tools act on" }),
  failed: Schema.optionalKey(Schema.String.annotate({ description: "why its page could not be loaded" })),
  opener: Schema.optionalKey(TabId.annotate({ description: "tab that opened this one" })),
  closed: Schema.optionalKey(Schema.Literal(true).annotate({ description: "it has closed" }))
})
export type TabInfo = typeof TabInfo.Type

/** One element. Positions are CSS px of the top document's viewport. */
export const SnapshotElement = Schema.Struct({
  ref: Schema.Int.annotate({ description: "reference, for tools that act on an element" }),
  kind: Schema.String.annotate({ description: "role: button, link, textbox, checkbox, heading, text, image, ..." }),
  label: Schema.String.annotate({ description: "accessible name, or the text" }),
  loc: Schema.String.annotate({ description: "short description of where it stands, for people" }),
  x: Schema.Finite.annotate({ description: "centre" }),
  y: Schema.Finite.annotate({ description: "centre" }),
  width: Schema.Finite,
  height: Schema.Finite,
  value: Schema.optionalKey(Schema.String.annotate({ description: "current value; passwords are masked" })),
  states: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description:
        "checked, mixed, disabled, expanded, collapsed, selected, pressed, required, invalid, readonly, focused, offscreen, covered"
    })
  ),
  options: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "of a closed list: the options that were looked for; browser_fill chooses one by this ref"
    })
  ),
  frame: Schema.optionalKey(FrameId.annotate({ description: "frame it stands in; absent: the top document" }))
})
export type SnapshotElement = typeof SnapshotElement.Type

/** A frame as published in `frame_tree`. */
export const FrameNode = Schema.Struct({
  frame_id: FrameId,
  url: Schema.String,
  origin: Schema.String,
  is_oopif: Schema.Boolean,
  parent_frame_id: Schema.optionalKey(FrameId),
  name: Schema.optionalKey(Schema.String)
})
export type FrameNode = typeof FrameNode.Type

/** A frame by its address, for elements that stand in it. */
export const FrameName = Schema.Struct({
  frame_id: FrameId,
  url: Schema.String,
  parent_frame_id: Schema.optionalKey(FrameId)
})
export type FrameName = typeof FrameName.Type

/** The frames of a tab: at most 30 children and out-of-process depth 2 unless the whole tree is asked for. */
export const FrameTree = Schema.Struct({
  top: Schema.NullOr(FrameNode),
  children: Schema.Array(FrameNode),
  truncated: Schema.Boolean
})
export type FrameTree = typeof FrameTree.Type

/** A bot check that stands in the way. */
export const Challenge = Schema.Struct({
  blocked: Schema.Boolean,
  kind: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
})
export type Challenge = typeof Challenge.Type

/** A snapshot. Its references stay usable for as long as what they mean is there; the ten latest of a tab are kept. */
export const Snapshot = Schema.Struct({
  snapshotId: SnapshotId,
  tabId: TabId,
  url: Schema.String,
  status: Schema.optionalKey(Schema.Int.annotate({ description: "HTTP status of the page, unless it is 2xx" })),
  title: Schema.optionalKey(Schema.String),
  elements: Schema.Array(SnapshotElement),
  truncated: Schema.optionalKey(Schema.Boolean.annotate({ description: "true if elements were left out" })),
  total: Schema.optionalKey(Schema.Int.annotate({ description: "number of elements before the cut" })),
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "pass it to get the next page" })),
  since: Schema.optionalKey(
    SnapshotId.annotate({ description: "earlier snapshot; elements then holds what is new or changed" })
  ),
  removed: Schema.optionalKey(
    Schema.Array(Schema.Int).annotate({ description: "references of the earlier snapshot that are gone" })
  ),
  loading: Schema.optionalKey(Schema.Boolean.annotate({ description: "true if the page was still loading" })),
  note: Schema.optionalKey(Schema.String.annotate({ description: "what kept the snapshot from being whole" })),
  challenge: Schema.optionalKey(Challenge),
  userControlling: Schema.optionalKey(Schema.Boolean),
  pending_dialogs: Schema.optionalKey(Schema.Array(Dialog)),
  recent_dialogs: Schema.optionalKey(Schema.Array(DialogRecord)),
  frame_tree: Schema.optionalKey(FrameTree)
})
export type Snapshot = typeof Snapshot.Type
