/**
 * The program of the window's own bar. It runs beside an empty document and builds everything in it; whatever pages and
 * agents say becomes text, never markup.
 */
import { ipcRenderer } from "electron"
import type { BarAct, BarState } from "../core/barState.ts"
import { dialogPanel } from "./dialogPanel.ts"
import { controlsIn, type Control, element } from "./elements.ts"
import { style } from "./style.ts"

const act = (message: BarAct): void => ipcRenderer.send("bar", message)

const tabButton = (tab: BarState["tasks"][number]["tabs"][number], index: number): Control => {
  const button = element("button", tab.active ? "tab active" : "tab", String(index + 1))
  button.title = tab.title
  if (tab.asks) button.append(element("span", "asks", "!"))
  button.addEventListener("click", () => act({ did: "showView", viewId: tab.viewId }))
  return { node: button, name: `view ${tab.viewId}` }
}

const states = {
  idle: "",
  running: "working",
  failed: "its latest step failed",
  "waiting-user": "you have it"
} as const

const taskChip = (task: BarState["tasks"][number]): ReadonlyArray<Control> => {
  const chip = element("button", `task ${task.status}${task.selected ? " selected" : ""}`)
  chip.append(element("span", "dot"), element("bdi", "label", task.label))
  if (task.background > 0) chip.append(element("span", "behind", `+${task.background}`))
  if (task.asks) chip.append(element("span", "asks", "!"))
  chip.title = [
    task.label,
    states[task.status],
    ...(task.background > 0 ? [`${task.background} in the background`] : []),
    ...(task.asks ? ["a page asks something"] : [])
  ]
    .filter((part) => part !== "")
    .join(" · ")
  chip.addEventListener("click", () => act({ did: "selectTask", taskId: task.id }))
  return [{ node: chip, name: `task ${task.id}` }, ...task.tabs.map(tabButton)]
}

const controlWords = (task: BarState["tasks"][number]): string => {
  if (task.control === "agent") return task.status === "running" ? "The agent is working" : "The agent has control"
  return task.waiting === 0 ? "You have control" : `You have control, ${task.waiting} waiting`
}

const ownerPart = (task: BarState["tasks"][number]): ReadonlyArray<Control> => {
  const human = task.control === "human"
  const button = element("button", "owner", human ? "Hand back" : "Take over")
  button.title = human ? "The agent goes on" : "The agent waits until you hand it back"
  button.addEventListener("click", () => act({ did: human ? "handBack" : "takeOver", taskId: task.id }))
  return [
    { node: element("span", "words", controlWords(task)), name: undefined },
    { node: button, name: human ? "hand back" : "take over" }
  ]
}

const start = (): void => {
  const sheet = element("style", "")
  sheet.textContent = style
  document.head.append(sheet)
  const bar = element("header", "")
  const tasks = element("nav", "")
  const page = element("div", "page")
  const owner = element("div", "control")
  bar.append(tasks, page, owner)
  let controls: ReadonlyArray<Control> = []

  const tellDrawn = (): void =>
    act({
      did: "drawn",
      height: Math.ceil(bar.getBoundingClientRect().height + panel.node.getBoundingClientRect().height),
      controls: controlsIn([...controls, ...panel.controls()])
    })
  const panel = dialogPanel({
    answer: (answer) => act({ did: "answer", ...answer }),
    changed: tellDrawn
  })
  document.body.append(bar, panel.node)

  ipcRenderer.on("bar", (_, state: BarState | undefined) => {
    if (state === undefined) return
    const chips = state.tasks.flatMap(taskChip)
    tasks.replaceChildren(
      ...chips.map(({ node }) => node),
      ...(state.more > 0 ? [element("span", "more", `${state.more} more`)] : [])
    )
    page.replaceChildren(element("bdi", "origin", state.origin), element("bdi", "title", state.title))
    const selected = state.tasks.find((task) => task.selected)
    document.body.className = selected?.control ?? "none"
    const owners = selected === undefined ? [] : ownerPart(selected)
    owner.replaceChildren(...owners.map(({ node }) => node))
    controls = [...chips, ...owners]
    tasks.querySelector(".selected")?.scrollIntoView({ block: "nearest", inline: "nearest" })
    panel.show(state.dialog)
    tellDrawn()
  })
  window.addEventListener("resize", tellDrawn)
  act({ did: "ready" })
}

window.addEventListener("DOMContentLoaded", start)
