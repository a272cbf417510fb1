import { assert, describe, it } from "@effect/vitest"
import { barLimits, barState, originOf } from "../../host/core/barState.ts"
import * as Tasks from "../../host/core/tasks.ts"
import { HostTaskId, type ShownDialog, ViewId } from "../../src/schemas/HostProtocol.ts"
import { DialogId } from "../../src/schemas/ids.ts"

const taskId = (task: number) => HostTaskId.make(`task-${task}`)
const view = (number: number) => ViewId.make(`v${number}`)
const pageOf = (id: ViewId) => ({ url: `https://${id}.test/path?secret=1`, title: `Page ${id}` })
const dialog = (number: number, more: Partial<ShownDialog> = {}): ShownDialog => ({
  id: DialogId.make(`d-${number}`),
  type: "confirm",
  message: "Sure?",
  origin: "https://v1.test",
  ...more
})

/** Tasks, each with so many views; the first one is in front. */
const tasksWith = (...views: ReadonlyArray<number>): Tasks.Tasks => {
  let tasks = Tasks.noTasks
  let number = 0
  for (const [index, count] of views.entries()) {
    tasks = Tasks.openTask(tasks, taskId(index), `Task ${index}`)
    for (let added = 0; added < count; added++) tasks = Tasks.addView(tasks, taskId(index), view(++number), false)
  }
  return tasks
}

describe("the window's bar", () => {
  it("names tasks as people do, says who has control, and lists the tabs of the one in front", () => {
    const tasks = Tasks.presentTask(tasksWith(2, 1), taskId(0), {
      label: "Compare flights",
      control: "human",
      status: "waiting-user",
      waiting: 2
    })
    const state = barState(tasks, pageOf)
    assert.deepInclude(state.tasks[0], { label: "Compare flights", control: "human", waiting: 2, selected: true })
    assert.deepStrictEqual(
      state.tasks[0]?.tabs.map(({ active, title }) => [title, active]),
      [
        ["Page v1", true],
        ["Page v2", false]
      ]
    )
    assert.deepInclude(state.tasks[1], { label: "Task 1", control: "agent", selected: false, tabs: [] })
    assert.deepInclude(state, { origin: "https://v1.test", title: "Page v1" })
  })

  it("asks only about the page in front; elsewhere a mark says that something waits", () => {
    const asking = Tasks.showDialogs(tasksWith(2, 1), view(3), [dialog(1)])
    assert.isUndefined(barState(asking, pageOf).dialog)
    assert.deepStrictEqual(
      barState(asking, pageOf).tasks.map((task) => task.asks),
      [false, true]
    )
    const both = Tasks.showDialogs(asking, view(1), [dialog(2), dialog(3)])
    assert.deepInclude(barState(both, pageOf).dialog, { id: DialogId.make("d-2"), viewId: view(1), behind: 1 })
    assert.isUndefined(barState(Tasks.showDialogs(both, view(1), []), pageOf).dialog)
    assert.isUndefined(barState(Tasks.removeView(both, view(1)), pageOf).dialog)
    assert.strictEqual(Tasks.closeTask(both, taskId(0)).dialogs.size, 1)
  })

  it("stays small, whatever pages and agents say", () => {
    const long = "x".repeat(100_000)
    const many = Tasks.presentTask(tasksWith(...Array.from({ length: 200 }, () => 1)), taskId(0), {
      label: long,
      control: "agent",
      status: "idle",
      waiting: 0
    })
    const asked = Tasks.showDialogs(many, view(1), [
      dialog(1, { type: "prompt", message: long, origin: long, defaultPrompt: long })
    ])
    const state = barState(asked, () => ({ url: `data:text/html,${long}`, title: long }))
    assert.isBelow(JSON.stringify(state).length, 40_000)
    assert.lengthOf(state.tasks, barLimits.tasks)
    assert.strictEqual(state.more, 200 - barLimits.tasks)
    // the one in front is always there
    const last = barState(Tasks.selectTask(asked, taskId(199)), pageOf)
    assert.isTrue(last.tasks.some((task) => task.selected && task.id === taskId(199)))
  })

  it("says whose page it is, and no more of its address", () => {
    assert.strictEqual(originOf("https://user:word@shop.test:8443/a?b#c"), "https://shop.test:8443")
    assert.strictEqual(originOf("about:blank"), "about:blank")
    assert.strictEqual(originOf("data:text/html,hello"), "data:")
    assert.strictEqual(originOf("blob:https://shop.test/1"), "https://shop.test")
    assert.strictEqual(originOf(""), "")
  })
})
