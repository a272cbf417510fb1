/** A program to be killed by a test: writes half of the file of its argument, says so, and waits. */
import { dirname } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer } from "effect"
import * as FileAccessLive from "../../src/layers/files/FileAccess.ts"
import { FileAccess } from "../../src/services/FileAccess.ts"

const file = process.argv[2] ?? ""

const program = Effect.gen(function* () {
  const files = yield* FileAccess
  const sink = yield* files.create(yield* files.admitWrite(file))
  yield* sink.append(new TextEncoder().encode("half"))
  yield* Console.log("written")
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  Effect.provide(Layer.provideMerge(FileAccessLive.layer({ writeRoots: [dirname(file)] }), NodeServices.layer)),
  NodeRuntime.runMain
)
