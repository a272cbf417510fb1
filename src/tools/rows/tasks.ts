/** Tools about tasks and who is in control of them. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import type { TaskInfo } from "../../schemas/tasks.ts"
import { NoParams } from "../../schemas/tools/navigation.ts"
import * as P from "../../schemas/tools/tasks.ts"
import type { ToolFacts, ToolRow } from "../ToolRow.ts"
import { taskTool } from "../ToolRow.ts"
import { counted, oneLine, quoted } from "../render/text.ts"
import { look } from "./facts.ts"

/** Needs no page, works while one is wedged, and is not the business of whoever drives the page. */
const beside = {
  ...look,
  core: false,
  lane: "free",
  session: "none",
  coalesced: false,
  budget: "input",
  whileDialog: "answers"
} as const satisfies Partial<ToolFacts>

const changes = { readOnly: false, destructive: false, idempotent: true, openWorld: false } as const

const taskLine = (task: TaskInfo): string =>
  [
    `${oneLine(task.key, 100)}${task.label === task.key ? "" : ` ${quoted(task.label, 120)}`}: ${task.status}`,
    `${task.control} in control`,
    task.active ? counted(task.tabs, "tab") : "no session",
    ...(task.latestAction === undefined ? [] : [`latest ${oneLine(task.latestAction, 120)}`]),
    ...(task.waiting === undefined ? [] : [`${task.waiting} waiting`]),
    ...(task.error === undefined ? [] : [oneLine(task.error, 180)])
  ].join(", ")

/** The names of all tools, given by the catalog, of which these rows are a part. */
export const taskRows = (names: () => ReadonlyArray<string>): ReadonlyArray<ToolRow> => [
  taskTool({
    ...beside,
    name: "browser_tasks",
    title: "List tasks",
    description: "List all tasks with their state and who is in control.",
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    parameters: NoParams,
    success: P.TasksResult,
    errors: [],
    run: ({ control }) => Effect.map(control.states, (tasks) => ({ tasks })),
    render: ({ tasks }) => ({ lines: tasks.length === 0 ? ["no tasks"] : tasks.map(taskLine) })
  }),
  taskTool({
    ...beside,
    name: "browser_handoff",
    title: "Hand over control",
    description: "Let a person take the browser (a login, a challenge); acting tools wait until they hand it back.",
    history: "handoff",
    annotations: { ...changes, openWorld: true },
    parameters: P.HandoffParams,
    success: P.HandoffResult,
    errors: [E.HandoffRefused],
    run: Effect.fnUntraced(function* ({ control, config, task }, { state }) {
      if (state === "waiting-user") yield* control.takeOver(task)
      const { key, label, status, control: owner } = yield* control.state(task)
      // only the person, or their silence, gives control back (L45)
      if (state === "agent" && owner === "human") {
        const minutes = Math.round(config.humanControlTimeoutMs / 60_000)
        return yield* new E.HandoffRefused({
          reason: `a person is in control; they hand it back, or it comes back after ${minutes} minutes without a sign of them`
        })
      }
      return { key, label, status, control: owner }
    }),
    render: ({ control, status }) => ({ lines: [`${control} in control, task ${status}`] })
  }),
  taskTool({
    ...beside,
    name: "browser_space",
    title: "Name the task",
    description: "Name this task for people, or list the names of all tasks.",
    history: "setSpace",
    annotations: changes,
    parameters: P.SpaceParams,
    success: P.SpaceResult,
    errors: [],
    run: Effect.fnUntraced(function* ({ control, task }, { label }) {
      if (label === undefined) {
        const tasks = yield* control.states
        return { spaces: tasks.map((one) => ({ key: one.key, label: one.label })) }
      }
      yield* control.setLabel(task, label)
      return { label: (yield* control.state(task)).label }
    }),
    render: ({ label, spaces }) => ({
      lines:
        label !== undefined
          ? [`this task is named ${quoted(label, 120)}`]
          : (spaces ?? []).length === 0
            ? ["no tasks"]
            : (spaces ?? []).map((space) => `${oneLine(space.key, 100)} ${quoted(space.label, 120)}`)
    })
  }),
  taskTool({
    ...beside,
    name: "browser_restrict",
    title: "Restrict tools",
    description: "Limit this task to some tools, within what the operator allows; an empty list lifts it.",
    history: "restrict",
    annotations: changes,
    parameters: P.RestrictParams,
    success: P.RestrictResult,
    errors: [E.RestrictUnknown],
    run: ({ control, task }, { allowed }) =>
      Effect.map(control.restrict(task, allowed ?? [], names()), (restrictedTo) => ({ restrictedTo })),
    render: ({ restrictedTo }) => ({
      lines: [
        restrictedTo.length === 0 ? "all tools are allowed" : `allowed: ${oneLine(restrictedTo.join(", "), 2_000)}`
      ]
    })
  })
]
