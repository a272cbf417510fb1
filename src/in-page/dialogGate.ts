/**
 * Runs in the page's own world before its scripts: `alert`, `confirm` and `prompt` stop at a `debugger` statement, where
 * whoever debugs the page finds the question in `arguments[0]`, puts the answer there and lets it go on. The page stays
 * readable meanwhile.
 *
 * If nobody takes the question (nobody debugs the page, pausing is off) there is no answer. One that was taken and then
 * let go without an answer is dismissed: the browser does that when the page is navigated, as it closes native dialogs,
 * or when the debugger is gone, whose dialog nobody could answer any more.
 */
import { type Answer, type Asked, override } from "./dialogOverride.ts"

/** What the page asked, and where the answer goes. */
interface Question extends Asked {
  /** set by the debugger when it takes the question */
  held: boolean
  /** written by the debugger */
  answer: Answer | undefined
}

/** Puts the gate up. `name` is the name of the function that stops: the debugger knows it by that. */
export const install = (name: string): void => {
  const stop = {
    [name](_question: Question): void {
      // biome-ignore lint/suspicious/noDebugger: this is where the page waits
      debugger
    }
  }[name]

  override(name, ({ defaultPrompt, message, type }) => {
    if (stop === undefined) return undefined
    const question: Question = { type, message, defaultPrompt, held: false, answer: undefined }
    stop(question)
    return question.answer ?? (question.held ? { accept: false, text: "" } : undefined)
  })
}
