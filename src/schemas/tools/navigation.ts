/** Parameters and results of the tools that move between pages and tabs. */
import { Schema } from "effect"
import { SessionId, TabId } from "../ids.ts"
import { Snapshot, TabInfo } from "../snapshot.ts"
import { optionalText, optionalWith, outcome, timeoutMs } from "./common.ts"

export const OpenParams = Schema.Struct({
  url: Schema.NonEmptyString.annotate({ description: "http or https address" }),
  newTab: optionalWith(Schema.Boolean.annotate({ description: "open it in a new tab" }), false),
  space: optionalText("label of the task, for people"),
  timeoutMs
})
export const OpenResult = Snapshot

const note = Schema.optionalKey(
  Schema.String.annotate({ description: "how the page before was left, or why not, and what else there is to know" })
)

export const HistoryMoveParams = Schema.Struct({ timeoutMs })
export const HistoryMoveResult = Schema.Struct({
  navigated: Schema.Boolean.annotate({
    description: "false if there is no entry in that direction, or a dialog is in the way"
  }),
  url: Schema.String,
  ...outcome,
  note
})

export const ReloadParams = Schema.Struct({ timeoutMs })
export const ReloadResult = Schema.Struct({ reloaded: Schema.Boolean, url: Schema.String, ...outcome, note })

export const NoParams = Schema.Record(Schema.String, Schema.Never)

export const StopResult = Schema.Struct({ stopped: Schema.Boolean })

const dialogNote = Schema.optionalKey(Schema.String.annotate({ description: "dialogs that are open" }))

export const ListTabsResult = Schema.Struct({ tabs: Schema.Array(TabInfo), note: dialogNote })

export const TabParams = Schema.Struct({ tabId: TabId })
export const SwitchTabResult = Schema.Struct({ switched: Schema.Boolean, tab: TabInfo, note: dialogNote })
export const CloseTabResult = Schema.Struct({
  closed: Schema.Boolean,
  active: TabId.annotate({ description: "tab that page tools act on now" })
})

export const SessionResult = Schema.Struct({
  session: SessionId,
  provider: Schema.String,
  tabs: Schema.Array(TabInfo),
  note: dialogNote
})

export const ResetResult = Schema.Struct({ reset: Schema.Boolean })
export const SessionResetResult = Schema.Struct({ ...ResetResult.fields, note: Schema.optionalKey(Schema.String) })
