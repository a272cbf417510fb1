/** Elements of the bar, and those of them that a person can use. */
import type { BarControl } from "../../src/schemas/HostProtocol.ts"

export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = ""
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag)
  if (className !== "") made.className = className
  if (text !== "") made.textContent = text
  return made
}

/** An element; with a name if a person can use it. */
export interface Control {
  readonly node: HTMLElement
  readonly name: string | undefined
}

/** Where those are that can be used now. */
export const controlsIn = (controls: ReadonlyArray<Control>): ReadonlyArray<BarControl> =>
  controls.flatMap(({ name, node }) => {
    if (name === undefined || (node instanceof HTMLButtonElement && node.disabled)) return []
    const { height, width, x, y } = node.getBoundingClientRect()
    const bounds = {
      x: Math.round(x),
      y: Math.round(y),
      width: Math.max(0, Math.round(width)),
      height: Math.max(0, Math.round(height))
    }
    return [{ name, bounds }]
  })
