/**
 * Runs a caller's JavaScript in a page: an expression, statements, or a body with `return`, with `await` in all three.
 *
 * Which of the three a script is, the browser's own parser says: a form that does not compile has run nothing, so the
 * next one is tried (measured in Chromium 156: a compile error carries a script id and no stack, an error that was
 * thrown has no script id). A script therefore never runs twice.
 */
import { Effect, Schema } from "effect"
import type { Protocol } from "devtools-protocol"
import { describeValueSource } from "../../generated/describeValueSource.ts"
import type { ExecuteResult } from "../../schemas/tools/reading.ts"
import type { CdpParams, CdpResult } from "../../services/CdpConnection.ts"

type ScriptMethod = "Runtime.evaluate" | "Runtime.callFunctionOn" | "Runtime.releaseObjectGroup"

/** Sends one command to the process of the document that the script runs in. */
export type SendScript<E, R> = <M extends ScriptMethod>(
  method: M,
  params: CdpParams<M>
) => Effect.Effect<CdpResult<M>, E, R>

export interface ScriptRequest {
  readonly script: string
  /** visible to the script as `args` */
  readonly args?: ReadonlyArray<string> | undefined
  /** at most so many characters of value */
  readonly maxChars: number
  /** false: the page awaits nothing now (a dialog waits in it), so promises are told as such; default true */
  readonly awaits?: boolean | undefined
  /** execution context to run in; absent: the main world of the session's own document */
  readonly contextId?: number | undefined
}

/** What a script gave: the part of the tool's result that is the script's own. */
export type ScriptResult = Pick<typeof ExecuteResult.Type, "ok" | "kind" | "value" | "truncated" | "exception">

const sourceName = "script"
/** Each run holds its objects in a group of its own: another run that ends meanwhile must not release them. */
let runs = 0
const exceptionChars = 2_000
const exceptionFrames = 5

// As statements these are declarations or blocks, although what follows them could make them parse as an expression:
// "function f() {}\n(1)" would become a call.
const declares = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:async\s+function|function|class)\b/
const redeclaresArgs = /\b(?:var|function)\b[^;=]*\bargs\b/

/**
 * The three ways to run a script. It stands on the first line of each, so line numbers are its own; what follows it is
 * on later lines, so a comment at its end swallows nothing. "statements" needs V8's REPL mode, which gives the
 * completion value and lets statements await. The other two describe their value in the page, in at most `maxChars`
 * characters, so that one command does it all and even a long text is cut before it is sent.
 */
export const scriptForms = (
  script: string,
  args: ReadonlyArray<string> = [],
  maxChars = 100_000,
  awaits = true,
  name = sourceName
) => {
  const [start, wait] = awaits ? ["async ", "await "] : ["", ""]
  const values = JSON.stringify(args)
  const tell = `(given) => { ${describeValueSource}\nreturn __entry.describeValue(given, ${maxChars}) }`
  const source = `//# sourceURL=${name}`
  const bound = redeclaresArgs.test(script) ? "" : `const args = ${values};`
  return {
    expression: `(${start}(args, $tell) => $tell(${wait}(${script}\n)))(${values}, ${tell})\n${source}`,
    // Blocks, so that "const" and "let" end with the script and can be declared again by the next one.
    statements: `{ ${bound} { ${script}\n} }\n${source}`,
    body: `(${start}(args, $tell) => $tell(${wait}(${start}() => { ${script}\n})()))(${values}, ${tell})\n${source}`
  } as const
}
type Form = keyof ReturnType<typeof scriptForms>

/**
 * True if the browser refused to compile the script: nothing of it has run. `awaits`: false for a script that runs while
 * the page stops at a dialog. What the page was doing is told below it then, as if that had thrown; but what the script
 * itself throws comes from the script (measured in Chromium 156).
 */
const isCompileError = (details: Protocol.Runtime.ExceptionDetails, awaits: boolean, name: string): boolean => {
  const { exception, scriptId, stackTrace } = details
  if (scriptId === undefined || exception?.className !== "SyntaxError") return false
  return awaits
    ? stackTrace === undefined && exception.description?.includes("\n    at ") !== true
    : stackTrace?.callFrames.some(({ url }) => url === name) !== true
}

const bounded = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit)}…`)

/**
 * The text of an exception: its message, and at most five frames that are not ours. `lines` is the number of lines of
 * the script, `before` the number of columns that we put before its first; `awaits` as for the request.
 */
export const exceptionText = (
  details: Protocol.Runtime.ExceptionDetails,
  lines: number,
  before = 0,
  awaits = true,
  name = sourceName
): string => {
  const { exception } = details
  if (exception === undefined) return bounded(details.text, exceptionChars)
  if (isCompileError(details, awaits, name)) {
    const message = (exception.description ?? "SyntaxError").split("\n    at ")[0] ?? ""
    // What breaks after the last line of the script breaks in what we put around it: the script ends too early.
    return details.lineNumber >= lines
      ? "SyntaxError: Unexpected end of input"
      : bounded(`${message} (line ${details.lineNumber + 1})`, exceptionChars)
  }
  if (exception.subtype !== "error" && exception.description?.includes("\n    at ") !== true) {
    const thrown = "value" in exception ? JSON.stringify(exception.value) : (exception.description ?? exception.type)
    return bounded(`Uncaught ${thrown}`, exceptionChars)
  }
  const [message = "", ...frames] = (exception.description ?? details.text).split(/\n\s+at /)
  const own = new RegExp(`\\b(${name}):(\\d+):(\\d+)(\\)?)$`)
  // what stands below the script is not its doing
  const last = frames.findLastIndex((frame) => own.test(frame))
  const kept = (last < 0 ? frames : frames.slice(0, last + 1))
    .filter((frame) => Number(own.exec(frame)?.[2] ?? 0) <= lines)
    .map((frame) =>
      frame.replace(
        own,
        (_, __, line, column, end = "") =>
          `${sourceName}:${line}:${line === "1" ? Number(column) - before : column}${end}`
      )
    )
  const text = [
    bounded(message, exceptionChars / 2),
    ...kept.slice(0, exceptionFrames).map((frame) => `    at ${frame}`)
  ]
  return bounded(text.join("\n"), exceptionChars)
}

const Described = Schema.Struct({
  kind: Schema.Literals(["json", "undefined", "number", "bigint", "symbol", "function", "node", "unserialisable"]),
  value: Schema.optionalKey(Schema.Unknown),
  cut: Schema.Boolean
})
const decodeDescribed = Schema.decodeUnknownOption(Described)

const result = (
  kind: NonNullable<ScriptResult["kind"]>,
  value: string | undefined,
  cut: boolean,
  maxChars: number
) => ({
  ok: true,
  kind,
  ...(value === undefined ? {} : { value: value.slice(0, maxChars) }),
  ...(cut || (value !== undefined && value.length > maxChars) ? { truncated: true } : {})
})

/**
 * What a value is, from what the browser says of it alone. Objects are known by their description only: `runScript`
 * asks the page about them.
 */
export const classify = (remote: Protocol.Runtime.RemoteObject, maxChars: number): ScriptResult => {
  const { description = "", type, unserializableValue } = remote
  switch (type) {
    case "undefined":
      return result("undefined", undefined, false, maxChars)
    case "number":
      return unserializableValue === undefined
        ? result("json", JSON.stringify(remote.value), false, maxChars)
        : result("number", unserializableValue, false, maxChars)
    case "bigint":
      return result("bigint", (unserializableValue ?? description).replace(/n$/, ""), false, maxChars)
    case "symbol":
    case "function":
      return result(type, description, false, maxChars)
    case "string":
    case "boolean":
      return result("json", JSON.stringify(remote.value), false, maxChars)
    default:
      return remote.subtype === "null"
        ? result("json", "null", false, maxChars)
        : result(remote.subtype === "node" ? "node" : "unserialisable", description, false, maxChars)
  }
}

const fromDescribed = (value: unknown, maxChars: number): ScriptResult | undefined => {
  const described = decodeDescribed(value)
  if (described._tag === "None") return undefined
  const { cut, kind } = described.value
  const data = described.value.value
  const asText = typeof data === "string" && kind !== "json"
  const text = kind === "undefined" ? undefined : asText ? data : JSON.stringify(data ?? null)
  return result(kind, text, cut, maxChars)
}

// The value is what the caller's own statements gave, or their promise.
const describe = (awaits: boolean) => `${awaits ? "async " : ""}function (given, budget) { ${describeValueSource}
return __entry.describeValue(${awaits ? "await " : ""}given, budget) }`

/**
 * Runs a script once and tells what it gave.
 *
 * A promise is awaited. What the script throws, and a script that cannot be compiled, are results with `ok: false`.
 * Values are told as JSON text: nodes inside them by name ("button#pay.primary"), dates as ISO text, maps and sets as
 * lists, what JSON does not have as `JSON.stringify` would. A value with cycles, or that cannot be read as a whole, has
 * kind "unserialisable" and says so in its place. `const`, `let` and `class` end with the script; `var` and functions
 * declared by statements stay in the page, as in a console.
 *
 * Sends one command for an expression, at most six in all, and fails only as they do. Interrupting it does not stop a script that is running: send
 * `Runtime.terminateExecution` for that.
 */
export const runScript = <E, R>(
  send: SendScript<E, R>,
  { args, awaits = true, contextId, maxChars, script }: ScriptRequest
): Effect.Effect<ScriptResult, E, R> => {
  const objectGroup = `effect-browser-script-${++runs}`
  // what the page stops in may be a script of ours, too
  const name = awaits ? sourceName : `${sourceName}-${runs}`
  const lines = script.split(/\r\n|[\n\r\u2028\u2029]/).length
  const forms = scriptForms(script, args, maxChars, awaits, name)
  const context = contextId === undefined ? {} : { contextId }
  /** whether the page may keep objects for us */
  let holds = false

  const describeObject = (remote: Protocol.Runtime.RemoteObject) =>
    send("Runtime.callFunctionOn", {
      functionDeclaration: describe(awaits),
      objectId: remote.objectId ?? "",
      arguments: [{ objectId: remote.objectId ?? "" }, { value: maxChars }],
      returnByValue: true,
      awaitPromise: awaits
    })

  const failed = Effect.fnUntraced(function* (details: Protocol.Runtime.ExceptionDetails, form: Form) {
    const { exception } = details
    const thrown =
      exception?.objectId === undefined || exception.subtype === "error"
        ? undefined
        : fromDescribed((yield* describeObject(exception)).result.value, exceptionChars)?.value
    return {
      ok: false,
      exception:
        thrown === undefined
          ? exceptionText(details, lines, forms[form].indexOf(`${script}\n`), awaits, name)
          : bounded(`Uncaught ${thrown}`, exceptionChars)
    }
  })

  /** Runs the script in one form; what the browser refuses to compile is given back as its complaint. */
  const attempt = Effect.fnUntraced(function* (form: Form) {
    // an expression that succeeds leaves nothing behind in the page
    if (form === "statements") holds = true
    const { exceptionDetails, result } = yield* send("Runtime.evaluate", {
      expression: forms[form],
      replMode: awaits && form === "statements",
      returnByValue: form !== "statements",
      awaitPromise: awaits,
      userGesture: true,
      objectGroup,
      ...context
    })
    if (exceptionDetails !== undefined) {
      holds = true
      return isCompileError(exceptionDetails, awaits, name)
        ? { refused: exceptionDetails }
        : { outcome: yield* failed(exceptionDetails, form) }
    }
    if (form !== "statements") return { outcome: fromDescribed(result.value, maxChars) ?? classify(result, maxChars) }
    if (result.objectId === undefined) return { outcome: classify(result, maxChars) }
    const described = yield* describeObject(result)
    // Only a promise that the script gave can be rejected here: describing itself does not throw.
    if (described.exceptionDetails !== undefined && result.subtype === "promise") {
      return { outcome: yield* failed(described.exceptionDetails, form) }
    }
    return { outcome: fromDescribed(described.result.value, maxChars) ?? classify(result, maxChars) }
  })

  const run = Effect.gen(function* () {
    // The complaint about the statements speaks of the script as it was meant; a "return" in them asks for the body.
    const order: ReadonlyArray<Form> = declares.test(script)
      ? ["statements", "expression"]
      : ["expression", "statements"]
    let complaint: Protocol.Runtime.ExceptionDetails | undefined
    for (const form of order) {
      const { outcome, refused } = yield* attempt(form)
      if (outcome !== undefined) return outcome
      if (form === "statements") complaint = refused
    }
    if (complaint?.exception?.description?.includes("Illegal return") === true) {
      const { outcome, refused } = yield* attempt("body")
      if (outcome !== undefined) return outcome
      complaint = refused
    }
    return {
      ok: false,
      exception: complaint === undefined ? "SyntaxError" : exceptionText(complaint, lines, 0, awaits, name)
    }
  })
  // Not waited for: a page that a dialog or a loop keeps busy would hold up the interruption.
  const release = Effect.suspend(() =>
    holds ? Effect.forkDetach(Effect.ignore(send("Runtime.releaseObjectGroup", { objectGroup }))) : Effect.void
  )
  return Effect.ensuring(run, release)
}
