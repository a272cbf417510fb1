/** A process that calls tools by the library: for every message a call, answered with its answer. Ends with its parent. */
import { Effect, ManagedRuntime } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"
import { libraryLayer } from "./libraryLayer.ts"

export interface LibraryCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

const library = ManagedRuntime.make(libraryLayer(process.argv[2]))
const task = TaskKey.make("bench")

process.on("message", ({ args, name }: LibraryCall) => {
  library.runPromise(Effect.flatMap(Tools, (tools) => tools.invoke(task, name, args))).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: String(error) })
  )
})
process.on("disconnect", () => {
  void library.dispose().then(() => process.exit(0))
})
