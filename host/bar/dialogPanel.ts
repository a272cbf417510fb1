/** The dialog of the page in front, below the bar: who asks, what, and what a person can say to it. */
import type { BarAct, BarState } from "../core/barState.ts"
import { type Control, element } from "./elements.ts"

type Shown = NonNullable<BarState["dialog"]>
type Answer = Omit<BarAct & { readonly did: "answer" }, "did">

export interface DialogPanel {
  readonly node: HTMLElement
  readonly show: (dialog: Shown | undefined) => void
  readonly controls: () => ReadonlyArray<Control>
}

/** Time (ms) for which it takes no answer at first: a press that was meant for the page below must not be one. */
const armedAfter = 500

const kinds = {
  alert: "says",
  confirm: "asks",
  prompt: "asks for a text",
  beforeunload: "asks whether to leave: changes may not be saved"
} as const

const words = { alert: ["OK"], confirm: ["OK", "Cancel"], prompt: ["OK", "Cancel"], beforeunload: ["Leave", "Stay"] }

export const dialogPanel = (options: {
  readonly answer: (answer: Answer) => void
  readonly changed: () => void
}): DialogPanel => {
  const node = element("section", "")
  let shown = ""
  let controls: ReadonlyArray<Control> = []

  const build = (dialog: Shown): void => {
    const { defaultPrompt, dialogId, viewId } = { ...dialog, dialogId: dialog.id }
    const head = element("p", "head")
    const who = dialog.origin === "" ? "The page, or one that is embedded in it," : dialog.origin
    head.append(element("bdi", "origin", who), ` ${kinds[dialog.type]}`)
    if (dialog.behind > 0) head.append(element("span", "more", `${dialog.behind} more after it`))
    const message = element("bdi", "message", dialog.message)
    message.dir = "auto"
    node.replaceChildren(head, message)
    if (dialog.remedy !== undefined) {
      node.append(element("p", "remedy", "Nobody can answer it any more: load the page anew, or leave it."))
      controls = []
      return
    }
    const text = dialog.type === "prompt" ? element("input", "") : undefined
    if (text !== undefined) {
      text.value = defaultPrompt ?? ""
      node.append(text)
    }
    const [yes = "", no] = words[dialog.type]
    const buttons = [
      { button: element("button", "yes", yes), name: "dialog accept", accept: true },
      ...(no === undefined ? [] : [{ button: element("button", "", no), name: "dialog dismiss", accept: false }])
    ]
    const armed = () => !buttons.some(({ button }) => button.disabled)
    const say = (accept: boolean): void => {
      if (!armed()) return
      // once
      for (const { button } of buttons) button.disabled = true
      options.answer({ viewId, dialogId, accept, ...(accept && text !== undefined ? { text: text.value } : {}) })
      options.changed()
    }
    const row = element("div", "row")
    for (const { accept, button } of buttons) {
      button.disabled = true
      button.addEventListener("click", () => say(accept))
    }
    row.append(...buttons.toReversed().map(({ button }) => button))
    node.append(row)
    node.onkeydown = (event) => {
      if (event.key === "Escape") say(dialog.type === "alert")
      else if (event.key === "Enter" && event.target === text) say(true)
    }
    controls = [
      ...(text === undefined ? [] : [{ node: text, name: "dialog text" }]),
      ...buttons.map(({ button, name }) => ({ node: button, name }))
    ]
    setTimeout(() => {
      for (const { button } of buttons) button.disabled = false
      if (row.isConnected) options.changed()
    }, armedAfter)
  }

  return {
    node,
    controls: () => controls,
    show: (dialog) => {
      const now = JSON.stringify(dialog ?? "")
      // what stands there already keeps the text that is being written
      if (now === shown) return
      shown = now
      if (dialog !== undefined) return build(dialog)
      controls = []
      node.replaceChildren()
    }
  }
}
