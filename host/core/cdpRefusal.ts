/** Codes that Electron leaves out when a protocol command is refused: it hands on the text only. */

const codes: ReadonlyArray<readonly [RegExp, number]> = [
  [/session with given id not found/i, -32001],
  [/wasn't found/i, -32601],
  [/invalid parameters|no dialog is showing|parameters? .* expected/i, -32602],
  [/internal error/i, -32603]
]

/** The protocol's code of a refusal, from its text; -32000 (server error) if the text is none of those known. */
export const refusalCode = (reason: string): number => codes.find(([text]) => text.test(reason))?.[1] ?? -32_000
