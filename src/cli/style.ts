/** Colours for people: only where someone sees them. */

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

export type Style = { readonly [Name in keyof typeof codes]: (text: string) => string }

/** Whether a stream gets colours: FORCE_COLOR decides, then NO_COLOR, then whether it is a terminal. */
export const wantsColour = (
  isTerminal: boolean,
  environment: { readonly [name: string]: string | undefined }
): boolean => {
  const force = environment["FORCE_COLOR"]
  if (force !== undefined && force !== "") return force !== "0" && force !== "false"
  const none = environment["NO_COLOR"]
  return isTerminal && (none === undefined || none === "") && environment["TERM"] !== "dumb"
}

/** Functions that colour a text, or leave it as it is. */
export const makeStyle = (coloured: boolean): Style => {
  const paint = (name: keyof typeof codes) => (text: string) =>
    coloured ? `\u001b[${codes[name][0]}m${text}\u001b[${codes[name][1]}m` : text
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan")
  }
}

/** For standard output. */
export const outputStyle = (): Style => makeStyle(wantsColour(process.stdout.isTTY === true, process.env))

/** For standard error. */
export const errorStyle = (): Style => makeStyle(wantsColour(process.stderr.isTTY === true, process.env))
