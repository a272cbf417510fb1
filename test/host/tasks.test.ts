import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Tasks from "../../host/core/tasks.ts"
import { HostTaskId, ViewId } from "../../src/schemas/HostProtocol.ts"
import { DialogId } from "../../src/schemas/ids.ts"

const number = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 }))
const Action = Schema.Struct({
  kind: Schema.Literals(["open", "close", "add", "addHidden", "remove", "show", "select", "label", "dialog"]),
  task: number,
  view: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
})
type Action = typeof Action.Type
const input = { actions: Schema.Array(Action) }
const options = { arbitrary: { runs: 400, size: 60 } }

const taskId = (task: number) => HostTaskId.make(`task-${task}`)
const viewId = (view: number) => ViewId.make(`v${view}`)

const step = (tasks: Tasks.Tasks, { kind, task, view }: Action): Tasks.Tasks => {
  switch (kind) {
    case "open":
      return Tasks.openTask(tasks, taskId(task), `task ${task}`)
    case "close":
      return Tasks.closeTask(tasks, taskId(task))
    case "add":
    case "addHidden":
      // a view belongs to one task for life
      return Tasks.taskOf(tasks, viewId(view)) === undefined
        ? Tasks.addView(tasks, taskId(task), viewId(view), kind === "addHidden")
        : tasks
    case "remove":
      return Tasks.removeView(tasks, viewId(view))
    case "show":
      return Tasks.showView(tasks, viewId(view))
    case "select":
      return Tasks.selectTask(tasks, taskId(task))
    case "label":
      return Tasks.presentTask(tasks, taskId(task), {
        label: "renamed",
        control: "human",
        status: "waiting-user",
        waiting: 1
      })
    case "dialog":
      return Tasks.showDialogs(tasks, viewId(view), [
        { id: DialogId.make("d-1"), type: "alert", message: "", origin: "" }
      ])
  }
}

/** All states on the way, with the action that led to each. */
const play = (actions: ReadonlyArray<Action>) => {
  const moments: Array<{ readonly action: Action; readonly before: Tasks.Tasks; readonly after: Tasks.Tasks }> = []
  let tasks = Tasks.noTasks
  for (const action of actions) {
    const after = step(tasks, action)
    moments.push({ action, before: tasks, after })
    tasks = after
  }
  return moments
}

const canBeSeen = (tasks: Tasks.Tasks) =>
  tasks.entries.some((task) => task.views.some((view) => !task.background.has(view)))

describe("whatever tasks and views come and go", () => {
  it.prop(
    "something is in front exactly if there is anything that a person may see",
    input,
    ({ actions }) => {
      for (const { after } of play(actions)) {
        assert.strictEqual(Tasks.frontView(after) !== undefined, canBeSeen(after))
      }
    },
    options
  )

  it.prop(
    "the active view of a task is one of its own, and none that works in the background",
    input,
    ({ actions }) => {
      for (const { after } of play(actions)) {
        for (const task of after.entries) {
          if (task.active === undefined) assert.isTrue(task.views.every((view) => task.background.has(view)))
          else assert.isTrue(task.views.includes(task.active) && !task.background.has(task.active))
        }
      }
    },
    options
  )

  it.prop(
    "what an agent does in one task never takes another one from the person's sight",
    input,
    ({ actions }) => {
      for (const { action, after, before } of play(actions)) {
        const chosen = Tasks.findTask(before, before.visible)
        const hadSomething = chosen !== undefined && Tasks.frontView(before) !== undefined
        if (!hadSomething || action.kind === "select") continue
        const stillThere = Tasks.findTask(after, chosen.id)?.active !== undefined
        if (stillThere) assert.strictEqual(after.visible, chosen.id)
      }
    },
    options
  )

  it.prop(
    "a choice of the person holds, if that task has something to show",
    input,
    ({ actions }) => {
      for (const { action, after } of play(actions)) {
        if (action.kind !== "select") continue
        const chosen = Tasks.findTask(after, taskId(action.task))
        if (chosen?.active !== undefined) assert.strictEqual(after.visible, chosen.id)
      }
    },
    options
  )
})

describe("the title of the window", () => {
  it("names page, task and program, and leaves out what is empty", () => {
    const tasks = Tasks.addView(Tasks.openTask(Tasks.noTasks, taskId(1), "Shopping"), taskId(1), viewId(1), false)
    assert.strictEqual(Tasks.windowTitle(tasks, "effect-browser", "Cart"), "Cart · Shopping · effect-browser")
    assert.strictEqual(Tasks.windowTitle(tasks, "effect-browser", " "), "Shopping · effect-browser")
    assert.strictEqual(Tasks.windowTitle(Tasks.noTasks, "effect-browser", undefined), "effect-browser")
  })
})
