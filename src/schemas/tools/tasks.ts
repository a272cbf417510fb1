/** Parameters and results of the tools about tasks and control. */
import { Schema } from "effect"
import { TaskKey } from "../ids.ts"
import { TaskInfo, TaskOwner, TaskStatus } from "../tasks.ts"
import { optionalText } from "./common.ts"

export const TasksResult = Schema.Struct({ tasks: Schema.Array(TaskInfo) })

export const HandoffParams = Schema.Struct({
  state: Schema.Literals(["waiting-user", "agent"]).annotate({
    description: "waiting-user: give control to the person; agent: take it, once the person has handed it back"
  })
})
export const HandoffResult = Schema.Struct({
  key: TaskKey,
  label: Schema.String,
  status: TaskStatus,
  control: TaskOwner
})

export const SpaceParams = Schema.Struct({
  label: optionalText("name of this task for people; absent: list the names of all tasks")
})
export const SpaceResult = Schema.Struct({
  label: Schema.optionalKey(Schema.String),
  spaces: Schema.optionalKey(Schema.Array(Schema.Struct({ key: TaskKey, label: Schema.String })))
})

export const RestrictParams = Schema.Struct({
  allowed: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).annotate({
      description: "the only tools that this task may use from now on; empty or absent: as the operator allows"
    })
  )
})
export const RestrictResult = Schema.Struct({
  restrictedTo: Schema.Array(Schema.String).annotate({ description: "tools that the task may use; empty: all" })
})
