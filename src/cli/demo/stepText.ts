/** How the steps of a story look in a terminal. */
import type { Style } from "../style.ts"

export interface Paper {
  /** columns to write in */
  readonly width: number
  readonly style: Style
}

const indent = "    "

/** At most `width` characters, the last one an ellipsis if something was cut. */
export const clipped = (text: string, width: number): string => {
  const letters = Array.from(text.replace(/\s+/g, " ").trim())
  return letters.length <= width ? letters.join("") : `${letters.slice(0, Math.max(0, width - 1)).join("")}…`
}

/** A text in lines of at most `width` characters, broken between words where it can be. */
export const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ""
    }
    line = line === "" ? word : `${line} ${word}`
    while (line.length > width) {
      lines.push(line.slice(0, width))
      line = line.slice(width)
    }
  }
  return line === "" ? lines : [...lines, line]
}

/** "840 ms", "1.2 s". */
export const duration = (ms: number): string =>
  Math.round(ms) < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`

/** What is about to be done: number and title, and the call below. */
export const beginning = (
  { style, width }: Paper,
  step: { readonly number: number; readonly title: string; readonly tool: string; readonly args: unknown }
): ReadonlyArray<string> => {
  const [first = "", ...rest] = wrapped(step.title, width - indent.length)
  const room = width - indent.length - step.tool.length - 1
  const args = room < 12 ? "" : ` ${style.dim(clipped(JSON.stringify(step.args), room))}`
  return [
    "",
    `${style.dim(String(step.number).padStart(2))}  ${style.bold(first)}`,
    ...rest.map((line) => `${indent}${style.bold(line)}`),
    `${indent}${style.cyan(step.tool)}${args}`
  ]
}

/** A mark, a text beside it, and a time at the right edge. */
const marked = ({ style, width }: Paper, mark: string, text: string, ms: number, paint: (text: string) => string) => {
  const time = duration(ms)
  const room = width - indent.length - 2 - time.length - 2
  const shown = clipped(text, room)
  const gap = " ".repeat(Math.max(1, width - indent.length - 2 - Array.from(shown).length - time.length))
  return `${indent}${mark} ${paint(shown)}${gap}${style.dim(time)}`
}

/** What came of a step that went as expected; at most `limit` lines of it. */
export const success = (
  paper: Paper,
  result: { readonly shows: ReadonlyArray<string>; readonly ms: number; readonly limit: number }
): ReadonlyArray<string> => {
  const { style, width } = paper
  const [first = "done", ...rest] = result.shows
  const left = rest.length - (result.limit - 1)
  const shown = left > 0 ? rest.slice(0, result.limit - 1) : rest
  return [
    marked(paper, style.green("✓"), first, result.ms, (text) => text),
    ...shown.map((line) => `${indent}  ${clipped(line, width - indent.length - 2)}`),
    ...(left > 0 ? [style.dim(`${indent}  … and ${left} more`)] : [])
  ]
}

/** What came of a step that had to be refused, and was. */
export const refusal = (
  paper: Paper,
  result: { readonly code: string; readonly message: string; readonly ms: number }
): ReadonlyArray<string> => [
  marked(paper, paper.style.green("✓"), result.code, result.ms, paper.style.yellow),
  ...wrapped(result.message, paper.width - indent.length - 2).map((line) => `${indent}  ${line}`)
]

/** What went wrong. */
export const trouble = (
  paper: Paper,
  result: { readonly problem: string; readonly ms: number }
): ReadonlyArray<string> => [
  marked(paper, paper.style.red("✗"), "not as expected", result.ms, paper.style.red),
  ...wrapped(result.problem, paper.width - indent.length - 2).map((line) => `${indent}  ${line}`)
]
