/** What the window's own bar shows. Plain data. */
import { Schema } from "effect"
import { BarControl, HostTaskId, type ShownDialog, ViewId } from "../../src/schemas/HostProtocol.ts"
import { DialogId } from "../../src/schemas/ids.ts"
import type { TaskOwner, TaskStatus } from "../../src/schemas/tasks.ts"
import { frontView, shownIn, type TaskEntry, type Tasks } from "./tasks.ts"

/** A page as its view tells it. */
export interface PageTitle {
  readonly url: string
  readonly title: string
}

export interface BarTab {
  readonly viewId: ViewId
  readonly title: string
  readonly active: boolean
  /** a dialog waits in it */
  readonly asks: boolean
}

export interface BarTask {
  readonly id: HostTaskId
  readonly label: string
  readonly control: TaskOwner
  readonly status: TaskStatus
  readonly waiting: number
  /** the person sees it */
  readonly selected: boolean
  /** a dialog waits in one of its pages */
  readonly asks: boolean
  /** of the selected task only, and only if there are several */
  readonly tabs: ReadonlyArray<BarTab>
  /** pages that work in the background */
  readonly background: number
}

export interface BarState {
  readonly tasks: ReadonlyArray<BarTask>
  /** tasks beyond those */
  readonly more: number
  /** origin and title of the page in front */
  readonly origin: string
  readonly title: string
  /** the dialog that the person can answer: the oldest one of the page in front */
  readonly dialog: (ShownDialog & { readonly viewId: ViewId; readonly behind: number }) | undefined
}

/** Bounds of what the bar shows; nothing that a page or an agent says makes it larger. */
export const barLimits = { tasks: 30, tabs: 20, label: 60, title: 120, message: 4_000, prompt: 4_000 } as const

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)

/** "https://example.com", "about:blank", "data:": enough to know whose page it is. */
export const originOf = (url: string): string => {
  if (!URL.canParse(url)) return ""
  const { href, origin, protocol } = new URL(url)
  return origin === "null" ? (protocol === "about:" ? cut(href, 40) : protocol) : origin
}

const tabsOf = (task: TaskEntry, tasks: Tasks, pageOf: (view: ViewId) => PageTitle): ReadonlyArray<BarTab> => {
  const views = shownIn(task)
  if (views.length < 2) return []
  return views.slice(0, barLimits.tabs).map((viewId) => {
    const { title, url } = pageOf(viewId)
    return {
      viewId,
      title: cut(title === "" ? originOf(url) : title, barLimits.title),
      active: viewId === task.active,
      asks: tasks.dialogs.has(viewId)
    }
  })
}

/** The tasks that are shown: the selected one is always among them. */
const shownTasks = ({ entries, visible }: Tasks): ReadonlyArray<TaskEntry> => {
  const first = entries.slice(0, barLimits.tasks)
  const selected = entries.find(({ id }) => id === visible)
  return selected === undefined || first.includes(selected) ? first : [...first.slice(0, -1), selected]
}

export const barState = (tasks: Tasks, pageOf: (view: ViewId) => PageTitle): BarState => {
  const front = frontView(tasks)
  const page = front === undefined ? { url: "", title: "" } : pageOf(front)
  const [dialog, ...behind] = (front === undefined ? undefined : tasks.dialogs.get(front)) ?? []
  const shown = shownTasks(tasks)
  return {
    tasks: shown.map((task) => ({
      id: task.id,
      label: cut(task.label, barLimits.label),
      ...task.stands,
      selected: task.id === tasks.visible,
      asks: task.views.some((view) => tasks.dialogs.has(view)),
      tabs: task.id === tasks.visible ? tabsOf(task, tasks, pageOf) : [],
      background: task.background.size
    })),
    more: tasks.entries.length - shown.length,
    origin: originOf(page.url),
    title: cut(page.title, barLimits.title),
    dialog:
      dialog === undefined || front === undefined
        ? undefined
        : {
            ...dialog,
            message: cut(dialog.message, barLimits.message),
            origin: cut(dialog.origin, barLimits.title),
            ...(dialog.defaultPrompt === undefined
              ? {}
              : { defaultPrompt: dialog.defaultPrompt.slice(0, barLimits.prompt) }),
            viewId: front,
            behind: behind.length
          }
  }
}

/** What the bar's own program tells. */
export const BarAct = Schema.Union([
  /** it is there and wants the state */
  Schema.Struct({ did: Schema.Literal("ready") }),
  /** it has drawn itself anew: its height (px), and where its controls are in it */
  Schema.Struct({ did: Schema.Literal("drawn"), height: Schema.Natural, controls: Schema.Array(BarControl) }),
  Schema.Struct({ did: Schema.Literal("selectTask"), taskId: HostTaskId }),
  Schema.Struct({ did: Schema.Literal("showView"), viewId: ViewId }),
  Schema.Struct({ did: Schema.Literals(["takeOver", "handBack"]), taskId: HostTaskId }),
  Schema.Struct({
    did: Schema.Literal("answer"),
    viewId: ViewId,
    dialogId: DialogId,
    accept: Schema.Boolean,
    text: Schema.optionalKey(Schema.String)
  })
])
export type BarAct = typeof BarAct.Type
