/** A row of the catalog: everything that is known about a tool, and its work. */
import { Effect, Function, Schema } from "effect"
import type { BrowserConfig } from "../schemas/config.ts"
import type { BrowserError } from "../schemas/errors.ts"
import type { HistoryEntry } from "../schemas/history.ts"
import type { TaskKey } from "../schemas/ids.ts"
import type { Addresses } from "../services/Addresses.ts"
import type { BrowserSession, Capabilities } from "../services/BrowserSession.ts"
import type { Control } from "../services/Control.ts"
import type { FileAccess } from "../services/FileAccess.ts"
import type { History } from "../services/History.ts"
import type { Scrapes } from "../services/Scrapes.ts"
import type { LaneMode, SessionNeed, Tasks } from "../services/Tasks.ts"
import type { OperationName } from "../services/Timeouts.ts"
import type { Rendered } from "./render/text.ts"
import { asLine } from "./render/text.ts"
import { type Recorded, recordedOf, withoutArguments } from "./recording.ts"

/** What a tool does while a dialog blocks the active tab. */
export type WhileDialog =
  /** works as always: it needs no page */
  | "answers"
  /** answers at once from what is known, with the dialog in its result */
  | "snapshot"
  /** allowed: it frees the page */
  | "escapes"
  /** works where the page can be looked at past its dialog, else fails at once with `DialogOpen` */
  | "looks"
  /** fails at once with `DialogOpen` */
  | "refused"

/** The facts of a tool. Code, documentation and tests read them from here. */
export interface ToolFacts {
  readonly name: `browser_${string}`
  readonly title: string
  /** One short sentence or two for the agent: every character is paid for in its context. */
  readonly description: string
  /** Offered by default; the others by option. */
  readonly core: boolean
  /** Changes something: refused or waiting while a person is in control. */
  readonly guarded: boolean
  readonly lane: LaneMode
  readonly session: SessionNeed | "none"
  /** Calls with equal arguments may share one execution (never for what writes anything). */
  readonly coalesced: boolean
  /** Name of the history entry; undefined: none. */
  readonly history: string | undefined
  /** Arguments that may be secret: then they are kept out of the history. */
  readonly secret: ReadonlyArray<string>
  readonly replayable: boolean
  readonly capability: keyof Capabilities | undefined
  /** Time for the work itself, once it is the call's turn: a name of the table of budgets, or ms. */
  readonly budget: OperationName | number
  /** `timeoutMs` is a parameter of the work (how long to wait for something), not a limit of the call. */
  readonly timeoutIsWork: boolean
  readonly whileDialog: WhileDialog
  readonly annotations: {
    readonly readOnly: boolean
    /** may destroy what was there (not only add to it) */
    readonly destructive: boolean
    /** the same call again changes nothing more */
    readonly idempotent: boolean
    /** touches the world outside this browser */
    readonly openWorld: boolean
  }
}

/** What a call has at hand. */
export interface ToolEnvironment {
  readonly task: TaskKey
  readonly tasks: Tasks["Service"]
  readonly files: FileAccess["Service"]
  readonly control: Control["Service"]
  readonly history: History["Service"]
  readonly scrapes: Scrapes["Service"]
  readonly addresses: Addresses["Service"]
  /**
   * Does a step of the history again, on the session at hand: decoded, checked and recorded as a call of the tool is.
   * Undefined if its arguments do not fit the tool any more.
   */
  readonly again: (step: HistoryEntry, session: BrowserSession) => Effect.Effect<RowAnswer | undefined, BrowserError>
  readonly config: BrowserConfig
  /** the table of budgets in force, ms */
  readonly timeouts: Record<OperationName, number>
}

/** An answer before it is bounded. */
export interface RowAnswer {
  readonly structured: { readonly [key: string]: Schema.Json }
  readonly rendered: Rendered
}

/** A call whose arguments are decoded. */
export interface PreparedCall {
  /** The caller's own limit in ms. */
  readonly timeoutMs: number | undefined
  /** Whether this call may share its execution, and under which key. */
  readonly coalesce: string | undefined
  /** Addresses that the call is to load: nothing is begun unless they are admitted. */
  readonly addresses: ReadonlyArray<string>
  /** The work on an open session; of a tool without session need, the work itself. */
  readonly run: (
    environment: ToolEnvironment,
    session: BrowserSession | undefined
  ) => Effect.Effect<unknown, BrowserError>
  /** The arguments as the history keeps them; `result`: what came of the call, undefined if it failed. */
  readonly record: (result: unknown) => Recorded
  /** What the history says of the result if it leaves out arguments: nothing that tells of them. */
  readonly harmless: (result: unknown) => string | undefined
  /** Encodes what `run` yielded through the closed success schema. Its failure is a fault of ours. */
  readonly answer: (result: unknown) => Effect.Effect<RowAnswer, Schema.SchemaError>
}

export interface ToolRow extends ToolFacts {
  readonly parameters: Schema.Top
  readonly success: Schema.Top
  /** What the tool can meet beyond `InvalidArguments` and `Internal`. */
  readonly errors: ReadonlyArray<ErrorClass>
  /** Decodes the arguments strictly: unknown keys fail, and all issues are collected. */
  readonly prepare: (args: unknown) => Effect.Effect<PreparedCall, Schema.SchemaError>
  /** A result for a reader, from its JSON and the arguments of its call alone. Fails if these are not the tool's. */
  readonly show: (args: unknown, structured: unknown) => Effect.Effect<Rendered, Schema.SchemaError>
}

/** A class of {@link BrowserError}. */
export type ErrorClass = (typeof BrowserError)["members"][number]

/** The code of a class of errors. */
export const codeOf = (error: ErrorClass): BrowserError["code"] => error.fields.code.schema.literal

const strict = { onExcessProperty: "error", errors: "all" } as const

/** Canonical JSON: equal arguments give equal text, whatever the order of their keys. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner
  )

/** JSON has no negative zero: one that came from the page becomes zero. */
const withoutNegativeZero = (value: Schema.Json): Schema.Json =>
  Object.is(value, -0)
    ? 0
    : Array.isArray(value)
      ? value.map(withoutNegativeZero)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutNegativeZero(inner)]))
        : value

interface Definition<P extends Schema.Codec<unknown, unknown>, S extends Schema.Codec<unknown, unknown>, Classes> {
  readonly parameters: P
  readonly success: S
  readonly errors: Classes
  readonly render: (success: S["Type"], params: P["Type"]) => Rendered
  /** Whether a call of a coalesced tool may share its execution; absent: always. */
  readonly shares?: (params: P["Type"]) => boolean
  /** Addresses that the call is to load, if it is to load any. */
  readonly addresses?: (params: P["Type"]) => ReadonlyArray<string>
  /**
   * The arguments without what is secret in this call, or unchanged. Absent: without all that may be secret.
   * `result`: undefined if the call failed.
   */
  readonly withoutSecrets?: (params: HistoryEntry["params"], result: S["Type"] | undefined) => HistoryEntry["params"]
  /** What the history may say of a result whose arguments it does not have whole; absent: nothing. */
  readonly harmless?: (result: S["Type"]) => string
}

const timeoutOf = (params: unknown): number | undefined =>
  typeof params === "object" && params !== null && "timeoutMs" in params && typeof params.timeoutMs === "number"
    ? params.timeoutMs
    : undefined

const makeRow = <P extends Schema.Codec<unknown, unknown>, S extends Schema.Codec<unknown, unknown>>(
  definition: ToolFacts & Definition<P, S, ReadonlyArray<ErrorClass>>,
  run: (
    environment: ToolEnvironment,
    params: P["Type"],
    session: BrowserSession | undefined
  ) => Effect.Effect<S["Type"], BrowserError>
): ToolRow => {
  const { parameters, success, render, shares, addresses, withoutSecrets, harmless, ...facts } = definition
  const shown =
    withoutSecrets ??
    ((params: HistoryEntry["params"]) =>
      facts.secret.some((name) => name in params) ? withoutArguments(params, facts.secret) : params)
  // made when the tool is first called: all of them take 4 ms of each start
  const codecs = Function.memoize((_: typeof facts) => {
    const json = Schema.toCodecJson(success)
    return {
      decode: Schema.decodeUnknownEffect(parameters, strict),
      encodeParams: Schema.encodeUnknownEffect(parameters),
      encode: Schema.encodeUnknownEffect(json, strict),
      decodeResult: Schema.decodeUnknownEffect(json, strict)
    }
  })
  const asLines = (rendered: Rendered): Rendered => ({ ...rendered, lines: rendered.lines.map(asLine) })
  return {
    ...facts,
    parameters,
    success,
    prepare: Effect.fnUntraced(function* (args) {
      const { decode, encode, encodeParams } = codecs(facts)
      const params = yield* decode(args)
      const encoded = (yield* encodeParams(params)) as HistoryEntry["params"]
      const key = facts.coalesced && shares?.(params) !== false ? canonicalJson(encoded) : undefined
      return {
        timeoutMs: facts.timeoutIsWork ? undefined : timeoutOf(params),
        addresses: addresses?.(params) ?? [],
        coalesce: key === undefined ? undefined : `${facts.name} ${key}`,
        run: (environment, session) => run(environment, params, session),
        record: (result) => recordedOf(encoded, shown(encoded, result as S["Type"] | undefined)),
        harmless: (result) => harmless?.(result as S["Type"]),
        answer: Effect.fnUntraced(function* (result) {
          const structured = withoutNegativeZero(yield* encode(result)) as RowAnswer["structured"]
          return { structured, rendered: asLines(render(result as S["Type"], params)) }
        })
      }
    }),
    show: Effect.fnUntraced(function* (args, structured) {
      const { decode, decodeResult } = codecs(facts)
      return asLines(render((yield* decodeResult(structured)) as S["Type"], yield* decode(args)))
    })
  }
}

/** A tool that works on the task's session. */
export const sessionTool = <
  P extends Schema.Codec<unknown, unknown>,
  S extends Schema.Codec<unknown, unknown>,
  const Classes extends ReadonlyArray<ErrorClass>
>(
  definition: ToolFacts &
    Definition<P, S, Classes> & {
      readonly session: SessionNeed
      readonly run: (
        session: BrowserSession,
        params: P["Type"],
        environment: ToolEnvironment
      ) => Effect.Effect<S["Type"], InstanceType<Classes[number]>>
    }
): ToolRow => {
  const { run, ...rest } = definition
  return makeRow(rest, (environment, params, session) =>
    session === undefined ? Effect.die(`${rest.name} was run without a session`) : run(session, params, environment)
  )
}

/** A tool that works on the task itself and opens no session. */
export const taskTool = <
  P extends Schema.Codec<unknown, unknown>,
  S extends Schema.Codec<unknown, unknown>,
  const Classes extends ReadonlyArray<ErrorClass>
>(
  definition: ToolFacts &
    Definition<P, S, Classes> & {
      readonly session: "none"
      readonly run: (
        environment: ToolEnvironment,
        params: P["Type"]
      ) => Effect.Effect<S["Type"], InstanceType<Classes[number]>>
    }
): ToolRow => {
  const { run, ...rest } = definition
  return makeRow(rest, run)
}
