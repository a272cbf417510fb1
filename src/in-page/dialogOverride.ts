/**
 * Takes the place of `alert`, `confirm` and `prompt` in a document, once for each asker. Whatever the asker has no answer
 * for goes on to the function that stood there before: no answer is ever made up.
 */

/** `text`: of an accepted prompt. */
export interface Answer {
  readonly accept: boolean
  readonly text: string
}

export interface Asked {
  readonly type: "alert" | "confirm" | "prompt"
  readonly message: string
  readonly defaultPrompt: string
}

/** While these are under way the browser shows no dialog, so there is nothing to ask. */
const silent = ["beforeunload", "pagehide", "unload", "visibilitychange"]

/** `name` marks the document, which pages cannot guess. `ask` is called before any script of the page could change it. */
export const override = (name: string, ask: (asked: Asked) => Answer | undefined): void => {
  const mark = Symbol.for(name)
  if (mark in window) return
  Object.defineProperty(window, mark, { value: true })
  /** As the browser makes texts of what it is given: symbols throw, unlike with `String`. */
  const textOf = (given: unknown): string => `${given as string}`
  const { apply } = Reflect
  const eventOf = Object.getOwnPropertyDescriptor(window, "event")?.get

  const isSilent = (): boolean => {
    const event = eventOf === undefined ? undefined : (apply(eventOf, window, []) as Event | undefined)
    if (event === undefined) return false
    for (const type of silent) if (event.type === type) return true
    return false
  }

  const answerTo = (type: Asked["type"], given: ReadonlyArray<unknown>): Answer | undefined => {
    if (isSilent()) return undefined
    // `alert(undefined)` says so, the others take it for nothing (HTML, "simple dialogs")
    const message = given.length === 0 || (given[0] === undefined && type !== "alert") ? "" : textOf(given[0])
    const defaultPrompt = type !== "prompt" || given[1] === undefined ? "" : textOf(given[1])
    return ask({ type, message, defaultPrompt })
  }

  window.alert = new Proxy(window.alert, {
    apply: (target, self, given: Array<unknown>) => {
      if (answerTo("alert", given) === undefined) apply(target, self, given)
    }
  })
  window.confirm = new Proxy(window.confirm, {
    apply: (target, self, given: Array<unknown>) => answerTo("confirm", given)?.accept ?? apply(target, self, given)
  })
  window.prompt = new Proxy(window.prompt, {
    apply: (target, self, given: Array<unknown>) => {
      const answer = answerTo("prompt", given)
      if (answer === undefined) return apply(target, self, given)
      return answer.accept ? answer.text : null
    }
  })
}
