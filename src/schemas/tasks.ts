/** The state of a task as data: what it does and who is in control of its browser. */
import { Schema } from "effect"
import { TaskKey } from "./ids.ts"

/** `waiting-user`: a person is in control. `failed`: the latest act failed. */
export const TaskStatus = Schema.Literals(["idle", "running", "waiting-user", "failed"])
export type TaskStatus = typeof TaskStatus.Type

export const TaskOwner = Schema.Literals(["agent", "human"])
export type TaskOwner = typeof TaskOwner.Type

/** Bounds of what is kept for people to read. */
export const taskLimits = { action: 120, error: 180, label: 120 } as const

/** How a task stands, as a person who watches its pages is told. */
export const TaskPresentation = Schema.Struct({
  /** name for people */
  label: Schema.String,
  control: TaskOwner,
  status: TaskStatus,
  /** calls that wait until control is handed back */
  waiting: Schema.Natural
})
export type TaskPresentation = typeof TaskPresentation.Type

/** A task as others see it. */
export const TaskInfo = Schema.Struct({
  key: TaskKey,
  label: Schema.String.annotate({ description: "name for people; the key if it was given none" }),
  active: Schema.Boolean.annotate({ description: "true if it has an open session" }),
  tabs: Schema.Int,
  status: TaskStatus,
  control: TaskOwner,
  latestAction: Schema.optionalKey(Schema.String),
  waiting: Schema.optionalKey(Schema.Int.annotate({ description: "calls that wait until control is handed back" })),
  updatedAt: Schema.Finite.annotate({ description: "seconds since 1970" }),
  error: Schema.optionalKey(Schema.String.annotate({ description: "why the latest act failed" }))
})
export type TaskInfo = typeof TaskInfo.Type
