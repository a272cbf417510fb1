/** The tools as a service: what adapters and embedding programs call. */
import type { Effect, Schema } from "effect"
import { Context } from "effect"
import type { BrowserError } from "../schemas/errors.ts"
import type { TaskKey } from "../schemas/ids.ts"
import type { Capabilities } from "./BrowserSession.ts"

/** A piece of an answer, for the reader. Texts together have at most 25,000 characters. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: Uint8Array; readonly mimeType: string }

export interface ToolAnswer {
  /** The result as JSON, exactly as the tool's success schema says. */
  readonly structured: { readonly [key: string]: Schema.Json }
  /** The same for a reader: compact text, and pictures. */
  readonly content: ReadonlyArray<ToolContent>
}

export class Tools extends Context.Service<
  Tools,
  {
    /**
     * Calls a tool by name for a task. `args` is decoded strictly: an unknown key is an error and nothing is done.
     *
     * Ends within the tool's budget; interrupting it interrupts the work. Fails with `ToolUnknown`,
     * `InvalidArguments`, what the tool can meet, or `Internal` for a fault of this library.
     */
    readonly invoke: (task: TaskKey, name: string, args: unknown) => Effect.Effect<ToolAnswer, BrowserError>
    /**
     * What the task's session can do; before it is open, what the one that would be opened now could do. Undefined: no
     * browser can be had. Known without I/O.
     */
    readonly capabilities: (task: TaskKey) => Effect.Effect<Capabilities | undefined>
  }
>()("effect-browser/Tools") {}
