/** What an agent knows of a page from the texts that it was handed, and nothing else. */

export interface Reference {
  readonly snapshotId: string
  readonly ref: number
}

const listed = /^\s*\[(\d+)\] ([^"]+?) "((?:[^"\\]|\\.)*)"/
const snapshotOf = /^(?:snapshot (\S+) ·|.*\(snapshot (\S+)\):?$)/

export class AgentView {
  private readonly elements = new Map<number, { readonly kind: string; readonly label: string }>()
  private snapshotId = ""
  /** the latest text */
  text = ""

  /** Reads the text of a snapshot or of what an act brought about. */
  read(text: string): void {
    this.text = text
    const lines = text.split("\n")
    // a snapshot shows everything, and so does what came of going to another page
    if (lines.some((line) => /^(snapshot \S+ ·|page went to |went back to )/.test(line))) this.elements.clear()
    for (const line of lines) {
      const id = snapshotOf.exec(line)
      if (id !== null) this.snapshotId = id[1] ?? id[2] ?? this.snapshotId
      const element = listed.exec(line)
      if (element !== null) {
        const [, ref = "", kind = "", label = ""] = element
        this.elements.set(Number(ref), { kind, label: label.replace(/\\(.)/g, "$1") })
      }
      if (line.startsWith("gone: ")) for (const ref of line.matchAll(/\d+/g)) this.elements.delete(Number(ref[0]))
    }
  }

  /** The reference of an element by kind and label; undefined if no such element has been seen. */
  find(kind: string, label: string): Reference | undefined {
    for (const [ref, element] of this.elements) {
      if (element.kind === kind && element.label === label) return { snapshotId: this.snapshotId, ref }
    }
    return undefined
  }

  /** As {@link find}; throws if no such element has been seen. */
  get(kind: string, label: string): Reference {
    const found = this.find(kind, label)
    if (found === undefined) throw new Error(`no ${kind} "${label}" in what was seen:\n${this.text}`)
    return found
  }
}
