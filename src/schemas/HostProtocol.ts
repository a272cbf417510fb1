/**
 * What the view host and its parent say to each other: one JSON value per line over a loopback connection.
 *
 * The parent asks `{ id, op, params }` and gets `{ id, ok: true, result }` or `{ id, ok: false, err }`; the host tells
 * what happens without an id, `{ event, ... }`. Each operation and event has one schema here, which both sides use.
 */
import { Option, Schema } from "effect"
import { DialogType } from "./dialog.ts"
import { BrowserErrorJson } from "./errorJson.ts"
import { HostRefused, type BrowserError } from "./errors.ts"
import { DialogId } from "./ids.ts"
import { TaskOwner, TaskPresentation, TaskStatus } from "./tasks.ts"

/** Both sides must be of one build; the first line says so. */
export const hostProtocolVersion = 1

/** Variable that carries {@link HostSettings} to the host, as JSON. */
export const hostSettingsVariable = "EFFECT_BROWSER_HOST"

/** Limits of the link, in bytes. */
export const hostLimits = {
  /** a line of somebody who has not proved yet that it is the host */
  greeting: 4_096,
  /** any other line, either way; a longer one ends the connection */
  line: 80 * 1024 * 1024,
  /** a result above this goes by file */
  inline: 1024 * 1024
} as const

/** Views of one host at the most. */
export const maxViews = 256

/** Id of a view: "v1", "v2", ... unique in its host and never reused. */
export const ViewId = Schema.NonEmptyString.pipe(Schema.brand("ViewId"))
export type ViewId = typeof ViewId.Type

/** Id of a task in the host; the parent chooses it. Several sessions of one task have one each. */
export const HostTaskId = Schema.NonEmptyString.pipe(Schema.brand("HostTaskId"))
export type HostTaskId = typeof HostTaskId.Type

const Size = Schema.Struct({ width: Schema.Natural, height: Schema.Natural })
const Rectangle = Schema.Struct({ x: Schema.Int, y: Schema.Int, ...Size.fields })

/** Rules about addresses, as in the configuration. */
const AddressRules = Schema.Struct({
  allowedHosts: Schema.optionalKey(Schema.Array(Schema.String)),
  deniedHosts: Schema.Array(Schema.String),
  privateNetwork: Schema.Literals(["allow", "deny"])
})

/** How a host is started. */
export const HostSettings = Schema.Struct({
  port: Schema.Natural,
  /** 64 hexadecimal digits, used once */
  secret: Schema.String,
  /** folder of the profile; kept */
  userData: Schema.String,
  /** folder for all temporary files, which the host makes and both remove; what is too large for a line lies there */
  temporary: Schema.String,
  title: Schema.String,
  window: Size
})
export type HostSettings = typeof HostSettings.Type

/** The host's first line. */
export const Greeting = Schema.Struct({
  secret: Schema.String,
  protocol: Schema.Int,
  pid: Schema.Int,
  /** why it cannot serve; it ends at once then */
  problem: Schema.optionalKey(Schema.Literals(["profileInUse"])),
  chrome: Schema.String,
  electron: Schema.String,
  userAgent: Schema.String
})
export type Greeting = typeof Greeting.Type

const Nothing = Schema.Struct({})
const OfView = Schema.Struct({ viewId: ViewId })

/** A task as the host knows it. */
export const HostTask = Schema.Struct({
  id: HostTaskId,
  label: Schema.String,
  visible: Schema.Boolean,
  control: TaskOwner,
  status: TaskStatus,
  /** in the order of opening */
  views: Schema.Array(ViewId),
  /** the one that is shown when the task is */
  activeView: Schema.optionalKey(ViewId)
})
export type HostTask = typeof HostTask.Type

/** Where a view is, for tests and for whoever embeds the host. */
export const ViewPlacement = Schema.Struct({
  viewId: ViewId,
  visible: Schema.Boolean,
  bounds: Rectangle
})

/** A dialog that waits in a view, as a person is shown it. Its texts are the page's own, bounded by the parent. */
export const ShownDialog = Schema.Struct({
  id: DialogId,
  type: DialogType,
  message: Schema.String,
  /** who asks: origin of the document; empty if it is not known */
  origin: Schema.String,
  defaultPrompt: Schema.optionalKey(Schema.String),
  /** present if nobody can answer it any more */
  remedy: Schema.optionalKey(Schema.String)
})
export type ShownDialog = typeof ShownDialog.Type

/** Something in the window's own bar that a person can press, or write into. */
export const BarControl = Schema.Struct({
  /** "task task-1", "view v2", "take over", "hand back", "dialog accept", "dialog dismiss", "dialog text" */
  name: Schema.String,
  bounds: Rectangle
})
export type BarControl = typeof BarControl.Type

export const WindowState = Schema.Struct({
  content: Size,
  /** of its content on the screen */
  position: Schema.Struct({ x: Schema.Int, y: Schema.Int }),
  /** what it shows of its own above, and over, the pages */
  bar: Schema.Struct({
    height: Schema.Natural,
    controls: Schema.Array(BarControl),
    /** the dialog that the person is asked to answer */
    dialog: Schema.optionalKey(ShownDialog)
  }),
  minimized: Schema.Boolean,
  focused: Schema.Boolean,
  title: Schema.String,
  views: Schema.Array(ViewPlacement)
})

const Picture = Schema.Struct({
  /** base64 */
  data: Schema.String,
  /** how it was taken */
  way: Schema.Literals(["native", "protocol"])
})

const operation = <P extends Schema.Top, R extends Schema.Top>(params: P, result: R) => ({ params, result })

/** Every operation: what is asked, and what comes back. */
export const hostOperations = {
  ping: operation(Nothing, Nothing),
  /**
   * Opens a task; the first one becomes visible. `partition` names storage of its own; absent: the profile's. `rules`:
   * what pages that pages open may load before the parent watches them; absent: anything.
   */
  openTask: operation(
    Schema.Struct({
      taskId: HostTaskId,
      label: Schema.String,
      partition: Schema.optionalKey(Schema.String),
      rules: Schema.optionalKey(AddressRules)
    }),
    Nothing
  ),
  /** Closes a task with its views; storage of its own goes with it. */
  closeTask: operation(Schema.Struct({ taskId: HostTaskId }), Nothing),
  /** Tells the person how a task stands. */
  presentTask: operation(Schema.Struct({ taskId: HostTaskId, ...TaskPresentation.fields }), Nothing),
  /** Tells the person which dialogs wait in a view, oldest first, instead of those that were told before. */
  showDialogs: operation(Schema.Struct({ viewId: ViewId, dialogs: Schema.Array(ShownDialog) }), Nothing),
  listTasks: operation(Nothing, Schema.Struct({ tasks: Schema.Array(HostTask) })),
  /** What the person chooses to see. */
  selectTask: operation(Schema.Struct({ taskId: HostTaskId }), Nothing),
  /**
   * Opens a view with an inert document, and a debugger attached; done when both are there. `background`: it never
   * becomes the one that the task shows.
   */
  createView: operation(
    Schema.Struct({ taskId: HostTaskId, background: Schema.Boolean }),
    Schema.Struct({ viewId: ViewId, targetId: Schema.String })
  ),
  destroyView: operation(OfView, Nothing),
  /** Makes it the view that its task shows; what a person sees changes only if that is the visible task. */
  showView: operation(OfView, Nothing),
  /** A protocol command to the view, or to a session below it. */
  command: operation(
    Schema.Struct({
      viewId: ViewId,
      method: Schema.String,
      params: Schema.optionalKey(Schema.Unknown),
      sessionId: Schema.optionalKey(Schema.String)
    }),
    Schema.Unknown
  ),
  /** A picture of what the view shows now; `params` as those of `Page.captureScreenshot`. Never of an older state. */
  capture: operation(
    Schema.Struct({
      viewId: ViewId,
      format: Schema.Literals(["png", "jpeg", "webp"]),
      quality: Schema.optionalKey(Schema.Int),
      params: Schema.Record(Schema.String, Schema.Unknown)
    }),
    Picture
  ),
  /** A small picture of what a task shows, as data URL; absent if there is none yet. */
  thumbnail: operation(
    Schema.Struct({ taskId: HostTaskId }),
    Schema.Struct({ image: Schema.optionalKey(Schema.String), version: Schema.Natural })
  ),
  /** Prints to a file in the temporary folder. Lengths in inches. */
  printToPdf: operation(
    Schema.Struct({
      viewId: ViewId,
      landscape: Schema.Boolean,
      printBackground: Schema.Boolean,
      paperWidth: Schema.optionalKey(Schema.Finite),
      paperHeight: Schema.optionalKey(Schema.Finite)
    }),
    Schema.Struct({ file: Schema.String, bytes: Schema.Natural })
  ),
  /** Where downloads of a task go, each under its guid; without it they are refused. */
  setDownloads: operation(Schema.Struct({ taskId: HostTaskId, folder: Schema.String }), Nothing),
  /** Whatever documents the view is sent to are saved as files instead of being shown. */
  saveDocuments: operation(OfView, Nothing),
  cancelDownload: operation(Schema.Struct({ guid: Schema.String }), Nothing),
  /** Writes the cookies of the task's storage to disk. */
  flushCookies: operation(Schema.Struct({ taskId: HostTaskId }), Nothing),
  window: operation(Nothing, WindowState),
  /** For whoever embeds the host, and for tests: what a person could do to the window. */
  arrangeWindow: operation(
    Schema.Struct({
      action: Schema.Literals(["minimize", "restore", "maximize", "unmaximize", "resize", "show"]),
      size: Schema.optionalKey(Size)
    }),
    Nothing
  ),
  /** Gives up a call; it is not answered any more. Has no answer itself. */
  cancel: operation(Schema.Struct({ target: Schema.Natural }), Nothing)
} as const

export type HostOperation = keyof typeof hostOperations
export type HostParams<Op extends HostOperation> = (typeof hostOperations)[Op]["params"]["Type"]
export type HostResult<Op extends HostOperation> = (typeof hostOperations)[Op]["result"]["Type"]

/** What the host tells unasked. */
export const HostEvent = Schema.Union([
  /** a protocol event of a view, or of a session below it */
  Schema.Struct({
    event: Schema.Literal("cdp"),
    viewId: ViewId,
    method: Schema.String,
    params: Schema.optionalKey(Schema.Unknown),
    sessionId: Schema.optionalKey(Schema.String)
  }),
  /** a page opened another one, as a view of the same task; its protocol events follow */
  Schema.Struct({
    event: Schema.Literal("viewOpened"),
    viewId: ViewId,
    targetId: Schema.String,
    taskId: HostTaskId,
    openerId: ViewId,
    hasOpener: Schema.Boolean,
    url: Schema.String
  }),
  Schema.Struct({ event: Schema.Literal("viewClosed"), viewId: ViewId }),
  Schema.Struct({
    event: Schema.Literal("viewChanged"),
    viewId: ViewId,
    url: Schema.String,
    title: Schema.String
  }),
  Schema.Struct({
    event: Schema.Literal("downloadBegan"),
    viewId: ViewId,
    guid: Schema.String,
    url: Schema.String,
    suggestedName: Schema.String
  }),
  Schema.Struct({
    event: Schema.Literal("downloadProgress"),
    guid: Schema.String,
    received: Schema.Natural,
    total: Schema.Natural,
    state: Schema.Literals(["inProgress", "completed", "canceled"])
  }),
  /**
   * A person at the window takes over a task or hands it back by its button, acts on its page, or is seen to be there
   * while they have control.
   */
  Schema.Struct({
    event: Schema.Literal("person"),
    taskId: HostTaskId,
    did: Schema.Literals(["takeOver", "handBack", "acted", "seen"])
  }),
  /** a person at the window answers a dialog */
  Schema.Struct({
    event: Schema.Literal("dialogAnswered"),
    viewId: ViewId,
    dialogId: DialogId,
    accept: Schema.Boolean,
    text: Schema.optionalKey(Schema.String)
  }),
  /** it ends, and why */
  Schema.Struct({ event: Schema.Literal("ending"), reason: Schema.String }),
  /** another task is in front of the person */
  Schema.Struct({ event: Schema.Literal("visibleTask"), taskId: Schema.optionalKey(HostTaskId) })
])
export type HostEvent = typeof HostEvent.Type

/** An error on the wire: code and text for everybody, all fields for those who know the class. */
export const HostErrorJson = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Unknown)
})
export type HostErrorJson = typeof HostErrorJson.Type

export const HostRequest = Schema.Struct({
  id: Schema.Natural,
  op: Schema.Literals(Object.keys(hostOperations) as ReadonlyArray<HostOperation>),
  params: Schema.optionalKey(Schema.Unknown)
})
export type HostRequest = typeof HostRequest.Type

export const HostReply = Schema.Union([
  /** the result's JSON is in a file of the temporary folder; whoever reads it removes it */
  Schema.Struct({ id: Schema.Natural, ok: Schema.Literal(true), file: Schema.String, bytes: Schema.Natural }),
  Schema.Struct({ id: Schema.Natural, ok: Schema.Literal(true), result: Schema.optionalKey(Schema.Unknown) }),
  Schema.Struct({ id: Schema.Natural, ok: Schema.Literal(false), err: HostErrorJson })
])
export type HostReply = typeof HostReply.Type

const encodeError = Schema.encodeSync(BrowserErrorJson)
const decodeError = Schema.decodeUnknownOption(BrowserErrorJson)

/** An error as it goes over the link. */
export const toHostError = (error: BrowserError): HostErrorJson => ({
  code: error.code,
  message: error.message,
  data: encodeError(error)
})

/** The error that came over the link; one of an unknown class is a refusal that keeps its text. Total. */
export const fromHostError = (json: HostErrorJson, operationName: string): BrowserError =>
  Option.getOrElse(
    decodeError(json.data),
    () => new HostRefused({ operation: operationName, reason: `${json.message} (${json.code})` })
  )
