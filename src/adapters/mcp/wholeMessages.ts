/** What a client writes, line by line, so that a line that is no message spoils none of the others. */
import { Effect, Stdio, Stream } from "effect"

/** The answer to a line that is not JSON (JSON-RPC 2.0, section 5.1). */
const parseError = `${JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32700, message: "Parse error: each line must be one JSON-RPC message" }
})}\n`

/** The answer that a line gets at once: a parse error, or what `answer` has to say to its message. */
const answerTo = (line: string, answer: (message: unknown) => object | undefined): string | undefined => {
  try {
    const at = answer(JSON.parse(line))
    return at === undefined ? undefined : `${JSON.stringify(at)}\n`
  } catch {
    return parseError
  }
}

/**
 * Standard input and output whose input has only lines of JSON; others are answered at once with a parse error, and
 * messages that `answer` answers with that.
 */
export const wholeMessages = (
  stdio: Stdio.Stdio,
  answer: (message: unknown) => object | undefined = () => undefined
): Stdio.Stdio =>
  Stdio.make({
    ...stdio,
    stdin: stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filter((line) => line.trim() !== ""),
      Stream.filterEffect((line) => {
        const text = answerTo(line, answer)
        return text === undefined
          ? Effect.succeed(true)
          : Effect.as(Effect.ignore(Stream.run(Stream.make(text), stdio.stdout())), false)
      }),
      Stream.map((line) => `${line}\n`),
      Stream.encodeText
    )
  })
