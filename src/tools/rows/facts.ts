/** The facts that most tools of a kind share; a row states what differs. */
import type { ToolFacts } from "../ToolRow.ts"

type Shared = Omit<ToolFacts, "name" | "title" | "description" | "session" | "budget"> & {
  readonly session: "required"
}

/** Of every tool, unless it says otherwise. */
const shared = {
  core: true,
  session: "required",
  history: undefined,
  secret: [],
  replayable: false,
  capability: undefined,
  timeoutIsWork: false,
  whileDialog: "refused"
} as const satisfies Partial<Shared>

/** A tool that changes the page. */
export const act: Shared = {
  ...shared,
  guarded: true,
  lane: "write",
  coalesced: false,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true }
}

/** A tool that only looks. */
export const look: Shared = {
  ...shared,
  guarded: false,
  lane: "read",
  coalesced: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true }
}
