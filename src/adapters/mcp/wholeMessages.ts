/** What a client writes, line by line, so that a line that is no message spoils none of the others. */
import { Effect, Stdio, Stream } from "effect"

/** The answer to a line that is not JSON (JSON-RPC 2.0, section 5.1). */
const parseError = `${JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32700, message: "Parse error: each line must be one JSON-RPC message" }
})}\n`

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** Standard input and output whose input has only lines of JSON; others are answered at once with a parse error. */
export const wholeMessages = (stdio: Stdio.Stdio): Stdio.Stdio =>
  Stdio.make({
    ...stdio,
    stdin: stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filter((line) => line.trim() !== ""),
      Stream.filterEffect((line) =>
        isJson(line)
          ? Effect.succeed(true)
          : Effect.as(Effect.ignore(Stream.run(Stream.make(parseError), stdio.stdout())), false)
      ),
      Stream.map((line) => `${line}\n`),
      Stream.encodeText
    )
  })
