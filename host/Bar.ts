/**
 * The window's own bar: tasks and tabs, who is in control, and the dialog that waits in the page in front. It is a view
 * beside the pages, over which it grows while a dialog waits; they can neither see nor reach it, and it is in no picture
 * of them. It never takes the keyboard by itself.
 */
import { join } from "node:path"
import { WebContentsView } from "electron"
import { Option, Schema } from "effect"
import type { BarControl } from "../src/schemas/HostProtocol.ts"
import { BarAct, type BarState } from "./core/barState.ts"
import { barHeight } from "./core/layout.ts"

const decodeAct = Schema.decodeUnknownOption(BarAct)

/** A document without anything; the program beside it builds what is in it. */
const document = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>effect-browser</title>`

export class Bar {
  readonly view: WebContentsView
  height = barHeight
  controls: ReadonlyArray<BarControl> = []
  private state: BarState | undefined
  private sending = false

  constructor(options: {
    readonly acted: (act: BarAct) => void
    /** its height has changed */
    readonly resized: () => void
  }) {
    this.view = new WebContentsView({
      webPreferences: {
        preload: join(__dirname, "bar.cjs"),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        backgroundThrottling: false,
        spellcheck: false,
        // nothing of the profile, and nothing that is kept
        partition: "bar"
      }
    })
    const { webContents: contents } = this.view
    contents.session.setPermissionRequestHandler((_, __, decide) => decide(false))
    contents.setWindowOpenHandler(() => ({ action: "deny" }))
    contents.on("will-navigate", (event) => event.preventDefault())
    contents.on("render-process-gone", () => contents.reload())
    contents.ipc.on("bar", (_, message: unknown) => {
      const act = Option.getOrUndefined(decodeAct(message))
      if (act === undefined) return
      if (act.did === "ready") return this.send()
      if (act.did !== "drawn") return options.acted(act)
      this.controls = act.controls
      if (act.height === this.height) return
      this.height = Math.max(barHeight, act.height)
      options.resized()
    })
    void contents.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(document)}`)
  }

  /** Shows a state; of several in one turn the last. */
  show(state: BarState): void {
    this.state = state
    if (this.sending) return
    this.sending = true
    setImmediate(() => {
      this.sending = false
      this.send()
    })
  }

  private send(): void {
    const { webContents: contents } = this.view
    if (contents !== undefined && !contents.isDestroyed()) contents.send("bar", this.state)
  }
}
