/** A display for windows that nobody sees. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Option, Queue, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { withVariable } from "./variables.ts"

/** Ends Xvfb when the pipe that feeds it ends, however this process does. */
const guarded = 'Xvfb "$@" & server=$!; read -r _; kill $server; wait $server'

/** Starts Xvfb on a display that is free, for the life of the scope, and gives its name (":1"). */
const startXvfb = Effect.gen(function* () {
  const held = yield* Queue.unbounded<Uint8Array>()
  const server = yield* ChildProcess.make(
    "/bin/sh",
    ["-c", guarded, "xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"],
    {
      stdin: Stream.fromQueue(held),
      stdout: "ignore",
      stderr: "ignore",
      additionalFds: { fd3: { type: "output" } },
      forceKillAfter: "2 seconds"
    }
  )
  const number = yield* server.getOutputFd(3).pipe(Stream.decodeText(), Stream.splitLines, Stream.runHead)
  return Option.isSome(number) ? `:${number.value}` : yield* Effect.die(new Error("Xvfb did not start"))
})

export class VirtualDisplay extends Context.Service<
  VirtualDisplay,
  {
    /** as in the variable DISPLAY, which has this value meanwhile */
    readonly display: string
  }
>()("test/VirtualDisplay") {
  /** The display that is there, or else one of Xvfb's. */
  static readonly layer = Layer.effect(
    VirtualDisplay,
    Effect.gen(function* () {
      const given = process.env["DISPLAY"]
      if (given !== undefined && given !== "") return { display: given }
      const display = yield* startXvfb
      yield* withVariable("DISPLAY", display)
      return { display }
    })
  ).pipe(Layer.provide(NodeServices.layer), Layer.orDie)
}
