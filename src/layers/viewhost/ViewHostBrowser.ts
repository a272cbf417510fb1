/**
 * A view host as a browser: a {@link CdpConnection} whose browser part is done with the host's operations (its views are
 * the targets, its tasks the browser contexts), and whose pages are asked by their debuggers. So everything that speaks
 * the protocol runs over a view host unchanged.
 */
import { Effect, Queue, type Scope } from "effect"
import type { BrowserContextId, DialogId, TargetId } from "../../schemas/ids.ts"
import { type HostEvent, type HostParams, HostTaskId, type ShownDialog } from "../../schemas/HostProtocol.ts"
import type { TaskPresentation } from "../../schemas/tasks.ts"
import type { CdpConnection } from "../../services/CdpConnection.ts"
import type { HostCallError, RunningHost } from "../../services/ViewHost.ts"
import { makeCdpConnection } from "../cdp/CdpConnectionCore.ts"
import type { CdpTransport } from "../cdp/CdpTransport.ts"
import { HostCarrier } from "./HostCarrier.ts"
import { makePrintedFiles } from "./PrintedFiles.ts"
import { contextOf, ViewDirectory } from "./ViewDirectory.ts"

/** What a person at the window does to a task. */
export type PersonEvent =
  | { readonly did: (HostEvent & { readonly event: "person" })["did"] }
  | { readonly did: "answered"; readonly dialogId: DialogId; readonly accept: boolean; readonly text?: string }

/** A task in the window. Nothing here waits or fails. */
export interface TaskWindow {
  readonly context: BrowserContextId
  /** Shows how the task stands. */
  readonly present: (task: TaskPresentation) => void
  /** Shows the dialogs that wait in a page. */
  readonly showDialogs: (targetId: TargetId, dialogs: ReadonlyArray<ShownDialog>) => void
  /** Calls the listener, synchronously, for what the person does to the task, until the scope closes. */
  readonly onPerson: (listener: (event: PersonEvent) => void) => Effect.Effect<void, never, Scope.Scope>
}

export interface ViewHostBrowser {
  readonly connection: CdpConnection["Service"]
  /** Opens a task in the window until the scope closes: to the protocol, a browser context. */
  readonly openTask: (options: {
    readonly label: string
    readonly isolated: boolean
    /** what its popups may load at first */
    readonly rules?: HostParams<"openTask">["rules"]
  }) => Effect.Effect<TaskWindow, HostCallError, Scope.Scope>
  /** Makes a page the one that its task shows. Never waits, never fails. */
  readonly show: (targetId: TargetId) => void
}

/**
 * Steps of an agent follow each other quickly. What it does is shown once it lasts so long (ms), or the window would be
 * drawn anew twice in every step, and the step would wait for it.
 */
const shownAfterMs = 100

let tasks = 0

const unheard = () => {}

/** What shows how a task stands. */
const presenting = Effect.fnUntraced(function* (host: RunningHost, taskId: HostTaskId) {
  const steps = yield* Queue.sliding<void>(1)
  let wanted: TaskPresentation | undefined
  let shown: TaskPresentation | undefined
  const show = () => {
    if (wanted === undefined || (shown !== undefined && wanted.status === shown.status && !differs(wanted, shown)))
      return
    shown = wanted
    host.post("presentTask", { taskId, ...wanted }, unheard)
  }
  yield* Effect.forkScoped(
    Effect.forever(Effect.andThen(Queue.take(steps), Effect.andThen(Effect.sleep(shownAfterMs), Effect.sync(show))))
  )
  return (task: TaskPresentation): void => {
    wanted = task
    if (shown === undefined || differs(task, shown)) show()
    else Queue.offerUnsafe(steps, undefined)
  }
})

/** Apart from what the agent is doing. */
const differs = (one: TaskPresentation, other: TaskPresentation): boolean =>
  one.label !== other.label || one.control !== other.control || one.waiting !== other.waiting

const taskWindow = (
  host: RunningHost,
  directory: ViewDirectory,
  taskId: HostTaskId,
  present: TaskWindow["present"]
): TaskWindow => ({
  context: contextOf(taskId),
  present,
  showDialogs: (targetId, dialogs) => {
    const entry = directory.target(targetId)
    if (entry !== undefined) host.post("showDialogs", { viewId: entry.viewId, dialogs }, unheard)
  },
  onPerson: (listener) =>
    host.listen((event) => {
      if (event.event === "person" && event.taskId === taskId) listener({ did: event.did })
      if (event.event !== "dialogAnswered" || directory.view(event.viewId)?.taskId !== taskId) return
      const { accept, dialogId, text } = event
      listener({ did: "answered", dialogId, accept, ...(text === undefined ? {} : { text }) })
    })
})

/** The browser that a host is, for the life of the scope. */
export const makeViewHostBrowser = Effect.fnUntraced(function* (
  host: RunningHost
): Effect.fn.Return<ViewHostBrowser, never, Scope.Scope> {
  const directory = new ViewDirectory()
  const printed = yield* makePrintedFiles
  let carrier: HostCarrier | undefined
  const transport: CdpTransport = {
    endpoint: "view host",
    open: (receiver) =>
      Effect.gen(function* () {
        const own = new HostCarrier(host, receiver, directory, printed)
        carrier = own
        yield* host.listen(own.hear)
        yield* Effect.forkScoped(
          Effect.map(host.closed, ({ reason }) => receiver.lost(`the view host is gone: ${reason}`)),
          { startImmediately: true }
        )
        return (_, command) => own.send(command)
      }),
    forget: (id) => carrier?.forget(id)
  }
  const connection = yield* makeCdpConnection(transport)
  return {
    connection,
    openTask: ({ isolated, label, rules }) => {
      const taskId = HostTaskId.make(`task-${++tasks}`)
      return Effect.acquireRelease(
        host.call("openTask", {
          taskId,
          label,
          ...(isolated ? { partition: `isolated-${crypto.randomUUID()}` } : {}),
          ...(rules === undefined ? {} : { rules })
        }),
        () => Effect.ignore(host.call("closeTask", { taskId }, { timeout: "3 seconds" })),
        { interruptible: true }
      ).pipe(
        Effect.andThen(presenting(host, taskId)),
        Effect.map((present) => taskWindow(host, directory, taskId, present))
      )
    },
    show: (targetId) => {
      const entry = directory.target(targetId)
      if (entry !== undefined) host.post("showView", { viewId: entry.viewId }, () => {})
    }
  }
})
