/** A process of ours that tools are called in: the MCP server, or a program that embeds the library. */
export interface Answer {
  /** all text content: what an agent reads */
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
  /** base64 */
  readonly images: ReadonlyArray<string>
}

export interface Caller {
  readonly pid: number
  /** calls so far */
  readonly calls: number
  /** characters of text content handed over so far */
  readonly characters: number
  /** Calls a tool; throws if it answers with an error. */
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>
}
