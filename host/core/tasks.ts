/** Which tasks there are, which views they have, and which view is in front. Plain data; every change gives a new state. */
import type { HostTask, HostTaskId, ShownDialog, ViewId } from "../../src/schemas/HostProtocol.ts"
import type { TaskPresentation } from "../../src/schemas/tasks.ts"

export interface TaskEntry {
  readonly id: HostTaskId
  readonly label: string
  /** how it stands, as the parent tells */
  readonly stands: Omit<TaskPresentation, "label">
  /** in the order of opening */
  readonly views: ReadonlyArray<ViewId>
  /** views that are never shown: work in the background */
  readonly background: ReadonlySet<ViewId>
  readonly active: ViewId | undefined
}

export interface Tasks {
  /** in the order of opening */
  readonly entries: ReadonlyArray<TaskEntry>
  /** what the person sees; a task that is there, if any is */
  readonly visible: HostTaskId | undefined
  /** dialogs that wait, oldest first; only of views that are there */
  readonly dialogs: ReadonlyMap<ViewId, ReadonlyArray<ShownDialog>>
}

export const noTasks: Tasks = { entries: [], visible: undefined, dialogs: new Map() }

const quiet: TaskEntry["stands"] = { control: "agent", status: "idle", waiting: 0 }

export const findTask = (tasks: Tasks, id: HostTaskId | undefined): TaskEntry | undefined =>
  tasks.entries.find((task) => task.id === id)

/** The task that a view belongs to. */
export const taskOf = (tasks: Tasks, view: ViewId): TaskEntry | undefined =>
  tasks.entries.find((task) => task.views.includes(view))

/** The views of a task that a person can look at. */
export const shownIn = (task: TaskEntry): ReadonlyArray<ViewId> =>
  task.views.filter((view) => !task.background.has(view))

/** The person's choice as long as it has something to show; else the task before it that has, else any. */
const settled = (tasks: Tasks): Tasks => {
  const current = findTask(tasks, tasks.visible)
  if (current !== undefined && shownIn(current).length > 0) return tasks
  const other = tasks.entries.findLast((task) => shownIn(task).length > 0) ?? current ?? tasks.entries[0]
  return other?.id === tasks.visible ? tasks : { ...tasks, visible: other?.id }
}

const change = (tasks: Tasks, id: HostTaskId, how: (task: TaskEntry) => TaskEntry): Tasks =>
  settled({ ...tasks, entries: tasks.entries.map((task) => (task.id === id ? how(task) : task)) })

/** Opens a task; what the person sees stays, unless they see nothing yet. */
export const openTask = (tasks: Tasks, id: HostTaskId, label: string): Tasks =>
  findTask(tasks, id) !== undefined
    ? change(tasks, id, (task) => ({ ...task, label }))
    : settled({
        ...tasks,
        entries: [...tasks.entries, { id, label, stands: quiet, views: [], background: new Set(), active: undefined }]
      })

export const closeTask = (tasks: Tasks, id: HostTaskId): Tasks => {
  const gone = findTask(tasks, id)?.views ?? []
  return settled({
    ...tasks,
    entries: tasks.entries.filter((task) => task.id !== id),
    dialogs: new Map([...tasks.dialogs].filter(([view]) => !gone.includes(view)))
  })
}

export const presentTask = (tasks: Tasks, id: HostTaskId, { label, ...stands }: TaskPresentation): Tasks =>
  change(tasks, id, (task) => ({ ...task, label, stands }))

/** Keeps the dialogs that wait in a view, instead of those before. */
export const showDialogs = (tasks: Tasks, view: ViewId, dialogs: ReadonlyArray<ShownDialog>): Tasks => {
  const all = new Map(tasks.dialogs)
  all.delete(view)
  if (dialogs.length > 0 && taskOf(tasks, view) !== undefined) all.set(view, dialogs)
  return { ...tasks, dialogs: all }
}

/** Adds a view. The first one of a task is its active one; a later one becomes so only by `showView`. */
export const addView = (tasks: Tasks, id: HostTaskId, view: ViewId, background: boolean): Tasks =>
  change(tasks, id, (task) => ({
    ...task,
    views: [...task.views, view],
    background: background ? new Set([...task.background, view]) : task.background,
    active: background ? task.active : (task.active ?? view)
  }))

/** Removes a view; if it was the active one of its task, the view before it takes its place. */
export const removeView = (tasks: Tasks, view: ViewId): Tasks => {
  const owner = taskOf(tasks, view)
  if (owner === undefined) return tasks
  const left = tasks.dialogs.has(view) ? showDialogs(tasks, view, []) : tasks
  return change(left, owner.id, (task) => {
    const index = shownIn(task).indexOf(view)
    const rest = {
      ...task,
      views: task.views.filter((one) => one !== view),
      background: new Set([...task.background].filter((one) => one !== view))
    }
    const left = shownIn(rest)
    return { ...rest, active: task.active === view ? left[Math.max(0, index - 1)] : task.active }
  })
}

/** Makes a view the active one of its task. The person goes on seeing the task that they chose. */
export const showView = (tasks: Tasks, view: ViewId): Tasks => {
  const owner = taskOf(tasks, view)
  if (owner === undefined || owner.background.has(view)) return tasks
  return change(tasks, owner.id, (task) => ({ ...task, active: view }))
}

/** The person's choice. */
export const selectTask = (tasks: Tasks, id: HostTaskId): Tasks =>
  findTask(tasks, id) === undefined ? tasks : settled({ ...tasks, visible: id })

/** The view that is in front: the active one of the visible task. */
export const frontView = (tasks: Tasks): ViewId | undefined => findTask(tasks, tasks.visible)?.active

/** Title of the window. */
export const windowTitle = (tasks: Tasks, base: string, pageTitle: string | undefined): string =>
  [pageTitle, findTask(tasks, tasks.visible)?.label, base]
    .filter((part) => part !== undefined && part.trim() !== "")
    .join(" · ")

export const describeTasks = (tasks: Tasks): ReadonlyArray<HostTask> =>
  tasks.entries.map(({ active, id, label, stands: { control, status }, views }) => ({
    id,
    label,
    visible: id === tasks.visible,
    control,
    status,
    views,
    ...(active === undefined ? {} : { activeView: active })
  }))
